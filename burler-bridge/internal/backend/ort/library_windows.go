package ort

import (
	"syscall"
	"unicode/utf16"
	"unsafe"
)

// open loads the library at an absolute path. Its own libraries come from its
// folder or the system's: the altered search path leaves the current folder
// and PATH out of it.
func open(path string) (uintptr, error) {
	load, err := syscall.LoadDLL("kernel32.dll")
	if err != nil {
		return 0, err
	}
	ex, err := load.FindProc("LoadLibraryExW")
	if err != nil {
		return 0, err
	}
	name := systemPath(path)
	const withDLLFolder, withSystem = 0x100, 0x800
	h, _, err := ex.Call(uintptr(unsafe.Pointer(&name[0])), 0, withDLLFolder|withSystem)
	if h == 0 {
		return 0, err
	}
	return h, nil
}

func symbol(library uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(library), name)
}

// systemPath is a path as the library takes it: UTF-16 that ends in a zero.
func systemPath(path string) []byte {
	var b []byte
	for _, u := range append(utf16.Encode([]rune(path)), 0) {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}
