//go:build unix

package main

import (
	"os"
	"syscall"
)

// input is standard input so that waiting for it holds no thread: a message is
// then taken, answered and the next one waited for by one thread, where else
// each call is handed to another, which costs more than a small read does.
// Only a pipe or a socket is changed, whose other end does not see it.
func input() *os.File {
	info, err := os.Stdin.Stat()
	if err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return os.Stdin
	}
	fd := int(os.Stdin.Fd())
	if syscall.SetNonblock(fd, true) != nil {
		return os.Stdin
	}
	return os.NewFile(uintptr(fd), os.Stdin.Name())
}
