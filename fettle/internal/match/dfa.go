package match

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// An automaton is made deterministic as it runs: a row of the table for each
// set of places in the nfa that some text led to, filled in a byte class at a
// time. The table is bounded; when it is full it is emptied, and where that
// does not pay the automaton gives up and says so.
//
// It is unanchored: at every byte a match may begin, so the nfa's start is part
// of every set and is not kept in it.

const (
	// tableSize is how many entries of four bytes the table has.
	tableSize = 1 << 20
	// A table that is filled again before it was used for this many bytes a
	// row does not pay, and after this many such fillings it is given up.
	worthBytes = 10
	maxUseless = 3
	// Nor does one whose rows cost so many visits of places for each byte read,
	// beyond what is free; and the rows hold no more places than this.
	visitsByte = 32
	visitsFree = 4 << 20
	maxHeld    = 2 << 20
)

// An entry of the table is the row that a byte leads to, or one of these.
const (
	special   uint32 = 1 << 31
	unknown   uint32 = special         // not computed yet
	dead      uint32 = special | 1<<30 // nothing can match before the line ends
	accepted  uint32 = special | 1<<29 // with accBefore, accAfter and a row
	accBefore uint32 = 1 << 28
	accAfter  uint32 = 1 << 27
	rowMask   uint32 = 1<<27 - 1
)

// dfa runs an nfa. One goroutine uses it.
type dfa struct {
	n      *nfa
	class  [256]uint8
	stride int    // classes, and one for the end of a line
	eol    uint8  // that one
	shift  uint   // stride is 1<<shift
	sample []byte // a byte of each class; the end of a line has none

	table  []uint32
	states []state
	index  map[string]uint32
	begin  uint32 // the row a line begins with
	// What the start adds in each context.
	starts [4]closure

	used    int // bytes since the table was emptied
	read    int // and before
	visits  int // of places, to compute rows
	held    int // places in the rows
	useless int
	gaveUp  bool
	limit   int // of the table; tests make it small

	mark  []uint32 // when each inst was last visited
	stamp uint32
	stack []int32
	key   []byte
}

// state is a row: the places it stands for, besides the start.
type state struct {
	ids     []int32 // opBytes and pending opAssert, ordered
	context uint8
	match   bool // a match ends here
}

// The context of a place: what stands before it.
const (
	ctxBegin uint8 = 1 << iota // the beginning of the line
	ctxWord                    // a byte of a word
)

// closure is places reached without taking a byte.
type closure struct {
	ids   []int32
	match bool
}

func newDFA(n *nfa) *dfa {
	d := &dfa{n: n, mark: make([]uint32, len(n.insts)), limit: tableSize}
	d.classes()
	for ctx := range d.starts {
		d.starts[ctx] = d.close([]int32{n.start}, uint8(ctx))
	}
	d.empty()
	return d
}

// classes sorts bytes that the nfa cannot tell apart into classes.
func (d *dfa) classes() {
	var class, size [256]int
	size[0] = 256
	count := 1
	refine := func(s *byteSet) {
		var moved [256]int
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				moved[class[64*i+bits.TrailingZeros64(w)]]++
			}
		}
		var to [256]int
		for c, n := range moved[:count] {
			if n > 0 && n < size[c] {
				to[c], size[count] = count, n
				size[c] -= n
				count++
			}
		}
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if b := 64*i + bits.TrailingZeros64(w); to[class[b]] > 0 {
					class[b] = to[class[b]]
				}
			}
		}
	}
	for i := range d.n.sets {
		refine(&d.n.sets[i])
	}
	if d.n.edges {
		refine(&wordSet)
	}
	// The two bytes that end a line are a class of their own, the last one.
	number := map[int]uint8{}
	for b := range 256 {
		if b == '\n' || b == '\r' {
			continue
		}
		c, ok := number[class[b]]
		if !ok {
			c = uint8(len(number))
			number[class[b]] = c
			d.sample = append(d.sample, byte(b))
		}
		d.class[b] = c
	}
	d.eol = uint8(len(number))
	d.class['\n'], d.class['\r'] = d.eol, d.eol
	for d.stride = 1; d.stride < int(d.eol)+1; d.stride *= 2 {
		d.shift++
	}
}

// empty starts the table anew.
func (d *dfa) empty() {
	d.table = d.table[:0]
	d.states = d.states[:0]
	d.index = map[string]uint32{}
	d.read, d.used, d.held = d.read+d.used, 0, 0
	ctx := d.context(true, 0)
	d.begin = d.row(nil, d.starts[ctx].match, ctx)
}

// context is what stands before a place, as far as the nfa asks for it.
func (d *dfa) context(begin bool, before byte) uint8 {
	var ctx uint8
	if begin && d.n.begins {
		ctx |= ctxBegin
	}
	if !begin && d.n.edges && wordSet.has(before) {
		ctx |= ctxWord
	}
	return ctx
}

