package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"fettler/burler-bridge/internal/backend/ort"
	"fettler/burler-bridge/internal/testmodel"
	"fettler/shared/wire"
)

// programs are the built program by backend: alone in a folder, and with ONNX
// Runtime's library beside it when that is here.
var programs = map[string]string{}

func TestMain(m *testing.M) { os.Exit(build(m)) }

func build(m *testing.M) int {
	dir, err := os.MkdirTemp("", "burler-bridge-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	suffix := ""
	if runtime.GOOS == "windows" {
		suffix = ".exe"
	}
	alone := filepath.Join(dir, "pure", "burler-bridge"+suffix)
	cmd := exec.Command("go", "build", "-o", alone, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%s%v\n", out, err)
		return 1
	}
	programs["pure Go"] = alone
	if lib := testmodel.Library(); lib != "" {
		beside := filepath.Join(dir, "ort", "burler-bridge"+suffix)
		err := copyFile(alone, beside)
		if err == nil {
			err = copyFile(lib, filepath.Join(dir, "ort", ort.FileName(runtime.GOOS)))
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		programs["ONNX Runtime"] = beside
	}
	return m.Run()
}

func copyFile(from, to string) error {
	raw, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, raw, 0o755)
}

// result is a finished program's.
type result struct {
	out, err string
	code     int
}

func start(t *testing.T, program, input string, args ...string) result {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = []string{}
	cmd.Dir = t.TempDir()
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &out, &errs
	err := cmd.Run()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	return result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

var (
	words  = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "patient", "ann", "lee", "took", "as", "##pirin", "on", "monday", ".", "##s"}
	labels = []string{"O", "B-NAME", "I-NAME", "B-DRUG", "I-DRUG"}
	label  = map[string]int{"ann": 1, "lee": 2, "as": 3}
)

func install(t *testing.T, dir string, o testmodel.Options) {
	t.Helper()
	if err := testmodel.Install(dir, words, label, labels, o); err != nil {
		t.Fatal(err)
	}
}

func request(category, payload string) string {
	raw, _ := json.Marshal(wire.ScreenRequest{Op: "screen", Categories: []string{category}, Payload: payload})
	return string(raw) + "\n"
}

// Known tokens are labelled right through the real program, on both backends,
// in every form a model comes in, with one program for all of a form's texts.
func TestLabels(t *testing.T) {
	long := strings.Repeat("the patient took aspirin on monday . ", 120)
	texts := map[string][][2]int{
		"The patient Ann Lee took aspirin.": {{12, 19}, {25, 32}},
		"nothing of interest":               nil,
		"":                                  nil,
		"Änn  LEE\nann":                     {{0, 8}, {9, 12}},
	}
	for name, program := range programs {
		for variant, o := range testmodel.Variants() {
			t.Run(name+"/"+variant, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				install(t, filepath.Join(dir, "clinical"), o)
				var input strings.Builder
				var order []string
				for text := range texts {
					order = append(order, text)
					input.WriteString(request("clinical", text))
				}
				input.WriteString(request("clinical", long))
				r := start(t, program, input.String(), "--models", dir)
				if r.code != 0 || !strings.Contains(r.err, "backend: "+name) {
					t.Fatalf("%+v", r)
				}
				lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
				if len(lines) != len(order)+1 {
					t.Fatalf("%d answers for %d lines", len(lines), len(order)+1)
				}
				for i, line := range lines {
					a, err := wire.ReadScreenAnswer([]byte(line), []string{"clinical"})
					if err != nil || !a.OK {
						t.Fatalf("%s: %v", line, err)
					}
					if i == len(order) {
						if a.Findings[0].Count != 120 {
							t.Errorf("over many windows: %d, want 120", a.Findings[0].Count)
						}
						continue
					}
					var got [][2]int
					for _, f := range a.Findings {
						got = append(got, f.Spans...)
					}
					if want := texts[order[i]]; !reflect.DeepEqual(got, want) {
						t.Errorf("%q: %v, want %v", order[i], got, want)
					}
				}
			})
		}
	}
	if programs["ONNX Runtime"] == "" {
		t.Run("ONNX Runtime", func(t *testing.T) {
			t.Skip("the library is not here: `go tool mage onnxRuntime` fetches it")
		})
	}
}

