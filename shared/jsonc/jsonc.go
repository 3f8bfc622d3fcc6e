// Package jsonc parses JSON with comments and trailing commas that somebody else
// wrote. The parser recurses, and a stack that is used up ends a Go program
// whatever it defers, so nothing reaches it before its depth is counted.
//
// Call Parse. Its errors are a *DepthError, a *SyntaxError, or an *EncodingError,
// each with the offset of the byte that is at fault.
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

// EncodingError says that a byte is not UTF-8.
type EncodingError struct{ Offset int }

func (e *EncodingError) Error() string { return "this byte is not UTF-8 text" }

// DepthError says that a bracket is one too deep.
type DepthError struct{ Offset, Max int }

func (e *DepthError) Error() string {
	return fmt.Sprintf("brackets nest more than %d deep", e.Max)
}

// SyntaxError says where a text stops being JSON. Cause may quote the text, which
// may be a secret; Error does not.
type SyntaxError struct {
	Offset int
	Cause  error
}

func (e *SyntaxError) Error() string { return "is not JSON" }
func (e *SyntaxError) Unwrap() error { return e.Cause }

// Parse reads text in which brackets nest at most depth deep.
func Parse(text []byte, depth int) (hujson.Value, error) {
	if !utf8.Valid(text) {
		return hujson.Value{}, &EncodingError{invalid(text)}
	}
	if off := tooDeep(text, depth); off >= 0 {
		return hujson.Value{}, &DepthError{off, depth}
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
func syntax(text []byte, err error) *SyntaxError {
	var line, column int
	if _, scan := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); scan != nil {
		return &SyntaxError{0, err}
	}
	if cause := errors.Unwrap(err); cause != nil {
		err = cause
	}
	off := 0
	for ; line > 1; line-- {
		i := bytes.IndexByte(text[off:], '\n')
		if i < 0 {
			return &SyntaxError{len(text), err}
		}
		off += i + 1
	}
	return &SyntaxError{min(off+column-1, len(text)), err}
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
