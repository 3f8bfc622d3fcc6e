//go:build unix

package ort

import "github.com/ebitengine/purego"

// open loads the shared library at an absolute path.
func open(path string) (uintptr, error) {
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func symbol(library uintptr, name string) (uintptr, error) { return purego.Dlsym(library, name) }

// systemPath is a path as the library takes it: bytes that end in a zero.
func systemPath(path string) []byte { return append([]byte(path), 0) }
