//go:build unix

package levels

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A call that the client cancels ends its task, and progress is sent while it runs.
func TestCancelledRun(t *testing.T) {
	s := serve(t, map[string]string{".fettler.json": `{"guardrails":{"trees":{"work":{"path":".","can":["list","read","execute"]}},
		"tasks":{"slow":{"run":"sh -c \"trap '' TERM; echo $$ > pid; echo loud; sleep 300\""}}}}`})
	id := s.send("tools/call", `{"name":"run","arguments":{"name":"slow"},"_meta":{"progressToken":"p"}}`)
	for len(s.notes) == 0 {
		if m := s.frame(); m.ID != nil {
			t.Fatalf("the task ended: %s", m.Result)
		}
	}
	if s.notes[0] != "notifications/progress" {
		t.Errorf("%q", s.notes)
	}
	b, err := os.ReadFile(filepath.Join(s.dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	// Reads go on meanwhile: a task holds no lock.
	s.expect(s.call("roots", "{}"), `"ok":true`)
	fmt.Fprintf(s.in, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`+"\n", id)
	for deadline := time.Now().Add(20 * time.Second); !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d is left running", pid)
		}
	}
	s.expect(s.call("roots", "{}"), `"ok":true`)
}
