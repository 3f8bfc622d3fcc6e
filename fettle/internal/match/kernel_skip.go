package match

// Many factors, or one of sets, are looked for through a window of the
// shortest's length that moves on by as much as what is seen in it allows.

const (
	maxWindow = 8  // of skipper
	maxSets   = 64 // of sets: the bits of a word
	wideSpot  = 12 // bytes in a spot beyond which pairs of bytes tell little
)

// newSkipper gives nil when the factors are too short to skip anything.
func newSkipper(fs []factor) finder {
	m := maxSets
	for _, f := range fs {
		m = min(m, len(f))
	}
	if m < 2 {
		return nil
	}
	n := min(m, maxWindow)
	windows := make([]factor, len(fs))
	wide := false
	for i, f := range fs {
		windows[i] = rarest(f, n)
		for _, s := range windows[i] {
			wide = wide || s.set.size() > wideSpot
		}
	}
	if !wide {
		return newSkip(windows)
	}
	if m < 4 || len(fs) > 16 {
		return nil
	}
	for i, f := range fs {
		windows[i] = rarest(f, m)
	}
	return newSets(windows)
}

// skip is Wu and Manber's way for many factors: the last two bytes of the
// window say how far it can move, or which factors may stand in it.
type skip struct {
	m     int
	shift [1 << 16]uint8
	which [1 << 16]uint16 // 1 + index into lists
	lists [][]factor
}

func newSkip(windows []factor) *skip {
	k := &skip{m: len(windows[0])}
	for i := range k.shift {
		k.shift[i] = uint8(k.m - 1)
	}
	for _, w := range windows {
		for j := 0; j+1 < k.m; j++ {
			for _, x := range w[j].set.bytes() {
				for _, y := range w[j+1].set.bytes() {
					at := int(x) | int(y)<<8
					k.shift[at] = min(k.shift[at], uint8(k.m-2-j))
					if j == k.m-2 {
						if k.which[at] == 0 {
							k.lists = append(k.lists, nil)
							k.which[at] = uint16(len(k.lists))
						}
						l := &k.lists[k.which[at]-1]
						*l = append(*l, w)
					}
				}
			}
		}
	}
	return k
}

func (k *skip) find(buf []byte, from int) int {
	for i := from + k.m - 2; i+1 < len(buf); {
		at := uint16(buf[i]) | uint16(buf[i+1])<<8
		if s := k.shift[at]; s > 0 {
			i += int(s)
			continue
		}
		start := i + 2 - k.m
		for _, w := range k.lists[k.which[at]-1] {
			if w.at(buf, start) {
				return start
			}
		}
		i++
	}
	return -1
}

// sets is the backward automaton of bits (BNDM) over factors of any sets: the
// window is read from its end as long as what was read occurs in a factor.
type sets struct {
	m       int
	bits    [256]uint64 // bit m-1-j: the byte may stand at j
	windows []factor
}

func newSets(windows []factor) *sets {
	k := &sets{m: len(windows[0]), windows: windows}
	for _, w := range windows {
		for j := range k.m {
			for _, b := range w[j].set.bytes() {
				k.bits[b] |= 1 << (k.m - 1 - j)
			}
		}
	}
	return k
}

func (k *sets) find(buf []byte, from int) int {
	top := uint64(1) << (k.m - 1)
	for i := from; i+k.m <= len(buf); {
		window := buf[i : i+k.m]
		move := k.m
		d := ^uint64(0) >> (64 - k.m)
		for j := k.m - 1; j >= 0; j-- {
			if d &= k.bits[window[j]]; d == 0 {
				break
			}
			if d&top != 0 { // what was read begins a factor
				if j == 0 {
					for _, w := range k.windows {
						if w.at(buf, i) {
							return i
						}
					}
					break
				}
				move = j
			}
			d <<= 1
		}
		i += move
	}
	return -1
}
