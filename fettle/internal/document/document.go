// Package document is the contract of everything that turns a stranger's
// document into lines with landmarks: PDF, workbooks, Word, notebooks.
//
// A reader is a Render function; its caller is fettle-reader, a process that
// holds no path and no boundary, or a test in process. A reader MUST stop at
// the sink's first error and return it, MUST look at ctx at least once a page,
// row or paragraph, MUST hold no more than a bounded part of the document, and
// MUST give the same lines for the same bytes. It may panic: Guard turns that
// into damage. It does not open files and it does not know names.
package document

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// Kind is what a document is, in the word an answer carries.
type Kind string

// The kinds that are rendered. Text, images and archives are not.
const (
	Notebook    Kind = "notebook"
	PDF         Kind = "pdf"
	Spreadsheet Kind = "spreadsheet"
	Word        Kind = "document"
)

// MaxLines is where a rendering stops and says that the rest was left unread.
const MaxLines = 200_000

// Source is the document's bytes.
type Source struct {
	io.ReaderAt
	Size int64
}

// Sink takes a rendering as it is made.
type Sink interface {
	// Mark begins a landmark at the next line: "page 3", "sheet Q1",
	// "heading Introduction". A hit below it cites it.
	Mark(cite string) error
	// Line takes one line without its ending. It returns ErrFull at the
	// bound; the reader returns that error as it is.
	Line(text string) error
	// Note takes a sentence about the document that is not its content, such
	// as "page 3 has no text (an image)". Notes are said beside the lines.
	Note(text string) error
	// Engine names what served the document, for measurements.
	Engine(name string)
}

// Render turns src into lines. The error is ErrFull, ctx's error, or an *Error.
type Render func(ctx context.Context, src Source, out Sink) error

// ErrFull is what a Sink returns when the rendering reached its bound. The
// lines before it are good.
var ErrFull = errors.New("the rendering reached its bound")

// Reason is why a document did not render.
type Reason string

// The reasons, in words that a message can be built on.
const (
	Damaged     Reason = "damaged"
	Password    Reason = "needs a password"
	Unsupported Reason = "unsupported" // names a format that is something else, such as legacy .doc
	TooLarge    Reason = "too large"   // a bound on parts, tokens or memory
)

// Error is a document that could not be rendered, or not to its end.
type Error struct {
	Reason  Reason
	Message string // what is wrong and, where there is one, what to do
}

func (e *Error) Error() string { return e.Message }

// Errorf makes an Error.
func Errorf(r Reason, format string, args ...any) *Error {
	return &Error{Reason: r, Message: fmt.Sprintf(format, args...)}
}

// Guard runs render and turns a panic of it, or of a library below it, into
// a Damaged error.
func Guard(ctx context.Context, render Render, src Source, out Sink) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = Errorf(Damaged, "the document is damaged: its reader gave up (%v)", p)
		}
	}()
	return render(ctx, src, out)
}

// Landmark is where a cite begins.
type Landmark struct {
	Line int    `json:"line"` // from 1
	Cite string `json:"cite"`
}

// Rendering is a whole document in memory: the Sink that tests and fettle use.
type Rendering struct {
	Kind      Kind
	Lines     []string
	Landmarks []Landmark
	Notes     []string
	Served    string // engine
	Cut       bool   // the rest was left unread
	MaxBytes  int    // bound on the lines' bytes; 0 is DefaultBytes
	bytes     int
}

// DefaultBytes bounds the text of one rendering.
const DefaultBytes = 64 << 20

// Mark implements Sink.
func (r *Rendering) Mark(cite string) error {
	r.Landmarks = append(r.Landmarks, Landmark{Line: len(r.Lines) + 1, Cite: cite})
	return nil
}

// Line implements Sink.
func (r *Rendering) Line(text string) error {
	limit := r.MaxBytes
	if limit == 0 {
		limit = DefaultBytes
	}
	if len(r.Lines) >= MaxLines || r.bytes+len(text) > limit {
		r.Cut = true
		return ErrFull
	}
	r.bytes += len(text) + 1
	r.Lines = append(r.Lines, text)
	return nil
}

// Note implements Sink.
func (r *Rendering) Note(text string) error {
	if len(r.Notes) < 1000 {
		r.Notes = append(r.Notes, text)
	}
	return nil
}

// Engine implements Sink.
func (r *Rendering) Engine(name string) { r.Served = name }

// Landmark is the one a line (from 1) stands under, or nil.
func (r *Rendering) Landmark(line int) *Landmark {
	lo, hi := 0, len(r.Landmarks)
	for lo < hi {
		mid := (lo + hi) / 2
		if r.Landmarks[mid].Line <= line {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return nil
	}
	return &r.Landmarks[lo-1]
}

// Cite is what cites the landmark a line (from 1) stands under, or "".
func (r *Rendering) Cite(line int) string {
	if m := r.Landmark(line); m != nil {
		return m.Cite
	}
	return ""
}
