package pdf

import (
	"strings"
	"unicode/utf16"

	lib "github.com/ledongthuc/pdf"
	"golang.org/x/text/encoding/charmap"
)

const maxAnnotations = 10_000

// annotations draws what stands on the page without being its content: form
// fields and remarks, by their appearance, else by their value.
func (in *interpreter) annotations(page lib.Value) {
	list := page.Key("Annots")
	for i := range min(list.Len(), maxAnnotations) {
		if in.d.ctx.Err() != nil {
			return
		}
		in.annotation(list.Index(i))
	}
}

func (in *interpreter) annotation(a lib.Value) {
	defer func() {
		if recover() != nil { // one damaged remark is not the page
			in.g = state{ctm: identityMatrix, scale: 1}
			in.depth = 0
		}
	}()
	const hidden, noView = 2, 32
	kind := a.Key("Subtype").Name()
	if kind == "Popup" || a.Key("F").Int64()&(hidden|noView) != 0 {
		return
	}
	in.g, in.saved, in.marks, in.depth = state{ctm: identityMatrix, scale: 1}, in.saved[:0], in.marks[:0], 0
	before := in.out.bytes
	if ap := appearance(a); ap.Kind() == lib.Stream {
		if err := in.form(ap, lib.Value{}, fit(ap, a.Key("Rect"))); err != nil {
			in.errs = append(in.errs, err)
		}
	}
	if in.out.bytes > before {
		return
	}
	var text string
	switch kind {
	case "Widget":
		text = fieldValue(a)
	case "FreeText":
		text = textString(a.Key("Contents").RawString())
	}
	in.write(text, a.Key("Rect"))
}

// write adds text that has no glyphs, a line to each of its lines.
func (in *interpreter) write(text string, rect lib.Value) {
	x, y := rect.Index(0).Float64(), rect.Index(3).Float64()
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		y -= 12
		in.out.line = nil
		p := point{x, y}
		in.out.add(placed{text: line, start: p, end: point{x + 6*float64(len(line)), y}, along: point{1, 0}, height: 10})
	}
	if text != "" {
		in.out.line = nil
	}
}

// appearance is the stream that shows an annotation as it stands.
func appearance(a lib.Value) lib.Value {
	n := a.Key("AP").Key("N")
	if n.Kind() == lib.Dict {
		return n.Key(a.Key("AS").Name())
	}
	return n
}

// fit is the matrix that lays an appearance's box into the annotation's.
func fit(ap, rect lib.Value) matrix {
	box := ap.Key("BBox")
	if box.Len() != 4 || rect.Len() != 4 {
		return identityMatrix
	}
	m := identityMatrix
	if v := ap.Key("Matrix"); v.Len() == 6 {
		for i := range 6 {
			m[i] = v.Index(i).Float64()
		}
	}
	var x0, y0, x1, y1 float64
	for i := range 4 {
		p := m.apply(box.Index(i&1*2).Float64(), box.Index(i&2+1).Float64())
		if i == 0 {
			x0, y0, x1, y1 = p.x, p.y, p.x, p.y
		}
		x0, y0, x1, y1 = min(x0, p.x), min(y0, p.y), max(x1, p.x), max(y1, p.y)
	}
	rx, ry := min(rect.Index(0).Float64(), rect.Index(2).Float64()), min(rect.Index(1).Float64(), rect.Index(3).Float64())
	rw, rh := max(rect.Index(0).Float64(), rect.Index(2).Float64())-rx, max(rect.Index(1).Float64(), rect.Index(3).Float64())-ry
	if x1 == x0 || y1 == y0 || rw == 0 || rh == 0 {
		return matrix{1, 0, 0, 1, rx - x0, ry - y0}
	}
	sx, sy := rw/(x1-x0), rh/(y1-y0)
	return matrix{sx, 0, 0, sy, rx - x0*sx, ry - y0*sy}
}

// fieldValue is what a form field holds, its own or its parent's.
func fieldValue(a lib.Value) string {
	var value, kind lib.Value
	for range maxDepth {
		if value.IsNull() {
			value = a.Key("V")
		}
		if kind.IsNull() {
			kind = a.Key("FT")
		}
		if a = a.Key("Parent"); a.IsNull() {
			break
		}
	}
	switch kind.Name() {
	case "Tx", "Ch":
		if value.Kind() == lib.Array {
			var parts []string
			for i := range min(value.Len(), 1000) {
				parts = append(parts, textString(value.Index(i).RawString()))
			}
			return strings.Join(parts, "\n")
		}
		return textString(value.RawString())
	}
	return ""
}

// textString decodes a string of the document's structure: UTF-16 with a mark,
// UTF-8 with a mark, else near Latin 1.
func textString(s string) string {
	switch {
	case strings.HasPrefix(s, "\xfe\xff"), strings.HasPrefix(s, "\xff\xfe"):
		hi, lo := 0, 1
		if s[0] == 0xff {
			hi, lo = 1, 0
		}
		units := make([]uint16, 0, len(s)/2)
		for i := 2; i+1 < len(s); i += 2 {
			units = append(units, uint16(s[i+hi])<<8|uint16(s[i+lo]))
		}
		return string(utf16.Decode(units))
	case strings.HasPrefix(s, "\xef\xbb\xbf"):
		return strings.ToValidUTF8(s[3:], "")
	}
	out, err := charmap.Windows1252.NewDecoder().String(s)
	if err != nil {
		return ""
	}
	return out
}
