package boundary

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

func (d sysDir) create(name string, perm fs.FileMode) (*os.File, error) {
	return d.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm.Perm())
}

func (d sysDir) openOwn(name string) (*os.File, error) { return d.root.OpenFile(name, os.O_RDWR, 0) }

// path is where the open folder is now: what moves between two folders has
// no call that takes two handles here.
func (d sysDir) path(name string) (string, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return "", err
	}
	defer f.Close()
	buf := make([]uint16, windows.MAX_LONG_PATH)
	n, err := windows.GetFinalPathNameByHandle(windows.Handle(f.Fd()), &buf[0], uint32(len(buf)), 0)
	if err != nil {
		return "", err
	}
	return filepath.Join(windows.UTF16ToString(buf[:n]), name), nil
}

func (d sysDir) move(name string, to sysDir, toName string, flags uint32) error {
	from, err := d.path(name)
	if err != nil {
		return err
	}
	dest, err := to.path(toName)
	if err != nil {
		return err
	}
	a, err := windows.UTF16PtrFromString(from)
	if err != nil {
		return err
	}
	b, err := windows.UTF16PtrFromString(dest)
	if err != nil {
		return err
	}
	if err := windows.MoveFileEx(a, b, flags|windows.MOVEFILE_WRITE_THROUGH); err != nil {
		return &os.LinkError{Op: "rename", Old: name, New: toName, Err: err}
	}
	return nil
}

func (d sysDir) rename(name string, to sysDir, toName string) error {
	return d.move(name, to, toName, windows.MOVEFILE_REPLACE_EXISTING)
}

func (d sysDir) moveNew(name string, to sysDir, toName string) error {
	return d.move(name, to, toName, 0)
}

func (d sysDir) link(name string, to sysDir, toName string) error {
	from, err := d.path(name)
	if err != nil {
		return err
	}
	dest, err := to.path(toName)
	if err != nil {
		return err
	}
	return os.Link(from, dest)
}

func (d sysDir) unlink(name string) error { return d.root.Remove(name) }

func (d sysDir) rmdir(name string) error { return d.root.Remove(name) }

func (d sysDir) mkdir(name string, perm fs.FileMode) error { return d.root.Mkdir(name, perm.Perm()) }

func (d sysDir) writable(name string) error {
	info, err := d.lstat(name)
	if err != nil {
		return err
	}
	if info.ReadOnly {
		return &fs.PathError{Op: "write", Path: name, Err: errReadOnly}
	}
	return nil
}

func (d sysDir) clearReadOnly(name string) error { return d.root.Chmod(name, 0o666) }

func (d sysDir) chtimes(name string, t time.Time) error { return d.root.Chtimes(name, t, t) }

// sync is done by the write-through of every move here.
func (d sysDir) sync() error { return nil }

func (d sysDir) syncAll() error { return errors.ErrUnsupported }

func tryLock(f *os.File) bool {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	// The lock is on a byte far beyond the content, which stays readable.
	at := windows.Overlapped{OffsetHigh: 1 << 30}
	return windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &at) == nil
}

func fileInfo(f *os.File) (Info, error) { return infoOfFile(f) }

// carry gives fresh the attributes of old and names its other streams, which
// stay with the replaced file. The folder decides who may open the new one.
func carry(old, fresh *os.File) (lost []string) {
	var by windows.ByHandleFileInformation
	if windows.GetFileInformationByHandle(windows.Handle(old.Fd()), &by) == nil {
		const kept = windows.FILE_ATTRIBUTE_HIDDEN | windows.FILE_ATTRIBUTE_SYSTEM | windows.FILE_ATTRIBUTE_ARCHIVE | windows.FILE_ATTRIBUTE_NOT_CONTENT_INDEXED
		var info struct {
			times [4]int64
			attrs uint32
			_     uint32
		}
		info.attrs = by.FileAttributes & kept
		if info.attrs == 0 {
			info.attrs = windows.FILE_ATTRIBUTE_NORMAL
		}
		if windows.SetFileInformationByHandle(windows.Handle(fresh.Fd()), windows.FileBasicInfo, (*byte)(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info))) != nil {
			lost = append(lost, "attributes")
		}
	}
	for _, s := range streams(old) {
		lost = append(lost, "stream "+s)
	}
	return lost
}

// streams lists the alternate data streams of an open file.
func streams(f *os.File) (names []string) {
	buf := make([]byte, 64<<10)
	if windows.GetFileInformationByHandleEx(windows.Handle(f.Fd()), windows.FileStreamInfo, &buf[0], uint32(len(buf))) != nil {
		return nil
	}
	for off := 0; off+24 <= len(buf); {
		next := *(*uint32)(unsafe.Pointer(&buf[off]))
		n := int(*(*uint32)(unsafe.Pointer(&buf[off+4])))
		if n < 0 || off+24+n > len(buf) {
			break
		}
		u := make([]uint16, n/2)
		for i := range u {
			u[i] = uint16(buf[off+24+2*i]) | uint16(buf[off+25+2*i])<<8
		}
		if name := strings.TrimSuffix(strings.TrimPrefix(windows.UTF16ToString(u), ":"), ":$DATA"); name != "" {
			names = append(names, name)
		}
		if next == 0 {
			break
		}
		off += int(next)
	}
	return names
}

func crossDevice(err error) bool { return errors.Is(err, windows.ERROR_NOT_SAME_DEVICE) }

func noLinks(err error) bool {
	return errors.Is(err, windows.ERROR_INVALID_FUNCTION) || errors.Is(err, windows.ERROR_NOT_SUPPORTED) || errors.Is(err, windows.ERROR_TOO_MANY_LINKS)
}
