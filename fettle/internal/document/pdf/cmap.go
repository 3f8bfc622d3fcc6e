package pdf

import (
	"sort"
	"unicode/utf16"
)

// Bounds on a CMap: no honest one is near them.
const (
	maxMappings = 1 << 18
	maxTarget   = 64 // characters one code stands for
	maxOverlap  = 32 // ranges that are looked at for one code
)

// cmap maps a string's codes to characters (ToUnicode), or to CIDs (an
// embedded encoding). The zero value has no code space.
type cmap struct {
	spaces   []codeSpace
	chars    map[code]string
	ranges   []codeRange
	cids     []cidRange
	vertical bool
}

// code is a character code and how many bytes it had.
type code struct {
	value uint32
	size  int
}

type codeSpace struct {
	size   int
	lo, hi uint32
}

type codeRange struct {
	size   int
	lo, hi uint32
	text   []rune // of lo; the last character counts up
}

type cidRange struct {
	size   int
	lo, hi uint32
	cid    uint32
}

// parseCMap reads a CMap's text. It never fails; what it cannot read is
// passed over.
func parseCMap(data []byte) *cmap {
	m := &cmap{chars: map[code]string{}}
	l := &lexer{data: data}
	var last token
	for {
		t := l.next()
		if t.kind == tokEnd {
			break
		}
		if t.kind == tokWord {
			switch t.text {
			case "begincodespacerange":
				m.readSpaces(l)
			case "beginbfchar":
				m.readChars(l)
			case "beginbfrange":
				m.readRanges(l)
			case "begincidchar":
				m.readCIDs(l, false)
			case "begincidrange":
				m.readCIDs(l, true)
			}
		}
		if last.kind == tokName && last.text == "WMode" && t.kind == tokNumber {
			m.vertical = t.num == 1
		}
		last = t
	}
	m.sort()
	return m
}

func (m *cmap) sort() {
	sort.SliceStable(m.ranges, func(i, j int) bool { return m.ranges[i].lo < m.ranges[j].lo })
	sort.SliceStable(m.cids, func(i, j int) bool { return m.cids[i].lo < m.cids[j].lo })
}

func (m *cmap) full() bool { return len(m.chars)+len(m.ranges)+len(m.cids) > maxMappings }

func codeOf(s string) code {
	var c code
	for i := 0; i < len(s) && i < 4; i++ {
		c.value = c.value<<8 | uint32(s[i])
		c.size++
	}
	return c
}

func (m *cmap) readSpaces(l *lexer) {
	for len(m.spaces) < 1000 {
		a := l.next()
		if a.kind != tokString {
			return
		}
		b := l.next()
		if b.kind != tokString {
			return
		}
		lo, hi := codeOf(a.text), codeOf(b.text)
		if hi.size > 0 {
			m.spaces = append(m.spaces, codeSpace{hi.size, lo.value, hi.value})
		}
	}
}

func (m *cmap) readChars(l *lexer) {
	for !m.full() {
		a := l.next()
		if a.kind != tokString {
			return
		}
		b := l.next()
		switch b.kind {
		case tokString:
			m.chars[codeOf(a.text)] = string(target(b.text))
		case tokName:
			if r, ok := glyphRunes(b.text); ok {
				m.chars[codeOf(a.text)] = r
			}
		default:
			return
		}
	}
}

func (m *cmap) readRanges(l *lexer) {
	for !m.full() {
		a := l.next()
		if a.kind != tokString {
			return
		}
		b := l.next()
		if b.kind != tokString {
			return
		}
		lo, hi := codeOf(a.text), codeOf(b.text)
		switch t := l.next(); t.kind {
		case tokString:
			m.ranges = append(m.ranges, codeRange{lo.size, lo.value, hi.value, target(t.text)})
		case tokOpen:
			for v := lo.value; ; v++ {
				t := l.next()
				if t.kind == tokClose || t.kind == tokEnd || t.kind == tokWord {
					break
				}
				if v > hi.value || m.full() {
					continue
				}
				if t.kind == tokString {
					m.chars[code{v, lo.size}] = string(target(t.text))
				} else if r, ok := glyphRunes(t.text); ok && t.kind == tokName {
					m.chars[code{v, lo.size}] = r
				}
			}
		default:
			return
		}
	}
}

func (m *cmap) readCIDs(l *lexer, ranges bool) {
	for !m.full() {
		a := l.next()
		if a.kind != tokString {
			return
		}
		b := a
		if ranges {
			if b = l.next(); b.kind != tokString {
				return
			}
		}
		n := l.next()
		if n.kind != tokNumber {
			return
		}
		lo, hi := codeOf(a.text), codeOf(b.text)
		m.cids = append(m.cids, cidRange{lo.size, lo.value, hi.value, uint32(max(0, n.num))})
	}
}

// target is the characters of a UTF-16BE string; some producers write a
// single byte.
func target(s string) []rune {
	if len(s) == 1 {
		return []rune{rune(s[0])}
	}
	units := make([]uint16, 0, min(len(s)/2, maxTarget))
	for i := 0; i+1 < len(s) && len(units) < maxTarget; i += 2 {
		units = append(units, uint16(s[i])<<8|uint16(s[i+1]))
	}
	return utf16.Decode(units)
}

// lookup is the characters of a code.
func (m *cmap) lookup(c code) (string, bool) {
	if s, ok := m.chars[c]; ok {
		return s, true
	}
	last := sort.Search(len(m.ranges), func(i int) bool { return m.ranges[i].lo > c.value }) - 1
	for i := last; i >= 0 && i > last-maxOverlap; i-- {
		r := m.ranges[i]
		if r.size == c.size && r.lo <= c.value && c.value <= r.hi && len(r.text) > 0 {
			out := append([]rune(nil), r.text...)
			out[len(out)-1] += rune(c.value - r.lo)
			return string(out), true
		}
	}
	return "", false
}

// cid is the CID of a code in an embedded encoding.
func (m *cmap) cid(c code) (uint32, bool) {
	last := sort.Search(len(m.cids), func(i int) bool { return m.cids[i].lo > c.value }) - 1
	for i := last; i >= 0 && i > last-maxOverlap; i-- {
		r := m.cids[i]
		if r.size == c.size && r.lo <= c.value && c.value <= r.hi {
			return r.cid + c.value - r.lo, true
		}
	}
	return 0, false
}

// split takes the first code off s by the code space. A string outside it
// loses as many bytes as the shortest code has.
func (m *cmap) split(s string) code {
	shortest := 4
	for size := 1; size <= 4 && size <= len(s); size++ {
		c := codeOf(s[:size])
		for _, sp := range m.spaces {
			shortest = min(shortest, sp.size)
			if sp.size == size && inside(c.value, sp) {
				return c
			}
		}
	}
	if len(m.spaces) == 0 {
		shortest = 2
	}
	return codeOf(s[:min(shortest, len(s))])
}

// inside compares byte for byte, as a code space is a box and no interval.
func inside(v uint32, sp codeSpace) bool {
	for i := range sp.size {
		b, lo, hi := byte(v>>(8*i)), byte(sp.lo>>(8*i)), byte(sp.hi>>(8*i))
		if b < lo || b > hi {
			return false
		}
	}
	return true
}
