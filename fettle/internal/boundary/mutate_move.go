package boundary

import (
	"context"
	"errors"
	"io/fs"
	"path"

	"fettler/shared/config"
	"fettler/shared/outcome"
)

// Moved says how a move was done.
type Moved struct {
	Atomic   bool // one rename; otherwise copied, verified, then removed
	CaseOnly bool
}

// Leaves reports whether a move from p to q leaves the scope that decides p,
// or the tree where none does.
func (p *Place) Leaves(q *Place) bool {
	pt, ptrail := p.b.area(p.at, p.trail)
	qt, qtrail := p.b.area(q.at, q.trail)
	if s := p.b.decider(pt, ptrail); s != nil {
		d, exact := s.depth(qt, qtrail, p.b.fold)
		return d < 0 || !exact
	}
	return pt != qt
}

// area gives the declared tree that judges a place, and the trail below it.
func (b *Boundary) area(t *Tree, trail []step) (*Tree, []step) {
	if t.within != nil {
		return t, trail // a found tree is an area of its own
	}
	for i := len(trail) - 1; i >= 0; i-- {
		if d := b.declaredAt(trail[i].id); d != nil && d != t {
			return d, trail[i+1:]
		}
	}
	return t, trail
}

// decider gives the deepest scope with permissions of its own that covers the place.
func (b *Boundary) decider(t *Tree, trail []step) (best *scope) {
	depth := -1
	for _, owner := range b.trees {
		for i := range owner.scopes {
			s := &owner.scopes[i]
			if d, _ := s.depth(t, trail, b.fold); s.spec.CanSet && d > depth {
				best, depth = s, d
			}
		}
	}
	return best
}

// Move renames from to to, or copies, verifies and removes where they lie on
// different disks. What may move where was judged before (Throughout); links
// move as links and are never followed. A target is replaced only when it is a
// file, from is one, and replace allows it.
func (b *Boundary) Move(ctx context.Context, from, to *Place, replace bool, links int, progress func(int64)) (Moved, error) {
	var m Moved
	if err := b.mayMove(from, to, replace); err != nil {
		return m, err
	}
	src, err := from.folder()
	if err != nil {
		return m, err
	}
	defer src.Close()
	dst, err := to.folder()
	if err != nil {
		return m, err
	}
	defer dst.Close()
	now, err := src.sys.lstat(from.Name())
	if err != nil || now.ID != from.Info.ID {
		return m, errStale(from)
	}
	same := sameFolder(src, dst)
	m.CaseOnly = same && from.Name() != to.Name() && Fold(from.Name()) == Fold(to.Name())
	switch {
	case m.CaseOnly && to.Exists && to.Info.ID == from.Info.ID:
		err = src.sys.rename(from.Name(), dst.sys, to.Name())
	case to.Exists:
		if there, e := dst.sys.lstat(to.Name()); e != nil || there.ID != to.Info.ID {
			return m, errStale(to)
		}
		if e := dst.sys.writable(to.Name()); e != nil {
			return m, declined(e, "replace", to)
		}
		err = src.sys.rename(from.Name(), dst.sys, to.Name())
	default:
		err = src.sys.moveNew(from.Name(), dst.sys, to.Name())
	}
	switch {
	case err == nil:
		m.Atomic = true
		_ = dst.sys.sync()
		if !same {
			_ = src.sys.sync()
		}
		return m, nil
	case errors.Is(err, fs.ErrExist):
		return m, errExists(to)
	case !crossDevice(err):
		return m, declined(err, "move", from)
	case links > 0 || from.Info.Mode&fs.ModeSymlink != 0:
		return m, outcome.New(outcome.Refused, "%s is or holds a link, and %s is on another disk, where it would have to be made anew. Fettle makes no links", from.Spell(), to.Spell()).At(from.Spell())
	}
	return m, b.carryOver(ctx, from, to, src, dst, progress)
}

