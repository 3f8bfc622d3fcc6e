// Package worker is the inside of fettle-reader, the process that parses
// strangers' documents: bytes in, lines out, no path and no boundary.
//
// A program calls Confine and then Serve with its engines. Confine takes away
// what the process does not need before the first byte of a document comes in;
// Serve answers requests of shared/wire one after another. The limits here are
// the worker's own; fettle watches from outside as well and kills.
package worker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"fettler/fettle/internal/document"
	"fettler/shared/wire"
)

// Engines say who renders which kind.
type Engines map[document.Kind]document.Render

// Memory is what one worker may use, in bytes.
const Memory = 512 << 20

// ExitMemory and ExitTime are the exit codes of a worker that ended itself.
const (
	ExitMemory = 3
	ExitTime   = 4
)

// Serve answers requests until in ends, which is no error.
func Serve(in io.Reader, out io.Writer, engines Engines) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		q, body, err := wire.ReadRequest(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := answer(out, q, body, engines); err != nil {
			return err
		}
		if len(body) > 4<<20 {
			body = nil
			debug.FreeOSMemory()
		}
	}
}

func answer(out io.Writer, q wire.Request, body []byte, engines Engines) error {
	w := wire.NewFrameWriter(out)
	render := engines[document.Kind(q.Kind)]
	if render == nil {
		return w.Fail(string(document.Unsupported), fmt.Sprintf("no engine renders a %s here", q.Kind))
	}
	limit := time.Duration(q.Millis) * time.Millisecond
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	// A reader that does not look at its context has a moment more.
	end := time.AfterFunc(limit+time.Second, func() { os.Exit(ExitTime) })
	defer end.Stop()

	s := &sink{w: w, lines: q.MaxLines, bytes: q.MaxBytes, longest: q.MaxLine}
	err := document.Guard(ctx, render, document.Source{ReaderAt: newBytes(body), Size: int64(len(body))}, s)
	if s.failed != nil {
		return s.failed
	}
	var d *document.Error
	switch {
	case err == nil:
		return w.Frame(wire.Done, "")
	case errors.Is(err, document.ErrFull):
		return w.Frame(wire.Done, wire.DoneCut)
	case errors.As(err, &d):
		return w.Fail(string(d.Reason), d.Message)
	case errors.Is(err, context.DeadlineExceeded):
		return w.Fail(string(document.TooLarge), fmt.Sprintf("rendering it took longer than %s", limit))
	}
	return w.Fail(string(document.Damaged), err.Error())
}

// sink sends what a reader gives.
type sink struct {
	w            *wire.FrameWriter
	lines, bytes int // what may still come
	longest      int
	notes, marks int
	failed       error // the pipe broke: nobody is listening any more
}

func (s *sink) sent(err error) error {
	if err != nil {
		s.failed = err
	}
	return err
}

func (s *sink) Line(text string) error {
	if s.lines--; s.lines < 0 {
		return document.ErrFull
	}
	if len(text) > s.longest {
		text = cut(text, s.longest)
	}
	if s.bytes -= len(text) + 1; s.bytes < 0 {
		return document.ErrFull
	}
	return s.sent(s.w.Line(text))
}

// most bounds landmarks and notes, which cost no lines.
const (
	mostMarks = 200_000
	mostNotes = 1000
	mostWords = 1000 // bytes of one
)

func (s *sink) Mark(cite string) error {
	if s.marks++; s.marks > mostMarks {
		return document.ErrFull
	}
	return s.sent(s.w.Frame(wire.Mark, cut(cite, mostWords)))
}

func (s *sink) Note(text string) error {
	if s.notes++; s.notes > mostNotes {
		return nil
	}
	return s.sent(s.w.Frame(wire.Note, cut(text, mostWords)))
}

func (s *sink) Engine(name string) { s.sent(s.w.Frame(wire.Engine, cut(name, 100))) }

// cut shortens s to n bytes without cutting a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}
