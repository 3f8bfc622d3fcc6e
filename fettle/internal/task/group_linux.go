package task

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// wait returns when the leader has ended, and leaves it unreaped: until then
// its number, which is the group's, cannot become anybody else's.
func (g *group) wait() {
	var info unix.Siginfo
	for {
		err := unix.Waitid(unix.P_PID, g.cmd.Process.Pid, &info, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}

// killMarked ends what a task started and what left its group, such as a
// daemon: it is known by its environment, which it inherited. Several passes,
// since a process may start another while we look.
func killMarked(mark string) {
	self := os.Getpid()
	for pass := 0; pass < 10; pass++ {
		found := false
		for _, pid := range processes() {
			if pid == self || !marked(pid, mark) {
				continue
			}
			if syscall.Kill(pid, syscall.SIGKILL) == nil {
				found = true
			}
		}
		if !found {
			return
		}
	}
}

func processes() []int {
	d, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer d.Close()
	names, err := d.Readdirnames(-1)
	if err != nil {
		return nil
	}
	var pids []int
	for _, n := range names {
		if pid, err := strconv.Atoi(n); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// marked reads a process's first environment. One that has ended has none.
func marked(pid int, mark string) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return false
	}
	return bytes.Contains(b, []byte(mark))
}
