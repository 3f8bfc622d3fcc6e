//go:build unix

package levels

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fettler/testdata/client"
	"fettler/testdata/laid"
)

// slowTask holds on: it does not end when it is asked.
var slowTask = map[string]string{".fettler.json": `{"guardrails":{"trees":{"work":{"path":".","can":["list","read","execute"]}},
	"tasks":{"slow":{"run":"sh -c \"trap '' TERM; echo $$ > pid; echo loud; sleep 300\""}}}}`}

// slow starts that task and waits for its first progress.
func (s *server) slow() (id, pid int) {
	s.t.Helper()
	id = s.send("tools/call", `{"name":"run","arguments":{"name":"slow"},"_meta":{"progressToken":"p"}}`)
	for len(s.notes) == 0 {
		if m := s.frame(); m.ID != nil {
			s.t.Fatalf("the task ended: %s", m.Result)
		}
	}
	if s.notes[0] != "notifications/progress" {
		s.t.Errorf("%q", s.notes)
	}
	b, err := os.ReadFile(filepath.Join(s.dir, "pid"))
	if err != nil {
		s.t.Fatal(err)
	}
	if pid, err = strconv.Atoi(strings.TrimSpace(string(b))); err != nil {
		s.t.Fatal(err)
	}
	return id, pid
}

// ended waits until a process is gone.
func ended(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("process %d is left running", pid)
		}
	}
}

// A call that the client cancels ends its task, and progress is sent while it runs.
func TestCancelledRun(t *testing.T) {
	s := serve(t, slowTask)
	id, pid := s.slow()
	// Reads go on meanwhile: a task holds no lock.
	s.expect(s.call("roots", "{}"), `"ok":true`)
	fmt.Fprintf(s.in, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`+"\n", id)
	ended(t, pid)
	s.expect(s.call("roots", "{}"), `"ok":true`)
}

// hangUp lets what the test starts mind a hang-up, also where the tests
// themselves were started not to: what is ignored would be handed on.
func hangUp(t *testing.T) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP, syscall.SIGQUIT)
	t.Cleanup(func() { signal.Stop(caught) })
}

// K97: a server that is left or told to end takes its task with it.
func TestServerEnds(t *testing.T) {
	hangUp(t)
	for name, end := range map[string]func(*server){
		"input closed": func(s *server) { s.in.Close() },
		"told to end":  func(s *server) { s.cmd.Process.Signal(syscall.SIGTERM) },
		"hung up on":   func(s *server) { s.cmd.Process.Signal(syscall.SIGHUP) },
		"quit":         func(s *server) { s.cmd.Process.Signal(syscall.SIGQUIT) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, slowTask)
			_, pid := s.slow()
			end(s)
			over := make(chan error, 1)
			go func() { over <- s.cmd.Wait() }()
			select {
			case <-over:
			case <-time.After(20 * time.Second):
				t.Error("the server is left running")
			}
			ended(t, pid)
		})
	}
}

// A command that is told to end takes its task with it, but for a hang-up that
// nohup told it not to mind.
func TestCommandEnds(t *testing.T) {
	hangUp(t)
	for name, c := range map[string]struct {
		signal syscall.Signal
		words  []string
		stays  bool
	}{
		"interrupted": {syscall.SIGINT, nil, false}, "told to end": {syscall.SIGTERM, nil, false},
		"hung up on": {syscall.SIGHUP, nil, false}, "quit": {syscall.SIGQUIT, nil, false},
		"hung up on under nohup": {syscall.SIGHUP, []string{"nohup"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(laid.Base(t), "app")
			laid.Files(t, dir, slowTask)
			words := append(slices.Clone(c.words), filepath.Join(bin, "fettle"), "run", "slow")
			cmd := exec.Command(words[0], words[1:]...)
			cmd.Dir, cmd.Env = dir, client.Env(filepath.Dir(dir))
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			pid := 0
			for deadline := time.Now().Add(20 * time.Second); pid == 0 && time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
				b, _ := os.ReadFile(filepath.Join(dir, "pid"))
				if strings.HasSuffix(string(b), "\n") {
					pid, _ = strconv.Atoi(strings.TrimSpace(string(b)))
				}
			}
			if pid == 0 {
				t.Fatal("the task did not start")
			}
			cmd.Process.Signal(c.signal)
			if c.stays {
				time.Sleep(300 * time.Millisecond)
				if err := syscall.Kill(pid, 0); err != nil {
					t.Errorf("the task is gone: %v", err)
				}
				cmd.Process.Signal(syscall.SIGTERM)
			}
			cmd.Wait()
			ended(t, pid)
		})
	}
}
