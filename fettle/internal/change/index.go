package change

import (
	"encoding/binary"
	"strings"
)

// An index finds the anchors of many edits in one pass over the text, where
// looking for each on its own would read the text once an edit.
type index map[string][]int

const (
	// fewEdits are looked for one by one.
	fewEdits = 8
	// window is how many bytes of an anchor the pass compares at a time.
	window = 8
	slots  = 1 << 16
	// longest bounds what is compared at a place, and most the places of one
	// anchor: what goes beyond is looked for on its own, in one go.
	longest = 256
	most    = 10_000
)

// wanted is an anchor, known by the window at offset.
type wanted struct {
	anchor string
	offset int
}

// newIndex gives the places of each anchor that is long enough, in order and
// also where they overlap.
func newIndex(text string, anchors []string) index {
	ix := index{}
	byWindow := map[uint64][]wanted{}
	var seen [slots / 64]uint64
	for _, a := range anchors {
		if _, known := ix[a]; known || len(a) < window || len(a) > longest {
			continue
		}
		ix[a] = nil
		w := wanted{a, rareWindow(a)}
		key := load(a, w.offset)
		byWindow[key] = append(byWindow[key], w)
		h := slot(key)
		seen[h/64] |= 1 << (h % 64)
	}
	if len(ix) == 0 {
		return nil
	}
	for i := 0; i+window <= len(text); i++ {
		key := load(text, i)
		h := slot(key)
		if seen[h/64]&(1<<(h%64)) == 0 {
			continue
		}
		for _, w := range byWindow[key] {
			if at := i - w.offset; at >= 0 && len(ix[w.anchor]) <= most && strings.HasPrefix(text[at:], w.anchor) {
				ix[w.anchor] = append(ix[w.anchor], at)
			}
		}
	}
	for a, places := range ix {
		if len(places) > most {
			delete(ix, a)
		}
	}
	return ix
}

func load(s string, i int) uint64 { return binary.LittleEndian.Uint64([]byte(s[i : i+window])) }

func slot(key uint64) uint64 { return key * 0x9E3779B97F4A7C15 >> 48 }

// rareWindow picks a window that is unlikely to be everywhere: the one with
// most kinds of bytes, white space not counting.
func rareWindow(a string) int {
	best, most := 0, -1
	for i := 0; i+window <= len(a) && i < 64; i++ {
		n := 0
		for k := i; k < i+window; k++ {
			if a[k] > ' ' && strings.IndexByte(a[i:k], a[k]) < 0 {
				n++
			}
			if a[k] >= '0' && a[k] <= '9' {
				n++ // digits tell lines apart that are otherwise alike
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	return best
}

// places gives where a is in text[from:to]: with all the ones that do not
// overlap, from the left, otherwise also those that do, up to severalPlaces.
func (r *resolver) places(a string, from, to int, all bool) (at []int) {
	next := from
	take := func(p int) bool {
		if p < next || r.splitsEnding(p, p+len(a)) {
			return true
		}
		at = append(at, p)
		next = p + 1
		if all {
			next = p + len(a)
		}
		return all && len(at) <= mostPlaces || len(at) < severalPlaces
	}
	if places, ok := r.index[a]; ok {
		for _, p := range places {
			if p+len(a) <= to && !take(p) {
				break
			}
		}
		return at
	}
	for p := from; p <= to; p = max(p+1, next) {
		k := strings.Index(r.text[p:to], a)
		if k < 0 {
			break
		}
		if p += k; !take(p) {
			break
		}
	}
	return at
}
