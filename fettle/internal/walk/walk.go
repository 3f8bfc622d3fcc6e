// Package walk goes through a tree's folders and calls back for what a glob
// names.
//
// Call Walk with an open folder and a visit function; it is called from as
// many goroutines as Options.Workers says, each with its own number, in no
// order: sort what you keep. Folders are opened one from another's handle and
// links are never followed, so there are no cycles and no way out. What it
// holds is the folders between the top and where it stands, whatever the size
// of the tree.
//
// It judges nothing itself: the boundary's Dir leaves hidden entries out.
package walk

import (
	"context"
	"errors"
	"io/fs"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/glob"
	"fettler/shared/config"
)

// Options say what is visited.
type Options struct {
	Glob    *glob.Glob   // nil is everything
	Exclude []*glob.Glob // left out without being counted
	// Generated are names of folders that are not gone into. The files below
	// them are counted.
	Generated []string
	Folders   bool // visit folders as well as what lies in them
	Workers   int  // at least 1
}

// Entry is what is visited: an entry of Dir called Name.
type Entry struct {
	Dir  *boundary.Dir // open until visit returns; other goroutines use it too
	Name string
	Rel  string // below the walk's top
	Type fs.FileMode
}

// Skipped is a folder that could not be listed.
type Skipped struct {
	Rel string // below the walk's top, "" for the top
	Err error
}

// Result is what was not visited.
type Result struct {
	Excluded int64     // files below generated folders
	Met      []string  // names of the generated folders that were met, in the order they are shown
	Skipped  []Skipped // ordered; the first maxSkipped
	Failed   int64     // how many were skipped
}

const (
	// chunk is how many files of one folder a worker takes at a time.
	chunk      = 128
	maxSkipped = 200
)

// Walk visits what o asks for below top, which stays open. It stops at the
// first error visit returns, or when ctx ends.
func Walk(ctx context.Context, top *boundary.Dir, o Options, visit func(worker int, e Entry) error) (Result, error) {
	w := &walker{ctx: ctx, o: o, visit: visit, met: map[string]bool{}, generated: map[string]bool{}}
	for _, g := range o.Generated {
		w.generated[strings.ToLower(g)] = true
	}
	w.wake.L = &w.mu
	root := &node{dir: top, keep: true}
	root.users.Store(1)
	w.push(item{node: root})
	var group sync.WaitGroup
	for i := range max(o.Workers, 1) {
		group.Add(1)
		go func() {
			defer group.Done()
			w.work(i)
		}()
	}
	group.Wait()
	w.drain()
	return w.result(), w.err
}

// node is an open folder that several items share.
type node struct {
	dir      *boundary.Dir
	rel      string
	excluded bool // below a generated folder: only counted
	keep     bool // the caller's
	users    atomic.Int32
}

func (n *node) release() {
	if n.users.Add(-1) == 0 && !n.keep {
		n.dir.Close()
	}
}

// child is the path of an entry.
func (n *node) child(name string) string {
	if n.rel == "" {
		return name
	}
	return n.rel + "/" + name
}

// file is the entry of that path. Its name is taken from the path, so that the
// listing's own string of it can go.
func (n *node) file(rel string, kind fs.FileMode) file {
	at := 0
	if n.rel != "" {
		at = len(n.rel) + 1
	}
	return file{rel, rel[at:], kind}
}

// item is a piece of work on node, which it uses once: its files when there
// are any, the folder below it called name, or node itself.
type item struct {
	node     *node
	files    []file
	name     string
	excluded bool
}

type file struct {
	rel, name string // name is the end of rel
	kind      fs.FileMode
}

type walker struct {
	ctx       context.Context
	o         Options
	visit     func(int, Entry) error
	generated map[string]bool

	mu     sync.Mutex
	wake   sync.Cond
	stack  []item // the newest first, so that few folders are open at a time
	active int    // items taken and not finished
	err    error

	excluded int64
	failed   int64
	met      map[string]bool
	skipped  []Skipped
}

func (w *walker) push(items ...item) {
	if len(items) == 0 {
		return
	}
	w.mu.Lock()
	w.stack = append(w.stack, items...)
	w.mu.Unlock()
	if len(items) == 1 {
		w.wake.Signal()
	} else {
		w.wake.Broadcast()
	}
}

// take gives the next item, waiting for one while others work.
func (w *walker) take() (item, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		if w.err != nil {
			return item{}, false
		}
		if n := len(w.stack); n > 0 {
			it := w.stack[n-1]
			w.stack[n-1] = item{}
			w.stack = w.stack[:n-1]
			w.active++
			return it, true
		}
		if w.active == 0 {
			return item{}, false
		}
		w.wake.Wait()
	}
}

