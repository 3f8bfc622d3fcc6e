package pdf

import (
	"errors"
	"fmt"
	"math"

	lib "github.com/ledongthuc/pdf"
)

// Bounds on one page's drawing. Forms inside forms multiply.
const (
	maxForms = 12     // inside each other
	maxDrawn = 20_000 // on a page
	maxOps   = 4_000_000
	maxArgs  = 1 << 16
	maxSaved = 512
)

var errOps = errors.New("it draws more than is read")

// interpreter draws one page into its text.
type interpreter struct {
	d      *file
	out    *pageText
	g      state
	saved  []state
	tm     matrix // text matrix
	tlm    matrix // of the line's start
	ops    int
	depth  int
	forms  int
	marks  []*actual // marked content, nil where it says nothing of its text
	images int
	drawn  int // glyphs
	blind  int // glyphs of which nobody says what they read
	errs   []error
}

// actual is text that the document gives for what it draws inside.
type actual struct {
	text  string
	first placed
	begun bool
}

func newInterpreter(d *file) *interpreter {
	return &interpreter{d: d, out: &pageText{}, g: state{ctm: identityMatrix, scale: 1}, tm: identityMatrix, tlm: identityMatrix}
}

// run draws a content stream with the resources it names things in.
func (in *interpreter) run(data []byte, res lib.Value) error {
	lex := &lexer{data: data}
	var a args
	fonts := map[string]*font{}
	saved, marks := len(in.saved), len(in.marks)
	for {
		t := lex.next()
		switch t.kind {
		case tokEnd:
			// What was not closed ends with the stream.
			if len(in.saved) > saved {
				in.g, in.saved = in.saved[saved], in.saved[:saved]
			}
			for len(in.marks) > marks {
				in.endMark()
			}
			return nil
		case tokWord:
			if in.ops++; in.ops > maxOps {
				return errOps
			}
			if in.ops&255 == 0 && in.d.ctx.Err() != nil {
				return in.d.ctx.Err()
			}
			if t.text == "BI" {
				lex.skipImage()
				in.images++
			} else if err := in.do(t.text, &a, res, fonts, saved, marks); err != nil {
				return err
			}
			a.list = a.list[:0]
		case tokOpen:
			a.array = a.array[:0]
			for depth := 1; depth > 0; {
				e := lex.next()
				switch e.kind {
				case tokOpen:
					depth++
				case tokClose:
					depth--
				case tokEnd:
					depth = 0
				case tokWord: // an array that was not closed
					if e.text == "TJ" {
						depth, lex.pos = 0, lex.pos-2
					}
				default:
					if len(a.array) < maxArgs*4 {
						a.array = append(a.array, e)
					}
				}
			}
		case tokDict:
			a.array = a.array[:0]
			for depth := 1; depth > 0; {
				e := lex.next()
				switch e.kind {
				case tokDict:
					depth++
				case tokDictEnd:
					depth--
				case tokEnd:
					depth = 0
				default:
					if len(a.array) < maxArgs {
						a.array = append(a.array, e)
					}
				}
			}
		case tokNumber, tokString, tokName:
			if len(a.list) >= 64 {
				a.list = append(a.list[:0], a.list[32:]...)
			}
			a.list = append(a.list, t)
		}
	}
}

func (in *interpreter) do(op string, a *args, res lib.Value, fonts map[string]*font, saved, marks int) error {
	g := &in.g
	switch op {
	case "q":
		if len(in.saved) < maxSaved {
			in.saved = append(in.saved, *g)
		}
	case "Q":
		if n := len(in.saved); n > saved {
			*g, in.saved = in.saved[n-1], in.saved[:n-1]
		}
	case "cm":
		g.ctm = a.matrix().mul(g.ctm)
	case "BT":
		in.tm, in.tlm = identityMatrix, identityMatrix
	case "Tf":
		g.size = a.num(0)
		if len(a.list) > 1 {
			name := a.list[len(a.list)-2].text
			f, ok := fonts[name]
			if !ok {
				f = in.font(res, name)
				fonts[name] = f
			}
			g.font = f
		}
	case "Tc":
		g.chars = a.num(0)
	case "Tw":
		g.words = a.num(0)
	case "Tz":
		g.scale = a.num(0) / 100
	case "TL":
		g.leading = a.num(0)
	case "Ts":
		g.up = a.num(0)
	case "Td":
		in.move(a.num(1), a.num(0))
	case "TD":
		g.leading = -a.num(0)
		in.move(a.num(1), a.num(0))
	case "Tm":
		in.tlm = a.matrix()
		in.tm = in.tlm
	case "T*":
		in.move(0, -g.leading)
	case "Tj":
		in.show(a.text())
	case "'":
		in.move(0, -g.leading)
		in.show(a.text())
	case "\"":
		g.words, g.chars = a.num(2), a.num(1)
		in.move(0, -g.leading)
		in.show(a.text())
	case "TJ":
		if len(a.list) > 0 && len(a.array) == 0 {
			in.show(a.text()) // a string where an array belongs
		}
		for _, e := range a.array {
			if e.kind == tokString {
				in.show(e.text)
			} else if e.kind == tokNumber {
				in.kern(e.num)
			}
		}
		a.array = a.array[:0]
	case "BMC":
		in.beginMark(nil)
	case "BDC":
		in.beginMark(in.actualText(a, res))
	case "EMC":
		if len(in.marks) > marks {
			in.endMark()
		}
	case "Do":
		return in.object(a.text(), res)
	case "gs":
		if f := res.Key("ExtGState").Key(a.text()).Key("Font"); f.Len() == 2 {
			g.font, g.size = in.d.cachedFont(f, f.Index(0), ""), f.Index(1).Float64()
		}
	}
	return nil
}

