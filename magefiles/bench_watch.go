//go:build mage

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// watcher is a small program that runs another one and writes down what it
// used. The system counts a program's memory from before it replaced the one
// that started it, so a program started by this one, which is large, would never
// be seen to hold less.
const watcher = `package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

func main() {
	cmd := exec.Command(os.Args[2], os.Args[3:]...)
	err := cmd.Run()
	if cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	ru := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	kb := int64(ru.Maxrss)
	if runtime.GOOS == "darwin" { // bytes there
		kb /= 1024
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if err := os.WriteFile(os.Args[1], fmt.Appendf(nil, "%d %d %d", used.Nanoseconds(), kb, cmd.ProcessState.ExitCode()), 0o644); err != nil {
		os.Exit(1)
	}
}
`

// benchFolder is where Bench keeps what it makes.
var benchFolder string

// watcherPath builds the watcher once.
var watcherPath = sync.OnceValues(func() (string, error) {
	return filepath.Join(benchFolder, "watch.exe"), buildAlone(benchFolder, "watch", watcher)
})

// buildAlone builds a program of one file, a module of its own, to DIR/NAME.exe.
func buildAlone(dir, name, source string) error {
	src := filepath.Join(dir, name)
	if err := os.MkdirAll(src, 0o755); err != nil {
		return err
	}
	for file, content := range map[string]string{"main.go": source, "go.mod": "module " + name + "\n\ngo 1.26\n"} {
		if err := os.WriteFile(filepath.Join(src, file), []byte(content), 0o644); err != nil {
			return err
		}
	}
	env := append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	return run(env, "go", "build", "-C", src, "-trimpath", "-ldflags", "-s -w", "-o", filepath.Join(dir, name+".exe"), ".")
}

// watched runs a program and says what processor time it took, and what it and
// those it started and waited for held at most. 0 where that is not known.
func watched(dir string, words []string) (cpu time.Duration, kb int64, err error) {
	watch, err := watcherPath()
	if err != nil {
		return 0, 0, err
	}
	note := watch + ".txt"
	if _, err := timed(dir, append([]string{watch, note}, words...)); err != nil {
		return 0, 0, err
	}
	b, err := os.ReadFile(note)
	if err != nil {
		return 0, 0, err
	}
	var code int
	if _, err := fmt.Sscan(string(b), &cpu, &kb, &code); err != nil {
		return 0, 0, err
	}
	if code != 0 {
		return 0, 0, fmt.Errorf("it ended with %d", code)
	}
	return cpu, kb, nil
}

// peaks are what both of a pair hold at most.
func (r *result) peaks() {
	_, ours, errOurs := watched(r.dir, r.ours)
	_, peer, errPeer := watched(r.dir, r.peer)
	if errOurs == nil && errPeer == nil {
		r.oursKB, r.peerKB = ours, peer
	}
}