// close gives what is reached from ids without taking a byte. What asks about
// the next byte waits in the result.
func (d *dfa) close(ids []int32, ctx uint8) closure {
	return d.reach(ids, ctx, false, 0)
}

// reach is close; with known, what asks about the next byte is answered too:
// next is that byte's word edge, or the end of the line.
func (d *dfa) reach(ids []int32, ctx uint8, known bool, next nextByte) closure {
	var c closure
	d.stamp++
	d.stack = append(d.stack[:0], ids...)
	for len(d.stack) > 0 {
		id := d.stack[len(d.stack)-1]
		d.stack = d.stack[:len(d.stack)-1]
		if d.mark[id] == d.stamp {
			continue
		}
		d.mark[id] = d.stamp
		d.visits++
		in := &d.n.insts[id]
		switch in.op {
		case opMatch:
			c.match = true
		case opSplit:
			d.stack = append(d.stack, in.alt, in.out)
		case opBytes:
			c.ids = append(c.ids, id)
		case opAssert:
			switch {
			case in.what == atBegin:
				if ctx&ctxBegin != 0 {
					d.stack = append(d.stack, in.out)
				}
			case !known:
				c.ids = append(c.ids, id)
			case in.what == atEnd:
				if next == nextEnd {
					d.stack = append(d.stack, in.out)
				}
			case (ctx&ctxWord != 0 != (next == nextWord)) == (in.what == atWordEdge):
				d.stack = append(d.stack, in.out)
			}
		}
	}
	return c
}

// nextByte is what an assertion may ask of what follows.
type nextByte uint8

const (
	nextOther nextByte = iota
	nextWord
	nextEnd
)

// besides gives the places of c that the start does not bring anyway: what
// tells one row from another.
func (d *dfa) besides(c closure, ctx uint8) []int32 {
	d.stamp++
	for _, id := range d.starts[ctx].ids {
		d.mark[id] = d.stamp
	}
	ids := c.ids[:0]
	for _, id := range c.ids {
		if d.mark[id] != d.stamp {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// row gives the row of a state, or unknown when the table is full.
func (d *dfa) row(ids []int32, match bool, ctx uint8) uint32 {
	d.key = append(d.key[:0], ctx)
	if match {
		d.key[0] |= 1 << 7
	}
	for _, id := range ids {
		d.key = binary.LittleEndian.AppendUint32(d.key, uint32(id))
	}
	if r, ok := d.index[string(d.key)]; ok {
		return r
	}
	r := uint32(len(d.table))
	if len(d.table)+d.stride > d.limit || d.held > maxHeld {
		return unknown
	}
	d.held += len(ids)
	d.index[string(d.key)] = r
	d.states = append(d.states, state{slices.Clone(ids), ctx, match})
	for range d.stride {
		d.table = append(d.table, unknown)
	}
	return r
}

// step computes what the class leads to from a row. It may empty the table, so
// that no row but the one it gives stands, and may give up.
func (d *dfa) step(row uint32, class uint8) (entry uint32) {
	if d.visits > visitsFree+visitsByte*(d.read+d.used) {
		d.gaveUp = true
	}
	s := &d.states[row>>d.shift]
	end := class == d.eol
	next := nextOther
	var b byte
	switch {
	case end:
		next = nextEnd
	default:
		if b = d.sample[class]; d.n.edges && wordSet.has(b) {
			next = nextWord
		}
	}
	ids := append(slices.Clone(s.ids), d.starts[s.context].ids...)
	before := s.match
	if d.n.pending {
		c := d.reach(ids, s.context, true, next)
		ids, before = c.ids, before || c.match
	}
	switch {
	case end && before:
		entry = accepted | accBefore | d.begin
	case end:
		entry = d.begin
	default:
		var to []int32
		for _, id := range ids {
			if in := &d.n.insts[id]; in.op == opBytes && d.n.sets[in.set].has(b) {
				to = append(to, in.out)
			}
		}
		ctx := d.context(false, b)
		c := d.close(to, ctx)
		match := c.match || d.starts[ctx].match
		switch {
		case len(c.ids) == 0 && !match && len(d.starts[ctx].ids) == 0 && !before:
			entry = dead
		default:
			fits := true
			ids := d.besides(c, ctx)
			r := d.row(ids, match, ctx)
			if r == unknown {
				d.full()
				fits = false
				r = d.row(ids, match, ctx)
			}
			entry = r
			if before || match {
				entry |= accepted
			}
			if before {
				entry |= accBefore
			}
			if match {
				entry |= accAfter
			}
			if !fits {
				return entry
			}
		}
	}
	d.table[row+uint32(class)] = entry
	return entry
}

// full empties the table, and gives up when that has not paid before.
func (d *dfa) full() {
	if d.used < worthBytes*len(d.states) {
		d.useless++
		d.gaveUp = d.gaveUp || d.useless >= maxUseless
	}
	d.empty()
}
