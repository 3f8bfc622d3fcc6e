package match

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// pairs looks for one factor eight places at a time: the words of eight bytes
// at the distances of its three rarest bytes are compared with those bytes at
// once, and a place where all agree is looked at closely. A letter in either
// case is compared with the case bit set. Where the processor has vectors of 32
// bytes they do the same.
type pairs struct {
	f      factor
	at     [3]int  // the distances
	bytes  [6]byte // the case bits, then the bytes
	last   int     // of the distances
	vector bool
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
	// maxPairs is how often the three bytes may agree for this to be worth it.
	maxPairs = 0.02
)

// newPairs gives nil when the factor has no bytes to look for this way.
func newPairs(f factor) *pairs {
	type place struct {
		at          int
		fold, value byte
		often       float64
	}
	var ps []place
	for i := range f {
		bs := f[i].set.bytes()
		switch {
		case len(bs) == 1:
			ps = append(ps, place{i, 0, bs[0], f[i].set.often()})
		case len(bs) == 2 && bs[0]|0x20 == bs[1] && bs[0] != bs[1]:
			ps = append(ps, place{i, 0x20, bs[1], f[i].set.often()})
		}
	}
	if len(ps) == 0 {
		return nil
	}
	slices.SortStableFunc(ps, func(x, y place) int {
		if x.often < y.often {
			return -1
		} else if x.often > y.often {
			return 1
		}
		return 0
	})
	p := 1.0
	for i := range min(3, len(ps)) {
		p *= ps[i].often
	}
	if p > maxPairs {
		return nil
	}
	for len(ps) < 3 {
		ps = append(ps, ps[0])
	}
	k := &pairs{f: f, vector: vectors}
	for i := range 3 {
		k.at[i], k.bytes[i], k.bytes[3+i] = ps[i].at, ps[i].fold, ps[i].value
	}
	k.last = slices.Max(k.at[:])
	return k
}

// block is how many places one turn of the loop looks at.
const block = 32

func (k *pairs) find(buf []byte, from int) int {
	if k.vector {
		return k.byVectors(buf, from)
	}
	return k.byWords(buf, from)
}

func (k *pairs) byVectors(buf []byte, i int) int {
	for {
		n := (len(buf) - k.last - i) &^ (block - 1)
		if n <= 0 {
			return k.rest(buf, i)
		}
		next := pairs32(&buf[i], n, &k.at, &k.bytes)
		if next < 0 {
			return k.rest(buf, i+n)
		}
		if i += next; k.f.at(buf, i) {
			return i
		}
		i++
	}
}

func (k *pairs) byWords(buf []byte, i int) int {
	every := func(i int) uint64 { return uint64(k.bytes[i]) * ones }
	fa, fb, fc, ga, gb, gc := every(0), every(1), every(2), every(3), every(4), every(5)
	for n := len(buf) - k.last - block; i <= n; i += block {
		// Three checks of bounds a turn, and none below.
		a := (*[block]byte)(buf[i+k.at[0]:])
		b := (*[block]byte)(buf[i+k.at[1]:])
		c := (*[block]byte)(buf[i+k.at[2]:])
		v0 := (word(a[0:8]) | fa) ^ ga | (word(b[0:8]) | fb) ^ gb | (word(c[0:8]) | fc) ^ gc
		v1 := (word(a[8:16]) | fa) ^ ga | (word(b[8:16]) | fb) ^ gb | (word(c[8:16]) | fc) ^ gc
		v2 := (word(a[16:24]) | fa) ^ ga | (word(b[16:24]) | fb) ^ gb | (word(c[16:24]) | fc) ^ gc
		v3 := (word(a[24:32]) | fa) ^ ga | (word(b[24:32]) | fb) ^ gb | (word(c[24:32]) | fc) ^ gc
		if zeroes(v0)|zeroes(v1)|zeroes(v2)|zeroes(v3) == 0 {
			continue
		}
		for j, v := range [...]uint64{v0, v1, v2, v3} {
			for t := zeroes(v); t != 0; t &= t - 1 {
				if at := i + 8*j + bits.TrailingZeros64(t)/8; k.f.at(buf, at) {
					return at
				}
			}
		}
	}
	return k.rest(buf, i)
}

// rest looks at every place from i on.
func (k *pairs) rest(buf []byte, i int) int {
	for ; i+len(k.f) <= len(buf); i++ {
		if k.f.at(buf, i) {
			return i
		}
	}
	return -1
}

func word(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// zeroes marks the bytes of v that are zero. The lowest is right; those above
// it may be false.
func zeroes(v uint64) uint64 { return (v - ones) &^ v & highs }
