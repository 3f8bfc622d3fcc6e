package main

import (
	"bufio"
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// While it judges, the program may write no core file, whatever it was started
// with: a crash of the library leaves nothing of the text.
func TestNoCoreFile(t *testing.T) {
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_CORE, &was); err != nil {
		t.Fatal(err)
	}
	if was.Max == 0 {
		t.Skip("no program may write core files here")
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{Cur: was.Max, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Setrlimit(syscall.RLIMIT_CORE, &was) }()
	if now := limit(t, os.Getpid()); strings.HasPrefix(now, "0 ") {
		t.Fatalf("what the program is started with allows no core file: %s", now)
	}
	cmd := exec.Command(programs["pure Go"], "--models", t.TempDir())
	cmd.Env = []string{}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { in.Close(); _ = cmd.Wait() }()
	fmt.Fprint(in, request("clinical", "ann"))
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if now := limit(t, cmd.Process.Pid); now != "0 0" {
		t.Errorf("a core file of %s may be written", now)
	}
}

// limit is how large a core file a process may write: the soft and the hard bound.
func limit(t *testing.T, pid int) string {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(raw) {
		if rest, ok := bytes.CutPrefix(line, []byte("Max core file size")); ok {
			f := strings.Fields(string(rest))
			return f[0] + " " + f[1]
		}
	}
	t.Fatalf("%s", raw)
	return ""
}

// docs/screenings.md says that the program needs glibc.
func TestWhatItNeedsOfTheSystem(t *testing.T) {
	f, err := elf.Open(programs["pure Go"])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	libraries, err := f.ImportedLibraries()
	if err != nil || !slices.Contains(libraries, "libc.so.6") {
		t.Errorf("%v %v", libraries, err)
	}
}
