// Package notebook renders Jupyter notebooks (.ipynb, nbformat 3 and 4): each
// cell under the landmark "cell N", its source and then its outputs.
//
// Render is all there is to call. Text output is shown with terminal colours
// taken out, and cut with a note when it is long. Output that is not text is
// measured and never pasted. Nothing is run and no base64 is decoded.
//
// A notebook is read in one pass by a JSON scanner of our own, because
// encoding/json holds a string of any length: one cell's text is what is
// held, up to a bound.
package notebook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"fettler/fettle/internal/document"
)

// Bounds.
const (
	maxSource      = 1 << 20 // bytes of one cell's source
	maxOutputs     = 1 << 20 // bytes of one cell's outputs
	maxOutputLines = 200     // lines of one output
	maxOutputBytes = 20_000  // bytes of one output
	maxOutputLine  = 4_000   // bytes of one line of output
)

type book struct {
	ctx   context.Context
	out   document.Sink
	in    *scanner
	cells int
	lines int
	bytes int
}

// Render is a document.Render.
func Render(ctx context.Context, src document.Source, out document.Sink) error {
	out.Engine("notebook")
	b := &book{ctx: ctx, out: out, in: newScanner(ctx, io.NewSectionReader(src, 0, src.Size))}
	found := false
	kind, err := b.in.peek()
	if err == nil && kind != '{' {
		return document.Errorf(document.Unsupported, "the file is no notebook: a notebook is a JSON object with cells")
	}
	if err == nil {
		err = b.in.object(func(key string) error {
			switch key {
			case "cells":
				found = true
				return b.list()
			case "worksheets":
				found = true
				return b.worksheets()
			}
			return b.in.skip()
		})
	}
	if err == nil {
		err = b.in.finish()
	}
	if err != nil {
		return b.fault(err, found)
	}
	if !found {
		return document.Errorf(document.Unsupported, "the file is JSON and no notebook: it has no cells")
	}
	if b.cells == 0 {
		return out.Note("the notebook has no cells")
	}
	return nil
}

// fault says what a scanner's error means for the notebook.
func (b *book) fault(err error, found bool) error {
	var s *syntaxError
	if !errors.As(err, &s) {
		return err
	}
	if !found && b.cells == 0 {
		return document.Errorf(document.Damaged, "the notebook is damaged: %v", err)
	}
	return document.Errorf(document.Damaged, "the notebook is damaged after cell %d: %v", b.cells, err)
}

// list reads an array of cells.
func (b *book) list() error {
	if kind, err := b.in.peek(); err != nil || kind != '[' {
		return orSkip(b.in, err)
	}
	return b.in.array(func() error {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		if kind, err := b.in.peek(); err != nil || kind != '{' {
			return orSkip(b.in, err)
		}
		return b.cell()
	})
}

// worksheets is where nbformat 3 has its cells.
func (b *book) worksheets() error {
	if kind, err := b.in.peek(); err != nil || kind != '[' {
		return orSkip(b.in, err)
	}
	return b.in.array(func() error {
		if kind, err := b.in.peek(); err != nil || kind != '{' {
			return orSkip(b.in, err)
		}
		return b.in.object(func(key string) error {
			if key == "cells" {
				return b.list()
			}
			return b.in.skip()
		})
	})
}

func orSkip(in *scanner, err error) error {
	if err != nil {
		return err
	}
	return in.skip()
}

// cell reads one cell and renders it. A cell that is damaged within shows
// what it has.
func (b *book) cell() error {
	b.cells++
	c := cell{in: b.in, number: b.cells, source: excerpt{bytes: maxSource}}
	err := b.in.object(c.key)
	var s *syntaxError
	if err != nil && !errors.As(err, &s) {
		return err
	}
	if render := b.render(&c); render != nil {
		return render
	}
	return err
}

func (b *book) render(c *cell) error {
	cite := fmt.Sprintf("cell %d", c.number)
	if err := b.out.Mark(cite); err != nil {
		return err
	}
	kind := clean(c.kind)
	if kind == "" {
		kind = "of no kind"
	}
	if err := b.line(cite + " (" + kind + ")"); err != nil {
		return err
	}
	text := c.source.String()
	if c.kind == "heading" && text != "" {
		text = strings.Repeat("#", min(max(c.level, 1), 6)) + " " + text
	}
	if err := b.text(text); err != nil {
		return err
	}
	if n := c.source.left; n > 0 {
		if err := b.line(fmt.Sprintf("[%d more bytes of source left out]", n)); err != nil {
			return err
		}
	}
	for _, o := range c.outputs {
		if err := b.text(o); err != nil {
			return err
		}
	}
	if c.dropped > 0 {
		return b.line(fmt.Sprintf("[%d more outputs left out]", c.dropped))
	}
	return nil
}

// text gives lines to the sink.
func (b *book) text(s string) error {
	s = strings.TrimRight(s, "\r\n")
	if s == "" {
		return nil
	}
	for l := range strings.SplitSeq(s, "\n") {
		if err := b.line(strings.TrimSuffix(l, "\r")); err != nil {
			return err
		}
	}
	return nil
}

func (b *book) line(text string) error {
	text = clean(text)
	b.lines++
	b.bytes += len(text)
	if err := b.out.Line(text); err != nil {
		return err
	}
	if b.lines > document.MaxLines || b.bytes > document.DefaultBytes {
		return document.ErrFull
	}
	return nil
}

// clean drops control characters other than tabs and mends what is no UTF-8.
func clean(s string) string {
	ok := utf8.ValidString(s)
	for i := 0; ok && i < len(s); i++ {
		ok = s[i] >= ' ' && s[i] != 0x7f || s[i] == '\t'
	}
	if ok {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}
