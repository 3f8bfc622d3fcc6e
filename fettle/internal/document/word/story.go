package word

import (
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/ooxml"
)

// story reads the text of one part: the body, a header, the notes.
type story struct {
	*doc
	x      *ooxml.Part
	rels   map[string]ooxml.Relationship
	fields []bool // open fields, true while in the instruction
	carry  *para  // text of paragraphs whose mark was deleted
	gave   int    // counts what showed, for AlternateContent
	ends   int    // numbers endnotes
	foots  int    // numbers footnotes
}

// next is the scanner's, for use inside an element: there EOF is damage.
func (s *story) next() (ooxml.Event, error) {
	ev, err := s.x.Next()
	if err == io.EOF {
		return ev, document.Errorf(document.Damaged, "the part %s ends too early", s.x.Member)
	}
	return ev, err
}

// each calls fn at every element inside the one that began, to its end. fn
// must read its element to the end.
func (s *story) each(fn func() error) error {
	depth := s.x.Depth()
	for {
		ev, err := s.next()
		if err != nil {
			return err
		}
		switch ev {
		case ooxml.End:
			if s.x.Depth() < depth {
				return nil
			}
		case ooxml.Start:
			if err := fn(); err != nil {
				return err
			}
		}
	}
}

// word is the element's name when it is one of WordprocessingML.
func (s *story) word() string {
	if s.x.Space == ooxml.WordML {
		return known[string(s.x.Name)]
	}
	return ""
}

// known has the elements that are told apart, so that a name costs nothing.
var known = map[string]string{}

func init() {
	for _, n := range []string{
		"p", "tbl", "tr", "tc", "r", "t", "tab", "br", "cr", "ptab", "sym", "noBreakHyphen", "softHyphen",
		"pPr", "rPr", "trPr", "tcPr", "sdtPr", "sdtEndPr", "tblPr", "tblGrid", "tblPrEx", "sectPr", "customXmlPr", "smartTagPr",
		"del", "moveFrom", "delText", "instrText", "delInstrText", "rt", "fldChar", "fldData", "ffData",
		"pPrChange", "rPrChange", "tblPrChange", "tcPrChange", "trPrChange", "sectPrChange", "tblGridChange", "tblPrExChange", "numberingChange",
		"footnoteReference", "endnoteReference", "commentReference", "hyperlink", "txbxContent", "altChunk", "subDoc", "background",
	} {
		known[n] = n
	}
}

// passed over whole, wherever they stand.
func skipped(name string) bool {
	switch name {
	case "pPrChange", "rPrChange", "tblPrChange", "tcPrChange", "trPrChange", "sectPrChange", "tblGridChange", "tblPrExChange", "numberingChange",
		"sdtPr", "sdtEndPr", "tblPr", "tblGrid", "tblPrEx", "customXmlPr", "smartTagPr", "instrText", "delInstrText", "rt", "fldData", "ffData", "background":
		return true
	}
	return false
}

// deleted is text that was deleted or moved away.
func (s *story) deleted() error {
	if err := s.note("deleted text of tracked changes was left out"); err != nil {
		return err
	}
	return s.x.Skip()
}

// blocks reads paragraphs and tables inside the element that began.
func (s *story) blocks(w writer) error {
	return s.each(func() error { return s.block(w) })
}

func (s *story) block(w writer) error {
	switch name := s.word(); name {
	case "p":
		return s.paragraph(w)
	case "tbl":
		return s.table(w)
	case "del", "moveFrom", "delText":
		return s.deleted()
	case "sectPr":
		return s.section()
	case "altChunk", "subDoc":
		return s.embedded()
	default:
		if skipped(name) {
			return s.x.Skip()
		}
	}
	if s.x.Space == ooxml.Compatibility && string(s.x.Name) == "AlternateContent" {
		return s.alternate(func() error { return s.blocks(w) })
	}
	return s.blocks(w)
}

func (s *story) embedded() error {
	if err := s.note("the document embeds another file, which was not opened"); err != nil {
		return err
	}
	return s.x.Skip()
}

// alternate reads the first Choice that shows something, or else the
// Fallback, which holds the same for older programs.
func (s *story) alternate(inside func() error) error {
	before := s.gave
	return s.each(func() error {
		if s.gave != before || s.x.Space != ooxml.Compatibility {
			return s.x.Skip()
		}
		switch string(s.x.Name) {
		case "Choice", "Fallback":
			return inside()
		}
		return s.x.Skip()
	})
}

// section keeps what headers and footers a section has.
func (s *story) section() error {
	return s.each(func() error {
		if s.x.Space == ooxml.WordML {
			kind := ""
			switch string(s.x.Name) {
			case "headerReference":
				kind = "header"
			case "footerReference":
				kind = "footer"
			}
			if id, ok := s.x.AttrIn(ooxml.Relation, "id"); ok && kind != "" && len(s.heads) < 4096 {
				s.heads = append(s.heads, section{kind, string(id)})
			}
		}
		return s.x.Skip()
	})
}

