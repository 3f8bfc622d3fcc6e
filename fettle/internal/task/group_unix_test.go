//go:build unix

package task

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func leaves(how string) *syscall.SysProcAttr {
	switch how {
	case "session":
		return &syscall.SysProcAttr{Setsid: true}
	case "group":
		return &syscall.SysProcAttr{Setpgid: true}
	}
	return nil
}

// gone reports whether a process has ended, a zombie being one that has.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(b), ") Z ")
}

// Whatever a task forked is gone when Run returns, also what left its group,
// and also when the task itself ended in good order.
func TestNothingLeftRunning(t *testing.T) {
	quick(t)
	ways := []string{"stays"}
	if runtime.GOOS == "linux" {
		ways = append(ways, "group", "session")
	}
	for _, way := range ways {
		for _, what := range []string{"act-sleep", "act-stubborn"} {
			for _, lingers := range []bool{false, true} {
				file := filepath.Join(t.TempDir(), "pid")
				c := command(t, "act-fork", file, way, what)
				if lingers {
					c.Argv = append(c.Argv, "stay")
					c.Timeout = time.Second
				}
				r := run(t, c)
				if r.TimedOut != lingers || !strings.Contains(r.Stdout.Text, "forked") {
					t.Errorf("%s %s: %+v", way, what, r)
				}
				b, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				pid, err := strconv.Atoi(string(b))
				if err != nil {
					t.Fatal(err)
				}
				deadline := time.Now().Add(10 * time.Second)
				for !gone(pid) {
					if time.Now().After(deadline) {
						t.Errorf("%s %s lingering %v: process %d is left running", way, what, lingers, pid)
						syscall.Kill(pid, syscall.SIGKILL)
						break
					}
					time.Sleep(10 * time.Millisecond)
				}
			}
		}
	}
}

// A task is asked first, and what it says while tidying up is kept.
func TestAskedFirst(t *testing.T) {
	c := command(t, "act-polite")
	c.Timeout = time.Second
	r := run(t, c)
	if !r.TimedOut || !strings.Contains(r.Stdout.Text, "tidied up") {
		t.Errorf("%+v", r)
	}
}

func TestSignalled(t *testing.T) {
	quick(t)
	c := command(t, "act-stubborn")
	c.Timeout = 500 * time.Millisecond
	if r := run(t, c); r.ExitCode != 128+int(syscall.SIGKILL) {
		t.Errorf("%d", r.ExitCode)
	}
}
