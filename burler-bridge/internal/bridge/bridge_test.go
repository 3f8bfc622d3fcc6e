package bridge

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"fettler/burler-bridge/internal/backend"
	"fettler/shared/wire"
)

// engine is a backend whose models do what the test says.
type engine struct {
	opened []string
	run    func(ids []int64) ([][]float32, error)
}

func (e *engine) Name() string { return "test" }
func (e *engine) Longest() int { return 8 }
func (e *engine) Open(path string) (backend.Session, error) {
	e.opened = append(e.opened, filepath.Base(filepath.Dir(path)))
	return e, nil
}
func (e *engine) Run(ids, _ []int64) ([][]float32, error) { return e.run(ids) }
func (e *engine) Close()                                  {}

func put(t testing.TB, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		wire.ModelFile: "x", wire.VocabFile: "[PAD]\n[UNK]\n[CLS]\n[SEP]\nann\n", wire.LabelsFile: `["O","NAME"]`,
		wire.ManifestFile: `{"checkpoint":"a","revision":"b","licence":"c","provenance":"d"}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

const question = `{"op":"screen","categories":["clinical"],"payload":"zq ann zq"}`

func TestModelsAreLoadedWhenFirstWantedAndKept(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "clinical"))
	put(t, filepath.Join(dir, "legal"))
	e := &engine{run: func(ids []int64) ([][]float32, error) { return make([][]float32, len(ids)), nil }}
	e.run = func(ids []int64) (rows [][]float32, err error) {
		for range ids {
			rows = append(rows, []float32{1, 0})
		}
		return rows, nil
	}
	b := New(dir, e)
	if len(e.opened) != 0 {
		t.Error("loaded before it was wanted")
	}
	for range 3 {
		if a := b.Answer([]byte(question)); !a.OK {
			t.Error(a.Error)
		}
	}
	if strings.Join(e.opened, " ") != "clinical" {
		t.Errorf("opened %v", e.opened)
	}
}

// Whatever the model does, the answer is an error in fixed words.
func TestAModelThatMisbehaves(t *testing.T) {
	nan := float32(0)
	nan /= nan
	for want, run := range map[string]func(ids []int64) ([][]float32, error){
		"the model failed":                                             func([]int64) ([][]float32, error) { panic("zq ann zq") },
		"clinical/model.onnx failed: no memory":                        func([]int64) ([][]float32, error) { return nil, errors.New("no memory") },
		"clinical/model.onnx answered for 1 tokens of 5":               func([]int64) ([][]float32, error) { return [][]float32{{1, 0}}, nil },
		"clinical/labels.json has 2 labels, the model 1 classes":       func(ids []int64) ([][]float32, error) { return rows(ids, 1), nil },
		"clinical/model.onnx answered with scores that are no numbers": func(ids []int64) ([][]float32, error) { return rows(ids, nan, 1), nil },
	} {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "clinical"))
		if a := New(dir, &engine{run: run}).Answer([]byte(question)); a.OK || a.Error != want {
			t.Errorf("%+v, want %q", a, want)
		}
	}
}

func rows(ids []int64, row ...float32) (out [][]float32) {
	for range ids {
		out = append(out, row)
	}
	return out
}

func FuzzServe(f *testing.F) {
	dir := f.TempDir()
	put(f, filepath.Join(dir, "clinical"))
	for _, s := range []string{question, "", "\n\n", "{}", question + "\n" + question, `{"op":"screen","categories":["legal"],"payload":"x"}`, "\xff"} {
		f.Add(s)
	}
	b := New(dir, &engine{run: func(ids []int64) ([][]float32, error) { return rows(ids, 0, 1), nil }})
	f.Fuzz(func(t *testing.T, input string) {
		var out strings.Builder
		if err := b.Serve(strings.NewReader(input), &out); err != nil {
			t.Fatal(err)
		}
		want := strings.Count(input, "\n")
		if input != "" && !strings.HasSuffix(input, "\n") {
			want++
		}
		got := strings.SplitAfter(out.String(), "\n")
		if len(got)-1 != want {
			t.Fatalf("%d answers for %d lines", len(got)-1, want)
		}
		for _, line := range got[:want] {
			if _, err := wire.ReadScreenAnswer([]byte(line), wire.ModelCategories); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
		}
	})
}

// FuzzModelFiles: whatever a model's folder holds, and whatever is asked, there
// is an answer in order, and no refusal repeats a line of what was asked.
func FuzzModelFiles(f *testing.F) {
	const vocab, labels, manifest = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nann\n", `["O","B-NAME","I-NAME"]`, `{"checkpoint":"a","revision":"b","licence":"c","provenance":"d"}`
	for _, s := range [][4]string{
		{vocab, labels, manifest, "ann"}, {"", labels, manifest, "ann"}, {vocab, `["O"]`, manifest, "ann"}, {vocab, `["X","Y"]`, manifest, "ann"}, {vocab, `[1]`, manifest, ""},
		{vocab, labels, "{", "ann"}, {vocab, labels, `{"checkpoint":""}`, "ann"}, {"\xff", labels, manifest, "ann"}, {vocab + "##", `["O","B-"]`, manifest, "a nn\u0301"}, {"[CLS]\r\n", "[]", "[]", "x"},
	} {
		f.Add(s[0], s[1], s[2], s[3])
	}
	dir := f.TempDir()
	model := filepath.Join(dir, "clinical")
	put(f, model)
	f.Fuzz(func(t *testing.T, vocab, labels, manifest, payload string) {
		for name, text := range map[string]string{wire.VocabFile: vocab, wire.LabelsFile: labels, wire.ManifestFile: manifest} {
			if err := os.WriteFile(filepath.Join(model, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		const marker = " zq-marker-zq"
		payload += marker
		question, err := json.Marshal(wire.ScreenRequest{Op: "screen", Categories: []string{"clinical"}, Payload: payload})
		if err != nil {
			t.Fatal(err)
		}
		b := New(dir, &engine{run: func(ids []int64) ([][]float32, error) { return rows(ids, 0, 1, 0), nil }})
		a := b.Answer(question)
		raw, err := json.Marshal(a)
		if err == nil {
			_, err = wire.ReadScreenAnswer(raw, []string{"clinical"})
		}
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		for _, found := range a.Findings {
			for _, s := range found.Spans {
				if s[0] < 0 || s[1] <= s[0] || s[1] > utf8.RuneCountInString(payload) {
					t.Fatalf("%v of %q", s, payload)
				}
			}
		}
		if strings.Contains(a.Error, marker) {
			t.Fatalf("%q repeats what was asked", a.Error)
		}
	})
}
