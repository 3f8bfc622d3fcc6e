package kills

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A disk that fails in one call of the system leaves each change done or not
// done, also after the next start, and a change that was not done says so. The
// failure is put between the program and the system by strace.
func TestFailingDisk(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("there is no strace here")
	}
	p := build(t, nil)
	now := func() map[string]string {
		got := p.now()
		delete(got, "a.zip") // which differs each time it is made
		return got
	}
	met, outcomes := 0, map[string]int{}
	for _, change := range changes[:8] { // the ninth, a move between trees, would need the other one judged too
		staged := furnish(t, p)
		before := now()
		if code, out := p.run(words(change, staged)...); code != 0 {
			t.Fatalf("%v without a failure: %d %s", change, code, out)
		}
		after := now()
		for _, call := range []string{"write", "fsync", "renameat2", "renameat", "linkat", "unlinkat", "fchmod", "pread64"} {
			for nth := 1; nth <= 2; nth++ {
				staged = furnish(t, p)
				os.Remove(filepath.Join(p.base, "calls")) // strace that knows no such call writes none
				args := append([]string{"-f", "-qq", "-o", filepath.Join(p.base, "calls"), "-e", "trace=" + call,
					"-e", fmt.Sprintf("inject=%s:error=EIO:when=%d", call, nth), filepath.Join(bin, "fettle")}, words(change, staged)...)
				cmd := exec.Command(strace, args...)
				cmd.Dir, cmd.Env = p.dir, p.command().Env
				out, err := cmd.CombinedOutput()
				var exit *exec.ExitError
				if err != nil && !errors.As(err, &exit) {
					t.Fatal(err)
				}
				if strings.Contains(string(out), "ptrace") {
					t.Skipf("nothing may be traced here: %s", out)
				}
				if calls, _ := os.ReadFile(filepath.Join(p.base, "calls")); !bytes.Contains(calls, []byte("INJECTED")) {
					continue // the change makes no such call
				}
				met++
				if code, out := p.run("roots"); code != 0 {
					t.Fatalf("%d %s", code, out)
				}
				got := now()
				switch {
				case maps.Equal(got, before) && err != nil:
					outcomes["not done, and refused"]++
				case maps.Equal(got, after):
					outcomes[fmt.Sprintf("done, exit %d", cmd.ProcessState.ExitCode())]++
				default:
					t.Errorf("%v with %s %d failing: %v: %s\n%s", change, call, nth, err, out, differences(before, after, got))
				}
			}
		}
	}
	if met == 0 {
		t.Fatal("nothing failed, so this shows nothing")
	}
	t.Logf("%d failures: %v", met, outcomes)
}
