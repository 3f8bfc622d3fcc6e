// Package pdf renders PDF documents: the words of each page in the order in
// which the page draws them, under "page N" landmarks, with what stands in
// form fields and remarks.
//
// Call Render, or Warm in a process that reads many documents. Two engines
// serve. The first is an interpreter of content streams of our own, over
// ledongthuc/pdf as the reader of objects. Where it meets damage, finds no
// page, or finds no words, pdfium behind it has a try, compiled to WebAssembly
// and without a file system. Neither is safe against everything a stranger can
// write: run them in a process with a time and a memory limit.
//
// It does not recognise letters in images, and it reads no file that needs a
// password.
package pdf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	lib "github.com/ledongthuc/pdf"

	"fettler/fettle/internal/document"
)

// The names under which the engines are told to the sink.
const (
	Interpreter = "interpreter"
	Pdfium      = "pdfium"
)

// tooBlind is the part of a page's glyphs of which nobody says what they read,
// above which the page counts as not read.
const tooBlind = 0.25

// Render implements document.Render for a process that reads one document.
func Render(ctx context.Context, src document.Source, out document.Sink) error {
	return (&reader{}).render(ctx, src, out)
}

// Warm gives a Render for a process that reads many: pdfium is compiled when
// it is first wanted, which costs seconds once and makes its pages eight times
// faster. Call end when no more documents come.
func Warm() (render document.Render, end func()) {
	r := &reader{keep: true}
	return r.render, r.close
}

// pageResult is what an engine made of a page.
type pageResult struct {
	lines  []string
	words  bool
	images int
	blank  bool   // nothing on it was text: neither glyphs nor damage
	failed string // why the page is not whole, "" when it is
	served bool   // some engine gave what there is
}

func (r *reader) render(ctx context.Context, src document.Source, out document.Sink) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if src.Size > maxFile {
		return document.Errorf(document.TooLarge, "this PDF has more than %d MB", maxFile>>20)
	}
	raw := make([]byte, max(0, src.Size))
	n, err := src.ReadAt(raw, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return document.Errorf(document.Damaged, "this PDF could not be read: %v", err)
	}
	raw = raw[:n]
	if _, err := header(raw); err != nil {
		return document.Errorf(document.Damaged, "this is not a PDF file: %v", err)
	}
	pages, err := interpret(ctx, raw)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	engine := Interpreter
	if want := wanted(pages, err); want != nil && !r.alone {
		more, perr := r.pdfium(ctx, raw, want)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if len(pages) == 0 || err != nil && len(more) > len(pages) {
			if perr != nil {
				return refusal(perr, err)
			}
			pages, engine = more, Pdfium
		} else if merge(pages, more) {
			engine = Pdfium
		}
	}
	if len(pages) == 0 {
		return refusal(err, nil)
	}
	out.Engine(engine)
	return tell(ctx, pages, out)
}

// wanted says which pages pdfium is to read: nil for none, empty for all.
func wanted(pages []pageResult, err error) map[int]bool {
	want, words, images := map[int]bool{}, false, len(pages) > 0
	for i, p := range pages {
		words = words || p.words
		images = images && p.blank && p.images > 0
		if p.failed != "" {
			want[i] = true
		}
	}
	switch {
	case err == nil && images:
		return nil // scanned pages, read without a doubt: pdfium sees no more
	case err != nil || len(pages) == 0 || !words:
		return map[int]bool{}
	case len(want) > 0:
		return want
	}
	return nil
}

// merge takes pdfium's reading of a page where it has more words.
func merge(pages, more []pageResult) (used bool) {
	for i := range min(len(pages), len(more)) {
		if !more[i].served {
			continue
		}
		if letters(more[i].lines) > letters(pages[i].lines) || more[i].words && pages[i].failed != "" && 10*letters(more[i].lines) >= 9*letters(pages[i].lines) {
			more[i].images = max(more[i].images, pages[i].images)
			pages[i], used = more[i], true
		} else if more[i].failed == "" && !more[i].words && !pages[i].words {
			pages[i].failed = "" // both found nothing: that is no damage
		}
	}
	return used
}

