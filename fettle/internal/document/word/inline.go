package word

import (
	"bytes"
	"unicode/utf8"

	"fettler/fettle/internal/document/ooxml"
)

// inline reads what stands in a paragraph.
type inline struct {
	*story
	p      *para
	w      writer
	props  *props
	hidden int // runs that are hidden
}

// finish ends a paragraph. A field whose instruction is still open is taken
// to be broken, so that it swallows no more than the paragraph.
func (in *inline) finish() {
	for i := range in.fields {
		in.fields[i] = false
	}
}

// mute is true inside hidden runs and field instructions.
func (in *inline) mute() bool {
	if in.hidden > 0 {
		return true
	}
	for _, instruction := range in.fields {
		if instruction {
			return true
		}
	}
	return false
}

func (in *inline) put(text string) error {
	if in.mute() {
		return nil
	}
	if err := in.spill(len(text)); err != nil {
		return err
	}
	in.p.text = append(in.p.text, text...)
	return nil
}

// element reads the element that began.
func (in *inline) element() error {
	x := in.x
	name := in.word()
	char := ""
	switch name {
	case "pPr":
		return in.readProps(in.props)
	case "r":
		return in.run()
	case "rPr":
		return x.Skip()
	case "t":
		return in.text()
	case "del", "moveFrom", "delText":
		return in.deleted()
	case "tab", "ptab":
		char = "\t"
	case "br", "cr":
		char = "\n"
	case "noBreakHyphen":
		char = "-"
	case "softHyphen":
	case "sym":
		code, _ := x.Attr("char")
		char = string(symbol(string(code)))
	case "fldChar":
		in.field()
	case "footnoteReference", "endnoteReference", "commentReference":
		if !in.mute() {
			if err := in.noteRef(in.p, name[:len(name)-len("Reference")]); err != nil {
				return err
			}
		}
	case "hyperlink":
		return in.link()
	case "txbxContent":
		return in.box()
	case "p", "tbl": // a paragraph inside a paragraph, in no text box
		return in.block(&boxWriter{doc: in.doc, host: in.p})
	case "altChunk", "subDoc":
		return in.embedded()
	default:
		if skipped(name) {
			return x.Skip()
		}
	}
	if char != "" {
		if err := in.put(char); err != nil {
			return err
		}
	}
	switch {
	case x.Space == ooxml.Compatibility && string(x.Name) == "AlternateContent":
		return in.alternate(func() error { return in.each(in.element) })
	case (x.Space == ooxml.Math || x.Space == ooxml.Drawing) && string(x.Name) == "t":
		return in.text()
	}
	return in.each(in.element)
}

// run reads a run. A hidden one shows nothing, and still may open or close a
// field.
func (in *inline) run() error {
	hidden := false
	err := in.each(func() error {
		if in.word() != "rPr" {
			return in.element()
		}
		return in.each(func() error {
			if in.x.Space == ooxml.WordML {
				switch string(in.x.Name) {
				case "vanish":
					hide := on(in.x.Attr("val"))
					if hide != hidden {
						hidden = hide
						if hide {
							in.hidden++
						} else {
							in.hidden--
						}
					}
				case "rStyle":
					if !hidden && in.styleHides(in.val()) {
						hidden = true
						in.hidden++
					}
				}
			}
			return in.x.Skip()
		})
	})
	if hidden {
		in.hidden--
	}
	return err
}

// on reads a switch that is on when it says nothing.
func on(v []byte, ok bool) bool {
	if !ok {
		return true
	}
	switch string(v) {
	case "0", "false", "off":
		return false
	}
	return true
}

func (in *inline) text() error {
	depth := in.x.Depth()
	for {
		ev, err := in.next()
		if err != nil {
			return err
		}
		switch ev {
		case ooxml.End:
			if in.x.Depth() < depth {
				return nil
			}
		case ooxml.Text:
			if in.hidden > 0 {
				if len(bytes.TrimSpace(in.x.Bytes)) > 0 {
					if err := in.note("hidden text was left out"); err != nil {
						return err
					}
				}
				continue
			}
			if in.mute() {
				continue
			}
			if len(in.x.Bytes) > 0 {
				in.gave++
			}
			if err := in.spill(len(in.x.Bytes)); err != nil {
				return err
			}
			in.p.text = appendText(in.p.text, in.x.Bytes)
		}
	}
}

// spill gives out what there is of a paragraph that grows past a line's
// bound; the rest of it is another line.
func (in *inline) spill(more int) error {
	if len(in.p.text)+more < maxLine {
		return nil
	}
	cut := len(in.p.text)
	for cut > 0 && cut > len(in.p.text)-utf8.UTFMax && !utf8.RuneStart(in.p.text[cut-1]) {
		cut--
	}
	if cut > 0 && !utf8.FullRune(in.p.text[cut-1:]) {
		cut--
	} else {
		cut = len(in.p.text)
	}
	rest := bytes.Clone(in.p.text[cut:])
	out := para{text: in.p.text[:cut]}
	if err := in.w.para(&out); err != nil {
		return err
	}
	in.p.text = append(in.p.text[:0], rest...)
	return nil
}

// field follows the parts of a complex field: its instruction does not show,
// its result does.
func (in *inline) field() {
	typ, _ := in.x.Attr("fldCharType")
	last := len(in.fields) - 1
	switch string(typ) {
	case "begin":
		if last < 255 {
			in.fields = append(in.fields, true)
		}
	case "separate":
		if last >= 0 {
			in.fields[last] = false
		}
	case "end":
		if last >= 0 {
			in.fields = in.fields[:last]
		}
	}
}

// link shows a link's text and, where it leads out of the document, where to.
func (in *inline) link() error {
	id, _ := in.x.AttrIn(ooxml.Relation, "id")
	target := ""
	if r, ok := in.rels[string(id)]; ok && r.External {
		target = oneLine(r.Target)
	}
	from := len(in.p.text)
	if err := in.each(in.element); err != nil {
		return err
	}
	if target == "" || in.mute() {
		return nil
	}
	shown := []byte(nil)
	if from <= len(in.p.text) {
		shown = in.p.text[from:]
	}
	bare := []byte(target)
	if mail, ok := bytes.CutPrefix(bare, []byte("mailto:")); ok {
		bare = mail
	}
	if bytes.Contains(shown, bytes.TrimSuffix(bare, []byte("/"))) {
		return nil
	}
	if len(bytes.TrimSpace(shown)) == 0 {
		return nil // a picture that is a link
	}
	return in.put(" (" + target + ")")
}

// box reads a text box, which follows the paragraph it is anchored in.
func (in *inline) box() error {
	fields := in.fields
	in.fields = nil
	carry := in.carry
	in.carry = nil
	w := &boxWriter{doc: in.doc, host: in.p}
	err := in.blocks(w)
	if err == nil {
		err = in.rest(w)
	}
	in.fields, in.carry = fields, carry
	return err
}
