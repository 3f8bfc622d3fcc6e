//go:build unix

package task

import (
	"os"
	"os/exec"
	"syscall"
)

const (
	onWindows  = false
	separators = "/"
)

// group is the program and what it started.
type group struct {
	cmd  *exec.Cmd
	mark string
}

func start(cmd *exec.Cmd, mark string) (*group, error) {
	// A group of its own: a signal reaches all of it, and the terminal's
	// interrupt does not reach it before we decide.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &group{cmd, mark}, nil
}

// ask asks the group to end.
func (g *group) ask() { syscall.Kill(-g.cmd.Process.Pid, syscall.SIGTERM) }

// kill ends what is left of the group, and what left it.
func (g *group) kill() {
	syscall.Kill(-g.cmd.Process.Pid, syscall.SIGKILL)
	killMarked(g.mark)
}

// reap collects the leader.
func (g *group) reap() *os.ProcessState {
	g.cmd.Wait() // its error is the exit code again
	return g.cmd.ProcessState
}

func signalOf(s *os.ProcessState) (int, bool) {
	ws, ok := s.Sys().(syscall.WaitStatus)
	if !ok || !ws.Signaled() {
		return 0, false
	}
	return int(ws.Signal()), true
}
