package found

import (
	"os"
	"time"

	"fettler/shared/disk"
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

// OS is this machine's disk as v sees it; nil asks anew each time. A folder that
// is there and shut to this user must not refuse the whole call when the boundary
// opens it, so it is none.
func OS(v *disk.View) Disk {
	return Disk{List: list, Real: v.Real, Folder: v.Folder, Mine: mine, Read: read}
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
