// Package jsonc parses JSON with comments and trailing commas that somebody else
// wrote. The parser recurses, and a stack that is used up ends a Go program
// whatever it defers, so nothing reaches it before its depth is counted.
//
// Call Parse. Its error says which byte is at fault, and how.
//
// What it does not do: it does not bound the size, does not look for keys that are
// given twice, and does not take a byte-order mark.
package jsonc

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// Most is how deep the file of a client may nest.
const Most = 200

// Fault is what keeps a text from being parsed.
type Fault int

// The faults.
const (
	Encoding Fault = iota // the byte is not UTF-8
	Depth                 // the bracket is one too deep
	Syntax                // the text stops being JSON
)

// Error says what is wrong at which byte. Cause, of a fault in the syntax, may
// quote the text, which may be a secret; Error does not.
type Error struct {
	Fault  Fault
	Offset int
	Cause  error
}

func (e *Error) Error() string {
	return [...]string{"this byte is not UTF-8 text", "brackets nest too deep", "is not JSON"}[e.Fault]
}

func (e *Error) Unwrap() error { return e.Cause }

// Parse reads text in which brackets nest at most depth deep.
func Parse(text []byte, depth int) (hujson.Value, *Error) {
	if !utf8.Valid(text) {
		return hujson.Value{}, &Error{Encoding, invalid(text), nil}
	}
	if off := tooDeep(text, depth); off >= 0 {
		return hujson.Value{}, &Error{Depth, off, nil}
	}
	// A line comment may end the text without a line feed.
	v, err := hujson.Parse(append(bytes.Clone(text), '\n'))
	if err != nil {
		return hujson.Value{}, syntax(text, err)
	}
	return v, nil
}

// syntax turns the parser's "hujson: line 1, column 2: cause", which counts bytes,
// into an offset.
func syntax(text []byte, err error) *Error {
	var line, column int
	if _, scan := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); scan != nil {
		return &Error{Syntax, 0, err}
	}
	if cause := errors.Unwrap(err); cause != nil {
		err = cause
	}
	off := 0
	for ; line > 1; line-- {
		i := bytes.IndexByte(text[off:], '\n')
		if i < 0 {
			return &Error{Syntax, len(text), err}
		}
		off += i + 1
	}
	return &Error{Syntax, min(off+column-1, len(text)), err}
}

func invalid(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// tooDeep counts brackets outside strings and comments, as far as the parser
// would read them, and gives the first that is too deep, or -1.
func tooDeep(b []byte, most int) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			if depth++; depth > most {
				return i
			}
		case '}', ']':
			depth--
		case '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case '/':
			end, skip := -1, 0
			switch {
			case bytes.HasPrefix(b[i:], []byte("//")):
				end, skip = bytes.IndexByte(b[i:], '\n'), 0
			case bytes.HasPrefix(b[i:], []byte("/*")):
				end, skip = bytes.Index(b[i+2:], []byte("*/")), 3
			default:
				continue
			}
			if end < 0 {
				return -1 // the comment takes the rest
			}
			i += end + skip
		}
	}
	return -1
}
