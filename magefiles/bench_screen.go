//go:build mage

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// screenResults are the identifiers beside rg, and a model's judging beside
// the same model in onnxruntime-node.
func screenResults(bin, work string) []result {
	if !wanted("screen:") {
		return nil
	}
	return append([]result{identifierResult(work)}, modelResults(bin, work)...)
}

// sixPatterns are the six detectors as regular expressions, without what the
// detectors leave out.
var sixPatterns = []string{
	`\b\d{3}-\d{2}-\d{4}\b`,
	`\b\d{3,7}([ -]\d{2,7}){1,5}\b`,
	`\+\d[\d ().-]{6,}\d|\(?\b[2-9]\d{2}\)?[ .-]\d{3}[ .-]\d{4}\b`,
	`[A-Za-z0-9._%+'-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}`,
	`(?i)(mrn|patient id|medical record (no\.?|number))[ :#]*[a-z-]*\d{3,}`,
	`(?i)(dob|date of birth|born on)[ :]*\d{1,4}[-/. ]\d{1,2}[-/. ]\d{2,4}`,
}

// identifierResult reads 50 MB of source and counts what is in it.
func identifierResult(work string) result {
	r := result{pair: pair{name: "screen: identifiers over 50 MB of Go source, to the six patterns", bound: 2}}
	dir := filepath.Join(work, "identifiers")
	text, program := filepath.Join(dir, "text"), filepath.Join(dir, "count.exe")
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		err = fiftyMB(text)
	}
	if err == nil {
		err = run(environ(), "go", "test", "-c", "-o", program, "fettler/fettle/internal/screen/identifiers")
	}
	if err != nil {
		r.why = err.Error()
		return r
	}
	os.Setenv("FETTLE_COUNT", text)
	defer os.Unsetenv("FETTLE_COUNT")
	// Bytes for characters is rg's faster form, and what the detectors do.
	peer := []string{"rg", "-c", "--no-unicode"}
	for _, p := range sixPatterns {
		peer = append(peer, "-e", p)
	}
	return measure(pair{name: r.name, bound: 2, dir: dir, ours: []string{program, "-test.run=^TestCountAFile$"}, peer: append(peer, "text")})
}

// fiftyMB writes Go's sources one behind the other until they are 50 MB.
func fiftyMB(path string) error {
	src, err := goSources()
	if err != nil {
		return err
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	left := 50 << 20
	err = filepath.WalkDir(src, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(p) != ".go" {
			return err
		}
		raw, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		if left -= len(raw); left < 0 {
			return fs.SkipAll
		}
		_, err = out.Write(raw)
		return err
	})
	if err == nil && left > 5<<20 {
		err = errors.New("GOROOT/src holds less than 50 MB of Go")
	}
	return err
}

// talk is a program that answers a line with a line.
type talk struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func converse(dir string, words ...string) (*talk, error) {
	t := &talk{cmd: exec.Command(words[0], words[1:]...)}
	t.cmd.Dir = dir
	out, err := t.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if t.in, err = t.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	t.out = bufio.NewReaderSize(out, 1<<20)
	return t, t.cmd.Start()
}

// ask sends a line and gives the answer, which must hold want, and how long it took.
func (t *talk) ask(question any, want string) (time.Duration, error) {
	raw, err := json.Marshal(question)
	if err != nil {
		return 0, err
	}
	start := time.Now()
	if _, err := t.in.Write(append(raw, '\n')); err != nil {
		return 0, err
	}
	line, err := t.out.ReadBytes('\n')
	took := time.Since(start)
	if err == nil && !bytes.Contains(line, []byte(want)) {
		err = fmt.Errorf("%s answered %.200s", filepath.Base(t.cmd.Path), line)
	}
	return took, err
}

func (t *talk) end() {
	_ = t.in.Close()
	_ = t.cmd.Process.Kill()
	_ = t.cmd.Wait()
}

// peerScript runs a model over windows of the lengths that a line gives.
const peerScript = `const ort = require('onnxruntime-node');
const lines = require('readline').createInterface({ input: process.stdin });
(async () => {
  const session = await ort.InferenceSession.create(process.argv[2]);
  for await (const line of lines) {
    for (const n of JSON.parse(line)) {
      const row = f => new ort.Tensor('int64', BigInt64Array.from({ length: n }, (_, i) => f(i)), [1, n]);
      await session.run({ input_ids: row(i => BigInt(7 + i * 37 % 30000)), attention_mask: row(() => 1n), token_type_ids: row(() => 0n) });
    }
    process.stdout.write('done\n');
  }
})();
`

const (
	peerPackage = "onnxruntime-node"
	windowSize  = 510 // tokens beside the two around a window
	windowStep  = windowSize - windowSize/4
)

