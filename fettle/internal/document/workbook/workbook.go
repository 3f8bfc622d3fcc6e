// Package workbook renders Excel workbooks (.xlsx, .xlsm): a row to a line
// with tabs between its cells, a landmark for each sheet.
//
// Render is all there is to call. A cell shows what is stored: text as text,
// a number with up to 15 digits, a date or time as ISO 8601 where its number
// format is one of dates, an identifier format of zeros ("000-00-0000")
// applied, a formula followed by its last value in brackets. A percentage or
// currency format is not applied: the number is what a formula sees.
//
// Blank cells keep their column, short runs of blank rows their line. A
// sheet's comments follow its rows. Nothing
// is calculated, no macro is looked at, no link is followed. The workbook is
// read in one pass a sheet; what is held is the shared strings, up to a bound.
package workbook

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/ooxml"
)

// Bounds of one workbook beyond those of its parts.
const (
	maxSheets  = 10_000
	maxRows    = document.MaxLines
	maxOutput  = document.DefaultBytes
	maxColumns = 16_384
	maxLine    = 1 << 20
	maxCell    = 256 << 10
)

type sheet struct {
	name, state, id string
}

type book struct {
	ctx      context.Context
	out      document.Sink
	pkg      *ooxml.Package
	rels     []ooxml.Relationship
	byID     map[string]ooxml.Relationship
	sheets   []sheet
	date1904 bool
	styles   []*format
	strings  sharedStrings
	lines    int
	bytes    int
	lost     error // the first damage; what can be read is read all the same
	said     map[string]bool
}

// Render is a document.Render.
func Render(ctx context.Context, src document.Source, out document.Sink) error {
	out.Engine("workbook")
	pkg, err := ooxml.Open(ctx, src)
	if err != nil {
		return err
	}
	if pkg.Kind() != document.Spreadsheet {
		return document.Errorf(document.Unsupported, "the file is a Word document, not a workbook")
	}
	b := &book{ctx: ctx, out: out, pkg: pkg, said: map[string]bool{}}
	if name := pkg.Twice(); name != "" {
		if err := b.note("the file holds " + name + " twice; the first was read"); err != nil {
			return err
		}
	}
	if err := b.open(); err != nil {
		return err
	}
	for _, s := range b.sheets {
		if err := b.lose(b.sheet(s)); err != nil {
			return err
		}
	}
	if len(b.sheets) == 0 && b.lost == nil {
		if err := b.note("the workbook has no sheets"); err != nil {
			return err
		}
	}
	return b.lost
}

// lose keeps the first damage and lets the reading go on; anything else, the
// sink's bound or the end of ctx, ends it.
func (b *book) lose(err error) error {
	var e *document.Error
	if errors.As(err, &e) {
		if b.lost == nil {
			b.lost = e
		}
		return nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		if b.lost == nil {
			b.lost = document.Errorf(document.Damaged, "the workbook is damaged: %v", err)
		}
		return nil
	}
	return err
}

// note says a sentence once.
func (b *book) note(text string) error {
	if b.said[text] {
		return nil
	}
	b.said[text] = true
	return b.out.Note(text)
}

// line gives one line to the sink, within the workbook's own bounds.
func (b *book) line(text string) error {
	b.lines++
	b.bytes += len(text)
	if b.lines > maxRows || b.bytes > maxOutput {
		// The sink is asked, so that it can say that the rest was left.
		if err := b.out.Line(text); err != nil {
			return err
		}
		return document.ErrFull
	}
	return b.out.Line(text)
}

// open reads what every sheet needs.
func (b *book) open() error {
	var err error
	b.rels, err = b.pkg.Relationships(b.pkg.Main)
	if err := b.lose(err); err != nil {
		return err
	}
	b.byID = ooxml.ByID(b.rels)
	if err := b.lose(b.readBook()); err != nil {
		return err
	}
	if len(b.sheets) == 0 {
		b.guessSheets()
	}
	if name := b.related("styles", "xl/styles.xml"); name != "" {
		if err := b.lose(b.readStyles(name)); err != nil {
			return err
		}
	}
	if name := b.related("sharedStrings", "xl/sharedStrings.xml"); name != "" {
		if err := b.lose(b.readStrings(name)); err != nil {
			return err
		}
	}
	return nil
}

