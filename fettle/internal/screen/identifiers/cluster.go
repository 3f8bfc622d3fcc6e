package identifiers

import (
	"encoding/binary"
	"math/bits"
)

// gap is what stands between two groups of digits.
type gap byte

const (
	gapNone  gap = iota
	gapSpace     // one space
	gapDash      // one hyphen
	gapWide      // a hyphen between two spaces
	gapDot       // one full stop
	gapParen     // a bracket, with a space or a hyphen beside it
)

// group is one run of digits and what stands before it.
type group struct {
	start, end int
	before     gap // gapNone for a cluster's first group
}

func (g group) len() int { return g.end - g.start }

// cluster is a row of digit groups with nothing but single separators between
// them, such as (415) 555-0132: what a card or telephone number looks like.
type cluster struct {
	text   []byte
	groups []group
	plus   bool // a plus sign leads it
	paren  bool // an opening bracket leads it
	joined bool // a letter stands directly before it
}

func (c *cluster) start() int { return c.groups[0].start }
func (c *cluster) end() int   { return c.groups[len(c.groups)-1].end }

// next finds the first cluster at or after at.
func (c *cluster) next(b []byte, at int) bool {
	i := digit(b, at)
	if i < 0 {
		return false
	}
	c.text, c.groups = b, c.groups[:0]
	c.lead(i)
	for before := gapNone; ; {
		j := i + 1
		for j < len(b) && isDigit(b[j]) {
			j++
		}
		c.groups = append(c.groups, group{i, j, before})
		n, g := separator(b[j:])
		if n == 0 {
			return true
		}
		i, before = j+n, g
	}
}

// small reports one or two digits by themselves that nothing can come of, as
// most numbers in source are: no part of a longer identifier, and neither a
// month nor another part of a date behind them.
func (c *cluster) small() bool {
	g := c.groups[0]
	if len(c.groups) > 1 || g.len() > 2 || c.plus {
		return false
	}
	if g.start > 0 && (isWord(c.text[g.start-1]) || c.text[g.start-1] == '-') {
		return false
	}
	if g.end == len(c.text) {
		return true
	}
	switch next := c.text[g.end]; next {
	case ' ', ',', '.', '-', '/':
		return false
	default:
		return !isWord(next)
	}
}

// lead looks at what stands before the first digit. A bracket is a boundary of
// its own: call(415)555-0132 reads as a number, x+4155550132 as arithmetic.
func (c *cluster) lead(i int) {
	c.plus, c.paren, c.joined = false, false, false
	if i > 0 && c.text[i-1] == '(' {
		c.paren = true
		i--
	}
	if i > 0 && c.text[i-1] == '+' {
		c.plus = true
		i--
	}
	c.joined = (c.plus || !c.paren) && i > 0 && isWord(c.text[i-1])
}

// separator measures the separator that b starts with; none when no digit follows it.
func separator(b []byte) (int, gap) {
	n, g := 0, gapNone
	if len(b) < 2 || b[0] > '.' || b[0] < ' ' {
		return 0, gapNone
	}
	switch {
	case b[0] == ' ' && b[1] == '(', b[0] == '-' && b[1] == '(',
		b[0] == ')' && (b[1] == ' ' || b[1] == '-' || b[1] == '.'):
		n, g = 2, gapParen
	case b[0] == '(' || b[0] == ')':
		n, g = 1, gapParen
	case b[0] == ' ' && len(b) > 3 && b[1] == '-' && b[2] == ' ':
		n, g = 3, gapWide
	case b[0] == ' ':
		n, g = 1, gapSpace
	case b[0] == '-':
		n, g = 1, gapDash
	case b[0] == '.':
		n, g = 1, gapDot
	}
	if n == 0 || n >= len(b) || !isDigit(b[n]) {
		return 0, gapNone
	}
	return n, g
}

// closed reports whether groups from..to-1 end where a number may end: not
// against a letter or another digit. An x may follow, for an extension.
func (c *cluster) closed(to int) bool {
	end := c.groups[to-1].end
	return end == len(c.text) || !isWord(c.text[end]) || c.text[end]|0x20 == 'x'
}

// opened reports whether a number may begin at group k.
func (c *cluster) opened(k int) bool { return k > 0 || !c.joined }

// gapAfter is what stands between group k and the next one.
func (c *cluster) gapAfter(k int) gap {
	if k+1 < len(c.groups) {
		return c.groups[k+1].before
	}
	return gapNone
}

// digit is the place of the first digit at or after at, or -1. Eight bytes at
// a time: most text has few digits, and this loop is most of the work.
func digit(b []byte, at int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; at+8 <= len(b); at += 8 {
		x := binary.LittleEndian.Uint64(b[at:])
		// Of each byte's low seven bits: the top bit of low is set from '0' up,
		// of high from ':' up. Bytes beyond ASCII drop out by ^x.
		low := (x &^ tops) + (0x80-'0')*ones
		high := (x &^ tops) + (0x80-':')*ones
		if found := low &^ high &^ x & tops; found != 0 {
			return at + bits.TrailingZeros64(found)/8
		}
	}
	for ; at < len(b); at++ {
		if isDigit(b[at]) {
			return at
		}
	}
	return -1
}
