package match

import (
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// maxInsts bounds an automaton; a pattern that needs more is left to Go's regexp.
const maxInsts = 60_000

type op uint8

const (
	opBytes  op = iota // a byte of sets[set], then out
	opSplit            // out or alt
	opAssert           // what, then out
	opMatch
	opFail
)

// What an assertion wants of its place, in the direction of the scan.
type assertion uint8

const (
	atBegin assertion = iota
	atEnd
	atWordEdge
	notWordEdge
)

type inst struct {
	op   op
	what assertion
	set  int32
	out  int32
	alt  int32
}

// nfa is an automaton of bytes that is held against one line. It accepts
// what the expression matches, and where approx is set more than that on
// lines with bytes that are not ASCII: Go takes each byte of invalid UTF-8
// for U+FFFD, which an automaton of bytes cannot tell without looking ahead.
type nfa struct {
	insts   []inst
	sets    []byteSet
	start   int32
	begins  bool // has atBegin
	edges   bool // has a word edge
	pending bool // has an assertion about what follows
	approx  bool
}

// compiler builds an nfa from its end to its start.
type compiler struct {
	*nfa
	reverse bool // for lines read from their end
	known   map[byteSet]int32
	large   bool
}

// compileNFA gives re's automaton for lines read forwards or backwards, or nil
// when it would be too large.
func compileNFA(re *syntax.Regexp, reverse bool) *nfa {
	c := &compiler{nfa: &nfa{}, reverse: reverse, known: map[byteSet]int32{}}
	c.start = c.expr(re, c.add(inst{op: opMatch}))
	if c.large {
		return nil
	}
	return c.nfa
}

func (c *compiler) add(i inst) int32 {
	if len(c.insts) >= maxInsts {
		c.large = true
		return 0
	}
	c.insts = append(c.insts, i)
	return int32(len(c.insts) - 1)
}

func (c *compiler) bytes(s byteSet, next int32) int32 {
	// Lines hold neither: they are what ends one.
	s[0] &^= 1<<'\n' | 1<<'\r'
	id, ok := c.known[s]
	if !ok {
		id = int32(len(c.sets))
		c.sets = append(c.sets, s)
		c.known[s] = id
	}
	return c.add(inst{op: opBytes, set: id, out: next})
}

func (c *compiler) assert(w assertion, next int32) int32 {
	if c.reverse {
		switch w {
		case atBegin:
			w = atEnd
		case atEnd:
			w = atBegin
		}
	}
	switch w {
	case atBegin:
		c.begins = true
	case atEnd:
		c.pending = true
	default:
		c.edges, c.pending = true, true
	}
	return c.add(inst{op: opAssert, what: w, out: next})
}

// expr adds re in front of next and gives where it begins.
func (c *compiler) expr(re *syntax.Regexp, next int32) int32 {
	if c.large {
		return 0
	}
	switch re.Op {
	case syntax.OpEmptyMatch:
		return next
	case syntax.OpLiteral:
		for i := range re.Rune {
			r := re.Rune[len(re.Rune)-1-i]
			if c.reverse {
				r = re.Rune[i]
			}
			next = c.ranges(foldRanges(r, re.Flags&syntax.FoldCase != 0), next)
		}
		return next
	case syntax.OpCharClass:
		return c.ranges(re.Rune, next)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return c.ranges([]rune{0, unicode.MaxRune}, next)
	case syntax.OpBeginLine, syntax.OpBeginText:
		return c.assert(atBegin, next)
	case syntax.OpEndLine, syntax.OpEndText:
		return c.assert(atEnd, next)
	case syntax.OpWordBoundary:
		return c.assert(atWordEdge, next)
	case syntax.OpNoWordBoundary:
		return c.assert(notWordEdge, next)
	case syntax.OpCapture:
		return c.expr(re.Sub[0], next)
	case syntax.OpStar, syntax.OpPlus:
		loop := c.add(inst{op: opSplit, alt: next})
		body := c.expr(re.Sub[0], loop)
		c.insts[loop].out = body
		if re.Op == syntax.OpPlus {
			return body
		}
		return loop
	case syntax.OpQuest:
		return c.add(inst{op: opSplit, out: c.expr(re.Sub[0], next), alt: next})
	case syntax.OpConcat:
		for i := range re.Sub {
			sub := re.Sub[len(re.Sub)-1-i]
			if c.reverse {
				sub = re.Sub[i]
			}
			next = c.expr(sub, next)
		}
		return next
	case syntax.OpAlternate:
		first := c.expr(re.Sub[len(re.Sub)-1], next)
		for i := len(re.Sub) - 2; i >= 0; i-- {
			first = c.add(inst{op: opSplit, out: c.expr(re.Sub[i], next), alt: first})
		}
		return first
	case syntax.OpRepeat:
		c.large = true // Simplify leaves none
	}
	return c.add(inst{op: opFail})
}

// foldRanges gives r, with what differs from it only by case, as ranges.
func foldRanges(r rune, fold bool) []rune {
	out := []rune{r, r}
	if fold {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			out = append(out, f, f)
		}
	}
	return out
}

// ranges adds a class of runes, given as pairs.
func (c *compiler) ranges(rs []rune, next int32) int32 {
	var ascii byteSet
	first := int32(-1)
	join := func(id int32) {
		if first < 0 {
			first = id
		} else if id != first {
			first = c.add(inst{op: opSplit, out: id, alt: first})
		}
	}
	// Sequences that end alike share their ends, and ones that differ in their
	// first byte alone are one.
	type end struct {
		byteRange
		next int32
	}
	ends := map[end]int32{}
	heads := map[int32]*byteSet{}
	var order []int32
	odd := false
	for i := 0; i+1 < len(rs); i += 2 {
		if rs[i] <= utf8.RuneError && utf8.RuneError <= rs[i+1] {
			odd = true
		}
		eachSequence(rs[i], rs[i+1], func(seq []byteRange) {
			if len(seq) == 1 {
				ascii.addRange(seq[0].lo, seq[0].hi)
				return
			}
			at := next
			for j := len(seq) - 1; j > 0; j-- {
				b := seq[j]
				if c.reverse {
					b = seq[len(seq)-1-j]
				}
				k := end{b, at}
				id, ok := ends[k]
				if !ok {
					var s byteSet
					s.addRange(b.lo, b.hi)
					id = c.bytes(s, at)
					ends[k] = id
				}
				at = id
			}
			b := seq[0]
			if c.reverse {
				b = seq[len(seq)-1]
			}
			if heads[at] == nil {
				heads[at] = &byteSet{}
				order = append(order, at)
			}
			heads[at].addRange(b.lo, b.hi)
		})
	}
	if odd {
		c.approx = true
		ascii.addRange(0x80, 0xFF)
	}
	if ascii != (byteSet{}) {
		join(c.bytes(ascii, next))
	}
	for _, at := range order {
		join(c.bytes(*heads[at], at))
	}
	if first < 0 {
		return c.add(inst{op: opFail})
	}
	return first
}
