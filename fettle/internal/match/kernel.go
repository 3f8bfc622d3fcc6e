package match

import "bytes"

// finder looks for factors: find gives where one begins that begins at from or
// behind it, none lying on an earlier line, or -1.
type finder interface {
	find(buf []byte, from int) int
}

// newFinder picks the way to look for factors, nil when none is worth it.
func newFinder(fs []factor, odd []string) finder {
	var f finder
	if len(fs) == 1 {
		if s := newPairs(fs[0]); s != nil {
			f = s
		}
	}
	if f == nil {
		f = newSkipper(fs)
	}
	if f != nil && len(odd) > 0 {
		f = &alongside{finder: f, odd: odd, next: make([]int, len(odd))}
	}
	return f
}

// alongside looks for encodings beside another finder. start is called when
// the buffer is another.
type alongside struct {
	finder
	odd  []string
	next []int // where each stands next, below 0 when that is not known
}

func (a *alongside) start() {
	for i := range a.next {
		a.next[i] = -1
	}
}

func (a *alongside) find(buf []byte, from int) int {
	best := a.finder.find(buf, from)
	for i, o := range a.odd {
		if a.next[i] < from {
			a.next[i] = len(buf)
			if at := bytes.Index(buf[from:], []byte(o)); at >= 0 {
				a.next[i] = from + at
			}
		}
		if at := a.next[i]; at < len(buf) && (best < 0 || at < best) {
			best = at
		}
	}
	return best
}

// findPlainly is the twin of every finder.
func findPlainly(fs []factor, odd []string, buf []byte, from int) int {
	for i := from; i < len(buf); i++ {
		for _, f := range fs {
			if f.at(buf, i) {
				return i
			}
		}
		for _, o := range odd {
			if bytes.HasPrefix(buf[i:], []byte(o)) {
				return i
			}
		}
	}
	return -1
}

// at reports whether f stands at i.
func (f factor) at(buf []byte, i int) bool {
	if i < 0 || i+len(f) > len(buf) {
		return false
	}
	for j := range f {
		if !f[j].set.has(buf[i+j]) {
			return false
		}
	}
	return true
}
