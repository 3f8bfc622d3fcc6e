// Package strain treats a running server the way broken, hostile and busy
// clients do: floods, cancellations, an input that ends anywhere, an output
// that nobody reads, a signal in the middle of changes, many calls at once.
package strain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fettler/testdata/client"
	"fettler/testdata/laid"
	"fettler/testdata/programs"
)

var bin string

func TestMain(m *testing.M) { os.Exit(programs.Main(m, &bin)) }

type arguments = map[string]any

// patience is how long a server may take before it counts as hanging.
const patience = time.Minute

func project(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(laid.Base(t), "project")
	laid.Files(t, dir, files)
	return dir
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"

// raw gives a server these bytes as its whole input and wants an orderly end.
// It returns the messages of the output.
func raw(t *testing.T, dir, input string) []map[string]any {
	t.Helper()
	cmd := exec.Command(filepath.Join(bin, "fettle"), "serve")
	cmd.Dir, cmd.Env, cmd.Stdin = dir, client.Env(filepath.Dir(dir)), strings.NewReader(input)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := wait(cmd); err != nil {
		t.Fatalf("%v after %.200q: %s", err, tail(input), stderr.String())
	}
	if strings.Contains(stderr.String(), "goroutine ") {
		t.Errorf("a panic: %s", stderr.String())
	}
	var all []map[string]any
	for line := range strings.Lines(out.String()) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil || !strings.HasSuffix(line, "\n") {
			t.Fatalf("no whole message: %.200q", line)
		}
		all = append(all, m)
	}
	return all
}

func tail(s string) string { return s[max(0, len(s)-80):] }

// wait is cmd.Wait that gives up on a process that hangs.
func wait(cmd *exec.Cmd) error {
	over := make(chan error, 1)
	go func() { over <- cmd.Wait() }()
	select {
	case err := <-over:
		return err
	case <-time.After(patience):
		_ = cmd.Process.Kill()
		return fmt.Errorf("hangs: %w", <-over)
	}
}

// next is the next start, after which nothing of fettle's own may lie about.
func next(t *testing.T, dir string) {
	t.Helper()
	raw(t, dir, hello+`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"roots","arguments":{}}}`+"\n")
	_ = filepath.WalkDir(dir, func(p string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(filepath.Base(p), ".fettler-tmp~") {
			t.Errorf("left over: %s", p)
		}
		return nil
	})
}

// An input that ends at any byte ends the server in order, and a change is
// made whole or not at all.
func TestEndOfInputAnywhere(t *testing.T) {
	t.Parallel()
	const text = "first line\\nsecond line\\n"
	session := hello + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write","arguments":{"path":"made.txt","text":"` + text + `"}}}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read","arguments":{"paths":["made.txt"]}}}` + "\n"
	step := max(1, len(session)/max(1, count("FETTLER_CUTS", 25)))
	dir := project(t, nil)
	for cut := 0; cut <= len(session); cut += step {
		raw(t, dir, session[:cut])
		got, err := os.ReadFile(filepath.Join(dir, "made.txt"))
		if err == nil && string(got) != "first line\nsecond line\n" {
			t.Fatalf("cut at %d: %q", cut, got)
		}
		if made := err == nil; made != (cut >= strings.Index(session, "\n{\"jsonrpc\":\"2.0\",\"id\":2")) {
			t.Fatalf("cut at %d of %d: made is %v", cut, len(session), made)
		}
		_ = os.Remove(filepath.Join(dir, "made.txt"))
	}
	next(t, dir)
}

// Everything that is no message, in numbers, and the loop still answers.
func TestFlood(t *testing.T) {
	t.Parallel()
	dir := project(t, map[string]string{"a.txt": "a\n"})
	var in strings.Builder
	in.WriteString(hello)
	bad := []string{
		`{`, `[]`, `null`, `"x"`, `{}`, `{"jsonrpc":"2.0"}`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`, "\xff\xfe", "\x00", strings.Repeat("[", 5000), strings.Repeat(`{"a":`, 5000),
		`{"jsonrpc":"2.0","id":[],"method":"ping"}`, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}`, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":7}}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read","arguments":[]}}`, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read","arguments":{"paths":"` + strings.Repeat("x", 5000) + `"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`, `{"jsonrpc":"2.0","method":"notifications/cancelled"}`, `{"jsonrpc":"2.0","method":"no/such"}`,
		`{"jsonrpc":"2.0","id":7,"result":{}}`, `{"jsonrpc":"2.0","id":7,"error":{}}`, hello[:len(hello)-1],
	}
	for range 40 {
		for _, b := range bad {
			in.WriteString(b + "\n")
		}
	}
	// Duplicate ids: each is a call of its own.
	for range 20 {
		in.WriteString(`{"jsonrpc":"2.0","id":"same","method":"tools/call","params":{"name":"read","arguments":{"paths":["a.txt"]}}}` + "\n")
	}
	in.WriteString(`{"jsonrpc":"2.0","id":8,"method":"` + strings.Repeat("x", 21<<20) + `"}` + "\n")
	in.WriteString(`{"jsonrpc":"2.0","id":"last","method":"tools/call","params":{"name":"read","arguments":{"paths":["a.txt"]}}}` + "\n")
	same, last := 0, 0
	for _, m := range raw(t, dir, in.String()) {
		switch m["id"] {
		case "same":
			same++
		case "last":
			last++
		}
	}
	if last != 1 {
		t.Errorf("the last call got %d answers", last)
	}
	if same == 0 || same > 20 {
		t.Errorf("20 calls under one id got %d answers", same)
	}
}

