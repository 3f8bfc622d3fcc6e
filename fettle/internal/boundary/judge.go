package boundary

import (
	"strings"

	"fettler/shared/config"
)

// step is one component of a real place below its tree's top.
type step struct {
	name string
	id   FileID // zero when nothing is there
}

// scope is a ScopeSpec resolved against the disk.
type scope struct {
	spec   ScopeSpec
	places []scopePlace
}

// scopePlace is one place a scope covers: its literal one, and where its path
// passes a link also the real one.
type scopePlace struct {
	tree   *Tree
	names  []string // as they were written
	folded []string
	id     FileID
	folder bool
}

// verdict is what may be done at a place.
type verdict struct {
	can    config.Permissions
	screen config.Categories
}

// judge decides a place: trail is its components below t's top, each with its
// identity where it exists. A name counts in full only where a side does not
// exist; elsewhere it takes away and never gives.
func (b *Boundary) judge(t *Tree, trail []step) verdict {
	if t.plain {
		return verdict{t.Can, t.Screen}
	}
	if t.within != nil { // a found tree never widens the declared one it lies in
		return b.judge(t.within, append(append([]step(nil), t.offset...), trail...))
	}
	if b.inClosed(t, trail) {
		return verdict{}
	}
	// A declared tree below this one governs from its top on.
	for i := len(trail) - 1; i >= 0; i-- {
		for _, d := range b.trees {
			if d != t && d.Found == "" && !trail[i].id.zero() && d.id == trail[i].id {
				return b.judgeIn(d, trail[i+1:], trail, i+1)
			}
		}
	}
	return b.judgeIn(t, trail, trail, 0)
}

// judgeIn applies the scopes. The deepest match decides; at equal depth the
// stricter. One that only a name matches makes stricter and never wider: what is
// there may be another file. Were it not to count, a copy into the scope's name in
// other letters would be screened until it is made. Depth counts in whole, whose
// first skip components lie above t.
func (b *Boundary) judgeIn(t *Tree, trail, whole []step, skip int) verdict {
	v := verdict{t.Can, t.Screen}
	canDepth, screenDepth := -1, -1
	var loose []looseScope
	for _, owner := range b.trees {
		for i := range owner.scopes {
			s := &owner.scopes[i]
			d, exact := s.depth(t, trail, b.fold)
			if d < 0 {
				continue
			}
			if !exact {
				loose = append(loose, looseScope{s, d})
				continue
			}
			if s.spec.CanSet {
				switch {
				case d > canDepth:
					v.can, canDepth = s.spec.Can, d
				case d == canDepth:
					v.can &= s.spec.Can
				}
			}
			if s.spec.ScreenSet {
				switch {
				case d > screenDepth:
					v.screen, screenDepth = s.spec.Screen, d
				case d == screenDepth:
					v.screen |= s.spec.Screen
				}
			}
		}
	}
	for _, l := range loose {
		if l.spec.CanSet && l.depth >= canDepth {
			v.can &= l.spec.Can
		}
		if l.spec.ScreenSet && l.depth >= screenDepth {
			v.screen |= l.spec.Screen
		}
	}
	return v
}

// looseScope is a scope that a place matches by its folded name alone.
type looseScope struct {
	*scope
	depth int
}

// depth is how many components of trail the scope's place has, or -1 when it
// does not contain the place. exact is false where only the names agree: folded,
// on a platform whose disks (fold) tell them apart, or between two that are
// there and are not the same, as when the folder was made anew meanwhile.
func (s *scope) depth(t *Tree, trail []step, fold bool) (best int, exact bool) {
	best = -1
	for _, p := range s.places {
		for i := len(trail); i > 0 && (i > best || i == best && !exact); i-- {
			st := trail[i-1]
			if !p.id.zero() && p.id == st.id {
				best, exact = i, true
				continue
			}
			if p.tree == t && i == len(p.folded) && foldedEqual(trail[:i], p.folded) {
				best, exact = i, (p.id.zero() || st.id.zero()) && (fold || sameNames(trail[:i], p.names))
			}
		}
	}
	return best, exact
}

func sameNames(trail []step, names []string) bool {
	for i, n := range names {
		if trail[i].name != n {
			return false
		}
	}
	return true
}

func foldedEqual(trail []step, folded []string) bool {
	for i, f := range folded {
		if Fold(trail[i].name) != f {
			return false
		}
	}
	return true
}

// mayHold reports whether a scope below trail could show something although
// the folder itself is hidden: such a folder is walked and not listed.
func (b *Boundary) mayHold(t *Tree, trail []step) bool {
	for _, owner := range b.trees {
		for i := range owner.scopes {
			s := &owner.scopes[i]
			if !s.spec.CanSet || !s.spec.Can.Has(config.List) {
				continue
			}
			for _, p := range s.places {
				if p.tree == t && len(p.folded) > len(trail) && foldedEqual(trail, p.folded[:len(trail)]) {
					return true
				}
			}
		}
	}
	return false
}

// inClosed reports whether the place lies in a closed folder. A found tree's
// own places are judged as that tree's before this is asked.
func (b *Boundary) inClosed(t *Tree, trail []step) bool {
	if len(b.closed) == 0 {
		return false
	}
	abs := Fold(joinReal(t.Real, trail))
	for _, c := range b.closed {
		if _, ok := below(c.path, abs, false); ok {
			return !b.inFound(trail)
		}
		if c.id.zero() {
			continue
		}
		for _, st := range trail {
			if st.id == c.id {
				return !b.inFound(trail)
			}
		}
	}
	return false
}

func (b *Boundary) inFound(trail []step) bool {
	for _, st := range trail {
		for _, f := range b.trees {
			if f.Found != "" && !st.id.zero() && f.id == st.id {
				return true
			}
		}
	}
	return false
}

// placeFoundTrees notes, for each found tree, the declared tree that contains it.
func (b *Boundary) placeFoundTrees() {
	for _, f := range b.trees {
		if f.Found == "" {
			continue
		}
		best := -1
		for _, d := range b.trees {
			if d.Found != "" {
				continue
			}
			names, ok := below(d.Real, f.Real, b.fold)
			if !ok || len(d.Real) <= best {
				continue
			}
			best, f.within, f.offset = len(d.Real), d, d.identify(names)
		}
	}
}

// isPlain reports whether every place in t is judged like its top.
func (b *Boundary) isPlain(t *Tree) bool {
	if t.within != nil || len(b.closed) > 0 && t.Found == "" && b.closedTouches(t) {
		return false
	}
	for _, o := range b.trees {
		for i := range o.scopes {
			for _, p := range o.scopes[i].places {
				if p.tree == t {
					return false
				}
			}
		}
		if o == t || o.Found != "" {
			continue
		}
		if _, ok := below(t.Real, o.Real, b.fold); ok {
			return false
		}
	}
	return true
}

func (b *Boundary) closedTouches(t *Tree) bool {
	top := Fold(t.Real)
	for _, c := range b.closed {
		if _, ok := below(top, c.path, false); ok {
			return true
		}
		if _, ok := below(c.path, top, false); ok {
			return true
		}
	}
	return false
}

func foldAll(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = Fold(n)
	}
	return out
}

func joinNames(top string, names []string) string {
	if len(names) == 0 {
		return top
	}
	return strings.TrimSuffix(top, "/") + "/" + strings.Join(names, "/")
}

func joinReal(top string, trail []step) string {
	names := make([]string, len(trail))
	for i, s := range trail {
		names[i] = s.name
	}
	return joinNames(top, names)
}