// modelResults judge with a model of BERT-base's shape in int8: one window
// through burler-bridge, and a page through the server, each beside the time
// that onnxruntime-node takes for the same windows of the same model.
func modelResults(bin, work string) []result {
	window := result{pair: pair{name: "screen: a BERT-base int8 window of 512 tokens", bound: 1.2, peer: []string{peerPackage}}}
	page := result{pair: pair{name: "screen: a warm read of a 10 KB page, to the model's own time", bound: 1.2, peer: []string{peerPackage}}}
	failed := func(err error) []result {
		window.why, page.why = err.Error(), err.Error()
		return []result{window, page}
	}
	dir := filepath.Join(work, "screen")
	models := filepath.Join(dir, "models", "clinical")
	lib, err := runtimeForTests()
	if err != nil {
		return failed(fmt.Errorf("ONNX Runtime could not be had: %w", err))
	}
	if err := layScreen(bin, lib, dir); err != nil {
		return failed(err)
	}
	if err := run(environ(), "go", "run", "fettler/burler-bridge/internal/testmodel/maketiny", "--base", models); err != nil {
		return failed(err)
	}
	words, err := vocabulary(filepath.Join(models, "vocab.txt"))
	if err != nil {
		return failed(err)
	}
	if err := npmInstall(dir, runtimePackage); err != nil {
		return failed(fmt.Errorf("the peer %s could not be had: %w", peerPackage, err))
	}
	var windows, pages turns
	for range starts {
		if err := judge(dir, words, &windows, &pages); err != nil {
			return failed(err)
		}
	}
	windows.tell(&window)
	pages.tell(&page)
	return []result{window, page}
}

// starts is how often both sides are started anew: where the system puts a
// model's memory makes one process slower than another of the same program, by
// up to a half, for as long as it lives.
const starts = 5

// judge adds rounds of processes that were started anew.
func judge(dir string, words []string, windows, pages *turns) error {
	peer, err := peerRuntime(dir, filepath.Join(dir, "models", "clinical", "model.onnx"))
	if err != nil {
		return err
	}
	defer peer.end()
	if err := judgeWindow(dir, words, peer, windows); err != nil {
		return err
	}
	return judgePage(dir, words, peer, pages)
}

// layScreen copies the programs and the library into a folder of their own, and a screened project.
func layScreen(bin, lib, dir string) error {
	suffix := ""
	if runtime.GOOS == "windows" {
		suffix = ".exe"
	}
	copies := map[string]string{lib: filepath.Base(lib)}
	for _, p := range []string{"fettle", "fettle-mcp", "burler-bridge"} {
		copies[filepath.Join(bin, p+suffix)] = p + suffix
	}
	for _, sub := range []string{"bin", "project", filepath.Join("models", "clinical")} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return err
		}
	}
	for from, to := range copies {
		raw, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "bin", to), raw, 0o755)
		}
		if err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "project", ".fettler.json"), []byte(
		`{"guardrails":{"trees":{"work":{"path":".","can":["list","read"]}}},"screenings":{"models":"../models","screen":{"work":["identifiers","clinical"]}}}`), 0o644)
}

func vocabulary(path string) ([]string, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return strings.Fields(string(raw))[7:], nil // without the special ones and the names
}

func peerRuntime(dir, model string) (*talk, error) {
	script := filepath.Join(dir, "peer.cjs")
	if err := os.WriteFile(script, []byte(peerScript), 0o644); err != nil {
		return nil, err
	}
	return converse(dir, "node", script, model)
}

// text is n words of the vocabulary, each of them one token, different every time.
func text(words []string, n int) string {
	pick := make([]string, n)
	for i := range pick {
		pick[i] = words[rand.Intn(len(words))]
		if i%12 == 11 {
			pick[i] += "\n"
		}
	}
	return strings.Join(pick, " ")
}

func judgeWindow(dir string, words []string, peer *talk, t *turns) error {
	bridge, err := converse(dir, filepath.Join(dir, "bin", "burler-bridge"), "--models", filepath.Join(dir, "models"))
	if err != nil {
		return err
	}
	defer bridge.end()
	return t.run(2, 9, quietly(func() (time.Duration, error) {
		return bridge.ask(map[string]any{"op": "screen", "categories": []string{"clinical"}, "payload": text(words, windowSize)}, `{"ok":true,"findings":[]}`)
	}), quietly(func() (time.Duration, error) { return peer.ask([]int{windowSize + 2}, "done") }))
}

func judgePage(dir string, words []string, peer *talk, t *turns) error {
	project := filepath.Join(dir, "project")
	cmd := exec.Command(filepath.Join(dir, "bin", "fettle"), "serve")
	cmd.Dir = project
	server, err := greet(cmd)
	if err != nil {
		return err
	}
	defer server.close()
	const tokens = 2000 // in words of four letters: 10 KB
	var windows []int
	for from := 0; ; from += windowStep {
		windows = append(windows, min(windowSize, tokens-from)+2)
		if from+windowSize >= tokens {
			break
		}
	}
	read := median(server, 1, "read", map[string]any{"paths": []string{"page.txt"}})
	return t.run(1, 3, quietly(func() (time.Duration, error) {
		// New words each time: a page that was judged before is not judged again.
		if err := os.WriteFile(filepath.Join(project, "page.txt"), []byte(text(words, tokens)), 0o644); err != nil {
			return 0, err
		}
		return read()
	}), quietly(func() (time.Duration, error) { return peer.ask(windows, "done") }))
}

// quietly waits before a side runs: the runtime's threads spin on for a while.
func quietly(f side) side {
	return func() (time.Duration, error) {
		time.Sleep(50 * time.Millisecond)
		return f()
	}
}
