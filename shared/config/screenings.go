package config

import (
	"fmt"
	"strings"
)

// screeningsPart is a file's screenings section before its keys are compared
// with the trees.
type screeningsPart struct {
	models string
	screen []screenPart
}

type screenPart struct {
	ScreenEntry
	src     *source
	off     int
	machine bool
}

func (p *part) readScreenings(n *node) error {
	if err := p.src.object(n, `"screenings"`, "models", "screen"); err != nil {
		return err
	}
	p.screenings = &screeningsPart{}
	if models := n.get("models"); models != nil {
		var err error
		if p.screenings.models, err = p.path(models, `"models"`); err != nil {
			return err
		}
	}
	screen := n.get("screen")
	if screen == nil {
		return nil
	}
	if err := p.src.object(screen, `"screen"`); err != nil {
		return err
	}
	for _, m := range screen.members {
		if err := p.readScreen(m); err != nil {
			return err
		}
	}
	return nil
}

func (p *part) readScreen(m member) error {
	tree, scope, deep := strings.Cut(m.key, "/")
	if tree == "" {
		return p.src.says(m.off, `has a "screen" key that names no tree. Write the tree name first.`)
	}
	e := screenPart{ScreenEntry: ScreenEntry{Tree: tree, File: p.src.file}, src: p.src, off: m.off}
	if strings.Contains(tree, `\`) {
		return p.src.refuse(m.off, `the "screen" key %q holds a backslash. Write the tree name, a slash and the scope path with forward slashes`, m.key)
	}
	if deep {
		var err error
		if e.Scope, err = inside(scope); err != nil {
			return p.src.because(m.off, fmt.Sprintf(`the "screen" key %q`, m.key), err)
		}
	}
	for _, other := range p.screenings.screen {
		if sameKey(other.ScreenEntry, e.ScreenEntry) {
			return p.src.refuse(m.off, `the "screen" keys %q and %q name one place. Keep one`, other.Key(), m.key)
		}
	}
	var err error
	if e.Categories, err = p.categories(m.value, m.key); err != nil {
		return err
	}
	p.screenings.screen = append(p.screenings.screen, e)
	return nil
}

// sameKey compares as trees are: names without case, scopes as written.
func sameKey(a, b ScreenEntry) bool {
	return strings.EqualFold(a.Tree, b.Tree) && a.Scope == b.Scope
}

func (p *part) categories(n *node, key string) (Categories, error) {
	what := fmt.Sprintf("screen %q", key)
	switch n.kind {
	case 't':
		return All, nil
	case 'f':
		return None, nil
	case '[':
	default:
		return 0, p.src.refuse(n.off, "%s is %s and must be true, false or a list of category words: %s", what, n.kindName(), strings.Join(categoryWords[:], ", "))
	}
	words, err := p.src.strings(n, what)
	if err != nil {
		return 0, err
	}
	for i, w := range words {
		if _, err := parseCategory(strings.TrimPrefix(w, "-")); err != nil {
			return 0, p.src.because(n.elems[i].off, what, err)
		}
	}
	c, err := ParseCategories(words)
	if err != nil {
		return 0, p.src.because(n.off, what, err)
	}
	return c, nil
}

// bind compares the keys with the declared trees; guardrails that are off
// declare one, work, with no scopes. A key of the machine file speaks of every
// project, so one for a tree this project lacks is said and skipped.
func (s *Screenings) bind(entries []screenPart, g *Guardrails) (notes []string, err error) {
	trees := []Tree{{Name: "work"}}
	if g != nil {
		trees = g.Trees
	}
	for _, e := range entries {
		t, scope := match(e.ScreenEntry, trees)
		switch {
		case t != nil && scope:
			e.Tree = t.Name
			s.Screen = append(s.Screen, e.ScreenEntry)
		case e.machine:
			notes = append(notes, fmt.Sprintf("%s screens %s, which this project does not declare; that entry is skipped here", e.File, e.Key()))
		case t == nil && g == nil:
			return nil, e.src.refuse(e.off, `the "screen" key %q names no declared tree. Guardrails are off, so the one tree is: work`, e.Key())
		case t == nil:
			return nil, e.src.refuse(e.off, `the "screen" key %q names no declared tree. The trees are: %s`, e.Key(), strings.Join(treeNames(trees), ", "))
		case g == nil:
			return nil, e.src.refuse(e.off, `the "screen" key %q names a scope, and scopes are declared under guardrails, which are off. Screen %q, or declare the tree and its scope`, e.Key(), t.Name)
		case len(t.Scopes) == 0:
			return nil, e.src.refuse(e.off, `the "screen" key %q names a scope, and tree '%s' declares none. Declare %q under its "scopes"`, e.Key(), t.Name, e.Scope)
		default:
			return nil, e.src.refuse(e.off, `the "screen" key %q names no scope of tree '%s'. Its scopes are: %s`, e.Key(), t.Name, strings.Join(scopePaths(t.Scopes), ", "))
		}
	}
	return notes, nil
}

func match(e ScreenEntry, trees []Tree) (tree *Tree, scope bool) {
	for i := range trees {
		t := &trees[i]
		if !strings.EqualFold(t.Name, e.Tree) {
			continue
		}
		if e.Scope == "" {
			return t, true
		}
		for _, s := range t.Scopes {
			if s.Path == e.Scope {
				return t, true
			}
		}
		return t, false
	}
	return nil, false
}

func treeNames(trees []Tree) []string {
	names := make([]string, len(trees))
	for i, t := range trees {
		names[i] = t.Name
	}
	return names
}

func scopePaths(scopes []Scope) []string {
	paths := make([]string, len(scopes))
	for i, s := range scopes {
		paths[i] = s.Path
	}
	return paths
}

// Of says what is screened in a tree, or in a scope of it, and whether an
// entry says so. It looks at that entry only; the boundary decides which
// entry covers a place.
func (s *Screenings) Of(tree, scope string) (Categories, bool) {
	if s == nil {
		return None, false
	}
	for _, e := range s.Screen {
		if strings.EqualFold(e.Tree, tree) && e.Scope == scope {
			return e.Categories, true
		}
	}
	return None, false
}
