package ops

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/glob"
	"fettler/fettle/internal/term"
	"fettler/fettle/internal/walk"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// maxLimit bounds what a caller may ask for in one answer.
const maxLimit = 100_000

// sweepInput is what find, search and replace have in common: which files of
// which tree.
type sweepInput struct {
	In               string
	Glob             string
	Exclude          []string
	IncludeGenerated bool
}

// sweep goes through one tree.
type sweep struct {
	s    *Session
	tree *boundary.Tree
	top  *boundary.Dir
	o    walk.Options
	// screened says that something somewhere is screened, so that files have
	// to be asked one by one.
	screened bool
	skips    skips
}

// Excluded is what generated folders hold: a sweep does not go into them
// unless asked, and says so.
type Excluded struct {
	Count   int64    `json:"count"`
	Folders []string `json:"folders"`
}

// Skip is what could not be looked at, and why.
type Skip struct {
	Reason string   `json:"reason"`
	Count  int64    `json:"count"`
	Paths  []string `json:"paths"` // the first of them
}

// newSweep resolves the tree and the globs. Close it.
func newSweep(s *Session, in sweepInput) (*sweep, error) {
	if len(in.Exclude) > 100 {
		return nil, outcome.New(outcome.Invalid, "%d globs to exclude were given; a call takes 100", len(in.Exclude))
	}
	tree, pattern, err := s.treeOf(in.In, in.Glob)
	if err != nil {
		return nil, err
	}
	t, err := s.Boundary.In(tree)
	if err != nil {
		return nil, err
	}
	w := &sweep{s: s, tree: t, screened: anyScreen(s.Boundary)}
	w.skips.spell = func(rel string) string { return s.Boundary.Spell(t, rel) }
	if pattern != "" {
		if w.o.Glob, err = glob.Compile(pattern); err != nil {
			return nil, err
		}
	}
	for _, e := range in.Exclude {
		other, e, err := s.treeOf("", e)
		if err != nil {
			return nil, err
		}
		if other != "" && !strings.EqualFold(other, t.Name) {
			continue // it leaves out something of another tree
		}
		g, err := glob.Compile(e)
		if err != nil {
			return nil, err
		}
		w.o.Exclude = append(w.o.Exclude, g)
	}
	if !in.IncludeGenerated {
		w.o.Generated = s.Config.Tools.SkippedFolders()
	}
	w.o.Workers = min(max(runtime.GOMAXPROCS(0), 1), 16)
	p, err := s.Boundary.Locate(".", config.List, t.Name)
	if err != nil {
		return nil, err
	}
	w.top, err = s.Boundary.OpenDir(p)
	return w, err
}

func (w *sweep) Close() { w.top.Close() }

// treeOf takes the name of an open tree off a glob that is written as answers
// write paths.
func (s *Session) treeOf(in, pattern string) (tree, rest string, err error) {
	name, rest, ok := strings.Cut(pattern, ":")
	if !ok || len(name) < 2 || s.Boundary.Tree(name) == nil {
		return in, pattern, nil
	}
	if in != "" && !strings.EqualFold(in, name) {
		return "", "", outcome.New(outcome.Invalid, "the glob '%s' is of another tree than %s, which names %s", pattern, s.argument("in"), in)
	}
	if rest == "" {
		rest = "**"
	}
	return name, rest, nil
}

func anyScreen(b *boundary.Boundary) bool {
	for _, t := range b.Trees() {
		if t.Screen != 0 {
			return true
		}
		for _, s := range t.Scopes {
			if s.Screen != 0 {
				return true
			}
		}
	}
	return false
}

// screen says what is screened at an entry.
func (w *sweep) screen(e walk.Entry) (config.Categories, error) {
	if !w.screened {
		return 0, nil
	}
	_, c, err := e.Dir.Judge(e.Name)
	return c, err
}

