package boundary

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"fettler/shared/config"
	"fettler/shared/outcome"
)

// maxLinks bounds how many links one path may pass, as the system does.
const maxLinks = 40

// maxDepth bounds the components of one path after its links.
const maxDepth = 4096

// Locate follows what a caller wrote to its real place and judges it there.
// in names the tree the call works in, "" for the default. need is what the
// place must grant when something is there; pass 0 and call Place.Need where
// that depends on what is found. A place where nothing is is no error when it
// may be listed: look at Exists. A place that grants no list is outside.
func (b *Boundary) Locate(raw string, need config.Permissions, in string) (*Place, error) {
	return b.locate(want{raw, in, need, true})
}

// LocateEntry is Locate for verbs that act on an entry itself: when the last
// component is a link, the place is the link, not where it leads.
func (b *Boundary) LocateEntry(raw string, need config.Permissions, in string) (*Place, error) {
	return b.locate(want{raw, in, need, false})
}

func (b *Boundary) locate(w want) (*Place, error) {
	t, names, err := b.name(w.raw, w.in)
	if err != nil {
		return nil, err
	}
	p, err := b.follow(t, names, w.follow)
	if err != nil {
		return nil, err
	}
	p.want = w
	if p.Exists {
		if err := p.Need(w.need); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// name turns what was written into components below a tree's top, or refuses
// it as outside, without a system call.
func (b *Boundary) name(raw, in string) (*Tree, []string, error) {
	base, err := b.In(in)
	if err != nil {
		return nil, nil, err
	}
	w, err := parse(raw, b.Tree, b.windows)
	if err != nil {
		return nil, nil, err
	}
	if w.tree != nil {
		if w.path == ".." || strings.HasPrefix(w.path, "../") {
			return nil, nil, errOutside()
		}
		return w.tree, split(w.path), nil
	}
	if !w.absolute && w.path != ".." && !strings.HasPrefix(w.path, "../") {
		return base, split(w.path), nil
	}
	abs := w.path
	if !w.absolute {
		abs = path.Join(base.lex, w.path)
	} else if b.windows && !hasDrive(abs) {
		abs = path.Clean(filepath.ToSlash(filepath.VolumeName(base.Path)) + abs)
	}
	t, names, ok := b.containing(abs)
	if !ok {
		return nil, nil, errOutside()
	}
	return t, names, nil
}

// containing gives the deepest tree whose declared or real top contains abs.
func (b *Boundary) containing(abs string) (best *Tree, names []string, ok bool) {
	depth := -1
	for _, t := range b.trees {
		for _, top := range []string{t.Real, t.lex} {
			if n, in := below(top, abs, b.fold); in && len(top) > depth {
				best, names, depth = t, n, len(top)
			}
		}
	}
	return best, names, best != nil
}

// follow walks names from t's top. Nothing but its own lstat and readlink
// decides where it goes; the system follows no link for it.
func (b *Boundary) follow(t *Tree, names []string, last bool) (*Place, error) {
	w := walker{b: b, tree: t, queue: names}
	defer func() { w.dir.close() }()
	w.restart(t)
	for len(w.queue) > 0 {
		done, err := w.step(last)
		if err != nil {
			return nil, err
		}
		if done {
			break
		}
	}
	v := b.judge(w.tree, w.trail)
	if !v.can.Has(config.List) || reservedIn(w.trail) {
		return nil, errOutside()
	}
	if w.fault != nil {
		return nil, w.faultAt()
	}
	return w.place(v), nil
}

// walker is the state of one follow.
type walker struct {
	b       *Boundary
	tree    *Tree
	dir     sysDir // the folder at the end of trail, or of all but its last step
	trail   []step
	queue   []string
	info    Info
	exists  bool
	links   int
	viaLink bool
	fault   error // why the walk ended early, told only if the place may be listed
}

func (w *walker) restart(t *Tree) {
	w.dir.close()
	w.tree, w.dir, w.trail = t, t.top.lent(), w.trail[:0]
	w.exists, w.info = true, Info{Mode: fs.ModeDir | 0o755, ID: t.id}
	if !w.finalName() {
		return // what is below is looked at
	}
	if info, err := w.dir.stat(); err == nil {
		w.info = info
	}
}

// step takes one component. done means that nothing below can be looked at.
func (w *walker) step(last bool) (done bool, err error) {
	name := w.queue[0]
	w.queue = w.queue[1:]
	switch name {
	case "", ".":
		return false, nil
	case "..":
		return false, w.up()
	}
	if len(w.trail) > maxDepth {
		return false, outcome.New(outcome.Invalid, "the path has over %d components", maxDepth)
	}
	info, err := w.dir.lstat(name)
	if raw, ok := unescapeBytes(name); ok && errors.Is(err, fs.ErrNotExist) {
		if again, rawErr := w.dir.lstat(raw); rawErr == nil {
			name, info, err = raw, again, nil
		}
	}
	if err != nil {
		w.absent(name, err)
		return true, nil
	}
	final := w.finalName()
	if info.Mode&fs.ModeSymlink != 0 && (last || !final) {
		return w.link(name, info)
	}
	w.trail = append(w.trail, step{name, info.ID})
	w.info, w.exists = info, true
	if final {
		return true, nil
	}
	// A hidden folder answers before its content is looked at, so that what
	// is there and what is not cost the same.
	if !w.tree.plain && !w.b.judge(w.tree, w.trail).can.Has(config.List) && !w.b.mayHold(w.tree, w.trail) {
		return false, errOutside()
	}
	if !info.Mode.IsDir() {
		w.absent("", syscall.ENOTDIR)
		return true, nil
	}
	next, opened, err := w.dir.openDir(name)
	if err != nil {
		w.absent("", err)
		return true, nil
	}
	w.dir.close()
	w.dir = next
	w.trail[len(w.trail)-1].id = opened.ID
	w.info = opened
	return false, nil
}

// finalName reports whether nothing but dots is left to take.
func (w *walker) finalName() bool {
	for _, n := range w.queue {
		if n != "" && n != "." {
			return false
		}
	}
	return true
}

// absent records that name, and all that follows it, is not there to see.
func (w *walker) absent(name string, err error) {
	w.exists, w.info = false, Info{}
	if name != "" {
		w.trail = append(w.trail, step{name: name})
	}
	for _, n := range w.queue {
		switch n {
		case "", ".":
		case "..":
			if len(w.trail) > 0 {
				w.trail = w.trail[:len(w.trail)-1]
			}
		default:
			w.trail = append(w.trail, step{name: n})
		}
	}
	w.queue = nil
	if !errors.Is(err, fs.ErrNotExist) {
		w.fault = err
	}
}

// up goes to the folder above, as a link's target may ask.
func (w *walker) up() error {
	if len(w.trail) == 0 {
		return w.jump(path.Join(path.Dir(w.tree.Real), path.Join(w.queue...)))
	}
	d, err := w.b.openTrail(w.tree, w.trail[:len(w.trail)-1])
	if err != nil {
		return err
	}
	w.dir.close()
	w.dir, w.trail = d, w.trail[:len(w.trail)-1]
	w.info, err = d.stat()
	return err
}

// jump goes on at an absolute path, which must lie in an open tree.
func (w *walker) jump(abs string) error {
	t, names, ok := w.b.containing(path.Clean(abs))
	if !ok {
		return errOutside()
	}
	w.queue = names
	w.restart(t)
	return nil
}

func (w *walker) link(name string, info Info) (bool, error) {
	if w.links++; w.links > maxLinks {
		w.trail = append(w.trail, step{name, info.ID})
		w.fault = outcome.New(outcome.Refused, "the path passes more than %d links", maxLinks)
		return true, nil
	}
	// The link itself may be hidden by a scope of its own.
	if !w.tree.plain {
		at := append(append([]step(nil), w.trail...), step{name, info.ID})
		if !w.b.judge(w.tree, at).can.Has(config.List) && !w.b.mayHold(w.tree, at) {
			return false, errOutside()
		}
	}
	target, err := w.dir.readlink(name)
	if err != nil {
		w.absent(name, err)
		return true, nil
	}
	w.viaLink = true
	target = filepath.ToSlash(target)
	rest := w.queue
	if !path.IsAbs(target) && !(w.b.windows && hasDrive(target)) {
		w.queue = append(strings.Split(target, "/"), rest...)
		return false, nil
	}
	if _, _, ok := w.b.containing(path.Clean(target)); !ok {
		return false, errOutside()
	}
	if err := w.jump(target); err != nil {
		return false, err
	}
	w.queue = append(append([]string(nil), w.queue...), rest...)
	return false, nil
}

func (w *walker) place(v verdict) *Place {
	p := &Place{
		Tree: w.tree, Can: v.can, Screen: v.screen, Exists: w.exists, Info: w.info,
		ViaLink: w.viaLink, b: w.b, at: w.tree, trail: append([]step(nil), w.trail...),
	}
	shown := p.trail
	if w.tree.within == nil {
		for i := len(shown) - 1; i >= 0; i-- {
			if d := w.b.declaredAt(shown[i].id); d != nil && d != w.tree {
				p.Tree, shown = d, shown[i+1:]
				break
			}
		}
	}
	p.Rel = relOf(shown)
	return p
}

func (b *Boundary) declaredAt(id FileID) *Tree {
	for _, d := range b.trees {
		if d.Found == "" && !id.zero() && d.id == id {
			return d
		}
	}
	return nil
}

// faultAt words why the walk ended early, at a place that may be listed.
func (w *walker) faultAt() error {
	at := w.b.spell(w.tree, relOf(w.trail))
	var e *outcome.Error
	switch {
	case errors.As(w.fault, &e):
		return e.At(at)
	case errors.Is(w.fault, syscall.ENOTDIR):
		return outcome.New(outcome.NotFound, "there is nothing at %s: a folder on the way is a file", at).At(at)
	case errors.Is(w.fault, fs.ErrPermission):
		return outcome.New(outcome.Denied, "the operating system does not let fettle look at %s", at).At(at).Because(w.fault)
	case errors.Is(w.fault, syscall.ENAMETOOLONG):
		return outcome.New(outcome.Invalid, "a name in the path is longer than the file system allows").At(at)
	}
	return outcome.New(outcome.Denied, "the operating system declined at %s: %v", at, sysCause(w.fault)).At(at).Because(w.fault)
}

func reservedIn(trail []step) bool {
	for _, s := range trail {
		if Reserved(s.name) {
			return true
		}
	}
	return false
}
