// Package file reads and replaces one file of a client with plain file IO, and
// is the only package of fettle-setup that touches the disk.
//
// Call Open, which follows links to what they end at and refuses what is no
// ordinary file, then Replace. A replacement is whole or is not there; it keeps the
// mode and the owner; it is given up when the file changed in between; and before
// it there is a backup, which is made once and never overwritten.
package file

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"fettler/shared/clients"
	"fettler/shared/outcome"
)

// maxBytes bounds what is read.
const maxBytes = 64 << 20

// File is a file as it is now, or the place where one may be made.
type File struct {
	Path   string // as the table names it
	Target string // where it really is
	Exists bool
	Raw    []byte
	mode   fs.FileMode
	info   fs.FileInfo
}

// Open reads the file at path. within, where it is not "", is a folder that the
// real place must be in.
func Open(path, within string) (*File, error) {
	f := &File{Path: path, Target: path, mode: 0o600}
	if within != "" {
		f.mode = 0o644 // a project's files are everybody's
	}
	_, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Target, err = parent(path)
		if err != nil {
			return nil, outcome.New(outcome.Denied, "%s: %v", path, cause(err)).At(path).Because(err)
		}
	case err != nil:
		return nil, outcome.New(outcome.Denied, "%s cannot be looked at: %v", path, cause(err)).At(path).Because(err)
	default:
		f.Exists = true
		real, err := filepath.EvalSymlinks(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, outcome.New(outcome.Refused, "%s is a link whose target is not there. Make the target or remove the link, then run setup again", path).At(path)
		}
		if err != nil {
			return nil, outcome.New(outcome.Denied, "%s cannot be followed: %v", path, cause(err)).At(path).Because(err)
		}
		f.Target = real
	}
	if within != "" && !inside(f.Target, within) {
		return nil, outcome.New(outcome.Refused, "%s is a link that leaves the project, to %s. Setup does not write through it: remove the link, or change that file by hand", path, f.Target).At(path)
	}
	if !f.Exists {
		return f, nil
	}
	if f.info, err = os.Lstat(f.Target); err != nil {
		return nil, outcome.New(outcome.Denied, "%s: %v", path, cause(err)).At(path).Because(err)
	}
	if !f.info.Mode().IsRegular() {
		return nil, outcome.New(outcome.Refused, "%s is not an ordinary file, and setup leaves it alone", path).At(path)
	}
	f.mode = f.info.Mode().Perm()
	f.Raw, err = read(f.Target)
	return f, err
}

// Writable refuses a file that a person made read-only.
func (f *File) Writable() error {
	if f.Exists && f.mode&0o222 == 0 {
		return outcome.New(outcome.Refused, "%s is read-only. Make it writable, then run setup again", f.Path).At(f.Path)
	}
	return nil
}

// parent gives the place a file would have, links in its folder's path resolved.
func parent(path string) (string, error) {
	var rest []string
	for dir := path; ; {
		up := filepath.Dir(dir)
		rest = append([]string{filepath.Base(dir)}, rest...)
		real, err := filepath.EvalSymlinks(up)
		if err == nil {
			info, err := os.Stat(real)
			if err == nil && !info.IsDir() {
				err = errors.New("its folder's path passes a file")
			}
			return filepath.Join(append([]string{real}, rest...)...), err
		}
		if _, lerr := os.Lstat(up); lerr == nil || !errors.Is(err, fs.ErrNotExist) || up == dir {
			return "", err // a folder that is a link to nothing, or is shut
		}
		dir = up
	}
}

func inside(target, folder string) bool {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(real, target)
	return err == nil && filepath.IsLocal(rel)
}

func read(path string) ([]byte, error) {
	r, err := os.Open(path)
	if err != nil {
		return nil, outcome.New(outcome.Denied, "%s cannot be read: %v", path, cause(err)).At(path).Because(err)
	}
	defer r.Close()
	raw, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, outcome.New(outcome.Denied, "%s cannot be read: %v", path, cause(err)).At(path).Because(err)
	}
	if len(raw) > maxBytes {
		return nil, outcome.New(outcome.Refused, "%s is larger than any client's file, and setup leaves it alone", path).At(path)
	}
	return raw, nil
}

