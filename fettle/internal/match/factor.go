package match

import (
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// A factor is a run of byte sets; of a list of them, every matching line holds
// at least one. They are looked for before anything else is run, so they may
// say more than the expression does, and never less.

const (
	maxAlternatives = 4096
	maxFactor       = 32
)

// spot is one position of a factor. A character that matches under folding but
// is encoded at another length cannot stand in it: odd holds such encodings,
// each of which becomes a factor of its own.
type spot struct {
	set byteSet
	odd []string
}

type factor []spot

// facts is what is known of an expression's matches.
type facts struct {
	exact  []factor // nil unless every match is one of these
	prefix []factor // every match begins with one of these; nil for nothing known
	suffix []factor // and ends with one of these
	best   []factor // and holds one of these
}

// factorsOf gives the best factors of an expression, and the encodings that
// stand at no position of them and count as factors too. Both are nil when the
// expression has none, or only such as nearly every line holds.
func factorsOf(re *syntax.Regexp) (fs []factor, odd []string) {
	f := analyse(re)
	fs = prune(better(f.best, f.exact))
	for i := range fs {
		fs[i] = plainer(fs[i])
	}
	if fs == nil || often(fs) > maxOften {
		return nil, nil
	}
	seen := map[string]bool{}
	for _, f := range fs {
		for _, s := range f {
			for _, o := range s.odd {
				if !seen[o] {
					seen[o] = true
					odd = append(odd, o)
				}
			}
		}
	}
	return fs, odd
}

const (
	// maxOften is how often a factor may occur to be worth looking for.
	maxOften = 0.02
	// rare is how rare a part of a factor must be to do for the whole.
	rare = 1e-6
)

// plainer gives a part of f without odd encodings when one is rare enough by
// itself: looking for those costs a pass of its own.
func plainer(f factor) factor {
	best := f
	for i := 0; i < len(f); {
		j := i
		for j < len(f) && f[j].odd == nil {
			j++
		}
		if part := f[i:j]; j > i && j-i < len(f) && often([]factor{part}) < rare && (len(best) == len(f) || len(part) > len(best)) {
			best = part
		}
		i = j + 1
	}
	return best
}

// prune drops factors that hold another one.
func prune(fs []factor) []factor {
	if len(fs) < 2 || len(fs) > 256 {
		return fs
	}
	var out []factor
	for i, f := range fs {
		held := false
		for j, g := range fs {
			if i != j && holds(f, g) && (len(g) < len(f) || j < i) {
				held = true
				break
			}
		}
		if !held {
			out = append(out, f)
		}
	}
	return out
}

// holds reports whether every text of f has one of g in it.
func holds(f, g factor) bool {
	for i := 0; i+len(g) <= len(f); i++ {
		all := true
		for j := range g {
			u := g[j].set
			u.union(&f[i+j].set)
			if u != g[j].set || len(f[i+j].odd) != len(g[j].odd) {
				all = false
				break
			}
		}
		if all {
			return true
		}
	}
	return false
}

// often estimates how many of a text's places begin one of the factors.
func often(fs []factor) float64 {
	var sum float64
	for _, f := range fs {
		p := 1.0
		for _, s := range f {
			p *= s.set.often()
			for range s.odd {
				sum += 1e-5
			}
		}
		sum += p
	}
	return sum
}

// better gives the rarer of two lists of factors; nil, or one with an empty
// factor, is no list.
func better(a, b []factor) []factor {
	a, b = usable(a), usable(b)
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case often(b) < often(a):
		return b
	}
	return a
}

func usable(fs []factor) []factor {
	for _, f := range fs {
		if len(f) == 0 {
			return nil
		}
	}
	if len(fs) == 0 {
		return nil
	}
	return fs
}

var nothing = []factor{{}}

func analyse(re *syntax.Regexp) facts {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpBeginText, syntax.OpEndLine, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return facts{exact: nothing, prefix: nothing, suffix: nothing}
	case syntax.OpLiteral:
		return analyseLiteral(re)
	case syntax.OpCharClass:
		return analyseClass(re.Rune)
	case syntax.OpCapture:
		return analyse(re.Sub[0])
	case syntax.OpPlus:
		f := analyse(re.Sub[0])
		f.best = better(f.best, f.exact)
		f.exact = nil
		return f
	case syntax.OpQuest:
		f := analyse(re.Sub[0])
		if f.exact == nil {
			return facts{}
		}
		e := join(f.exact, nothing)
		return facts{exact: e, prefix: e, suffix: e}
	case syntax.OpConcat:
		return analyseConcat(re.Sub)
	case syntax.OpAlternate:
		return analyseAlternate(re.Sub)
	}
	return facts{}
}

func analyseLiteral(re *syntax.Regexp) facts {
	var all factor
	for _, r := range re.Rune {
		f := runeFactor(foldRanges(r, re.Flags&syntax.FoldCase != 0))
		if f == nil {
			return facts{}
		}
		all = append(all, f...)
	}
	if len(all) > maxFactor {
		// A long literal is one factor; its rarest part will do.
		return facts{best: []factor{rarest(all, maxFactor)}}
	}
	runs := []factor{all}
	return facts{exact: runs, prefix: runs, suffix: runs}
}

// rarest gives the n spots in a row that are least likely together.
func rarest(f factor, n int) factor {
	best := f[:n]
	for i := 1; i+n <= len(f); i++ {
		if often([]factor{f[i : i+n]}) < often([]factor{best}) {
			best = f[i : i+n]
		}
	}
	return best
}