// walk visits, and tells what was not visited.
func (w *sweep) walk(ctx context.Context, visit func(worker int, e walk.Entry) error) (Excluded, error) {
	r, err := walk.Walk(ctx, w.top, w.o, visit)
	for _, sk := range r.Skipped {
		w.skips.add(skipReason(sk.Err), sk.Rel)
	}
	if n := r.Failed - int64(len(r.Skipped)); n > 0 && len(r.Skipped) > 0 {
		w.skips.more(skipReason(r.Skipped[0].Err), n)
	}
	e := Excluded{Count: r.Excluded, Folders: r.Met}
	if e.Folders == nil {
		e.Folders = []string{}
	}
	return e, err
}

// hint says why a glob may have named nothing.
func (w *sweep) hint() []string {
	g := w.o.Glob
	if g == nil {
		return nil
	}
	if p, err := w.s.Boundary.LocateEntry(g.String(), config.List, w.tree.Name); err == nil && p.Screen == 0 && p.Exists && p.Info.Mode.IsDir() {
		return []string{fmt.Sprintf("'%s' is a folder; '%s/**' names what is in it", p.Spell(), strings.TrimRight(g.String(), "/"))}
	}
	if g.Shallow() {
		return []string{fmt.Sprintf("the glob '%s' names what lies at the tree's top; '**/%s' names it at any depth", g, g)}
	}
	return nil
}

// skipReason is why an entry could not be looked at, in a few words.
func skipReason(err error) string {
	var o *outcome.Error
	switch {
	case errors.As(err, &o) && o.Kind == outcome.Refused:
		return "it may not be read here"
	case errors.Is(err, fs.ErrPermission):
		return "the operating system declined"
	case errors.Is(err, boundary.ErrNotRegular):
		return "not a regular file"
	}
	return "it could not be read: " + outcome.Of(err).Message
}

// skips counts what was left off by reason. Several goroutines add to it.
type skips struct {
	mu    sync.Mutex
	spell func(rel string) string
	m     map[string]*Skip
}

// shownSkips is how many paths a reason names.
const shownSkips = 5

// add keeps the first paths in order, whatever order they come in.
func (s *skips) add(reason, rel string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.get(reason)
	k.Count++
	p := s.spell(rel)
	i, _ := slices.BinarySearch(k.Paths, p)
	if i < shownSkips {
		k.Paths = slices.Insert(k.Paths, i, p)
		k.Paths = k.Paths[:min(len(k.Paths), shownSkips)]
	}
}

func (s *skips) more(reason string, n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.get(reason).Count += n
}

func (s *skips) get(reason string) *Skip {
	if s.m == nil {
		s.m = map[string]*Skip{}
	}
	k := s.m[reason]
	if k == nil {
		k = &Skip{Reason: reason}
		s.m[reason] = k
	}
	return k
}

func (s *skips) list() []Skip {
	var out []Skip
	for _, k := range s.m {
		out = append(out, *k)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Reason < out[j].Reason })
	return out
}

// humanSkips prints what was left off.
func humanSkips(w io.Writer, what string, list []Skip) {
	for _, k := range list {
		var names []string
		for _, p := range k.Paths {
			names = append(names, term.Escape(p))
		}
		if k.Count > int64(len(k.Paths)) {
			names = append(names, "...")
		}
		fmt.Fprintf(w, "not %s: %d (%s): %s\n", what, k.Count, k.Reason, strings.Join(names, ", "))
	}
}

// human is the part of a count line that says what was not gone into.
func (e Excluded) human() string {
	if e.Count == 0 {
		return ""
	}
	names := make([]string, len(e.Folders))
	for i, f := range e.Folders {
		names[i] = term.Escape(f)
	}
	return fmt.Sprintf("%d excluded: %s - pass --include-generated", e.Count, strings.Join(names, ", "))
}

// limitOf checks a limit; 0 asks for the usual one.
func (s *Session) limitOf(asked int64, usual int) (int, error) {
	switch {
	case asked == 0:
		return usual, nil
	case asked < 0 || asked > maxLimit:
		return 0, outcome.New(outcome.Invalid, "%s is a number from 1 to %d; it is %d", s.argument("limit"), maxLimit, asked)
	}
	return int(asked), nil
}