// paragraph reads a paragraph and gives it to w.
func (s *story) paragraph(w writer) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	p := &para{}
	if s.carry != nil { // the mark between this and the one before was deleted
		p, s.carry = s.carry, nil
	}
	props := props{outline: -1, level: -1, num: -1}
	in := &inline{story: s, p: p, w: w, props: &props}
	if err := s.each(in.element); err != nil {
		in.finish()
		return s.salvage(w, p, err)
	}
	in.finish()
	if props.markDeleted {
		if len(p.text) > 0 || len(p.boxes) > 0 || len(p.notes) > 0 {
			s.carry = p
		}
		return nil
	}
	return s.give(w, p, &props)
}

// salvage gives out what a damaged paragraph held.
func (s *story) salvage(w writer, p *para, cause error) error {
	if _, ok := cause.(*document.Error); ok && !p.empty() {
		if err := w.para(p); err != nil {
			return err
		}
	}
	return cause
}

// give puts a paragraph's label before it and gives it to w.
func (s *story) give(w writer, p *para, props *props) error {
	s.apply(props)
	if label := s.lists.label(props.num, props.level); label != "" && !p.empty() {
		p.text = append(append([]byte(label), ' '), p.text...)
	}
	p.level = props.outline + 1
	if p.empty() {
		return nil
	}
	s.gave++
	return w.para(p)
}

// rest gives out text whose paragraph mark was deleted and that no paragraph
// came after.
func (s *story) rest(w writer) error {
	s.fields = s.fields[:0]
	if s.carry == nil {
		return nil
	}
	p := s.carry
	s.carry = nil
	return w.para(p)
}

// props is what a paragraph's properties say.
type props struct {
	style       string
	outline     int // from 0; -1 is none
	num, level  int // list and its level; -1 is unsaid
	markDeleted bool
}

// readProps reads the pPr that began.
func (s *story) readProps(p *props) error {
	return s.each(func() error {
		if s.x.Space != ooxml.WordML {
			return s.x.Skip()
		}
		switch string(s.x.Name) {
		case "pStyle":
			p.style = s.val()
		case "outlineLvl":
			p.outline = outline(s.val())
			if p.outline < 0 {
				p.outline = bodyText
			}
		case "numPr":
			return s.each(func() error {
				if s.x.Space == ooxml.WordML {
					switch string(s.x.Name) {
					case "numId":
						p.num = number(s.val())
					case "ilvl":
						p.level = number(s.val())
					}
				}
				return s.x.Skip()
			})
		case "rPr":
			return s.each(func() error {
				if s.x.Space == ooxml.WordML {
					switch string(s.x.Name) {
					case "del", "moveFrom":
						p.markDeleted = true
					}
				}
				return s.x.Skip()
			})
		case "sectPr":
			return s.section()
		}
		return s.x.Skip()
	})
}

func (s *story) val() string {
	v, _ := s.x.Attr("val")
	return string(v)
}

func number(v string) int {
	n, err := strconv.Atoi(v)
	if err != nil {
		return -1
	}
	return n
}

// noteRef adds a note's mark to the text and its text after the paragraph.
func (s *story) noteRef(p *para, kind string) error {
	id, _ := s.x.Attr("id")
	text, ok := s.notes[kind+" "+string(id)]
	if !ok {
		return nil
	}
	mark := ""
	switch kind {
	case "footnote":
		s.foots++
		mark = fmt.Sprintf("[^%d]", s.foots)
	case "endnote":
		s.ends++
		mark = fmt.Sprintf("[^e%d]", s.ends)
	}
	if !p.beside(len(text) + len(mark) + 32) {
		return s.leftBeside()
	}
	s.gave++
	if mark != "" {
		p.text = append(p.text, mark...)
		text = mark + " " + text
	}
	p.notes = append(p.notes, text)
	return nil
}

// appendText appends text without the control characters that a line cannot
// hold.
func appendText(dst, src []byte) []byte {
	plain := 0
	for i, c := range src {
		if c >= ' ' && c != 0x7f || c == '\t' {
			continue
		}
		dst = append(dst, src[plain:i]...)
		plain = i + 1
		if c == '\n' || c == '\r' {
			dst = append(dst, ' ')
		}
	}
	return append(dst, src[plain:]...)
}

// symbol is the character of a w:sym element. The private ones of symbol
// fonts stay what they are, without the font's offset when that is text.
func symbol(code string) []byte {
	n, err := strconv.ParseUint(code, 16, 16)
	if err != nil {
		return nil
	}
	r := rune(n)
	if r < ' ' {
		return nil
	}
	return utf8.AppendRune(nil, r)
}
