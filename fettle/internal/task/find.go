package task

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrNotFound is a program that is not there. Where says where it was looked for.
type ErrNotFound struct {
	Name, Where string
	Err         error // fs.ErrPermission when it is there and may not be run
}

func (e *ErrNotFound) Error() string {
	return fmt.Sprintf("there is no program %s %s", e.Name, e.Where)
}
func (e *ErrNotFound) Unwrap() error { return e.Err }

// Find gives the file that a task's first word starts: a word with a path in
// it names a file, against dir; a bare word is looked for on PATH. Relative
// entries of PATH are passed over, as an empty one is: both mean the folder
// that the task runs in, whose files a model may have written.
func Find(name, dir string, environ []string) (string, error) {
	exts := []string{""}
	if onWindows {
		exts = extensions(name, variable(environ, "PATHEXT"))
	}
	if strings.ContainsAny(name, separators) {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		found, err := executable(path, exts)
		if err != nil {
			return "", &ErrNotFound{name, "at that path", err}
		}
		return found, nil
	}
	reason := fs.ErrNotExist
	for _, d := range filepath.SplitList(variable(environ, "PATH")) {
		if !filepath.IsAbs(d) {
			continue
		}
		found, err := executable(filepath.Join(d, name), exts)
		if err == nil {
			return found, nil
		}
		if err == fs.ErrPermission {
			reason = fs.ErrPermission
		}
	}
	return "", &ErrNotFound{name, "on PATH", reason}
}

func executable(path string, exts []string) (string, error) {
	reason := fs.ErrNotExist
	for _, ext := range exts {
		info, err := os.Stat(path + ext)
		switch {
		case err != nil || !info.Mode().IsRegular():
		case !onWindows && info.Mode()&0o111 == 0:
			reason = fs.ErrPermission
		default:
			return path + ext, nil
		}
	}
	return "", reason
}

// extensions are the endings Windows tries, in order. It is pure.
func extensions(name, pathext string) []string {
	if pathext == "" {
		pathext = ".com;.exe;.bat;.cmd"
	}
	var exts []string
	for _, e := range strings.Split(strings.ToLower(pathext), ";") {
		if e == "" {
			continue
		}
		if e[0] != '.' {
			e = "." + e
		}
		if strings.HasSuffix(strings.ToLower(name), e) {
			return []string{""}
		}
		exts = append(exts, e)
	}
	return exts
}

// variable looks a variable up; the last setting counts. Windows tells no case apart.
func variable(environ []string, name string) string {
	value := ""
	for _, kv := range environ {
		k, v, ok := strings.Cut(kv, "=")
		if ok && (k == name || onWindows && strings.EqualFold(k, name)) {
			value = v
		}
	}
	return value
}
