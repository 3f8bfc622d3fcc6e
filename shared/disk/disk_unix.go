//go:build unix

package disk

import (
	"io/fs"
	"slices"
	"syscall"
)

// openable opens what it answers for: a folder that is there and shut to this
// user cannot be told from one that is not. O_DIRECTORY opens no pipe.
func openable(path string) bool {
	fd, err := open(path, syscall.O_DIRECTORY)
	if err != nil {
		return false
	}
	syscall.Close(fd)
	return true
}

// ReadFile reads a file that Stat says is size bytes long, and no more than
// limit bytes of it. It waits for no pipe; what else the path may be is for the
// caller to have looked at. It goes past package os, which asks of each file
// whether it could be waited for.
func ReadFile(path string, size int64, limit int) ([]byte, error) {
	fd, err := open(path, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	buf := make([]byte, 0, max(min(size+1, int64(limit)), 64))
	for {
		n, err := syscall.Read(fd, buf[len(buf):cap(buf)])
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return nil, &fs.PathError{Op: "read", Path: path, Err: err}
		}
		buf = buf[:len(buf)+n]
		if n == 0 || len(buf) >= limit || int64(len(buf)) == size { // one that grows meanwhile is read as it was
			return buf[:min(len(buf), limit)], nil
		}
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, cap(buf))
		}
	}
}

func open(path string, flags int) (int, error) {
	flags |= syscall.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOCTTY | syscall.O_CLOEXEC
	for {
		fd, err := syscall.Open(path, flags, 0)
		switch {
		case err == syscall.EAGAIN && flags&syscall.O_NONBLOCK != 0:
			flags &^= syscall.O_NONBLOCK // another process has a lease on it, and is asked to let go
		case err != syscall.EINTR:
			return fd, err
		}
	}
}
