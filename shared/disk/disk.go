// Package disk answers where an absolute path really is and what is there, and
// asks the system once for each part of it. Building a boundary looks at the
// same few folders many times over, and every question is a call of the system.
//
// Call New for one call of fettle and give the View to all that look; ReadFile
// reads a small file with as few calls as there may be. A View is for one
// goroutine and one moment: what it was told stays its answer, so nothing that
// outlives the call may keep it.
//
// What it does not do: it opens nothing for anybody, and it is no boundary.
// Package boundary follows a path by handles and asks anew.
package disk

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// View is what one call has been told so far. A nil View asks each time.
type View struct {
	known map[string]answer
	opens map[string]bool // the folders that Folder was asked for
}

type answer struct {
	real string
	info fs.FileInfo // of real; nil where only its place is known
	err  error
}

// New gives a View that has been told nothing.
func New() *View { return &View{make(map[string]answer, 14), map[string]bool{}} }

// Real gives the path with its links resolved; all of it must exist. It is
// filepath.EvalSymlinks.
func (v *View) Real(path string) (string, error) {
	a := v.look(path)
	return a.real, a.err
}

// Stat says what the path leads to. It is os.Stat for a path that Real resolves,
// and fails as Real does for one that leads to no path, such as a pipe of /proc.
func (v *View) Stat(path string) (fs.FileInfo, error) {
	if a := v.look(path); a.err != nil || a.info != nil {
		return a.info, a.err
	}
	return os.Stat(path)
}

// Folder reports whether the path is a folder that can be opened, or a link to one.
func (v *View) Folder(path string) bool {
	if v == nil {
		return openable(path)
	}
	opens, asked := v.opens[path]
	if !asked {
		opens = openable(path)
		v.opens[path] = opens
	}
	return opens
}

func (v *View) look(path string) (a answer) {
	if v != nil {
		if a, ok := v.known[path]; ok {
			return a
		}
	}
	switch {
	case v == nil || !filepath.IsAbs(path) || filepath.Clean(path) != path: // then a parent by name is not the parent
		a.real, a.err = filepath.EvalSymlinks(path)
	case runtime.GOOS == "windows": // which spells a real path its own way
		if _, a.err = os.Lstat(path); a.err == nil {
			a.real, a.err = filepath.EvalSymlinks(path)
		}
	default:
		a = v.step(path)
	}
	if v != nil {
		v.known[path] = a
	}
	return a
}

// step takes the last part of a path from where the rest of it really is.
func (v *View) step(path string) answer {
	dir := filepath.Dir(path)
	if dir == path {
		return answer{real: path}
	}
	up := v.look(dir)
	if up.err != nil {
		return answer{err: up.err}
	}
	at := filepath.Join(up.real, filepath.Base(path))
	info, err := os.Lstat(at)
	switch {
	case err != nil:
		return answer{err: err}
	case info.Mode()&fs.ModeSymlink == 0:
		return answer{real: at, info: info}
	}
	real, err := filepath.EvalSymlinks(at)
	return answer{real: real, err: err}
}
