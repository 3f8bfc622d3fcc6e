package word

import (
	"strings"

	"fettler/fettle/internal/document/ooxml"
)

// style is what of a style decides about text.
type style struct {
	name, basedOn string
	outline       int // from 0; -1 unsaid; bodyText
	num, level    int // -1 unsaid
	hides, shows  bool
}

// bodyText is the outline level of what is no heading.
const bodyText = 9

// chain bounds how many styles are based on each other.
const chain = 32

func (d *doc) readStyles(name string) error {
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
		if string(x.Name) != "style" {
			continue
		}
		id, _ := x.Attr("styleId")
		typ, _ := x.Attr("type")
		key, lists := string(id), string(typ) == "numbering"
		st := &style{outline: -1, num: -1, level: -1}
		if err := s.each(func() error { return s.styleElement(st) }); err != nil {
			return err
		}
		if err := d.hold(len(key) + len(st.name) + len(st.basedOn) + 200); err != nil {
			return err
		}
		if _, ok := d.styles[key]; !ok {
			d.styles[key] = st
			if lists && st.num >= 0 {
				d.lists.links[key] = st.num
			}
		}
	}
	return x.Finish(d.note)
}

func (s *story) styleElement(st *style) error {
	if s.x.Space != ooxml.WordML {
		return s.x.Skip()
	}
	switch string(s.x.Name) {
	case "name":
		st.name = s.val()
	case "basedOn":
		st.basedOn = s.val()
	case "pPr":
		p := props{outline: -1, num: -1, level: -1}
		if err := s.readProps(&p); err != nil {
			return err
		}
		st.outline, st.num, st.level = p.outline, p.num, p.level
		return nil
	case "rPr":
		return s.each(func() error {
			if s.x.Space == ooxml.WordML && string(s.x.Name) == "vanish" {
				st.hides = on(s.x.Attr("val"))
				st.shows = !st.hides
			}
			return s.x.Skip()
		})
	}
	return s.x.Skip()
}

// apply fills a paragraph's properties from its style and those it is based
// on. A heading is told by its outline level, or by its style's name, which
// stays English whatever the id became in another language.
func (d *doc) apply(p *props) {
	id := p.style
	for range chain {
		st, ok := d.styles[id]
		if !ok {
			if p.outline < 0 {
				p.outline = headingName(id)
			}
			break
		}
		if p.outline < 0 {
			if p.outline = st.outline; p.outline < 0 {
				p.outline = headingName(st.name)
			}
		}
		if p.num < 0 && st.num >= 0 {
			p.num = st.num
			if p.level < 0 {
				p.level = st.level
			}
			if p.level < 0 {
				p.level = d.lists.levelOf(st.num, p.style)
			}
		}
		if id = st.basedOn; id == "" {
			break
		}
	}
	if p.outline >= bodyText {
		p.outline = -1
	}
}

// styleHides says whether a character style hides text.
func (d *doc) styleHides(id string) bool {
	for range chain {
		st, ok := d.styles[id]
		if !ok || st.shows {
			return false
		}
		if st.hides {
			return true
		}
		id = st.basedOn
	}
	return false
}

// headingName is the outline level that a style's name says, -1 for none.
func headingName(name string) int {
	rest, ok := strings.CutPrefix(strings.ToLower(name), "heading")
	if !ok {
		return -1
	}
	rest = strings.TrimSpace(rest)
	if len(rest) != 1 {
		return -1
	}
	return outline(string(rest[0] - 1))
}

// outline reads an outline level, -1 for none.
func outline(v string) int {
	if len(v) != 1 || v[0] < '0' || v[0] > '8' {
		return -1
	}
	return int(v[0] - '0')
}
