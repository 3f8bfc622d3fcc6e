package pdf

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Gaps that mean something, as parts of the font's size.
const (
	wordGap  = 0.12 // wider than this between two glyphs: another word
	wideGap  = 0.6  // the same between two ideographs, which stand apart at will
	cellGap  = 3.0  // wider than this: another cell, a tab in the line
	overlap  = 0.35 // how far back a glyph may start and still continue
	offLine  = 0.6  // further than this off the baseline: another line
	touching = 0.1
	lookBack = 32 // lines that a stray glyph may continue
)

// maxPageText bounds one page's text.
const maxPageText = 8 << 20

type point struct{ x, y float64 }

func (a point) sub(b point) point   { return point{a.x - b.x, a.y - b.y} }
func (a point) dot(b point) float64 { return a.x*b.x + a.y*b.y }

// placed is a glyph on the page: its text, where it begins and ends on the
// baseline, and how tall its font is.
type placed struct {
	text       string
	start, end point
	along      point // unit vector of the writing direction
	height     float64
}

// pageText makes lines of glyphs in the order in which the page draws them.
// That order is nearly always the reading order, columns too; sorting by
// baseline would run columns into each other.
type pageText struct {
	lines []*textLine
	line  *textLine // the one that grows
	bytes int
	words bool
}

type textLine struct {
	text       []byte
	start, end point
	last       placed
	along      point
	height     float64
	space      bool // a space was drawn behind the last glyph
	leftward   bool // right to left in logical order: each glyph before its predecessor
}

// add takes the next glyph.
func (p *pageText) add(g placed) {
	text := clean(g.text)
	blank := strings.TrimSpace(text) == ""
	if p.bytes += len(text) + 2; p.bytes > maxPageText {
		return
	}
	if blank {
		if l := p.line; l != nil && text != "" {
			if _, ok := l.follows(g); ok {
				l.space, l.end = true, g.end
			} else if l.leftward || l.before(g) {
				l.space, l.last.start = true, g.start
			}
		}
		return
	}
	g.text = text
	if l := p.line; l != nil {
		if l.repeats(g) {
			return
		}
		if gap, ok := l.follows(g); ok {
			l.append(g, gap)
			return
		}
		if l.before(g) {
			l.prepend(g)
			return
		}
	}
	for i := len(p.lines) - 1; i >= 0 && i >= len(p.lines)-lookBack; i-- {
		l := p.lines[i]
		if gap, ok := l.follows(g); ok && math.Abs(gap) < touching && !l.space && !l.leftward {
			p.line = l
			l.append(g, gap)
			return
		}
	}
	p.words = true
	p.line = &textLine{text: []byte(text), start: g.start, end: g.end, last: g, along: g.along, height: g.height}
	p.lines = append(p.lines, p.line)
}

// follows says whether g continues the line, and how far behind its end, in
// parts of the font's size.
func (l *textLine) follows(g placed) (float64, bool) {
	h := max(l.height, g.height)
	if h <= 0 {
		h = 1
	}
	d := g.start.sub(l.end)
	if l.along.dot(g.along) < 0.98 || math.Abs(d.x*l.along.y-d.y*l.along.x) > offLine*h {
		return 0, false
	}
	gap := d.dot(l.along) / max(min(l.last.height, g.height), h/3, 1e-9)
	if forth := g.start.sub(l.last.start).dot(l.along); gap <= -overlap && forth > 0.2*h && gap > -2 {
		gap = 0 // the font's widths are too large: the glyphs still run on
	}
	return gap, gap > -overlap && gap < 100
}

// before says whether g stands directly before its predecessor, in a script
// that is read from right to left: drawn in the order of reading.
func (l *textLine) before(g placed) bool {
	if !rightToLeft(g.text) && strings.TrimSpace(g.text) != "" && !l.leftward {
		return false
	}
	d := l.last.start.sub(g.end)
	h := max(l.height, g.height, 1e-9)
	gap := d.dot(l.along) / h
	return l.along.dot(g.along) > 0.98 && math.Abs(d.x*l.along.y-d.y*l.along.x) < offLine*h && gap > -overlap && gap < 2 &&
		(rightToLeft(l.last.text) || l.leftward)
}

func (l *textLine) append(g placed, gap float64) {
	switch {
	case gap > cellGap && !l.leftward:
		l.text = append(l.text, '\t')
	case l.space || gap > wideGap || gap > wordGap && !(ideograph(g.text) && ideograph(l.last.text)):
		l.text = append(l.text, ' ')
	}
	l.text = append(l.text, g.text...)
	l.space, l.end, l.last = false, g.end, g
	l.height = max(l.height, g.height)
}

func (l *textLine) prepend(g placed) {
	if gap := l.last.start.sub(g.end).dot(l.along) / max(g.height, 1e-9); l.space || gap > wordGap {
		l.text = append(l.text, ' ')
	}
	l.text = append(l.text, g.text...)
	l.space, l.leftward, l.last = false, true, g
}

