package pdf

import (
	"bytes"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	lib "github.com/ledongthuc/pdf"
	"golang.org/x/text/encoding"
)

// font says what a string of its codes reads and how wide it is.
type font struct {
	composite bool
	vertical  bool
	unit      float64 // of widths: 1/1000, or a Type3 font's matrix
	tall      float64 // a Type3 font's height for size 1, 0 for 1
	toUnicode *cmap
	direct    bool // ToUnicode is Identity: the code is the character

	simple  table
	widths  map[uint32]float64 // by code, or by CID of a composite font
	missing float64            // the width of the others
	base    string
	guess   bool // there are no widths

	codes   *cmap             // an embedded encoding of a composite font
	charset encoding.Encoding // a predefined one that is a character set
	spaces  []codeSpace       // of charset: how its codes are cut
	byCID   map[uint32]string // what the embedded program says of its glyphs
}

// glyph is one code of a string.
type glyph struct {
	text   string
	width  float64 // in text space, for size 1
	space  bool    // the single byte 32, which word spacing widens
	mapped bool
}

// em is how tall the font is for size 1.
func (f *font) em() float64 {
	if f.tall > 0 {
		return f.tall
	}
	return 1
}

// notFont is what text reads when its font is missing.
func notFont() *font {
	return &font{unit: 0.001, simple: winAnsi(), guess: true, base: "Helvetica"}
}

func (d *file) loadFont(v lib.Value) *font {
	f := &font{unit: 0.001, base: v.Key("BaseFont").Name(), widths: map[uint32]float64{}}
	switch tu := v.Key("ToUnicode"); tu.Kind() {
	case lib.Stream:
		if data, err := d.stream(tu); err == nil || len(data) > 0 {
			f.toUnicode = parseCMap(data)
			if len(f.toUnicode.chars)+len(f.toUnicode.ranges) == 0 {
				f.toUnicode = nil
			}
		}
	case lib.Name:
		f.direct = strings.HasPrefix(tu.Name(), "Identity")
	}
	if v.Key("Subtype").Name() == "Type0" {
		d.loadComposite(f, v)
		return f
	}
	d.loadSimple(f, v)
	return f
}

func (d *file) loadSimple(f *font, v lib.Value) {
	subtype := v.Key("Subtype").Name()
	if subtype == "Type3" {
		if m := v.Key("FontMatrix"); m.Len() == 6 {
			if f.unit = math.Abs(m.Index(0).Float64()); f.unit == 0 {
				f.unit = math.Abs(m.Index(1).Float64())
			}
			up := math.Hypot(m.Index(2).Float64(), m.Index(3).Float64())
			if box := v.Key("FontBBox"); box.Len() == 4 {
				f.tall = math.Abs(box.Index(3).Float64()-box.Index(1).Float64()) * up
			}
		}
	}
	desc := v.Key("FontDescriptor")
	f.missing = desc.Key("MissingWidth").Float64() * f.unit
	first, ws := v.Key("FirstChar").Int64(), v.Key("Widths")
	for i := range min(ws.Len(), 256) {
		if c := first + int64(i); c >= 0 && c < 256 {
			f.widths[uint32(c)] = ws.Index(i).Float64() * f.unit
		}
	}
	f.guess = len(f.widths) == 0
	if subtype == "Type3" {
		// Boxes of such fonts lie; a font is about as tall as its widest letter.
		widest := 0.0
		for _, w := range f.widths {
			widest = max(widest, w)
		}
		if f.tall < widest/2 {
			f.tall = widest
		}
	}

	name := f.base
	if _, after, ok := strings.Cut(name, "+"); ok {
		name = after
	}
	enc := v.Key("Encoding")
	base := enc.Name()
	if enc.Kind() == lib.Dict {
		base = enc.Key("BaseEncoding").Name()
	}
	switch {
	case base == "WinAnsiEncoding":
		f.simple = winAnsi()
	case base == "MacRomanEncoding":
		f.simple = macRoman()
	case base == "StandardEncoding":
		f.simple = standard()
	case strings.HasPrefix(name, "Symbol"):
		f.simple = symbol()
	case strings.HasPrefix(name, "ZapfDingbats"), strings.HasPrefix(name, "Wingdings"):
		f.simple = dingbats()
	case subtype == "TrueType":
		f.simple = winAnsi()
	default:
		f.simple = standard()
		d.builtin(f, desc)
	}
	if enc.Kind() == lib.Dict {
		f.differ(enc.Key("Differences"))
	}
}

// differ lays an encoding's differences over its base.
func (f *font) differ(diffs lib.Value) {
	names := map[int]string{}
	c := 0
	for i := range min(diffs.Len(), 1024) {
		switch x := diffs.Index(i); x.Kind() {
		case lib.Integer:
			c = int(x.Int64())
		case lib.Name:
			if c >= 0 && c < 256 {
				names[c] = x.Name()
			}
			c++
		}
	}
	f.rename(names)
}

func (f *font) rename(names map[int]string) {
	hex := false
	for _, n := range names {
		if len(n) == 3 && strings.ContainsAny(n[1:], "abcdefABCDEF") {
			if _, err := strconv.ParseUint(n[1:], 16, 16); err == nil {
				hex = true
			}
		}
	}
	for c, n := range names {
		if s, ok := glyphRunes(n); ok {
			f.simple[c] = s
		} else if n == ".notdef" {
			f.simple[c] = ""
		} else if k, ok := numbered(n, hex); ok {
			f.simple[c] = winAnsi()[k]
		} else if c > ' ' {
			f.simple[c] = winAnsi()[c] // a name that says nothing: the code may
		}
	}
}

var dupPut = regexp.MustCompile(`dup\s+(\d{1,3})\s*/([^\s/\[\](){}<>%]{1,100})\s+put`)

