package bridge

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"fettler/burler-bridge/internal/backend"
	"fettler/burler-bridge/internal/entity"
	"fettler/burler-bridge/internal/window"
	"fettler/burler-bridge/internal/wordpiece"
	"fettler/shared/wire"
)

// model is one loaded model with its vocabulary and labels.
type model struct {
	name    string
	vocab   *wordpiece.Vocab
	scheme  *entity.Scheme
	session backend.Session
	longest int // tokens a window holds, without the two around them
}

// maxText bounds vocab.txt and labels.json.
const maxText = 32 << 20

// load reads a model's files; every error names the one that is wrong.
func load(engine backend.Backend, m wire.Model) (*model, error) {
	said := func(file string, err error) error { return fmt.Errorf("%s/%s %w", m.Name, file, err) }
	raw, err := read(filepath.Join(m.Dir, wire.VocabFile))
	if err != nil {
		return nil, said(wire.VocabFile, err)
	}
	vocab, err := wordpiece.Parse(raw)
	if err != nil {
		return nil, said(wire.VocabFile, err)
	}
	if raw, err = read(filepath.Join(m.Dir, wire.LabelsFile)); err != nil {
		return nil, said(wire.LabelsFile, err)
	}
	labels, err := wire.ReadLabels(raw)
	if err != nil {
		return nil, said(wire.LabelsFile, err)
	}
	scheme, err := entity.NewScheme(labels)
	if err != nil {
		return nil, said(wire.LabelsFile, err)
	}
	session, err := engine.Open(filepath.Join(m.Dir, wire.ModelFile))
	if err != nil {
		return nil, said(wire.ModelFile, fmt.Errorf("cannot be loaded: %w", err))
	}
	return &model{m.Name, vocab, scheme, session, engine.Longest() - 2}, nil
}

func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, errors.New("cannot be read")
	}
	if info.Size() > maxText {
		return nil, errors.New("is larger than 32 MB")
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, errors.New("cannot be read")
	}
	return raw, nil
}

// judge gives the entities of the text as ranges of its characters.
func (m *model) judge(text string) ([][2]int, error) {
	tokens := m.vocab.Tokens(text)
	class := make([]int, len(tokens))
	for _, w := range window.Cut(len(tokens), m.longest) {
		ids := make([]int64, 0, m.longest+2)
		ids = append(ids, m.vocab.CLS())
		for _, t := range tokens[w.From:w.To] {
			ids = append(ids, t.ID)
		}
		ids = append(ids, m.vocab.SEP())
		mask := make([]int64, len(ids))
		for i := range mask {
			mask[i] = 1
		}
		rows, err := m.session.Run(ids, mask)
		if err != nil {
			return nil, fmt.Errorf("%s/%s failed: %w", m.name, wire.ModelFile, err)
		}
		if len(rows) != len(ids) {
			return nil, fmt.Errorf("%s/%s answered for %d tokens of %d", m.name, wire.ModelFile, len(rows), len(ids))
		}
		for i := w.First; i < w.Last; i++ {
			row := rows[i-w.From+1]
			if len(row) != m.scheme.Classes() {
				return nil, fmt.Errorf("%s/%s has %d labels, the model %d classes", m.name, wire.LabelsFile, m.scheme.Classes(), len(row))
			}
			best, ok := largest(row)
			if !ok {
				return nil, fmt.Errorf("%s/%s answered with scores that are no numbers", m.name, wire.ModelFile)
			}
			class[i] = best
		}
	}
	return m.scheme.Decode(tokens, class), nil
}

// largest is the class with the highest score; a score that is no number makes
// the row no answer.
func largest(row []float32) (int, bool) {
	best := 0
	for i, v := range row {
		if v != v {
			return 0, false
		}
		if v > row[best] {
			best = i
		}
	}
	return best, true
}