func TestSeveralModelsAdd(t *testing.T) {
	dir := t.TempDir()
	install(t, filepath.Join(dir, "legal", "a"), testmodel.Options{})
	install(t, filepath.Join(dir, "legal", "b"), testmodel.Options{})
	install(t, filepath.Join(dir, "clinical"), testmodel.Options{})
	r := start(t, programs["pure Go"], `{"op":"screen","categories":["clinical","legal"],"payload":"ann"}`, "--models", dir)
	if want := `{"ok":true,"findings":[{"category":"clinical","count":1,"spans":[[0,3]]},{"category":"legal","count":2,"spans":[[0,3],[0,3]]}]}` + "\n"; r.out != want {
		t.Errorf("%s, want %s", r.out, want)
	}
}

// There is one answer for every line, and no answer or log repeats a line.
func TestOneAnswerForEveryLine(t *testing.T) {
	dir := t.TempDir()
	install(t, filepath.Join(dir, "clinical"), testmodel.Options{})
	const secret = "ZZSECRETZZ"
	lines := []string{
		"", secret, "{}", `{"op":"` + secret + `"}`, `[1]`, "\xff\xfe", "\x00", `{"op":"screen","categories":["` + secret + `"],"payload":"x"}`,
		`{"op":"screen","categories":["identifiers"],"payload":"` + secret + `"}`, `{"op":"screen","categories":["legal"],"payload":"` + secret + `"}`,
		`{"op":"screen","categories":["clinical"],"payload":"` + secret + `"}`, strings.Repeat("[", 100000), `{"op":"screen","categories":["clinical"],"payload":"ann"}`,
	}
	r := start(t, programs["pure Go"], strings.Join(lines, "\n"), "--models", dir) // the last line has no end
	got := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
	if len(got) != len(lines) || r.code != 0 {
		t.Fatalf("%d answers for %d lines, exit %d", len(got), len(lines), r.code)
	}
	for i, line := range got {
		a, err := wire.ReadScreenAnswer([]byte(line), wire.ModelCategories)
		if err != nil || a.OK != (i == 10 || i == 12) || !a.OK && a.Error == "" {
			t.Errorf("%q: %s", lines[i], line)
		}
	}
	if strings.Contains(strings.ToUpper(r.out+r.err), secret) {
		t.Errorf("repeated: %s %s", r.out, r.err)
	}
	if got[9] != `{"ok":false,"error":"no model for legal is installed in the models directory"}` {
		t.Error(got[9])
	}
}

func TestALineTooLong(t *testing.T) {
	in := io.MultiReader(strings.NewReader(strings.Repeat("x", 1<<20)), bytes.NewReader(make([]byte, 64<<20)), strings.NewReader("\n{}\n"))
	cmd := exec.Command(programs["pure Go"], "--models", t.TempDir())
	cmd.Stdin = in
	out, err := cmd.Output()
	if err != nil || string(out) != `{"ok":false,"error":"the request is longer than 64 MB"}`+"\n"+`{"ok":false,"error":"the request's op is not \"screen\""}`+"\n" {
		t.Errorf("%s %v", out, err)
	}
}

