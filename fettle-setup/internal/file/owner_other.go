//go:build !unix

package file

import "io/fs"

func keepOwner(string, fs.FileInfo) {}

func syncFolder(string) {}