// Calls that are cancelled as soon as they are made leave the server well, and
// no change half made.
func TestCancels(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("d/f%d.txt", i)] = strings.Repeat("old\n", 500)
	}
	dir := project(t, files)
	s := client.Start(t, bin, dir)
	for i := range 60 {
		find, with := "old", "new"
		if i%2 == 1 {
			find, with = with, find
		}
		for _, c := range []struct {
			verb string
			args arguments
		}{{"search", arguments{"patterns": []string{"old|new"}}}, {"replace", arguments{"find": find, "with": with}}, {"copy", arguments{"from": "d", "to": fmt.Sprintf("e%d", i), "recursive": true}}} {
			s.Send(c.verb, c.args)
			s.Cancel()
		}
	}
	if r := s.Call("roots", arguments{}); r.Outcome != "ok" {
		t.Fatalf("%+v", r)
	}
	// A change takes its turn after the ones before it.
	if r := s.Call("new", arguments{"path": "after"}); r.Outcome != "ok" {
		t.Fatalf("%+v", r)
	}
	state := ""
	for name := range files {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		now := string(b[:3])
		if string(b) != strings.Repeat(now+"\n", 500) || state != "" && now != state {
			t.Fatalf("%s is torn, or not as the others: %.20q", name, b)
		}
		state = now
	}
	copies, _ := filepath.Glob(filepath.Join(dir, "e*"))
	for _, c := range copies {
		if got, _ := filepath.Glob(filepath.Join(c, "*")); len(got) != len(files) {
			t.Errorf("%s holds %d of %d files", c, len(got), len(files))
		}
	}
	next(t, dir)
}

// Fifty calls at once on one file: changes in the order they were sent, and a
// read in between sees all that were sent before it and none after.
func TestOrderOnOneFile(t *testing.T) {
	t.Parallel()
	dir := project(t, map[string]string{"log.txt": ""})
	s := client.Start(t, bin, dir)
	type pending struct {
		answer <-chan client.Reply
		lines  int
	}
	var reads []pending
	var writes []<-chan client.Reply
	want := ""
	for i := range 50 {
		line := fmt.Sprintf("line %d\n", i)
		want += line
		writes = append(writes, s.Send("write", arguments{"path": "log.txt", "text": line, "append": true}))
		reads = append(reads, pending{s.Send("read", arguments{"paths": []string{"log.txt"}}), i + 1})
	}
	for i, w := range writes {
		if r := <-w; r.Outcome != "ok" {
			t.Errorf("write %d: %+v", i, r)
		}
	}
	for _, p := range reads {
		if r := <-p.answer; !strings.Contains(r.Text, fmt.Sprintf(`"lines":%d,`, p.lines)) {
			t.Errorf("a read after %d writes: %s", p.lines, r.Text)
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, "log.txt")); err != nil || string(got) != want {
		t.Errorf("%q %v", got, err)
	}
}
