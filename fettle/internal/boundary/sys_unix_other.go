//go:build unix && !linux

package boundary

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

const searchFlag = unix.O_RDONLY

// local is not known here.
func (d sysDir) local() bool { return false }

// entries calls fn for each entry as the system gives them.
func (d sysDir) entries(fn func(name string, t fs.FileMode) error) error {
	fd, err := retry(func() (int, error) {
		return unix.Openat(d.n(), ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return &fs.PathError{Op: "open", Path: ".", Err: err}
	}
	f := os.NewFile(uintptr(fd), ".")
	defer f.Close()
	for {
		es, err := f.ReadDir(256)
		for _, e := range es {
			if err := fn(e.Name(), e.Type()); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
