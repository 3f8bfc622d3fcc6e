//go:build !linux

package boundary

import "io/fs"

// openToList is openDir: only Linux opens a folder for its listing and to start
// from at once.
func (d sysDir) openToList(name string) (c sysDir, info Info, unread bool, err error) {
	c, info, err = d.openDir(name)
	return c, info, false, err
}

func (d sysDir) rest(fn func(name string, t fs.FileMode) error) error { return d.entries(fn) }
