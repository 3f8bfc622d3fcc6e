//go:build unix

package file

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives the new file the old one's owner where that is permitted.
func keepOwner(path string, info fs.FileInfo) {
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		os.Lchown(path, int(sys.Uid), int(sys.Gid))
	}
}

// syncFolder makes a rename last. A file system that cannot is none the worse.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}

// running reports whether a process of that number lives, whoever's it is.
func running(pid int) bool {
	return pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
