package found

import (
	"os"
	"path/filepath"
	"time"
)

// Entry is one entry of a folder.
type Entry struct {
	Name    string
	Folder  bool // a link is none
	Changed func() time.Time

	at time.Time
}

// Disk is how folders are looked at. OS is the machine's own; tests may give
// another.
type Disk struct {
	// List gives a folder's entries.
	List func(dir string) ([]Entry, error)
	// Real resolves links, as deep as the whole path exists.
	Real func(path string) (string, error)
	// Folder reports whether path is a folder that can be opened, or a link to one.
	Folder func(path string) bool
	// Mine reports whether path, and what it leads to, belongs to this user.
	Mine func(path string) bool
	// Read reads a file of bounded size.
	Read func(path string) ([]byte, error)
}

// OS is this machine's disk.
func OS() Disk {
	return Disk{List: list, Real: filepath.EvalSymlinks, Folder: folder, Mine: mine, Read: read}
}

// remembered asks once for each path: one Look resolves the same few folders
// over and over, and a link is a call of the system for each part of a path.
func remembered(real func(string) (string, error)) func(string) (string, error) {
	type answer struct {
		path string
		err  error
	}
	known := map[string]answer{}
	return func(path string) (string, error) {
		a, ok := known[path]
		if !ok {
			a.path, a.err = real(path)
			known[path] = a
		}
		return a.path, a.err
	}
}

func list(dir string) ([]Entry, error) {
	des, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	out := make([]Entry, len(des))
	for i, de := range des {
		out[i] = Entry{Name: de.Name(), Folder: de.IsDir(), Changed: func() time.Time {
			info, err := de.Info()
			if err != nil {
				return time.Time{}
			}
			return info.ModTime()
		}}
	}
	return out, nil
}

// folder opens what it answers for: a folder that is there and shut to this
// user must not refuse the whole call when the boundary opens it.
func folder(path string) bool {
	info, err := os.Stat(path) // first, so that a pipe is not opened
	if err != nil || !info.IsDir() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	return f.Close() == nil
}