func (in *interpreter) font(res lib.Value, name string) (f *font) {
	defer func() {
		if p := recover(); p != nil {
			in.errs = append(in.errs, fmt.Errorf("the font %.40q is damaged", name))
			f = notFont()
		}
	}()
	all := res.Key("Font")
	return in.d.cachedFont(all, all.Key(name), name)
}

func (in *interpreter) move(x, y float64) {
	in.tlm = matrix{1, 0, 0, 1, x, y}.mul(in.tlm)
	in.tm = in.tlm
}

func (in *interpreter) advance(x, y float64) {
	in.tm = matrix{1, 0, 0, 1, x, y}.mul(in.tm)
}

func (in *interpreter) kern(n float64) {
	if in.g.font != nil && in.g.font.vertical {
		in.advance(0, -n/1000*in.g.size)
		return
	}
	in.advance(-n/1000*in.g.size*in.g.scale, 0)
}

// show draws a string. Render mode 3, text that is not painted, is text: it is
// what recognition lays over a scanned page.
func (in *interpreter) show(s string) {
	g := &in.g
	if g.font == nil {
		g.font = notFont()
	}
	f := g.font
	f.each(s, func(c glyph) {
		full := in.tm.mul(g.ctm)
		start := full.apply(0, g.up)
		var x, y float64
		if f.vertical {
			y = -g.size
		} else {
			x = c.width * g.size * g.scale
		}
		end := full.apply(x, y+g.up)
		in.place(c, start, end, full)
		extra := g.chars
		if c.space {
			extra += g.words
		}
		if f.vertical {
			in.advance(0, y-extra)
		} else {
			in.advance(x+extra*g.scale, 0)
		}
	})
}

func (in *interpreter) place(c glyph, start, end point, full matrix) {
	f := in.g.font
	size := math.Abs(in.g.size) * f.em()
	top := full.apply(0, size).sub(full.apply(0, 0))
	dir := full.apply(1, 0).sub(full.apply(0, 0))
	if f.vertical {
		top, dir = dir, full.apply(0, -1).sub(full.apply(0, 0))
		top = point{top.x * size, top.y * size}
	}
	if in.g.size < 0 { // some producers turn the page and the size
		dir = point{-dir.x, -dir.y}
	}
	n := math.Hypot(dir.x, dir.y)
	h := math.Hypot(top.x, top.y)
	if n == 0 || math.IsNaN(n+h+start.x+start.y+end.x+end.y) || math.IsInf(n+h+start.x+start.y+end.x+end.y, 0) {
		n, h, dir, start, end = 1, 1, point{1, 0}, point{}, point{}
	}
	p := placed{text: c.text, start: start, end: end, along: point{dir.x / n, dir.y / n}, height: h}
	for i := len(in.marks) - 1; i >= 0; i-- {
		if m := in.marks[i]; m != nil {
			if !m.begun {
				m.begun, m.first = true, p
			}
			m.first.end = p.end
			return
		}
	}
	in.drawn++
	if !c.mapped {
		in.blind++
	}
	in.out.add(p)
}

func (in *interpreter) beginMark(m *actual) {
	if len(in.marks) < maxSaved {
		in.marks = append(in.marks, m)
	}
}

func (in *interpreter) endMark() {
	n := len(in.marks) - 1
	m := in.marks[n]
	in.marks = in.marks[:n]
	if m != nil && m.begun {
		m.first.text = m.text
		in.out.add(m.first)
	}
}

// actualText is the text a marked content gives for itself, in its operator or
// in the resources.
func (in *interpreter) actualText(a *args, res lib.Value) *actual {
	for i := 0; i+1 < len(a.array); i++ {
		if a.array[i].kind == tokName && a.array[i].text == "ActualText" && a.array[i+1].kind == tokString {
			s := a.array[i+1].text
			a.array = a.array[:0]
			return &actual{text: textString(s)}
		}
	}
	a.array = a.array[:0]
	if len(a.list) > 1 {
		if t := res.Key("Properties").Key(a.text()).Key("ActualText"); t.Kind() == lib.String {
			return &actual{text: textString(t.RawString())}
		}
	}
	return nil
}

// object draws a form, or counts an image.
func (in *interpreter) object(name string, res lib.Value) error {
	x := res.Key("XObject").Key(name)
	switch x.Key("Subtype").Name() {
	case "Image":
		in.images++
	case "Form":
		return in.form(x, res, identityMatrix)
	}
	return nil
}

func (in *interpreter) form(x, res lib.Value, at matrix) error {
	if in.depth >= maxForms {
		return nil
	}
	if in.forms++; in.forms > maxDrawn {
		return errOps
	}
	data, err := in.d.stream(x)
	if err != nil {
		in.errs = append(in.errs, err)
	}
	old, tm, tlm := in.g, in.tm, in.tlm
	in.depth++
	m := identityMatrix
	if v := x.Key("Matrix"); v.Len() == 6 {
		for i := range 6 {
			m[i] = v.Index(i).Float64()
		}
	}
	in.g.ctm = m.mul(at).mul(in.g.ctm)
	if own := x.Key("Resources"); own.Kind() == lib.Dict {
		res = own
	}
	err = in.run(data, res)
	in.depth--
	in.g, in.tm, in.tlm = old, tm, tlm
	return err
}
