// Package jsonedit adds to a JSON file somebody else keeps, leaving every other
// byte as it is: comments, order, indentation, escapes, numbers, line endings, a
// byte-order mark, and whether the last line ends.
//
// Call Parse, then Add, Append or Replace, which answer splices: where bytes go
// in and which, if any, they take the place of. Apply puts them together. Splices
// of several calls on one Doc can be applied at once, as long as they do not touch
// one place; otherwise apply, parse again and go on.
//
// What it does not do: it never removes a member, never reformats, and reads and
// writes no file.
package jsonedit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"fettler/shared/jsonc"
)

// maxBytes bounds what is parsed: a client's file is a stranger's as much as any.
const maxBytes = 64 << 20

// SyntaxError says where a file stops being what its client reads.
type SyntaxError struct {
	Line, Column int
	What         string
	// Lax holds when the file is JSON but for a comment or a trailing comma.
	Lax bool
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.What)
}

// Doc is a parsed file.
type Doc struct {
	raw  []byte
	root hujson.Value
	base int // bytes of a byte-order mark before what hujson saw
}

// Parse reads a file. With strict, a comment or a trailing comma is an error, as
// it is for the client. Blank text is an empty document, whose Root is not there.
func Parse(raw []byte, strict bool) (*Doc, error) {
	d := &Doc{raw: raw}
	body := raw
	if b, ok := bytes.CutPrefix(raw, []byte("\xef\xbb\xbf")); ok {
		body, d.base = b, 3
	}
	if len(raw) > maxBytes {
		return nil, &SyntaxError{Line: 1, Column: 1, What: "the file is larger than any client's"}
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return d, nil
	}
	if i := bytes.IndexByte(body, 0); i >= 0 {
		return nil, d.fail(i, notText)
	}
	root, fault := jsonc.Parse(body, jsonc.Most)
	if strict && (fault == nil || fault.Fault == jsonc.Syntax) {
		if err := d.strict(body, fault); err != nil {
			return nil, err
		}
	}
	if fault != nil {
		return nil, d.unparsed(fault)
	}
	d.root = root
	return d, nil
}

// strict finds what makes a client that reads strict JSON drop the file; lax is
// what keeps it from being read with comments, if anything does.
func (d *Doc) strict(body []byte, lax *jsonc.Error) error {
	var v json.RawMessage
	err := json.Unmarshal(body, &v)
	if err == nil {
		return nil
	}
	var se *json.SyntaxError
	if !errors.As(err, &se) {
		return d.fail(0, notJSON)
	}
	off := max(0, int(se.Offset)-1)
	off = min(off, len(body)-1)
	e := d.fail(off, notJSON)
	switch body[off] {
	case '/':
		e.What, e.Lax = "a comment, which this client does not read", true
	case '}', ']':
		if i := bytes.LastIndexFunc(body[:off], func(r rune) bool { return !strings.ContainsRune(" \t\r\n", r) }); i >= 0 && body[i] == ',' {
			e = d.fail(i, "a trailing comma, which this client does not read")
			e.Lax = true
		}
	}
	if e.Lax && lax != nil { // only when nothing else is wrong
		return d.unparsed(lax)
	}
	return e
}

const (
	notText = "this byte is not UTF-8 text"
	notJSON = "is not JSON"
)

// unparsed words an error by its place: its cause may quote the file, and a file
// may hold a secret.
func (d *Doc) unparsed(e *jsonc.Error) *SyntaxError {
	switch e.Fault {
	case jsonc.Encoding:
		return d.fail(e.Offset, notText)
	case jsonc.Depth:
		return d.fail(e.Offset, "more brackets are open here than any client's file needs")
	default:
		return d.fail(e.Offset, notJSON)
	}
}

func (d *Doc) fail(off int, what string) *SyntaxError {
	line, column := Position(d.raw, off+d.base)
	return &SyntaxError{Line: line, Column: column, What: what}
}

// Position gives the line and column of an offset, counted from one.
func Position(raw []byte, off int) (line, column int) {
	before := raw[:min(off, len(raw))]
	return 1 + bytes.Count(before, []byte{'\n'}), 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
}

// Splice is bytes [Start,End) giving way to Text.
type Splice struct {
	Start, End int
	Text       string
}

// Apply puts the splices into raw. Those at one place keep their order.
func Apply(raw []byte, splices []Splice) []byte {
	sorted := slices.Clone(splices)
	slices.SortStableFunc(sorted, func(a, b Splice) int { return cmp.Compare(a.Start, b.Start) })
	var out []byte
	at := 0
	for _, s := range sorted {
		out = append(out, raw[at:s.Start]...)
		out = append(out, s.Text...)
		at = s.End
	}
	return append(out, raw[at:]...)
}