// Every file of a model that is wrong is named.
func TestWrongFilesAreNamed(t *testing.T) {
	for name, c := range map[string]struct{ file, text, want string }{
		"manifest": {"manifest.json", `{"checkpoint":"x","revision":"y","licence":"","provenance":"z"}`, `clinical/manifest.json has a "licence" that is not a string with something in it`},
		"labels":   {"labels.json", `{"0":"O"}`, "clinical/labels.json is not an array of two or more labels in class order"},
		"outside":  {"labels.json", `["A","B","C","D","E"]`, `clinical/labels.json has no "O", the label of text that is nothing`},
		"classes":  {"labels.json", `["O","B","C"]`, "clinical/labels.json has 3 labels, the model 5 classes"},
		"vocab":    {"vocab.txt", "the\n", "clinical/vocab.txt has no [UNK], so it is no WordPiece vocabulary"},
		"model":    {"model.onnx", "not a model", "clinical/model.onnx cannot be loaded: "},
	} {
		for engine, program := range programs {
			dir := t.TempDir()
			install(t, filepath.Join(dir, "clinical"), testmodel.Options{})
			if err := os.WriteFile(filepath.Join(dir, "clinical", c.file), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			r := start(t, program, request("clinical", "ann"), "--models", dir)
			a, err := wire.ReadScreenAnswer([]byte(r.out), wire.ModelCategories)
			if err != nil || a.OK || !strings.HasPrefix(a.Error, c.want) || strings.Contains(a.Error, dir) {
				t.Errorf("%s, %s: %s", name, engine, r.out)
			}
		}
	}
}

func TestArguments(t *testing.T) {
	p := programs["pure Go"]
	if r := start(t, p, ""); r.code != 2 || r.out != "" || r.err != "refused: burler-bridge needs --models DIR, the models directory\n" {
		t.Errorf("%+v", r)
	}
	if r := start(t, p, "", "--models", "x", "extra"); r.code != 2 || r.out != "" {
		t.Errorf("%+v", r)
	}
	if r := start(t, p, "", "--modells", "x"); r.code != 2 || r.out != "" {
		t.Errorf("%+v", r)
	}
	if r := start(t, p, "", "--models", "x", "--onnxruntime", filepath.Join(t.TempDir(), "none.so")); r.code != 2 || r.out != "" || r.err == "" {
		t.Errorf("%+v", r)
	}
	if r := start(t, p, "", "--help"); r.code != 0 || !strings.Contains(r.out, "--onnxruntime") {
		t.Errorf("%+v", r)
	}
	for name, program := range programs {
		if r := start(t, program, "", "--version"); r.code != 0 || !strings.HasPrefix(r.out, "burler-bridge ") || !strings.Contains(r.out, "\nbackend: "+name) {
			t.Errorf("%+v", r)
		}
	}
	// A library that is there and is none: said, and Go alone answers.
	dir := t.TempDir()
	if err := copyFile(p, filepath.Join(dir, filepath.Base(p))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ort.FileName(runtime.GOOS)), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := start(t, filepath.Join(dir, filepath.Base(p)), "", "--version"); r.code != 0 || !strings.Contains(r.out, "backend: pure Go") || !strings.Contains(r.out, "is not used") {
		t.Errorf("%+v", r)
	}
}

// A library that the system's loader would find, or that lies where the program
// was started, is not looked at: not even said to be unusable.
func TestNoSearchPath(t *testing.T) {
	alone := programs["pure Go"]
	dir := t.TempDir()
	there := filepath.Join(dir, ort.FileName(runtime.GOOS))
	var err error
	if lib := testmodel.Library(); lib != "" {
		err = copyFile(lib, there)
	} else {
		err = os.WriteFile(there, []byte("x"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, filepath.Base(alone))
	if err := os.Symlink(alone, link); err != nil { // what counts is where the program really lies
		link = alone
	}
	for _, program := range []string{alone, link} {
		cmd := exec.Command(program, "--version")
		cmd.Dir = dir
		for _, name := range []string{"PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"} {
			cmd.Env = append(cmd.Env, name+"="+dir)
		}
		out, err := cmd.CombinedOutput()
		if err != nil || strings.Count(string(out), "\n") != 2 || !strings.Contains(string(out), "\nbackend: pure Go") {
			t.Errorf("%s%v", out, err)
		}
	}
}
