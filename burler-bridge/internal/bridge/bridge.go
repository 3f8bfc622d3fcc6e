// Package bridge judges text with the models of a models directory, one
// request a line.
//
// New takes the directory and an engine, Serve answers lines until the input
// ends. Models are loaded one at a time, when a request first wants their
// category, and kept. There is one answer for every line, whatever arrives,
// and no answer, error or log repeats anything of a request.
package bridge

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"fettler/burler-bridge/internal/backend"
	"fettler/shared/wire"
)

// maxLine bounds a request.
const maxLine = 64 << 20

// Bridge holds the loaded models.
type Bridge struct {
	dir    string
	engine backend.Backend
	loaded map[string][]*model
}

// New makes a bridge over a models directory. Nothing is read yet.
func New(dir string, engine backend.Backend) *Bridge {
	return &Bridge{dir, engine, map[string][]*model{}}
}

// Serve answers each line of in with one line on out. It returns when in ends
// or out cannot be written.
func (b *Bridge) Serve(in io.Reader, out io.Writer) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := readLine(r)
		if err == io.EOF {
			return nil
		}
		if err != nil && !errors.Is(err, errTooLong) {
			return err
		}
		answer := wire.ScreenAnswer{}
		if err != nil {
			answer.Error = err.Error()
		} else {
			answer = b.Answer(line)
		}
		raw, err := json.Marshal(answer)
		if err != nil {
			raw = []byte(`{"ok":false,"error":"the answer could not be written"}`)
		}
		if _, err := out.Write(append(raw, '\n')); err != nil {
			return err
		}
	}
}

var errTooLong = errors.New("the request is longer than 64 MB")

// readLine reads a line of any length without its end, and the last one also
// without an end. One that is too long is read away.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxLine; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF && len(line) == 0 && !long:
			return nil, io.EOF
		case err != nil && err != io.EOF:
			return nil, err
		case long:
			return nil, errTooLong
		}
		return line, nil
	}
}

// Answer judges one request.
func (b *Bridge) Answer(line []byte) (answer wire.ScreenAnswer) {
	defer func() {
		// What a panic says may hold the text; that it happened is enough.
		if recover() != nil {
			answer = wire.ScreenAnswer{Error: "the model failed"}
		}
	}()
	q, err := wire.ReadScreenRequest(line)
	if err != nil {
		return wire.ScreenAnswer{Error: err.Error()}
	}
	findings := []wire.Finding{}
	done := map[string]bool{}
	for _, category := range q.Categories {
		if done[category] {
			continue
		}
		done[category] = true
		spans, err := b.judge(category, q.Payload)
		if err != nil {
			return wire.ScreenAnswer{Error: err.Error()}
		}
		if len(spans) > 0 {
			findings = append(findings, wire.Finding{Category: category, Count: len(spans), Spans: spans})
		}
	}
	return wire.ScreenAnswer{OK: true, Findings: findings}
}

// judge asks every model of the category; what they find adds up.
func (b *Bridge) judge(category, text string) ([][2]int, error) {
	models, err := b.models(category)
	if err != nil {
		return nil, err
	}
	var spans [][2]int
	for _, m := range models {
		found, err := m.judge(text)
		if err != nil {
			return nil, err
		}
		spans = append(spans, found...)
	}
	return spans, nil
}

// models loads a category's models when it is first wanted. A category that
// cannot be loaded is tried again at the next request: a share may come back.
func (b *Bridge) models(category string) ([]*model, error) {
	if models, ok := b.loaded[category]; ok {
		return models, nil
	}
	installed, err := wire.Models(b.dir, category)
	if err != nil {
		return nil, err
	}
	if len(installed) == 0 {
		return nil, fmt.Errorf("no model for %s is installed in the models directory", category)
	}
	var models []*model
	for _, m := range installed {
		loaded, err := load(b.engine, m)
		if err != nil {
			for _, l := range models {
				l.session.Close()
			}
			return nil, err
		}
		models = append(models, loaded)
	}
	b.loaded[category] = models
	return models, nil
}
