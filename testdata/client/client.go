// Package client is an MCP client for tests: it starts the built `fettle serve`
// in a folder and calls its tools, several at once where a test wants that.
// Start first, then Call or Send; the server ends with the test. What a test
// does with a broken stream of its own making is not for this package.
package client

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Server is a running `fettle serve`.
type Server struct {
	Cmd *exec.Cmd
	In  io.WriteCloser
	// Ended is closed when the server's output ends.
	Ended chan struct{}

	t       testing.TB
	mu      sync.Mutex // guards what follows, and writing
	next    int
	waiting map[int]chan Reply
}

// Reply is what a tool answered: its JSON document.
type Reply struct {
	Text    string `json:"-"`
	Line    string `json:"-"` // the whole message it came in
	Outcome string `json:"outcome"`
	Message string `json:"message"`
}

// Env is an environment in which fettle finds nobody's home: home and the
// temporary folder lie below base.
func Env(base string) []string {
	home, tmp := filepath.Join(base, "home"), filepath.Join(base, "tmp")
	_ = os.MkdirAll(home, 0o755)
	_ = os.MkdirAll(tmp, 0o755)
	return append(os.Environ(), "HOME="+home, "USERPROFILE="+home, "AppData="+home, "TMPDIR="+tmp, "TEMP="+tmp,
		"XDG_CONFIG_HOME=", "CLAUDE_CONFIG_DIR=", "CLAUDE_CODE_SESSION_ID=")
}

// Start starts a server in dir with the programs of bin and greets it.
func Start(t testing.TB, bin, dir string, flags ...string) *Server {
	t.Helper()
	cmd := exec.Command(filepath.Join(bin, "fettle"), append([]string{"serve"}, flags...)...)
	cmd.Dir, cmd.Env = dir, Env(filepath.Dir(dir))
	s := &Server{Cmd: cmd, Ended: make(chan struct{}), t: t, waiting: map[int]chan Reply{}}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if s.In, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go s.read(out)
	t.Cleanup(func() {
		s.In.Close()
		<-s.Ended
		_ = cmd.Wait()
	})
	<-s.send("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "t", "version": "1"}})
	s.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return s
}

// Call calls a tool and waits for its answer.
func (s *Server) Call(name string, arguments any) Reply {
	s.t.Helper()
	return <-s.Send(name, arguments)
}

// Send calls a tool; the answer comes through the channel. A server that ends
// instead answers with no text.
func (s *Server) Send(name string, arguments any) <-chan Reply {
	return s.send("tools/call", map[string]any{"name": name, "arguments": arguments})
}

// Cancel tells the server that the answer to the last call is not wanted.
func (s *Server) Cancel() {
	s.mu.Lock()
	id := s.next
	s.mu.Unlock()
	s.write(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id))
}

func (s *Server) send(method string, params any) <-chan Reply {
	raw, err := json.Marshal(params)
	if err != nil {
		s.t.Error(err)
	}
	c := make(chan Reply, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	s.waiting[s.next] = c
	fmt.Fprintf(s.In, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", s.next, method, raw)
	return c
}

func (s *Server) write(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintln(s.In, line)
}

// read hands every answer to whoever waits for it. A line that is no message
// fails the test.
func (s *Server) read(out io.Reader) {
	defer func() {
		s.mu.Lock()
		for _, c := range s.waiting {
			close(c)
		}
		s.waiting = nil
		s.mu.Unlock()
		close(s.Ended)
	}()
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var m struct {
			ID     *int
			Result struct {
				Content []struct{ Text string }
			}
			Error *struct{ Message string }
		}
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			s.t.Errorf("a line on standard output is no message: %.200q", lines.Text())
			continue
		}
		if m.ID == nil {
			continue
		}
		var r Reply
		var text strings.Builder
		for _, c := range m.Result.Content {
			text.WriteString(c.Text)
		}
		r.Text, r.Line = text.String(), lines.Text()
		_ = json.Unmarshal([]byte(r.Text), &r)
		if m.Error != nil {
			r.Outcome, r.Message = "error", m.Error.Message
		}
		s.mu.Lock()
		c := s.waiting[*m.ID]
		delete(s.waiting, *m.ID)
		s.mu.Unlock()
		if c == nil {
			s.t.Errorf("an answer that nobody waits for: %.200q", lines.Text())
			continue
		}
		c <- r
	}
}
