package examine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"fettler/shared/clients"
	"fettler/shared/jsonedit"
	"fettler/shared/tomldoc"
)

// maxBytes bounds a client's file.
const maxBytes = 64 << 20

// reading is a client's file, read once.
type reading struct {
	exists bool
	raw    []byte
	err    error // it is there and cannot be read
	parsed map[clients.Syntax]parsed
}

type parsed struct {
	doc *jsonedit.Doc
	err error
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func program(path, goos string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (goos == "windows" || info.Mode().Perm()&0o111 != 0)
}

func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

func sentence(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// read gives a file of the table. A pipe or a device is never opened.
func (d *doctor) read(path string) *reading {
	if r := d.files[path]; r != nil {
		return r
	}
	r := &reading{}
	d.files[path] = r
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, lerr := os.Lstat(path); lerr == nil {
			r.exists, r.err = true, errors.New("it is a link whose target is not there")
		}
		return r
	case err != nil:
		r.exists, r.err = !errors.Is(err, fs.ErrNotExist), cause(err)
		return r
	case !info.Mode().IsRegular():
		r.exists, r.err = true, errors.New("it is not an ordinary file")
		return r
	}
	r.exists = true
	f, err := os.Open(path)
	if err != nil {
		r.err = cause(err)
		return r
	}
	defer f.Close()
	if r.raw, err = io.ReadAll(io.LimitReader(f, maxBytes+1)); err != nil {
		r.err = cause(err)
	} else if len(r.raw) > maxBytes {
		r.err = errors.New("it is larger than any client's file")
	}
	return r
}

// parse reads a file the way its client does. Errors hold a place and no text.
func (d *doctor) parse(p clients.Place) (*jsonedit.Doc, *reading, error) {
	r := d.read(p.Path)
	if !r.exists || r.err != nil {
		return nil, r, r.err
	}
	was, known := r.parsed[p.Syntax]
	if !known {
		was.doc, was.err = parse(p.Syntax, r.raw)
		if r.parsed == nil {
			r.parsed = map[clients.Syntax]parsed{}
		}
		r.parsed[p.Syntax] = was
	}
	return was.doc, r, was.err
}

func parse(syntax clients.Syntax, raw []byte) (*jsonedit.Doc, error) {
	if syntax == clients.TOML {
		doc, err := tomldoc.Parse(raw)
		if err != nil {
			return nil, err
		}
		if raw, err = json.Marshal(doc); err != nil {
			return nil, errors.New("holds a value that JSON has no word for")
		}
	}
	return jsonedit.Parse(raw, syntax == clients.Strict)
}

// unreadable says in half a sentence why a file is not read.
func unreadable(err error) string {
	var se *jsonedit.SyntaxError
	switch {
	case errors.As(err, &se) && se.Lax:
		return fmt.Sprintf("this client will ignore the whole file: line %d, %s", se.Line, se.What)
	case errors.As(err, &se):
		return fmt.Sprintf("the file does not parse: line %d, column %d, %s", se.Line, se.Column, se.What)
	}
	return fmt.Sprintf("the file cannot be read: %v", err)
}

func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
