// Package word renders Word documents (.docx, .docm): a paragraph to a line,
// a table row to a line with tabs between its cells, a landmark for each
// heading.
//
// Render is all there is to call. It shows the document as it stands with its
// tracked changes accepted: inserted text shows, deleted and hidden text does
// not, and a note says that there was some. Footnotes, endnotes and comments
// follow the paragraph or row that refers to them, a text box the paragraph it
// is anchored in, headers and footers the whole. List labels are kept.
//
// A document is read in one pass. What is held is one paragraph or row, and
// styles, list definitions and notes up to a bound. Fields are not calculated,
// no link is followed and no embedded object is opened.
package word

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/ooxml"
)

// Bounds of one document beyond those of its parts.
const (
	maxLine   = 1 << 20
	maxOutput = document.DefaultBytes
	maxHeld   = 12 << 20 // styles, lists, notes
	maxCite   = 200
)

type doc struct {
	ctx    context.Context
	out    document.Sink
	pkg    *ooxml.Package
	rels   []ooxml.Relationship
	byID   map[string]ooxml.Relationship
	styles map[string]*style
	lists  lists
	notes  map[string]string // "footnote 2" → its text
	heads  []section
	held   int
	lines  int
	bytes  int
	lost   error
	said   map[string]bool
}

// section is a header or footer that a section refers to.
type section struct{ kind, id string }

// Render is a document.Render.
func Render(ctx context.Context, src document.Source, out document.Sink) error {
	out.Engine("word")
	pkg, err := ooxml.Open(ctx, src)
	if err != nil {
		return err
	}
	if pkg.Kind() != document.Word {
		return document.Errorf(document.Unsupported, "the file is a workbook, not a Word document")
	}
	d := &doc{ctx: ctx, out: out, pkg: pkg, said: map[string]bool{}, styles: map[string]*style{}, notes: map[string]string{}}
	d.lists.links = map[string]int{}
	if name := pkg.Twice(); name != "" {
		if err := d.note("the file holds " + name + " twice; the first was read"); err != nil {
			return err
		}
	}
	if err := d.open(); err != nil {
		return err
	}
	if err := d.lose(d.part(pkg.Main, bodyWriter{d})); err != nil {
		return err
	}
	if err := d.headers(); err != nil {
		return err
	}
	return d.lost
}

// open reads what the text refers to: styles, lists, notes.
func (d *doc) open() error {
	var err error
	d.rels, err = d.pkg.Relationships(d.pkg.Main)
	if err := d.lose(err); err != nil {
		return err
	}
	d.byID = ooxml.ByID(d.rels)
	for _, aux := range []struct {
		typ, usual string
		read       func(string) error
	}{
		{"styles", "word/styles.xml", d.readStyles},
		{"numbering", "word/numbering.xml", d.readLists},
		{"footnotes", "word/footnotes.xml", func(n string) error { return d.readNotes(n, "footnote") }},
		{"endnotes", "word/endnotes.xml", func(n string) error { return d.readNotes(n, "endnote") }},
		{"comments", "word/comments.xml", func(n string) error { return d.readNotes(n, "comment") }},
	} {
		name := ooxml.Related(d.rels, aux.typ)
		if name == "" || !d.pkg.Has(name) {
			name = aux.usual
		}
		if !d.pkg.Has(name) {
			continue
		}
		if err := d.lose(aux.read(name)); err != nil {
			return err
		}
	}
	return nil
}

// headers renders each header and footer once, after the text.
func (d *doc) headers() error {
	done := map[string]bool{}
	for _, s := range d.heads {
		r, ok := d.byID[s.id]
		if !ok || r.External || done[r.Target] {
			continue
		}
		done[r.Target] = true
		if err := d.lose(d.part(r.Target, &sectionWriter{doc: d, cite: s.kind})); err != nil {
			return err
		}
	}
	return nil
}

// lose keeps the first damage and lets the reading go on; anything else, the
// sink's bound or the end of ctx, ends it.
func (d *doc) lose(err error) error {
	var e *document.Error
	if errors.As(err, &e) {
		if d.lost == nil {
			d.lost = e
		}
		return nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		if d.lost == nil {
			d.lost = document.Errorf(document.Damaged, "the document is damaged: %v", err)
		}
		return nil
	}
	return err
}

// note says a sentence once.
func (d *doc) note(text string) error {
	if d.said[text] {
		return nil
	}
	d.said[text] = true
	return d.out.Note(text)
}

// hold counts what is kept in memory.
func (d *doc) hold(n int) error {
	d.held += n
	if d.held > maxHeld {
		return document.Errorf(document.TooLarge, "the document has more styles, lists and notes than fettle holds (%d MB)", maxHeld>>20)
	}
	return nil
}

// line gives one line to the sink, within the document's own bounds.
func (d *doc) line(text string) error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\ufffd")
	}
	d.lines++
	d.bytes += len(text)
	if d.lines > document.MaxLines || d.bytes > maxOutput {
		// The sink is asked, so that it can say that the rest was left.
		if err := d.out.Line(text); err != nil {
			return err
		}
		return document.ErrFull
	}
	return d.out.Line(text)
}

// part renders one part's text into w.
func (d *doc) part(name string, w writer) error {
	x, err := d.pkg.Part(name)
	if err != nil {
		return err
	}
	defer x.Close()
	s := &story{doc: d, x: x, rels: d.byID}
	if name != d.pkg.Main {
		own, err := d.pkg.Relationships(name)
		if err := d.lose(err); err != nil {
			return err
		}
		s.rels = ooxml.ByID(own)
	}
	for {
		ev, err := x.Next()
		if err == io.EOF {
			break
		}
		if err == nil && ev == ooxml.Start {
			err = s.blocks(w)
		}
		if err != nil {
			return err
		}
	}
	if err := s.rest(w); err != nil {
		return err
	}
	return x.Finish(d.note)
}

// readNotes keeps the text of footnotes, endnotes or comments by their ids.
func (d *doc) readNotes(name, kind string) error {
	x, err := d.pkg.Part(name)
	if err != nil {
		return err
	}
	defer x.Close()
	s := &story{doc: d, x: x}
	for err := range x.Starts(wordML) {
		if err != nil {
			return err
		}
		if string(x.Name) != kind {
			continue
		}
		id, _ := x.Attr("id")
		typ, _ := x.Attr("type")
		author, _ := x.Attr("author")
		key, by := kind+" "+string(id), string(author)
		if t := string(typ); t == "separator" || t == "continuationSeparator" || t == "continuationNotice" {
			if err := x.Skip(); err != nil {
				return err
			}
			continue
		}
		var w flatWriter
		if err := s.blocks(&w); err != nil {
			return err
		}
		if err := s.rest(&w); err != nil {
			return err
		}
		text := strings.TrimSpace(string(w.text))
		if kind == "comment" {
			text = fmt.Sprintf("[comment by %s] %s", oneLine(by), text)
		}
		if _, ok := d.notes[key]; ok {
			continue
		}
		if err := d.hold(len(key) + len(text) + 64); err != nil {
			return err
		}
		d.notes[key] = text
	}
	return x.Finish(d.note)
}

func wordML(s ooxml.Space) bool { return s == ooxml.WordML }

func oneLine(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\ufffd")), " ")
	if len(s) > maxCite {
		s = strings.ToValidUTF8(s[:maxCite], "") + "..."
	}
	return s
}
