//go:build unix

package boundary

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// sysDir is an open folder: a descriptor that openat starts from. The zero
// sysDir is closed.
type sysDir struct {
	fd     int  // one more than the descriptor, so that zero is none
	kept   bool // another handle closes it: see lent
	direct bool // the process does this and nothing else, on a disk of this machine
}

func (d sysDir) n() int { return d.fd - 1 }

func openTop(real string) (sysDir, Info, error) {
	fd, err := retry(func() (int, error) {
		return unix.Open(real, searchFlag|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return sysDir{}, Info{}, &fs.PathError{Op: "open", Path: real, Err: err}
	}
	return sysDir{}.opened(fd)
}

// opened takes a folder's descriptor over, called as d is, and says what it is.
func (d sysDir) opened(fd int) (sysDir, Info, error) {
	d.fd, d.kept = fd+1, false
	info, err := d.stat()
	if err != nil {
		d.close()
		return sysDir{}, Info{}, err
	}
	return d, info, nil
}

func (d sysDir) close() {
	if d.fd > 0 && !d.kept {
		d.closeFD(d.n())
	}
}

// directly says how the handle's calls are made: see openat.
func (d sysDir) directly(yes bool) sysDir {
	d.direct = yes
	return d
}

// again gives a second handle on the same folder.
func (d sysDir) again() (sysDir, error) {
	fd, err := unix.FcntlInt(uintptr(d.n()), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return sysDir{}, os.NewSyscallError("dup", err)
	}
	return sysDir{fd: fd + 1, direct: d.direct}, nil
}

// lent is the handle itself, to be used while it is open: closing it does nothing.
func (d sysDir) lent() sysDir {
	d.kept = true
	return d
}

func (d sysDir) stat() (Info, error) {
	var st unix.Stat_t
	if err := d.fstat(d.n(), &st); err != nil {
		return Info{}, os.NewSyscallError("fstat", err)
	}
	return infoOf(&st), nil
}

func (d sysDir) lstat(name string) (Info, error) {
	var st unix.Stat_t
	if err := d.statat(name, &st); err != nil {
		return Info{}, &fs.PathError{Op: "lstat", Path: name, Err: err}
	}
	return infoOf(&st), nil
}

func (d sysDir) readlink(name string) (string, error) {
	buf := make([]byte, 4097)
	n, err := retry(func() (int, error) { return unix.Readlinkat(d.n(), name, buf) })
	if err != nil {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: err}
	}
	return string(buf[:n]), nil
}

// openDir opens a child folder to search and to start from; it follows no link.
func (d sysDir) openDir(name string) (sysDir, Info, error) {
	fd, err := d.openat(name, searchFlag|unix.O_DIRECTORY|unix.O_NOFOLLOW)
	if err != nil {
		return sysDir{}, Info{}, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return d.opened(fd)
}

// openRegular opens a regular file for reading. It follows no link and does
// not wait for a FIFO's writer.
func (d sysDir) openRegular(name string) (*os.File, Info, error) {
	fd, info, err := d.regular(name)
	if err != nil {
		return nil, info, err
	}
	return os.NewFile(uintptr(fd), name), info, nil
}

// regular is openRegular without the cost of an os.File.
func (d sysDir) regular(name string) (int, Info, error) {
	fd, err := d.openat(name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY)
	if err != nil {
		if errors.Is(err, unix.ELOOP) || errors.Is(err, unix.ENXIO) {
			return -1, Info{}, ErrNotRegular
		}
		return -1, Info{}, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	var st unix.Stat_t
	if err := d.fstat(fd, &st); err != nil {
		d.closeFD(fd)
		return -1, Info{}, os.NewSyscallError("fstat", err)
	}
	info := infoOf(&st)
	if !info.Mode.IsRegular() {
		d.closeFD(fd)
		return -1, info, ErrNotRegular
	}
	return fd, info, nil
}

func statPath(real string) (Info, error) {
	var st unix.Stat_t
	if err := unix.Lstat(real, &st); err != nil {
		return Info{}, &fs.PathError{Op: "lstat", Path: real, Err: err}
	}
	return infoOf(&st), nil
}

func infoOf(st *unix.Stat_t) Info {
	return Info{
		Size: st.Size, Mode: modeOf(uint32(st.Mode)), ModTime: time.Unix(st.Mtim.Unix()), Changed: st.Ctim.Nano(),
		ID: FileID{uint64(st.Dev), st.Ino}, Links: uint64(st.Nlink),
	}
}

func modeOf(m uint32) fs.FileMode {
	mode := fs.FileMode(m & 0o777)
	switch m & unix.S_IFMT {
	case unix.S_IFDIR:
		mode |= fs.ModeDir
	case unix.S_IFLNK:
		mode |= fs.ModeSymlink
	case unix.S_IFIFO:
		mode |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		mode |= fs.ModeSocket
	case unix.S_IFBLK:
		mode |= fs.ModeDevice
	case unix.S_IFCHR:
		mode |= fs.ModeDevice | fs.ModeCharDevice
	case unix.S_IFREG:
	default:
		mode |= fs.ModeIrregular
	}
	if m&unix.S_ISUID != 0 {
		mode |= fs.ModeSetuid
	}
	if m&unix.S_ISGID != 0 {
		mode |= fs.ModeSetgid
	}
	if m&unix.S_ISVTX != 0 {
		mode |= fs.ModeSticky
	}
	return mode
}

func again(f func() error) error {
	for {
		if err := f(); err != unix.EINTR {
			return err
		}
	}
}

func retry(f func() (int, error)) (int, error) {
	for {
		n, err := f()
		if err != unix.EINTR {
			return n, err
		}
	}
}

// readRegular reads a whole regular file into buf, which grows as needed, up
// to limit bytes.
func (d sysDir) readRegular(name string, buf []byte, limit int64) ([]byte, Info, error) {
	fd, info, err := d.regular(name)
	if err != nil {
		return buf, info, err
	}
	defer d.closeFD(fd)
	if info.Size > limit {
		return buf, info, ErrLarge
	}
	buf = buf[:0]
	if int64(cap(buf)) <= info.Size {
		buf = make([]byte, 0, info.Size+512)
	}
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := d.read(fd, buf[len(buf):cap(buf)])
		if err != nil {
			return buf, info, &fs.PathError{Op: "read", Path: name, Err: err}
		}
		if n == 0 {
			return buf, info, nil
		}
		if buf = buf[:len(buf)+n]; int64(len(buf)) > limit { // it grew meanwhile
			return buf, info, ErrLarge
		}
		if int64(len(buf)) == info.Size && len(buf) < cap(buf) {
			return buf, info, nil // as long as it said; a file that grows meanwhile is read as it was
		}
	}
}