func (b *Boundary) mayMove(from, to *Place, replace bool) error {
	if from.Top() || b.isTop(from.Info.ID) {
		return outcome.New(outcome.Refused, "%s is the top of a tree, which fettle does not move", from.Spell()).At(from.Spell())
	}
	if err := from.Governed(); err != nil {
		return err
	}
	if err := to.Governed(); err != nil {
		return err
	}
	if b.leadsToScope(from.Info) {
		return errLeadsToScope(from.Spell())
	}
	if err := notInto(from, to); err != nil {
		return err
	}
	if !to.Exists {
		return nil
	}
	if to.Info.ID == from.Info.ID {
		if path.Dir(from.Rel) == path.Dir(to.Rel) && from.Tree == to.Tree && from.Name() != to.Name() && Fold(from.Name()) == Fold(to.Name()) {
			return nil
		}
		return outcome.New(outcome.Refused, "%s and %s are the same file", from.Spell(), to.Spell()).At(to.Spell())
	}
	switch {
	case b.namedScope(to.Info):
		return errNamedScope(to)
	case to.Info.Mode.IsDir():
		return outcome.New(outcome.TargetExists, "%s is a folder that is already there, and a folder is never replaced. Name the new path in full", to.Spell()).At(to.Spell())
	case !replace:
		return errExists(to)
	case !from.Info.Mode.IsRegular() || !to.Info.Mode.IsRegular():
		return outcome.New(outcome.Refused, "%s is %s and %s is %s: only a file replaces a file", from.Spell(), KindOf(from.Info.Mode), to.Spell(), KindOf(to.Info.Mode)).At(to.Spell())
	}
	return nil
}

func sameFolder(a, b *Dir) bool {
	x, err1 := a.sys.stat()
	y, err2 := b.sys.stat()
	return err1 == nil && err2 == nil && x.ID == y.ID
}

// carryOver is a move between disks. The copy is verified before anything
// happens to the source, the journal decides, and from then on the move is
// finished even by another process.
func (b *Boundary) carryOver(ctx context.Context, from, to *Place, src, dst *Dir, progress func(int64)) (err error) {
	folder := from.Info.Mode.IsDir()
	if !folder && !from.Info.Mode.IsRegular() {
		return errNotRegular(from.Spell(), from.Info.Mode)
	}
	c := b.Begin()
	defer c.Close()
	temp, gone := ReservedPrefix+c.id+"-1", ReservedPrefix+c.id+"-2"
	if err := c.note(dst, temp); err != nil {
		return err
	}
	if c.journal == nil {
		return noJournal(dst.tree)
	}
	if err := c.note(src, gone); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = removeAll(dst.sys, temp)
			_ = removeAll(dst.sys, temp+backupSuffix)
		}
	}()
	k := &copier{surveyor: surveyor{b: b, ctx: ctx, from: from, to: to, need: config.Rename, toNeed: config.Create, out: &Survey{}}, keep: true, progress: progress}
	if err := k.copy(src.sys, from.Name(), dst.sys, temp, from.trail, nil); err != nil {
		return err
	}
	digest := treeDigest(folder)
	h, err := digest(src.sys, from.Name())
	if err != nil {
		return errStale(from)
	}
	if copied, err := digest(dst.sys, temp); err != nil || copied != h {
		return errStale(from)
	}
	old := ""
	if to.Exists {
		if old, err = hashEntry(dst.sys, to.Name()); err != nil {
			return declined(err, "read", to)
		}
		if err = dst.sys.link(to.Name(), dst.sys, temp+backupSuffix); err != nil && noLinks(err) {
			err = copyEntry(dst.sys, to.Name(), temp+backupSuffix)
		}
		if err != nil {
			return declined(err, "keep the old content of", to)
		}
	}
	_ = dst.sys.sync()
	if err := c.journal.decidePlan([]planned{
		{Tree: dst.tree.Name, Path: escapeBytes(join(relOf(dst.trail), to.Name())), Temp: temp, Old: old, New: h, Folder: folder},
		{Tree: src.tree.Name, Path: escapeBytes(join(relOf(src.trail), from.Name())), Gone: gone, Old: h, Folder: folder},
	}); err != nil {
		return err
	}
	if to.Exists {
		err = dst.sys.rename(temp, dst.sys, to.Name())
	} else {
		err = dst.sys.moveNew(temp, dst.sys, to.Name())
	}
	if errors.Is(err, fs.ErrExist) {
		return errExists(to)
	}
	if err != nil {
		return declined(err, "make", to)
	}
	_ = dst.sys.sync()
	if err := src.sys.rename(from.Name(), src.sys, gone); err != nil {
		// The source stays, so the copy goes.
		if to.Exists {
			_ = dst.sys.rename(temp+backupSuffix, dst.sys, to.Name())
		} else {
			_ = removeAll(dst.sys, to.Name())
		}
		return declined(err, "move", from)
	}
	_ = removeAll(dst.sys, temp+backupSuffix)
	if err := removeAll(src.sys, gone); err != nil {
		c.abandon() // what is left of the source is hidden; the next call tries again
		return nil
	}
	_ = src.sys.sync()
	return nil
}

func treeDigest(folder bool) func(sysDir, string) (string, error) {
	if folder {
		return treeHash
	}
	return hashEntry
}
