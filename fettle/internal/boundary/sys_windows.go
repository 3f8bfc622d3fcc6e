package boundary

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// sysDir is an open folder: an os.Root whose one-component names start from it.
type sysDir struct {
	root *os.Root
	kept bool // another handle closes it: see lent
}

func openTop(real string) (sysDir, Info, error) {
	r, err := os.OpenRoot(real)
	if err != nil {
		return sysDir{}, Info{}, err
	}
	d := sysDir{root: r}
	info, err := d.stat()
	if err != nil {
		d.close()
		return sysDir{}, Info{}, err
	}
	return d, info, nil
}

func (d sysDir) close() {
	if d.root != nil && !d.kept {
		d.root.Close()
	}
}

// local does not matter here: an entry is opened to learn its identity, so
// that nothing is gained by not opening it.
func (d sysDir) local() bool { return false }

// directly changes nothing: there is one way to call Windows.
func (d sysDir) directly(bool) sysDir { return d }

func (d sysDir) again() (sysDir, error) {
	r, err := d.root.OpenRoot(".")
	return sysDir{root: r}, err
}

// lent is the handle itself, to be used while it is open: closing it does nothing.
func (d sysDir) lent() sysDir {
	d.kept = true
	return d
}

func (d sysDir) stat() (Info, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return Info{}, err
	}
	defer f.Close()
	return infoOfFile(f)
}

// lstat opens what is not a link to learn its identity, which a find record
// does not carry.
func (d sysDir) lstat(name string) (Info, error) {
	fi, err := d.root.Lstat(name)
	if err != nil {
		return Info{}, err
	}
	if fi.Mode()&fs.ModeSymlink != 0 || !fi.Mode().IsRegular() && !fi.IsDir() {
		return infoOf(fi), nil
	}
	f, err := d.root.Open(name)
	if err != nil {
		return infoOf(fi), nil
	}
	defer f.Close()
	info, err := infoOfFile(f)
	if err == nil && !os.SameFile(fi, mustStat(f)) {
		return Info{}, errMoved
	}
	return info, err
}

func mustStat(f *os.File) fs.FileInfo {
	fi, err := f.Stat()
	if err != nil {
		return nil
	}
	return fi
}

func (d sysDir) readlink(name string) (string, error) { return d.root.Readlink(name) }

func (d sysDir) openDir(name string) (sysDir, Info, error) {
	fi, err := d.root.Lstat(name)
	if err != nil {
		return sysDir{}, Info{}, err
	}
	if !fi.IsDir() {
		return sysDir{}, Info{}, &fs.PathError{Op: "open", Path: name, Err: syscall.ENOTDIR}
	}
	r, err := d.root.OpenRoot(name)
	if err != nil {
		return sysDir{}, Info{}, err
	}
	c := sysDir{root: r}
	now, err := r.Stat(".")
	if err == nil && !os.SameFile(fi, now) {
		err = errMoved
	}
	if err != nil {
		c.close()
		return sysDir{}, Info{}, err
	}
	info, err := c.stat()
	if err != nil {
		c.close()
		return sysDir{}, Info{}, err
	}
	return c, info, nil
}

func (d sysDir) openRegular(name string) (*os.File, Info, error) {
	fi, err := d.root.Lstat(name)
	if err != nil {
		return nil, Info{}, err
	}
	if !fi.Mode().IsRegular() {
		return nil, infoOf(fi), ErrNotRegular
	}
	f, err := d.root.Open(name)
	if err != nil {
		return nil, Info{}, err
	}
	info, err := infoOfFile(f)
	if err == nil && !os.SameFile(fi, mustStat(f)) {
		err = errMoved
	}
	if err != nil {
		f.Close()
		return nil, Info{}, err
	}
	return f, info, nil
}

func (d sysDir) entries(fn func(name string, t fs.FileMode) error) error {
	f, err := d.root.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		es, err := f.ReadDir(256)
		for _, e := range es {
			if err := fn(e.Name(), e.Type()); err != nil {
				return err
			}
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

func statPath(real string) (Info, error) {
	fi, err := os.Lstat(real)
	if err != nil {
		return Info{}, err
	}
	if fi.Mode()&fs.ModeSymlink != 0 {
		return infoOf(fi), nil
	}
	f, err := os.Open(real)
	if err != nil {
		return infoOf(fi), nil
	}
	defer f.Close()
	return infoOfFile(f)
}

func infoOf(fi fs.FileInfo) Info {
	info := Info{Size: fi.Size(), Mode: fi.Mode(), ModTime: fi.ModTime(), Links: 1}
	if a, ok := fi.Sys().(*syscall.Win32FileAttributeData); ok {
		info.attributes(a.FileAttributes)
	}
	return info
}

func (i *Info) attributes(a uint32) {
	i.ReadOnly = a&windows.FILE_ATTRIBUTE_READONLY != 0
	i.Hidden = a&windows.FILE_ATTRIBUTE_HIDDEN != 0
}

func infoOfFile(f *os.File) (Info, error) {
	fi, err := f.Stat()
	if err != nil {
		return Info{}, err
	}
	info := infoOf(fi)
	var by windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &by); err != nil {
		return Info{}, err
	}
	info.attributes(by.FileAttributes)
	info.Links = uint64(by.NumberOfLinks)
	info.ID = FileID{uint64(by.VolumeSerialNumber), uint64(by.FileIndexHigh)<<32 | uint64(by.FileIndexLow)}
	return info, nil
}

func (d sysDir) readRegular(name string, buf []byte, limit int64) ([]byte, Info, error) {
	f, info, err := d.openRegular(name)
	if err != nil {
		return buf, info, err
	}
	defer f.Close()
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
		n, err := f.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if errors.Is(err, io.EOF) {
			return buf, info, nil
		}
		if err != nil {
			return buf, info, err
		}
		if int64(len(buf)) > limit {
			return buf, info, ErrLarge
		}
	}
}
