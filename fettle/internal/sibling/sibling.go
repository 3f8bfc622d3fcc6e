// Package sibling finds and runs the programs that lie beside fettle.
//
// They come from the folder of the resolved executable and nowhere else: a
// program of the same name on PATH could be anybody's. Path gives one's place,
// Become replaces this process by it, and where a platform has no replacing runs
// it with this process's streams.
package sibling

import (
	"os"
	"path/filepath"
	"runtime"

	"fettler/shared/outcome"
)

// Path gives the absolute path of a sibling, or a refusal that says what is missing.
func Path(name string) (string, error) {
	dir, err := Dir()
	if err != nil {
		return "", err
	}
	p := filepath.Join(dir, name+Suffix())
	info, err := os.Stat(p)
	if err != nil || !info.Mode().IsRegular() {
		return "", outcome.New(outcome.Refused, "%s is not beside fettle. Install the whole of Fettler into one folder: the programs find each other there", name)
	}
	return p, nil
}

// Dir is the folder of this executable, with links resolved.
func Dir() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(exe); err == nil {
		exe = real
	}
	return filepath.Dir(exe), nil
}

// Suffix is what executables end in here.
func Suffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}
