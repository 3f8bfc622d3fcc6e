package boundary

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// listings are buffers for one reading of a folder each.
var listings = sync.Pool{New: func() any { b := make([]byte, 32<<10); return &b }}

// entries calls fn for each entry as the system gives them. It reads the
// kernel's records itself: no os.File, no stat an entry, one string a name. A
// type the disk does not tell is ModeIrregular.
func (d sysDir) entries(fn func(name string, t fs.FileMode) error) error {
	fd, err := d.openat(".", unix.O_RDONLY|unix.O_DIRECTORY)
	if err != nil {
		return &fs.PathError{Op: "open", Path: ".", Err: err}
	}
	defer d.closeFD(fd)
	return d.records(fd, fn)
}

// openToList opens a child folder as openDir does, and for its listing as well
// where that is allowed: rest reads it once, without a second opening.
func (d sysDir) openToList(name string) (c sysDir, info Info, unread bool, err error) {
	fd, err := d.openat(name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW)
	if err != nil {
		c, info, err = d.openDir(name)
		return c, info, false, err
	}
	c, info, err = d.opened(fd)
	return c, info, err == nil, err
}

// rest is entries of a folder that openToList opened, from where its reading
// stands, which is shared by whoever has the handle.
func (d sysDir) rest(fn func(name string, t fs.FileMode) error) error { return d.records(d.n(), fn) }

// records reads the records from an open folder, this one or another handle on it.
func (d sysDir) records(fd int, fn func(name string, t fs.FileMode) error) error {
	held := listings.Get().(*[]byte)
	defer listings.Put(held)
	buf := *held
	for {
		n, err := d.getdents(fd, buf)
		if err != nil {
			return &fs.PathError{Op: "readdirent", Path: ".", Err: err}
		}
		if n <= 0 {
			return nil
		}
		for rest := buf[:n]; len(rest) > 0; {
			name, t, size, ok := dirent(rest)
			if size <= 0 {
				return &fs.PathError{Op: "readdirent", Path: ".", Err: unix.EIO}
			}
			rest = rest[size:]
			if !ok {
				continue
			}
			if err := fn(string(name), t); err != nil {
				return err
			}
		}
	}
}

// The layout of a struct linux_dirent64.
const (
	direntInode  = int(unsafe.Offsetof(unix.Dirent{}.Ino))
	direntLength = int(unsafe.Offsetof(unix.Dirent{}.Reclen))
	direntType   = int(unsafe.Offsetof(unix.Dirent{}.Type))
	direntName   = int(unsafe.Offsetof(unix.Dirent{}.Name))
)

// dirent takes the first record apart. size is 0 when it is no record; ok is
// false for one that names no entry, and for . and .. themselves.
func dirent(b []byte) (name []byte, t fs.FileMode, size int, ok bool) {
	if len(b) < direntName {
		return nil, 0, 0, false
	}
	size = int(binary.NativeEndian.Uint16(b[direntLength:]))
	if size < direntName || size > len(b) {
		return nil, 0, 0, false
	}
	name = b[direntName:size]
	if i := bytes.IndexByte(name, 0); i >= 0 {
		name = name[:i]
	}
	if binary.NativeEndian.Uint64(b[direntInode:]) == 0 || len(name) == 0 || string(name) == "." || string(name) == ".." {
		return nil, 0, size, false
	}
	switch b[direntType] {
	case unix.DT_REG:
	case unix.DT_DIR:
		t = fs.ModeDir
	case unix.DT_LNK:
		t = fs.ModeSymlink
	case unix.DT_FIFO:
		t = fs.ModeNamedPipe
	case unix.DT_SOCK:
		t = fs.ModeSocket
	case unix.DT_BLK:
		t = fs.ModeDevice
	case unix.DT_CHR:
		t = fs.ModeDevice | fs.ModeCharDevice
	default:
		t = fs.ModeIrregular
	}
	return name, t, size, true
}
