//go:build !unix

package file

import (
	"io/fs"
	"os"
)

func keepOwner(string, fs.FileInfo) {}

func syncFolder(string) {}

// running reports whether a process of that number lives.
func running(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