func (w *walker) finish(err error) {
	w.mu.Lock()
	w.active--
	if err != nil && w.err == nil {
		w.err = err
	}
	idle := w.active == 0 || w.err != nil
	w.mu.Unlock()
	if idle {
		w.wake.Broadcast()
	}
}

func (w *walker) work(worker int) {
	for {
		it, ok := w.take()
		if !ok {
			return
		}
		err := w.ctx.Err()
		switch {
		case err != nil:
		case it.files != nil:
			err = w.files(worker, it.node, it.files)
		case it.name != "":
			err = w.open(worker, it)
		default:
			err = w.list(worker, it.node)
		}
		it.node.release()
		w.finish(err)
	}
}

// drain lets go of what a stopped walk did not come to.
func (w *walker) drain() {
	for _, it := range w.stack {
		it.node.release()
	}
}

// open goes into the folder an item names.
func (w *walker) open(worker int, it item) error {
	dir, err := it.node.dir.Sub(it.name)
	if err != nil {
		w.skip(it.node.child(it.name), err)
		return nil
	}
	n := &node{dir: dir, rel: it.node.child(it.name), excluded: it.excluded}
	n.users.Store(1)
	defer n.release()
	return w.list(worker, n)
}

// list reads a folder: what it holds is visited, counted or left for later.
func (w *walker) list(worker int, n *node) error {
	var below []item
	var files []file
	var counted int64
	err := n.dir.Each(func(name string, t fs.FileMode) error {
		switch {
		case t.IsDir():
			it := item{node: n, name: name, excluded: n.excluded}
			if n.excluded {
				below = append(below, it)
				return nil
			}
			if len(w.generated) > 0 && w.generated[strings.ToLower(name)] {
				it.excluded = true
				w.meet(name)
				below = append(below, it)
				return nil
			}
			rel := n.child(name)
			if w.leftOut(rel) {
				return nil
			}
			if w.o.Folders && (w.o.Glob == nil || w.o.Glob.Match(rel)) && listable(n.dir, name) {
				files = append(files, n.file(rel, t))
			}
			if w.o.Glob == nil || w.o.Glob.Below(rel) {
				below = append(below, it)
			}
		case n.excluded:
			counted++
		default:
			if rel := n.child(name); w.wants(rel) {
				files = append(files, n.file(rel, t))
			}
		}
		return nil
	})
	if counted > 0 {
		atomic.AddInt64(&w.excluded, counted)
	}
	if err != nil {
		w.skip(n.rel, err)
	}
	n.users.Add(int32(len(below)))
	w.push(below...)
	// The first files are this worker's; the rest of a large folder is
	// there for whoever has nothing to do.
	var later []item
	for len(files) > chunk {
		n.users.Add(1)
		cut := len(files) - chunk
		later = append(later, item{node: n, files: files[cut:]})
		files = files[:cut]
	}
	w.push(later...)
	return w.files(worker, n, files)
}

// listable reports whether a folder may be shown. Each also gives hidden ones
// that have something visible below them.
func listable(d *boundary.Dir, name string) bool {
	can, _, err := d.Judge(name)
	return err == nil && can.Has(config.List)
}

func (w *walker) wants(rel string) bool {
	return (w.o.Glob == nil || w.o.Glob.Match(rel)) && !w.leftOut(rel)
}

// leftOut reports whether an exclude names rel. A folder that is left out is
// not gone into, so what lies below it needs no look of its own.
func (w *walker) leftOut(rel string) bool {
	for _, g := range w.o.Exclude {
		if g.Match(rel) {
			return true
		}
	}
	return false
}

func (w *walker) files(worker int, n *node, files []file) error {
	for _, f := range files {
		if err := w.visit(worker, Entry{n.dir, f.name, f.rel, f.kind}); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) meet(name string) {
	w.mu.Lock()
	w.met[name] = true
	w.mu.Unlock()
}

// skip notes a folder that could not be read. One that went away meanwhile,
// or may not be known, is no news.
func (w *walker) skip(rel string, err error) {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, boundary.ErrHidden) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failed++
	w.skipped = append(w.skipped, Skipped{rel, err})
	if len(w.skipped) > 2*maxSkipped {
		w.orderSkipped()
	}
}

func (w *walker) orderSkipped() {
	sort.Slice(w.skipped, func(i, j int) bool { return w.skipped[i].Rel < w.skipped[j].Rel })
	w.skipped = w.skipped[:min(len(w.skipped), maxSkipped)]
}

func (w *walker) result() Result {
	w.orderSkipped()
	r := Result{Excluded: w.excluded, Skipped: w.skipped, Failed: w.failed}
	for name := range w.met {
		r.Met = append(r.Met, name)
	}
	// Build output before the dotted folders.
	sort.Slice(r.Met, func(i, j int) bool {
		a, b := r.Met[i], r.Met[j]
		if da, db := a[0] == '.', b[0] == '.'; da != db {
			return db
		}
		return a < b
	})
	return r
}