// Backup is where the copy of an existing file goes, and whether there is one already.
func (f *File) Backup() (path string, made bool) {
	path = f.Target + clients.BackupSuffix
	_, err := os.Lstat(path)
	return path, err == nil
}

// ErrChanged reports that the file is no longer what Open read. The caller opens it
// again and works out its change anew.
var ErrChanged = errors.New("the file changed meanwhile")

// Replace makes the file hold text.
func (f *File) Replace(text []byte) error {
	dir := filepath.Dir(f.Target)
	if !f.Exists {
		mode := fs.FileMode(0o700)
		if f.mode != 0o600 {
			mode = 0o755
		}
		if err := os.MkdirAll(dir, mode); err != nil {
			return f.denied(err)
		}
	} else if err := f.backup(); err != nil {
		return err
	}
	temp, err := f.stage(text)
	if err != nil {
		return f.denied(err)
	}
	defer os.Remove(temp) // gone already after a rename
	if !f.Exists {
		return f.publish(temp, text)
	}
	// A client may have written meanwhile; its change is not to be lost.
	now, err := read(f.Target)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !bytes.Equal(now, f.Raw) {
		return ErrChanged
	}
	if err != nil {
		return err
	}
	if err := os.Rename(temp, f.Target); err != nil {
		return f.denied(err)
	}
	syncFolder(dir)
	return nil
}

// publish puts a new file in place without ever replacing one.
func (f *File) publish(temp string, text []byte) error {
	err := place(temp, f.Target, text, f.mode)
	if errors.Is(err, fs.ErrExist) {
		return ErrChanged
	}
	if err != nil {
		return f.denied(err)
	}
	syncFolder(filepath.Dir(f.Target))
	return nil
}

// place gives the staged text its name, or says that something has it.
func place(temp, path string, text []byte, mode fs.FileMode) error {
	err := os.Link(temp, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// No links on this file system: an exclusive file keeps the promise.
	return exclusive(path, text, mode)
}

// exclusive writes a file that was not there. It follows no link.
func exclusive(path string, text []byte, mode fs.FileMode) error {
	w, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	if err == nil {
		err = w.Sync()
	}
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(path)
	}
	return err
}

// stage writes the text beside the target.
func (f *File) stage(text []byte) (string, error) {
	mode := fs.FileMode(0o600)
	if !f.Exists {
		mode = f.mode // what the user's mask leaves of it
	}
	temp := tempName(f.Target)
	err := exclusive(temp, text, mode)
	if err == nil && f.Exists {
		keepOwner(temp, f.info)
		if err = os.Chmod(temp, f.mode); err != nil {
			os.Remove(temp)
		}
	}
	return temp, err
}

// backup copies the file once, whole or not at all: the first copy is the one
// worth having, so one that was cut short would stay for good.
func (f *File) backup() error {
	path, _ := f.Backup()
	if info, err := os.Lstat(path); err == nil {
		return f.keepBackup(path, info)
	}
	temp := tempName(f.Target)
	if err := exclusive(temp, f.Raw, 0o600); err != nil {
		return f.denied(err)
	}
	defer os.Remove(temp)
	err := place(temp, path, f.Raw, 0o600)
	if errors.Is(err, fs.ErrExist) {
		info, err := os.Lstat(path)
		if err != nil {
			return f.denied(err)
		}
		return f.keepBackup(path, info)
	}
	if err != nil {
		return f.denied(err)
	}
	return nil
}

func (f *File) keepBackup(path string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return outcome.New(outcome.Refused, "%s, where the backup belongs, is not an ordinary file. Remove it, then run setup again", path).At(path)
	}
	return nil
}

func (f *File) denied(err error) error {
	return outcome.New(outcome.Denied, "%s cannot be written: %v", f.Path, cause(err)).At(f.Path).Because(err)
}

func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// There reports whether something is at path.
func There(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Program reports whether path is a program that can be started.
func Program(path, goos string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (goos == "windows" || info.Mode().Perm()&0o111 != 0)
}

// Same reports whether two paths are one file.
func Same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