func letters(lines []string) (n int) {
	for _, l := range lines {
		n += len(strings.Join(strings.Fields(l), ""))
	}
	return n
}

// refusal says why neither engine opened the document.
func refusal(second, first error) error {
	var d *document.Error
	if errors.As(second, &d) {
		return d
	}
	if first == nil {
		first = second
	}
	return document.Errorf(document.Damaged, "this PDF is damaged: %v", first)
}

// tell sends the pages.
func tell(ctx context.Context, pages []pageResult, out document.Sink) error {
	for i, p := range pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := out.Mark(fmt.Sprintf("page %d", i+1)); err != nil {
			return err
		}
		if note := remark(i+1, p); note != "" {
			if err := out.Note(note); err != nil {
				return err
			}
		}
		for _, l := range p.lines {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := out.Line(l); err != nil {
				return err
			}
		}
	}
	return nil
}

func remark(n int, p pageResult) string {
	switch {
	case p.failed != "" && !p.words:
		return fmt.Sprintf("page %d is damaged and could not be read: %s", n, p.failed)
	case p.failed != "":
		return fmt.Sprintf("page %d is damaged and may lack text: %s", n, p.failed)
	case !p.words && p.images > 0:
		return fmt.Sprintf("page %d has no text (an image)", n)
	case !p.words:
		return fmt.Sprintf("page %d has no text", n)
	}
	return ""
}

// interpret reads the document with our own interpreter.
func interpret(ctx context.Context, raw []byte) ([]pageResult, error) {
	d, list, err := openPages(ctx, raw)
	if d == nil {
		return nil, err
	}
	out := make([]pageResult, 0, len(list))
	left, lines := document.DefaultBytes, document.MaxLines
	for _, p := range list {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if left < 0 || lines < 0 {
			break // the sink is full before this
		}
		r := d.page(p)
		lines -= len(r.lines)
		for _, l := range r.lines {
			left -= len(l) + 1
		}
		out = append(out, r)
	}
	return out, err
}

// openPages opens the document, by its cross-reference or by its objects, and
// finds its pages.
func openPages(ctx context.Context, raw []byte) (*file, []page, error) {
	var list []page
	d, err := openFile(ctx, raw)
	if err == nil {
		list, err = d.pages()
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, lib.ErrInvalidPassword) && !errors.Is(err, errDeclared) {
		if again, rerr := reopenFile(ctx, raw); rerr == nil {
			if found, rerr := again.pages(); rerr == nil && len(found) > len(list) {
				return again, found, nil
			}
		}
	}
	return d, list, err
}

// page reads a page; a panic of the library is the page's damage.
func (d *file) page(p page) (r pageResult) {
	r.served = true
	if p.err != nil {
		r.failed = p.err.Error()
		return r
	}
	in := newInterpreter(d)
	defer func() {
		if x := recover(); x != nil {
			in.errs = append(in.errs, fmt.Errorf("%v", x))
		}
		r.lines, r.words, r.images = in.out.result(), in.out.words, in.images
		r.blank = in.drawn == 0 && len(in.errs) == 0
		switch {
		case len(in.errs) > 0:
			r.failed = short(in.errs[0].Error())
		case float64(in.blind) > tooBlind*float64(in.drawn):
			r.failed = "its fonts do not say which letters they show"
		}
	}()
	data, err := d.contents(p.v.Key("Contents"))
	if err != nil {
		in.errs = append(in.errs, err)
	}
	if err := in.run(data, p.resources); err != nil {
		in.errs = append(in.errs, err)
	}
	in.annotations(p.v)
	return r
}

// contents is a page's content stream, whole or in parts, which are one
// stream: a token may not, but an operator and its operands may be apart.
func (d *file) contents(v lib.Value) (data []byte, err error) {
	if v.Kind() == lib.Stream {
		return d.stream(v)
	}
	for i := range min(v.Len(), maxNodes) {
		part, perr := d.stream(v.Index(i))
		if perr != nil {
			err = perr
		}
		if data = append(append(data, part...), '\n'); len(data) > maxStream {
			return data, errTooMuch
		}
	}
	return data, err
}

// short keeps a library's message to one line of a bearable length.
func short(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "?")), " ")
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "") + "…"
	}
	return s
}
