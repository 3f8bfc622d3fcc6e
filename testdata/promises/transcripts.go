package promises

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// promise is one `#promise:` of a transcript with the lines that show it.
type promise struct {
	text, file string // file: below testdata/transcripts, with slashes
	lines      []string
	files      map[string]string // the transcript's own, by their last name
}

const mark = "#promise:"

func readTranscripts(dir string) ([]promise, error) {
	var out []promise
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".txtar") {
			return err
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		found, err := inTranscript(filepath.ToSlash(rel), b)
		out = append(out, found...)
		return err
	})
	return out, err
}

// inTranscript finds the promises of one transcript.
func inTranscript(name string, content []byte) ([]promise, error) {
	archive := txtar.Parse(content)
	files := map[string]string{}
	for _, f := range archive.Files {
		files[filepath.Base(f.Name)] = string(f.Data)
	}
	var out []promise
	open := false
	for line := range strings.Lines(string(archive.Comment)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, mark):
			text := strings.TrimSpace(line[len(mark):])
			if text == "" {
				return nil, fmt.Errorf("%s: a promise without words", name)
			}
			out, open = append(out, promise{text: text, file: name, files: files}), true
		case line == "" || strings.HasPrefix(line, "#"):
			open = false
		case open:
			out[len(out)-1].lines = append(out[len(out)-1].lines, line)
		}
	}
	return out, nil
}