// repeats says whether g is its predecessor drawn once more, a little aside:
// how bold letters and shadows are faked.
func (l *textLine) repeats(g placed) bool {
	if l.last.text != g.text {
		return false
	}
	d := g.start.sub(l.last.start)
	width := l.last.end.sub(l.last.start)
	return math.Hypot(d.x, d.y) < 0.1*g.height && math.Hypot(width.x, width.y) > 0.15*g.height
}

// clean is a glyph's text as a line may hold it: no control characters,
// spaces as plain spaces, ligatures as the letters they stand for, so that a
// search for "file" finds it.
func clean(s string) string {
	if len(s) == 1 && s[0] > ' ' && s[0] < 0x7f {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == utf8.RuneError, r < ' ' && !unicode.IsSpace(r), r >= 0x7f && r < 0xa0, r == 0xfeff, r == 0x200b, r&0xfffe == 0xfffe:
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case r >= 0xfb00 && r <= 0xfb06, r >= 0xfb1d && r <= 0xfdfb, r >= 0xfe70 && r <= 0xfefc:
			b.WriteString(norm.NFKC.String(string(r)))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// result is the page's lines.
func (p *pageText) result() []string {
	var out []string
	var kept []*textLine
next:
	for _, l := range p.lines {
		for i := len(kept) - 1; i >= 0 && i >= len(kept)-lookBack; i-- {
			k := kept[i]
			d := k.start.sub(l.start)
			if math.Hypot(d.x, d.y) < 0.15*l.height && string(k.text) == string(l.text) {
				continue next
			}
		}
		kept = append(kept, l)
		out = append(out, logical(string(l.text), l.leftward))
	}
	return unhyphenate(out)
}

// unhyphenate joins a word that was cut at a line's end with its rest, which
// leaves the next line. The hyphen goes, as in a text that was never broken.
func unhyphenate(lines []string) []string {
	out := lines[:0]
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		stem, cut := hyphenated(l)
		if cut && i+1 < len(lines) {
			next := lines[i+1]
			if r, _ := utf8.DecodeRuneInString(next); unicode.IsLower(r) {
				end := strings.IndexAny(next, " \t")
				if end < 0 {
					end = len(next)
				}
				l = stem + next[:end]
				lines[i+1] = strings.TrimLeft(next[end:], " \t")
			}
		}
		l = strings.ReplaceAll(l, "\u00ad", "-") // a hyphen that is drawn is seen
		if l != "" {
			out = append(out, l)
		}
	}
	return out
}

func hyphenated(l string) (stem string, ok bool) {
	for _, h := range []string{"-", "\u00ad", "\u2010"} {
		if stem, ok = strings.CutSuffix(l, h); ok {
			r, _ := utf8.DecodeLastRuneInString(stem)
			return stem, unicode.IsLower(r)
		}
	}
	return l, false
}

func ideograph(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r >= 0x2e80 && r <= 0x9fff || r >= 0x20000 && r <= 0x3ffff
}

func rightToLeft(s string) bool {
	for _, r := range s {
		if r >= 0x590 && r <= 0x8ff || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfeff {
			return true
		}
	}
	return false
}

// logical puts a line that was drawn from left to right into the order in
// which a right-to-left script is read.
func logical(s string, already bool) string {
	if already || !rightToLeft(s) {
		return s
	}
	rs := []rune(s)
	var left, right int
	for _, r := range rs {
		if rightToLeft(string(r)) {
			right++
		} else if unicode.IsLetter(r) {
			left++
		}
	}
	is := func(r rune) bool { return rightToLeft(string(r)) || unicode.Is(unicode.Mn, r) }
	if right >= left {
		reverse(rs)
		for i, r := range rs {
			rs[i] = mirror(r)
		}
		// What is read from left to right was turned with the rest: turn it back.
		is = func(r rune) bool { return !rightToLeft(string(r)) && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	}
	for i := 0; i < len(rs); {
		if !is(rs[i]) {
			i++
			continue
		}
		end := i + 1
		for j := end; j < len(rs); j++ {
			if is(rs[j]) {
				end = j + 1
			} else if rightToLeft(string(rs[j])) || unicode.IsLetter(rs[j]) {
				break
			}
		}
		reverse(rs[i:end])
		i = end
	}
	return string(rs)
}

func reverse(rs []rune) {
	for i, j := 0, len(rs)-1; i < j; i, j = i+1, j-1 {
		rs[i], rs[j] = rs[j], rs[i]
	}
}

func mirror(r rune) rune {
	const a, b = "()[]{}<>«»", ")(][}{><»«"
	if i := strings.IndexRune(a, r); i >= 0 {
		m, _ := utf8.DecodeRuneInString(b[i:])
		return m
	}
	return r
}
