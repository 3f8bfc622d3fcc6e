package workbook

import (
	"bytes"
	"strconv"

	"fettler/fettle/internal/document"
)

type cellType uint8

const (
	number cellType = iota
	sharedString
	text // inline, or a formula's result
	boolean
	asIs // an error or an ISO date
)

func typeOf(t []byte) cellType {
	switch string(t) {
	case "s":
		return sharedString
	case "str", "inlineStr":
		return text
	case "b":
		return boolean
	case "e", "d":
		return asIs
	}
	return number
}

// formulaOf is what a cell's f element said.
type formulaOf struct {
	any, array bool
	shared     *shared // for a cell that means another's formula
}

// readFormula takes the f element that just began.
func (g *grid) readFormula(col int) (formulaOf, error) {
	t, _ := g.x.Attr("t")
	si, _ := g.x.Attr("si")
	isShared, array := string(t) == "shared", string(t) == "array"
	key := ""
	if isShared {
		key = string(si)
	}
	var err error
	if g.form, err = g.take(g.form[:0], maxFormula); err != nil {
		return formulaOf{}, err
	}
	out := formulaOf{any: len(g.form) > 0, array: array}
	if !isShared {
		return out, nil
	}
	if len(g.form) == 0 {
		f := g.shared[key]
		if f == nil {
			return out, nil
		}
		out.shared, out.any = f, true
		if f.parts == nil {
			before := f.size()
			f.cut()
			return out, g.hold(f.size() - before)
		}
		return out, nil
	}
	if len(g.form) > maxSharedOne {
		delete(g.shared, key) // its other cells show their values
		return out, nil
	}
	if old := g.shared[key]; old != nil {
		g.held -= old.size()
	}
	f := &shared{col: col, row: g.row, formula: string(g.form)}
	g.shared[key] = f
	return out, g.hold(f.size())
}

// hold counts what shared formulas take.
func (g *grid) hold(n int) error {
	if g.held += n; g.held > maxSharedBytes || len(g.shared) > maxShared {
		return document.Errorf(document.TooLarge, "the sheet has more shared formulas than fettle holds")
	}
	return nil
}

// appendCell renders a cell: =FORMULA [value], or the value.
func (g *grid) appendCell(dst []byte, t cellType, f *format, formula formulaOf, col int) []byte {
	if !formula.any {
		return g.appendValue(dst, t, f)
	}
	open, shut := "=", ""
	if formula.array {
		open, shut = "{=", "}"
	}
	dst = append(dst, open...)
	if formula.shared != nil {
		dst = formula.shared.append(dst, col, g.row)
	} else {
		dst = appendClean(dst, bytes.TrimPrefix(g.form, []byte("=")))
	}
	dst = append(dst, shut...)
	at := len(dst)
	dst = append(dst, " ["...)
	from := len(dst)
	dst = g.appendValue(dst, t, f)
	if len(dst) == from {
		return dst[:at] // never calculated
	}
	return append(dst, ']')
}

func (g *grid) appendValue(dst []byte, t cellType, f *format) []byte {
	v := g.text
	if len(v) == 0 {
		return dst
	}
	switch t {
	case sharedString:
		i, err := strconv.Atoi(string(bytes.TrimSpace(v)))
		if err != nil {
			return dst
		}
		if s, ok := g.strings.get(i); ok {
			return append(dst, s...)
		}
		if g.strings.cut {
			return append(dst, leftOut...)
		}
		return dst
	case text:
		return appendString(dst, v)
	case boolean:
		if truth(v) {
			return append(dst, "TRUE"...)
		}
		return append(dst, "FALSE"...)
	case asIs:
		return appendClean(dst, v)
	}
	if f == nil {
		return appendNumber(dst, v)
	}
	n, err := strconv.ParseFloat(string(bytes.TrimSpace(v)), 64)
	if err != nil {
		return appendClean(dst, v)
	}
	if f.zeros != "" {
		if out, ok := appendZeros(dst, f.zeros, n); ok {
			return out
		}
		return appendNumber(dst, v)
	}
	if s := f.of(n); s.kind != plain {
		if out, ok := appendSerial(dst, n, s.kind, g.date1904); ok {
			return out
		}
	}
	return appendNumber(dst, v)
}
