package workbook

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/ooxml"
)

// keptBlank is how many blank rows in a run keep their lines; a longer run is
// one line that says so.
const keptBlank = 20

// grid is one sheet while it is read.
type grid struct {
	*book
	x      *ooxml.Part
	row    int // of the row being read, from 1
	col    int // of the last cell
	shown  int // the last row a line was made for
	cells  []cell
	buf    []byte // the row's cells, end to end
	line   []byte
	text   []byte // the cell's value, as stored
	form   []byte // its formula, as stored
	mixed  bool   // cells came out of order
	full   bool   // the row is past maxLine
	shared map[string]*shared
	held   int // bytes of shared formulas
}

type cell struct{ col, from, to int }

// rows renders a worksheet's part.
func (b *book) rows(s sheet, name string) error {
	x, err := b.pkg.Part(name)
	if err != nil {
		return err
	}
	defer x.Close()
	g := &grid{book: b, x: x, shared: map[string]*shared{}}
	for {
		ev, err := x.Next()
		if err == io.EOF {
			return x.Finish(b.note)
		}
		if err != nil {
			return g.where(s, err)
		}
		if ev != ooxml.Start || x.Depth() == 1 || !ours(x.Space) {
			continue
		}
		switch string(x.Name) {
		case "row":
			if err := g.readRow(); err != nil {
				return g.where(s, err)
			}
		case "sheetData":
		default:
			if err := x.Skip(); err != nil {
				return g.where(s, err)
			}
		}
	}
}

// where adds to damage how far the sheet was good.
func (g *grid) where(s sheet, err error) error {
	if e, ok := err.(*document.Error); ok {
		return document.Errorf(e.Reason, "the sheet %s was read to row %d: %s", s.name, g.shown, e.Message)
	}
	return err
}

// readRow renders the row that just began.
func (g *grid) readRow() error {
	if err := g.ctx.Err(); err != nil {
		return err
	}
	g.row++
	if r, ok := g.x.Attr("r"); ok {
		if n, err := strconv.Atoi(string(r)); err == nil && n >= 1 && n <= maxRow {
			g.row = n
		}
	}
	g.col, g.cells, g.buf, g.mixed, g.full = 0, g.cells[:0], g.buf[:0], false, false
	depth := g.x.Depth()
	for {
		ev, err := g.x.Next()
		if err != nil {
			if flush := g.flush(); flush != nil {
				return flush
			}
			return early(err)
		}
		switch ev {
		case ooxml.End:
			if g.x.Depth() < depth {
				return g.flush()
			}
		case ooxml.Start:
			if ours(g.x.Space) && string(g.x.Name) == "c" {
				err = g.readCell()
			} else {
				err = g.x.Skip()
			}
			if err != nil {
				if flush := g.flush(); flush != nil {
					return flush
				}
				return err
			}
		}
	}
}

// flush makes the row's line.
func (g *grid) flush() error {
	if len(g.cells) == 0 {
		return nil
	}
	if g.mixed {
		slices.SortStableFunc(g.cells, func(a, b cell) int { return a.col - b.col })
	}
	if err := g.blanks(); err != nil {
		return err
	}
	g.line = g.line[:0]
	col := 1
	for _, c := range g.cells {
		for ; col < c.col; col++ {
			g.line = append(g.line, '\t')
		}
		g.line = append(g.line, g.buf[c.from:c.to]...)
		if len(g.line) > maxLine {
			g.full = true
			break
		}
	}
	if g.full {
		g.line = append(g.line, " [the rest of the row was left out]"...)
		if err := g.note(fmt.Sprintf("rows are cut at %d KB", maxLine>>10)); err != nil {
			return err
		}
	}
	text := string(g.line)
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\ufffd")
	}
	g.cells = g.cells[:0]
	return g.book.line(text)
}

// blanks makes the lines of the blank rows before this one.
func (g *grid) blanks() error {
	gap := g.row - g.shown - 1
	if gap > keptBlank {
		if err := g.book.line(fmt.Sprintf("[rows %d to %d are blank]", g.shown+1, g.row-1)); err != nil {
			return err
		}
		gap = 0
	}
	for ; gap > 0; gap-- {
		if err := g.book.line(""); err != nil {
			return err
		}
	}
	g.shown = g.row
	return nil
}

// readCell takes the cell that just began into the row.
func (g *grid) readCell() error {
	x := g.x
	col := g.col + 1
	if r, ok := x.Attr("r"); ok {
		if n := column(r); n > 0 {
			col = n
		}
	}
	if col > maxColumns {
		return document.Errorf(document.TooLarge, "a row has more than %d columns", maxColumns)
	}
	style, _ := x.Attr("s")
	f := g.style(style)
	raw, _ := x.Attr("t")
	t := typeOf(raw)
	g.text, g.form = g.text[:0], g.form[:0]
	var formula formulaOf
	depth := x.Depth()
	for {
		ev, err := x.Next()
		if err != nil {
			return early(err)
		}
		if ev == ooxml.End {
			if x.Depth() < depth {
				break
			}
			continue
		}
		if ev != ooxml.Start {
			continue
		}
		switch {
		case !ours(x.Space):
			err = x.Skip()
		case string(x.Name) == "v":
			g.text, err = g.take(g.text[:0], maxCell)
		case string(x.Name) == "f":
			formula, err = g.readFormula(col)
		case string(x.Name) == "is":
			t = text
			g.text, err = g.richText(x, g.text[:0])
		default:
			err = x.Skip()
		}
		if err != nil {
			return err
		}
	}
	if col <= g.col {
		g.mixed = true
	}
	g.col = col
	if g.full || len(g.buf) > maxLine || len(g.cells) > 2*maxColumns {
		g.full = true
		return nil
	}
	from := len(g.buf)
	g.buf = g.appendCell(g.buf, t, f, formula, col)
	if len(g.buf) > from {
		g.cells = append(g.cells, cell{col, from, len(g.buf)})
	}
	return nil
}

// take reads an element's text to its end.
func (g *grid) take(dst []byte, most int) ([]byte, error) {
	depth := g.x.Depth()
	for {
		ev, err := g.x.Next()
		if err != nil {
			return dst, early(err)
		}
		switch ev {
		case ooxml.Text:
			b := g.x.Bytes
			if room := most - len(dst); room < len(b) {
				b = b[:max(room, 0)]
				if err := g.note(fmt.Sprintf("text of a cell past %d KB was left out", most>>10)); err != nil {
					return dst, err
				}
			}
			dst = append(dst, b...)
		case ooxml.End:
			if g.x.Depth() < depth {
				return dst, nil
			}
		}
	}
}

// column is the column of a cell's reference, 0 when it has none.
func column(r []byte) int {
	n := 0
	for i, c := range r {
		switch {
		case c >= 'A' && c <= 'Z':
			n = n*26 + int(c-'A') + 1
		case c >= 'a' && c <= 'z':
			n = n*26 + int(c-'a') + 1
		case c == '$':
		default:
			if i == 0 {
				return 0
			}
			return n
		}
		if n > maxColumns {
			return n
		}
	}
	return n
}
