// Package levels drives one running server the way a client does, call by
// call, while a person edits the files that say what it may do.
package levels

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fettler/testdata/programs"
)

var bin string

func TestMain(m *testing.M) { os.Exit(programs.Main(m, &bin)) }

// server is a running fettle serve.
type server struct {
	t       *testing.T
	dir     string
	in      io.WriteCloser
	out     *bufio.Scanner
	next    int
	cmd     *exec.Cmd
	changes int      // list_changed notices so far
	notes   []string // methods of other notices
}

func serve(t *testing.T, files map[string]string) *server {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, dir: filepath.Join(top, "app")}
	home := filepath.Join(top, "home")
	for _, d := range []string{s.dir, home} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		s.write(name, text)
	}
	cmd := exec.Command(filepath.Join(bin, "fettle"), "serve")
	cmd.Dir = s.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "USERPROFILE=" + home, "TMPDIR=" + top, "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if s.in, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.cmd = cmd
	t.Cleanup(func() {
		s.in.Close()
		cmd.Wait()
	})
	s.out = bufio.NewScanner(out)
	s.out.Buffer(nil, 16<<20)
	s.ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	fmt.Fprintln(s.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return s
}

func (s *server) write(name, text string) {
	s.t.Helper()
	file := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// send writes a request and gives its number.
func (s *server) send(method, params string) int {
	s.next++
	fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", s.next, method, params)
	return s.next
}

// message is one frame of standard output.
type message struct {
	ID     *int            `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
}

// frame reads one. K95: whatever runs, every line is a frame.
func (s *server) frame() message {
	s.t.Helper()
	if !s.out.Scan() {
		s.t.Fatalf("the server ended: %v", s.out.Err())
	}
	var m message
	if err := json.Unmarshal(s.out.Bytes(), &m); err != nil {
		s.t.Fatalf("a line on standard output is no frame: %q", s.out.Text())
	}
	switch {
	case m.Method == "notifications/tools/list_changed":
		s.changes++
	case m.Method != "":
		s.notes = append(s.notes, m.Method)
	}
	return m
}

func (s *server) ask(method, params string) string {
	s.t.Helper()
	id := s.send(method, params)
	for {
		if m := s.frame(); m.ID != nil && *m.ID == id {
			return string(m.Result)
		}
	}
}

func (s *server) call(tool, arguments string) string {
	s.t.Helper()
	var r struct{ Content []struct{ Text string } }
	text := s.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
	if json.Unmarshal([]byte(text), &r) != nil || len(r.Content) == 0 {
		s.t.Fatalf("%s: %s", tool, text)
	}
	return r.Content[0].Text
}

func (s *server) expect(got string, wants ...string) {
	s.t.Helper()
	for _, want := range wants {
		if !strings.Contains(got, want) {
			s.t.Errorf("%s\nlacks %s", got, want)
		}
	}
}

func TestLevelsBetweenCalls(t *testing.T) {
	s := serve(t, map[string]string{".git/HEAD": "ref: refs/heads/main\n"})
	if list := s.ask("tools/list", "{}"); strings.Contains(list, `"name":"run"`) || !strings.Contains(list, `"name":"roots"`) {
		t.Errorf("with guardrails off: %s", list)
	}
	s.expect(s.call("roots", "{}"), `"guardrails":{"on":false`, `"branch":"main"`)

	// A file written now binds on the next call, and the client is told.
	s.write(".fettler.json", `{"guardrails":{"trees":{"work":{"path":".","can":["list","read","execute"]}},"tasks":{"go":{"run":"sh -c \"echo went\""}}}}`)
	s.write(".git/HEAD", "ref: refs/heads/other\n")
	s.expect(s.call("roots", "{}"), `"guardrails":{"on":true`, `"can":["list","read","execute"]`, `"branch":"other"`)
	if s.changes != 1 {
		t.Errorf("%d notices after guardrails went on", s.changes)
	}
	s.expect(s.ask("tools/list", "{}"), `"name":"run"`, `"name":"tasks"`)
	s.expect(s.call("tasks", "{}"), `"command":["sh","-c","echo went"]`)
	if runtime.GOOS != "windows" {
		s.expect(s.call("run", `{"name":"go"}`), `"exit_code":0,"stdout":"went\n"`)
	}
	s.expect(s.call("run", `{"name":"go","arguments":["x"]}`), `"outcome":"invalid"`, "run has no argument called 'arguments'. It takes: name, timeout")

	// A broken file, or one that is gone, refuses every call until it is back.
	s.write(".fettler.json", `{"guardrails":`)
	s.expect(s.call("roots", "{}"), `"outcome":"invalid"`, ".fettler.json:1:15: the file is not JSON")
	if err := os.Remove(filepath.Join(s.dir, ".fettler.json")); err != nil {
		t.Fatal(err)
	}
	s.expect(s.call("roots", "{}"), `"outcome":"invalid"`, "is not there, and it says what fettle may do")

	s.write(".fettler.json", `{}`)
	s.expect(s.call("roots", "{}"), `"guardrails":{"on":false`)
	if s.changes != 2 {
		t.Errorf("%d notices after guardrails went off", s.changes)
	}
	s.expect(s.call("run", `{"name":"go"}`), `"outcome":"not-found"`, "no task is declared, because tasks belong to the guardrails level and it is off")
}
