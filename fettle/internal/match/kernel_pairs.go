package match

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// pairs looks for one factor eight places at a time: the words of eight bytes
// at the distances of its three rarest bytes are compared with those bytes at
// once, and a place where all agree is looked at closely. A letter in either
// case is compared with the case bit set.
type pairs struct {
	f          factor
	a, b, c    int    // the distances
	fa, fb, fc uint64 // the case bits
	ga, gb, gc uint64 // the bytes
	last       int    // of the distances
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
	k := &pairs{f: f, a: ps[0].at, b: ps[1].at, c: ps[2].at}
	k.fa, k.ga = uint64(ps[0].fold)*ones, uint64(ps[0].value)*ones
	k.fb, k.gb = uint64(ps[1].fold)*ones, uint64(ps[1].value)*ones
	k.fc, k.gc = uint64(ps[2].fold)*ones, uint64(ps[2].value)*ones
	k.last = max(k.a, k.b, k.c)
	return k
}

func (k *pairs) find(buf []byte, from int) int {
	i := from
	n := len(buf) - k.last - 8 // the last place at which eight can be compared
	if n >= i {
		// Equal lengths let the compiler see that one check does for all three.
		xa, xb, xc := buf[k.a:], buf[k.b:], buf[k.c:]
		for ; i <= n; i += 8 {
			v := (binary.LittleEndian.Uint64(xa[i:]) | k.fa) ^ k.ga |
				(binary.LittleEndian.Uint64(xb[i:]) | k.fb) ^ k.gb |
				(binary.LittleEndian.Uint64(xc[i:]) | k.fc) ^ k.gc
			// The lowest byte that is zero shows; those above it may be false.
			for t := (v - ones) &^ v & highs; t != 0; t &= t - 1 {
				if at := i + bits.TrailingZeros64(t)/8; k.f.at(buf, at) {
					return at
				}
			}
		}
	}
	for ; i+len(k.f) <= len(buf); i++ {
		if k.f.at(buf, i) {
			return i
		}
	}
	return -1
}
