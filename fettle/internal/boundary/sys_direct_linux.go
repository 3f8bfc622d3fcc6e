package boundary

import (
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The calls of a walk, as they are or direct. A direct call keeps its thread and
// the scheduler is not told: in a process that does one thing, on a disk of this
// machine, telling it costs a fifth of a search, since its monitor wakes every
// 20 µs to see whether the thread is to be had. A call that could wait for a
// network or for another process must not be made like that (see sysDir).

// cName is a name of an entry as the system takes it, on the stack: a copy on
// the heap for each call was a tenth of a walk.
type cName [unix.NAME_MAX + 1]byte

// set reports false for a name that does not fit or is none.
func (c *cName) set(name string) bool {
	return copy(c[:], name) < len(c) && strings.IndexByte(name, 0) < 0
}

// openat opens a name below the folder.
func (d sysDir) openat(name string, flags int) (int, error) {
	var c cName
	if !d.direct || !c.set(name) {
		return retry(func() (int, error) { return unix.Openat(d.n(), name, flags|unix.O_CLOEXEC, 0) })
	}
	for {
		fd, _, errno := unix.RawSyscall6(unix.SYS_OPENAT, uintptr(d.n()), uintptr(unsafe.Pointer(&c[0])), uintptr(flags|unix.O_CLOEXEC), 0, 0, 0)
		if errno == 0 {
			return int(fd), nil
		}
		if errno != unix.EINTR {
			return -1, errno
		}
	}
}

// statat says what a name below the folder is, and follows no link.
func (d sysDir) statat(name string, st *unix.Stat_t) error {
	var c cName
	if !d.direct || !c.set(name) {
		return again(func() error { return unix.Fstatat(d.n(), name, st, unix.AT_SYMLINK_NOFOLLOW) })
	}
	for {
		_, _, errno := unix.RawSyscall6(unix.SYS_NEWFSTATAT, uintptr(d.n()), uintptr(unsafe.Pointer(&c[0])), uintptr(unsafe.Pointer(st)), unix.AT_SYMLINK_NOFOLLOW, 0, 0)
		if errno == 0 {
			return nil
		}
		if errno != unix.EINTR {
			return errno
		}
	}
}

func (d sysDir) fstat(fd int, st *unix.Stat_t) error {
	if !d.direct {
		return unix.Fstat(fd, st)
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_FSTAT, uintptr(fd), uintptr(unsafe.Pointer(st)), 0); errno != 0 {
		return errno
	}
	return nil
}

func (d sysDir) read(fd int, b []byte) (int, error) {
	if !d.direct || len(b) == 0 {
		return retry(func() (int, error) { return unix.Read(fd, b) })
	}
	return fill(unix.SYS_READ, fd, b)
}

func (d sysDir) getdents(fd int, b []byte) (int, error) {
	if !d.direct || len(b) == 0 {
		return retry(func() (int, error) { return unix.Getdents(fd, b) })
	}
	return fill(unix.SYS_GETDENTS64, fd, b)
}

// fill makes a direct call that fills b, which is not empty.
func fill(call uintptr, fd int, b []byte) (int, error) {
	for {
		n, _, errno := unix.RawSyscall(call, uintptr(fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)))
		if errno == 0 {
			return int(n), nil
		}
		if errno != unix.EINTR {
			return 0, errno
		}
	}
}

func (d sysDir) closeFD(fd int) {
	if !d.direct {
		unix.Close(fd)
		return
	}
	unix.RawSyscall(unix.SYS_CLOSE, uintptr(fd), 0, 0)
}
