//go:build unix

package boundary

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// create makes a file that was not there, open for reading and writing.
func (d sysDir) create(name string, perm fs.FileMode) (*os.File, error) {
	fd, err := retry(func() (int, error) {
		return unix.Openat(d.n(), name, unix.O_RDWR|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, uint32(perm.Perm()))
	})
	if err != nil {
		return nil, &fs.PathError{Op: "create", Path: name, Err: err}
	}
	return os.NewFile(uintptr(fd), name), nil
}

// openOwn opens one of fettle's own files for reading and writing.
func (d sysDir) openOwn(name string) (*os.File, error) {
	fd, err := retry(func() (int, error) {
		return unix.Openat(d.n(), name, unix.O_RDWR|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(fd), name), nil
}

func (d sysDir) rename(name string, to sysDir, toName string) error {
	return linkErr("rename", name, toName, again(func() error { return unix.Renameat(d.n(), name, to.n(), toName) }))
}

// moveNew renames and never replaces: fs.ErrExist. Where the disk cannot do
// that in one step, a file is linked under its new name and then loses its old
// one, and a folder takes the place of an empty one made for it.
func (d sysDir) moveNew(name string, to sysDir, toName string) error {
	err := again(func() error { return renameExclusive(d.n(), name, to.n(), toName) })
	if err == nil || !unsupported(err) {
		return linkErr("rename", name, toName, err)
	}
	info, err := d.lstat(name)
	if err != nil {
		return err
	}
	if info.Mode.IsDir() {
		if err := to.mkdir(toName, 0o700); err != nil {
			return err
		}
		if err := d.rename(name, to, toName); err != nil {
			_ = to.rmdir(toName)
			return err
		}
		return nil
	}
	if err := d.link(name, to, toName); err != nil {
		return err
	}
	return d.unlink(name)
}

func unsupported(err error) bool {
	return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EOPNOTSUPP)
}

func (d sysDir) link(name string, to sysDir, toName string) error {
	return linkErr("link", name, toName, again(func() error { return unix.Linkat(d.n(), name, to.n(), toName, 0) }))
}

func (d sysDir) unlink(name string) error {
	return pathErr("remove", name, again(func() error { return unix.Unlinkat(d.n(), name, 0) }))
}

func (d sysDir) rmdir(name string) error {
	return pathErr("remove", name, again(func() error { return unix.Unlinkat(d.n(), name, unix.AT_REMOVEDIR) }))
}

func (d sysDir) mkdir(name string, perm fs.FileMode) error {
	return pathErr("mkdir", name, again(func() error { return unix.Mkdirat(d.n(), name, uint32(perm.Perm())) }))
}

// writable asks the system whether the entry's content could be changed: a
// staged write replaces a read-only file without being asked.
func (d sysDir) writable(name string) error {
	err := again(func() error { return unix.Faccessat(d.n(), name, unix.W_OK, unix.AT_EACCESS) })
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EINVAL) || errors.Is(err, unix.EOPNOTSUPP) {
		err = again(func() error { return unix.Faccessat(d.n(), name, unix.W_OK, 0) })
	}
	return pathErr("write", name, err)
}

func (d sysDir) chtimes(name string, t time.Time) error {
	ts, err := unix.TimeToTimespec(t)
	if err != nil {
		return err
	}
	return pathErr("chtimes", name, again(func() error {
		return unix.UtimesNanoAt(d.n(), name, []unix.Timespec{ts, ts}, unix.AT_SYMLINK_NOFOLLOW)
	}))
}

// sync makes the folder's entries last. A disk that cannot is no failure.
func (d sysDir) sync() error {
	fd, err := retry(func() (int, error) {
		return unix.Openat(d.n(), ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil // a folder that may be passed and written, not listed
	}
	defer unix.Close(fd)
	err = again(func() error { return unix.Fsync(fd) })
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EROFS) {
		return nil
	}
	return os.NewSyscallError("fsync", err)
}

// clearReadOnly has nothing to do here: a read-only file's folder decides.
func (d sysDir) clearReadOnly(string) error { return nil }

// tryLock takes the lock on an open file without waiting.
func tryLock(f *os.File) bool {
	return again(func() error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }) == nil
}

func fileInfo(f *os.File) (Info, error) {
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return Info{}, os.NewSyscallError("fstat", err)
	}
	return infoOf(&st), nil
}

// carry gives fresh what old has besides its content, and names what it could not.
func carry(old, fresh *os.File) (lost []string) {
	var was, is unix.Stat_t
	if unix.Fstat(int(old.Fd()), &was) != nil || unix.Fstat(int(fresh.Fd()), &is) != nil {
		return []string{"mode", "owner"}
	}
	mode := uint32(was.Mode) & 0o7777
	if was.Uid != is.Uid || was.Gid != is.Gid {
		if unix.Fchown(int(fresh.Fd()), int(was.Uid), int(was.Gid)) != nil {
			// The group alone may be permitted.
			if was.Gid != is.Gid && unix.Fchown(int(fresh.Fd()), -1, int(was.Gid)) != nil {
				lost = append(lost, "group")
			}
			if was.Uid != is.Uid {
				lost = append(lost, "owner")
			}
			if mode&0o6000 != 0 { // never lend another owner's rights
				mode &^= 0o6000
				lost = append(lost, "set-id bits")
			}
		}
	}
	lost = append(lost, carryExtended(int(old.Fd()), int(fresh.Fd()))...)
	if unix.Fchmod(int(fresh.Fd()), mode) != nil {
		lost = append(lost, "mode")
	}
	return lost
}

func pathErr(op, name string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

func linkErr(op, from, to string, err error) error {
	if err == nil {
		return nil
	}
	return &os.LinkError{Op: op, Old: from, New: to, Err: err}
}

func crossDevice(err error) bool { return errors.Is(err, unix.EXDEV) }

// noLinks reports a disk that has no hard links, or no room for one more.
func noLinks(err error) bool {
	return unsupported(err) || errors.Is(err, unix.EPERM) || errors.Is(err, unix.EMLINK) || errors.Is(err, unix.EACCES)
}
