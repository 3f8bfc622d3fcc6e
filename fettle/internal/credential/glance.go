package credential

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"sync"
)

// glance is what lets nearly all of a text be passed over: it gives the places
// at which a detector can find something, and some more. On ordinary text a
// processor loses most time to branches that it cannot foresee, one at every
// sign and every underscore, so that places are sifted here by adding up bits.
type glance struct {
	keywords [256][]key // by the trigger byte that they hold
	trigger  [256]uint8 // the bit of a byte that a detector looks for
	// before has the bits of the trigger bytes that a byte can stand before:
	// nothing begins at a trigger whose bit the byte before it lacks.
	before [256]uint8
	// key has those of before that belong to the keywords of shapes.
	key [256]uint8
	// last marks what a name of interest can end with, so that most names are
	// left after one byte.
	last [256]bool
	gap  [256]uint8 // 1 for the bytes of beforeSign
	// ends has, for the last byte of a name, the one before and the one before
	// that, the endings it can be in, as a bit each. unsure is one more bit.
	ends    [3][256]uint16
	endings [26][26][26]bool
}

const (
	chunk  = 4096 // so that all passes over a piece of text find it at hand
	unsure = 1 << 15
	// farEnough is how far into a text all that sifting looks at is there.
	farEnough = 8
)

// others are the trigger bytes that are no signs of an assignment.
var others = strings.Trim(triggerBytes, "=:")

// look gives the tables, which are made when a text is first judged.
var look = sync.OnceValue(func() *glance {
	var g glance
	for i := range len(triggerBytes) {
		g.trigger[triggerBytes[i]] = 1 << i
	}
	enter := func(k string) (trigger byte, off int) {
		off = strings.IndexAny(k, triggerBytes)
		g.before[k[off-1]] |= g.trigger[k[off]]
		return k[off], off
	}
	for i := range shapes {
		for _, k := range shapes[i].keys {
			by, off := enter(k)
			g.keywords[by] = append(g.keywords[by], key{k, off, &shapes[i]})
		}
	}
	g.key = g.before
	enter(strings.TrimLeft(beginMark, "-")) // it has a reader of its own
	for i := range len(beforeSign) {
		g.gap[beforeSign[i]] = 1
		g.ends[0][beforeSign[i]] |= unsure // a wide gap
	}
	for c := '0'; c <= '9'; c++ {
		g.last[c] = true
	}
	for _, c := range "0123456789_-." {
		for i := range g.ends {
			g.ends[i][c] |= unsure
		}
	}
	bit := uint16(1)
	for _, words := range [][]string{secretNames, stages} {
		for _, w := range words {
			w = w[len(w)-3:]
			g.last[w[2]], g.last[w[2]&^0x20] = true, true
			if end := &g.endings[w[0]-'a'][w[1]-'a'][w[2]-'a']; !*end {
				*end = true
				for i := range g.ends {
					c := w[2-i]
					g.ends[i][c] |= bit
					g.ends[i][c&^0x20] |= bit
				}
				bit <<= 1
			}
		}
	}
	return &g
})

// candidates puts the places in s[from:to] at which something can begin into
// hits, in order and counted from from, and gives their number.
func (g *glance) candidates(s string, from, to int, hits *[chunk + 1]uint16) (n int) {
	part := s[from:to]
	signs := signs(part, hits)
	for _, h := range hits[:signs] {
		hits[n] = h
		n += g.named(s, from+int(h))
	}
	sorted := n
	for k := range len(others) {
		c := others[k]
		for i := 0; ; i++ {
			next := strings.IndexByte(part[i:], c)
			if next < 0 {
				break
			}
			i += next
			if at := from + i; at > 0 && g.before[s[at-1]]&g.trigger[c] != 0 {
				hits[n] = uint16(i)
				n++
			}
		}
	}
	if n > sorted {
		slices.Sort(hits[:n])
	}
	return n
}

// signs puts the places of = and : into hits, eight bytes at a time.
func signs(part string, hits *[chunk + 1]uint16) (n int) {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	other := func(x uint64) uint64 { return (x&^highs + ^uint64(highs)) | x } // the high bit of each byte that is not 0
	i := 0
	for ; i+8 <= len(part); i += 8 {
		x := binary.LittleEndian.Uint64([]byte(part[i : i+8]))
		m := ^(other(x^ones*'=') & other(x^ones*':')) & highs
		hits[n] = uint16(i + bits.TrailingZeros64(m)/8) // of no meaning without one
		n += int((m | -m) >> 63)
		for m &= m - 1; m != 0; m &= m - 1 {
			hits[n] = uint16(i + bits.TrailingZeros64(m)/8)
			n++
		}
	}
	for ; i < len(part); i++ {
		if part[i] == '=' || part[i] == ':' {
			hits[n] = uint16(i)
			n++
		}
	}
	return n
}

// named says, as 1 or 0, whether the sign at the place can have a secret's name
// before it, or be in a URL.
func (g *glance) named(s string, at int) int {
	if at < farEnough || at+1 == len(s) {
		return min(at, 1) // nothing stands before the first byte
	}
	q := at - 1
	q -= int(g.gap[s[q]])
	q -= int(g.gap[s[q]])
	q -= int(g.gap[s[q]])
	a, b, c := g.ends[0][s[q]], g.ends[1][s[q-1]], g.ends[2][s[q-2]]
	m := a&b&c | (a|b|c)&unsure
	if s[at+1] == '/' {
		m = unsure
	}
	if m != 0 {
		return 1
	}
	return 0
}

// lastThree says whether the last three letters of what ends a name are those of
// a secret's name or of a stage.
func (g *glance) lastThree(s string) bool {
	var last [3]byte
	n := 3
	for i := len(s) - 1; n > 0; i-- {
		if i < 0 {
			return false
		}
		if letter(s[i]) {
			n--
			last[n] = (s[i] | 0x20) - 'a'
		}
	}
	return g.endings[last[0]][last[1]][last[2]]
}