func (b *book) related(typ, usual string) string {
	if name := ooxml.Related(b.rels, typ); name != "" && b.pkg.Has(name) {
		return name
	}
	if b.pkg.Has(usual) {
		return usual
	}
	return ""
}

// readBook reads the list of sheets and the date system.
func (b *book) readBook() error {
	x, err := b.pkg.Part(b.pkg.Main)
	if err != nil {
		return err
	}
	defer x.Close()
	for err := range x.Starts(ours) {
		if err != nil {
			return err
		}
		switch string(x.Name) {
		case "workbookPr":
			v, _ := x.Attr("date1904")
			b.date1904 = truth(v)
		case "sheet":
			var s sheet
			name, _ := x.Attr("name")
			state, _ := x.Attr("state")
			id, ok := x.AttrIn(ooxml.Relation, "id")
			if !ok {
				id, _ = x.Attr("id")
			}
			s.name, s.state, s.id = oneLine(name, 200), string(state), string(id)
			if len(b.sheets) >= maxSheets {
				return document.Errorf(document.TooLarge, "the workbook has more than %d sheets", maxSheets)
			}
			b.sheets = append(b.sheets, s)
		}
	}
	return x.Finish(b.note)
}

// guessSheets lists the sheets of a workbook whose list is damaged.
func (b *book) guessSheets() {
	for _, r := range b.rels {
		if r.Type == "worksheet" && !r.External {
			base := r.Target[strings.LastIndexByte(r.Target, '/')+1:]
			b.sheets = append(b.sheets, sheet{name: strings.TrimSuffix(base, ".xml"), id: r.ID})
		}
	}
}

// ours is the vocabulary of workbooks, or no vocabulary at all.
func ours(s ooxml.Space) bool { return s == ooxml.Sheet || s == ooxml.None }

func truth(v []byte) bool {
	switch string(v) {
	case "1", "true", "on", "True", "TRUE":
		return true
	}
	return false
}

// oneLine makes text fit for a landmark.
func oneLine(raw []byte, most int) string {
	s := strings.ToValidUTF8(string(appendClean(nil, raw)), "\ufffd")
	s = strings.TrimSpace(s)
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}

// cite is a sheet's landmark. A hidden sheet is read, and says so.
func (s sheet) cite() string {
	switch s.state {
	case "hidden":
		return "sheet " + s.name + " (hidden)"
	case "veryHidden":
		return "sheet " + s.name + " (very hidden)"
	}
	return "sheet " + s.name
}

// sheet renders one sheet under its landmark.
func (b *book) sheet(s sheet) error {
	if err := b.ctx.Err(); err != nil {
		return err
	}
	if err := b.out.Mark(s.cite()); err != nil {
		return err
	}
	if err := b.line(s.cite()); err != nil {
		return err
	}
	rel := b.byID[s.id]
	switch {
	case s.id == "": // a module of code of old, which is in no part
		return b.note("the sheet " + s.name + " has no rows of its own")
	case rel.Target == "":
		return document.Errorf(document.Damaged, "the workbook is damaged: it holds no part for the sheet %s", s.name)
	case rel.External:
		return b.note("the sheet " + s.name + " lies in another file, which is not opened")
	case rel.Type != "worksheet" && rel.Type != "xlMacrosheet" && rel.Type != "xlIntlMacrosheet":
		return b.note("the sheet " + s.name + " is a " + kindOf(rel.Type) + " and has no rows")
	}
	if err := b.lose(b.rows(s, rel.Target)); err != nil {
		return err
	}
	return b.comments(rel.Target)
}

func kindOf(typ string) string {
	switch typ {
	case "chartsheet":
		return "chart"
	case "dialogsheet":
		return "dialog"
	}
	return oneLine([]byte(typ), 40)
}
