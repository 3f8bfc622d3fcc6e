//go:build unix && !linux

package boundary

import "golang.org/x/sys/unix"

// The calls of a walk. Where the system's library stands between, none is direct.

func (d sysDir) openat(name string, flags int) (int, error) {
	return retry(func() (int, error) { return unix.Openat(d.n(), name, flags|unix.O_CLOEXEC, 0) })
}

func (d sysDir) statat(name string, st *unix.Stat_t) error {
	return again(func() error { return unix.Fstatat(d.n(), name, st, unix.AT_SYMLINK_NOFOLLOW) })
}

func (d sysDir) fstat(fd int, st *unix.Stat_t) error { return unix.Fstat(fd, st) }

func (d sysDir) read(fd int, b []byte) (int, error) {
	return retry(func() (int, error) { return unix.Read(fd, b) })
}

func (d sysDir) closeFD(fd int) { unix.Close(fd) }
