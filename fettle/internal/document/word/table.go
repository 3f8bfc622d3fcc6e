package word

import (
	"bytes"
	"fmt"

	"fettler/fettle/internal/document/ooxml"
)

// maxSpan bounds the columns one cell may take.
const maxSpan = 64

// table reads a table: a row to a line. A table inside a cell is put into the
// cell, its cells apart by a bar.
func (s *story) table(w writer) error {
	gap := "\t"
	if _, inside := w.(*flatWriter); inside {
		gap = " | "
	}
	return s.rows(w, gap)
}

func (s *story) rows(w writer, gap string) error {
	return s.each(func() error {
		name := s.word()
		switch {
		case name == "tr":
			return s.row(w, gap)
		case name == "del" || name == "moveFrom":
			return s.deleted()
		case skipped(name):
			return s.x.Skip()
		case s.x.Space == ooxml.Compatibility && string(s.x.Name) == "AlternateContent":
			return s.alternate(func() error { return s.rows(w, gap) })
		}
		return s.rows(w, gap)
	})
}

// row reads a row and gives it to w, unless the row was deleted.
func (s *story) row(w writer, gap string) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	r := &tableRow{story: s, p: para{row: true}, gap: gap}
	if err := s.each(r.element); err != nil {
		r.trim()
		return s.salvage(w, &r.p, err)
	}
	if r.deleted {
		return s.note("deleted text of tracked changes was left out")
	}
	r.trim()
	if r.p.empty() {
		return nil
	}
	s.gave++
	return w.para(&r.p)
}

type tableRow struct {
	*story
	p       para
	gap     string
	cells   int
	deleted bool
}

// trim drops the gaps after the last cell that holds something.
func (r *tableRow) trim() {
	r.p.text = bytes.TrimRight(r.p.text, r.gap)
}

func (r *tableRow) element() error {
	switch name := r.word(); {
	case name == "trPr":
		return r.each(func() error {
			if r.x.Space == ooxml.WordML {
				switch string(r.x.Name) {
				case "del", "moveFrom":
					r.deleted = true
				case "gridBefore":
					r.blank(number(r.val()))
				}
			}
			return r.x.Skip()
		})
	case name == "tc":
		return r.cell()
	case skipped(name):
		return r.x.Skip()
	case r.x.Space == ooxml.Compatibility && string(r.x.Name) == "AlternateContent":
		return r.alternate(func() error { return r.each(r.element) })
	}
	return r.each(r.element)
}

// blank makes cells that hold nothing, so that columns keep their place.
func (r *tableRow) blank(n int) {
	for range max(0, min(n, maxSpan)) {
		r.begin()
	}
}

func (r *tableRow) begin() {
	if r.cells > 0 && len(r.p.text) < maxLine {
		r.p.text = append(r.p.text, r.gap...)
	}
	r.cells++
}

func (r *tableRow) cell() error {
	span, gone := 1, false
	var w flatWriter
	r.begin()
	err := r.each(func() error {
		if r.word() != "tcPr" {
			return r.block(&w)
		}
		return r.each(func() error {
			if r.x.Space == ooxml.WordML {
				switch string(r.x.Name) {
				case "gridSpan":
					span = number(r.val())
				case "cellDel":
					gone = true
				}
			}
			return r.x.Skip()
		})
	})
	if !gone {
		if err := r.take(&w); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	if err := r.rest(&w); err != nil {
		return err
	}
	r.blank(span - 1)
	return nil
}

// take puts a cell's text into the row.
func (r *tableRow) take(w *flatWriter) error {
	room := maxLine - len(r.p.text)
	if w.cut || len(w.text) > room {
		if err := r.note(fmt.Sprintf("table rows are cut at %d KB", maxLine>>10)); err != nil {
			return err
		}
	}
	r.p.text = append(r.p.text, w.text[:max(0, min(len(w.text), room))]...)
	for _, n := range w.side.notes {
		if !r.p.beside(len(n) + 32) {
			return r.leftBeside()
		}
		r.p.notes = append(r.p.notes, n)
	}
	return nil
}