// runeFactor gives the encodings of a few runes as one factor: spots that hold
// what most of them have, the others odd.
func runeFactor(ranges []rune) factor {
	if utf8.RuneError >= ranges[0] && utf8.RuneError <= ranges[1] {
		return nil // a byte that is not UTF-8 matches it too
	}
	n := utf8.RuneLen(ranges[0])
	if n < 0 {
		return nil
	}
	f := make(factor, n)
	var odd []string
	for i := 0; i < len(ranges); i += 2 {
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			var b [utf8.UTFMax]byte
			m := utf8.EncodeRune(b[:], r)
			if m != n {
				odd = append(odd, string(b[:m]))
				continue
			}
			for j := range m {
				f[j].set.add(b[j])
			}
		}
	}
	f[0].odd = odd
	return f
}

// maxClass is how many runes beside ASCII a class may have to be spelled out.
const maxClass = 8

func analyseClass(rs []rune) facts {
	var ascii, first, last byteSet
	var odd []string
	few := true
	for i := 0; i+1 < len(rs); i += 2 {
		lo, hi := rs[i], rs[i+1]
		if lo < utf8.RuneSelf {
			ascii.addRange(byte(lo), byte(min(hi, utf8.RuneSelf-1)))
			lo = utf8.RuneSelf
		}
		if lo > hi {
			continue
		}
		if int(hi-lo)+1+len(odd) > maxClass || lo <= unicode.ReplacementChar && unicode.ReplacementChar <= hi {
			few = false
		}
		for r := lo; few && r <= hi; r++ {
			odd = append(odd, string(r))
		}
	}
	if few && ascii != (byteSet{}) {
		e := []factor{{spot{ascii, odd}}}
		return facts{exact: e, prefix: e, suffix: e}
	}
	first, last = ascii, ascii
	first.addRange(0x80, 0xFF)
	last.addRange(0x80, 0xFF)
	return facts{prefix: []factor{{spot{set: first}}}, suffix: []factor{{spot{set: last}}}}
}

func analyseAlternate(subs []*syntax.Regexp) facts {
	f := analyse(subs[0])
	best := better(f.best, f.exact)
	for _, s := range subs[1:] {
		g := analyse(s)
		best = both(best, better(g.best, g.exact))
		f = facts{exact: both(f.exact, g.exact), prefix: both(f.prefix, g.prefix), suffix: both(f.suffix, g.suffix)}
	}
	f.best = best
	return f
}

// both joins two lists where both are known.
func both(a, b []factor) []factor {
	if a == nil || b == nil || len(a)+len(b) > maxAlternatives {
		return nil
	}
	return join(a, b)
}

func join(a, b []factor) []factor { return append(a[:len(a):len(a)], b...) }

// maxCross bounds the lists that following one another makes.
const maxCross = 64

// cross gives every factor of a followed by every one of b, or nil when that
// is too much.
func cross(a, b []factor) []factor {
	if a == nil || b == nil || len(a)*len(b) > maxCross && len(a) > 1 && len(b) > 1 || len(a)*len(b) > maxAlternatives {
		return nil
	}
	var out []factor
	for _, x := range a {
		for _, y := range b {
			out = append(out, append(x[:len(x):len(x)], y...))
		}
	}
	return out
}

func analyseConcat(subs []*syntax.Regexp) facts {
	f := facts{}
	run := nothing // what every match holds up to here, ending here
	whole := true  // run is everything up to here
	for _, s := range subs {
		g := analyse(s)
		if joined := cross(run, g.exact); joined != nil && shortEnough(joined) {
			run = joined
			continue
		}
		if whole {
			f.prefix = run
			if p := cross(run, g.prefix); p != nil {
				f.prefix = p
			}
			whole = false
		}
		f.best = better(f.best, run)
		if p := cross(run, g.prefix); p != nil {
			f.best = better(f.best, p)
		}
		f.best = better(better(f.best, g.best), g.exact)
		// What the next one follows.
		switch grown := repeats(run, s); {
		case grown != nil:
			run = grown
		case g.exact != nil:
			run = g.exact
		case g.suffix != nil:
			run = g.suffix
		default:
			run = nothing
		}
		if !shortEnough(run) {
			run = nothing
		}
	}
	if whole {
		return facts{exact: run, prefix: run, suffix: run, best: f.best}
	}
	f.suffix = run
	f.best = better(f.best, run)
	return f
}

func shortEnough(fs []factor) bool {
	for _, f := range fs {
		if len(f) > maxFactor {
			return false
		}
	}
	return true
}

// repeats gives what ends here when s is X* or X+ and what came before ended
// in a row of X: that row, and one more for X+.
func repeats(run []factor, s *syntax.Regexp) []factor {
	if s.Op != syntax.OpStar && s.Op != syntax.OpPlus {
		return nil
	}
	sub := s.Sub[0]
	for sub.Op == syntax.OpCapture {
		sub = sub.Sub[0]
	}
	if sub.Op != syntax.OpLiteral && sub.Op != syntax.OpCharClass {
		return nil // no row of one thing; and analyse has been there
	}
	x := analyse(sub).exact
	if len(x) != 1 || len(x[0]) != 1 {
		return nil
	}
	least := maxFactor
	for _, f := range run {
		n := 0
		for n < len(f) && f[len(f)-1-n].set == x[0][0].set {
			n++
		}
		least = min(least, n)
	}
	if s.Op == syntax.OpPlus {
		least++
	}
	if least == 0 {
		return nil
	}
	var out factor
	for range min(least, maxFactor) {
		out = append(out, x[0][0])
	}
	return []factor{out}
}