// builtin takes the encoding out of an embedded Type 1 program, whose first
// part is text.
func (d *file) builtin(f *font, desc lib.Value) {
	prog := desc.Key("FontFile")
	if prog.Kind() != lib.Stream {
		if prog = desc.Key("FontFile3"); prog.Kind() == lib.Stream {
			if data, err := d.stream(prog); err == nil {
				for c, s := range cffEncoding(data) {
					f.simple[c] = s
				}
			}
		}
		return
	}
	data, _ := d.stream(prog)
	if i := bytes.Index(data, []byte("eexec")); i > 0 {
		data = data[:i]
	}
	i := bytes.Index(data, []byte("/Encoding"))
	if i < 0 {
		return
	}
	names := map[int]string{}
	for _, m := range dupPut.FindAllSubmatch(data[i:], 1024) {
		if c, err := strconv.Atoi(string(m[1])); err == nil && c < 256 {
			names[c] = string(m[2])
		}
	}
	if len(names) > 0 {
		f.simple = table{}
		f.rename(names)
	}
}

func (d *file) loadComposite(f *font, v lib.Value) {
	f.composite = true
	down := v.Key("DescendantFonts")
	child := down.Index(0)
	if down.Kind() == lib.Dict {
		child = down
	}
	f.missing = 1
	if dw := child.Key("DW"); !dw.IsNull() {
		f.missing = dw.Float64() / 1000
	}
	f.cidWidths(child.Key("W"))
	enc := v.Key("Encoding")
	name := enc.Name()
	if enc.Kind() == lib.Stream {
		data, _ := d.stream(enc)
		f.codes = parseCMap(data)
		if len(f.codes.spaces) == 0 {
			f.codes.spaces = []codeSpace{{2, 0, 0xffff}}
		}
		f.vertical = f.codes.vertical
		if name = enc.Key("CMapName").Name(); name == "" {
			name = enc.Key("UseCMap").Name()
		}
	} else {
		f.vertical = strings.HasSuffix(name, "-V") || name == "V"
	}
	f.charset, f.spaces = predefined(name)
	if f.toUnicode == nil && f.charset == nil && strings.HasPrefix(name, "Identity") {
		if prog := child.Key("FontDescriptor").Key("FontFile2"); prog.Kind() == lib.Stream && child.Key("CIDToGIDMap").Kind() != lib.Stream {
			if data, err := d.stream(prog); err == nil {
				f.byCID = trueTypeCharacters(data)
			}
		}
	}
}

func (f *font) cidWidths(w lib.Value) {
	for i := 0; i < w.Len() && len(f.widths) < 1<<16; {
		c := uint32(w.Index(i).Int64())
		if list := w.Index(i + 1); list.Kind() == lib.Array {
			for j := range min(list.Len(), 1<<16) {
				f.widths[c+uint32(j)] = list.Index(j).Float64() / 1000
			}
			i += 2
			continue
		}
		last, width := uint32(w.Index(i+1).Int64()), w.Index(i+2).Float64()/1000
		for k := c; k <= last && k-c < 1<<16; k++ {
			f.widths[k] = width
		}
		i += 3
	}
}

// each calls fn with the glyphs of a string in turn.
func (f *font) each(s string, fn func(glyph)) {
	if !f.composite {
		for i := range len(s) {
			fn(f.single(s[i]))
		}
		return
	}
	for len(s) > 0 {
		var c code
		switch {
		case f.codes != nil:
			c = f.codes.split(s)
		case f.spaces != nil:
			c = (&cmap{spaces: f.spaces}).split(s)
		default:
			c = codeOf(s[:min(2, len(s))])
		}
		fn(f.double(c, s[:c.size]))
		s = s[c.size:]
	}
}

func (f *font) single(b byte) glyph {
	g := glyph{space: b == ' ', width: f.missing}
	if w, ok := f.widths[uint32(b)]; ok {
		g.width = w
	} else if f.guess {
		g.width = usualWidth(f.base, int(b))
	}
	if f.toUnicode != nil {
		g.text, g.mapped = f.toUnicode.lookup(code{uint32(b), 1})
		if !g.mapped {
			g.text, g.mapped = f.toUnicode.lookup(code{uint32(b), 2})
		}
	}
	if !g.mapped || !meaningful(g.text) {
		if s := f.simple[b]; s != "" {
			g.text, g.mapped = s, true
		}
	}
	return g
}

func (f *font) double(c code, raw string) glyph {
	g := glyph{space: c.size == 1 && c.value == ' ', width: f.missing}
	cid := c.value
	if f.codes != nil {
		if n, ok := f.codes.cid(c); ok {
			cid = n
		}
	}
	if f.charset != nil {
		g.width = 1 // its CIDs are not known, so neither are its widths
		if c.size == 1 {
			g.width = 0.5
		}
	} else if w, ok := f.widths[cid]; ok {
		g.width = w
	}
	switch {
	case f.toUnicode != nil:
		if g.text, g.mapped = f.toUnicode.lookup(c); !g.mapped && cid != c.value {
			g.text, g.mapped = f.toUnicode.lookup(code{cid, 2})
		}
	case f.direct:
		g.text, g.mapped = string(rune(c.value)), true
	case f.charset != nil:
		if s, err := f.charset.NewDecoder().String(raw); err == nil {
			g.text, g.mapped = s, meaningful(s)
		}
	case f.byCID != nil:
		g.text, g.mapped = f.byCID[cid], f.byCID[cid] != ""
	}
	return g
}

// meaningful says whether text is more than a mark of not knowing.
func meaningful(s string) bool {
	for _, r := range s {
		if r > ' ' && r != utf8.RuneError || r == ' ' {
			return true
		}
	}
	return false
}
