//go:build unix

package main

import (
	"os"
	"syscall"
)

// keepOutput keeps standard output for the protocol: whatever else writes to
// it, a library's print or a C library's, reaches standard error instead.
func keepOutput() (*os.File, error) {
	fd, err := syscall.Dup(1)
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(fd)
	if err := redirect(2, 1); err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "protocol"), nil
}

// noCore keeps the text that is judged out of a core file.
func noCore() {
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	noDump()
}
