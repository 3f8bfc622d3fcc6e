package boundary

import (
	"context"
	"errors"
	"io/fs"
	"sync"

	"fettler/shared/config"
	"fettler/shared/disk"
	"fettler/shared/outcome"
)

// Mkdir makes the folder at p with the parents it needs, each of which must
// grant create. It reports whether it made p itself.
func (p *Place) Mkdir() (bool, error) {
	if p.Exists {
		if p.Info.Mode.IsDir() {
			return false, nil
		}
		return false, outcome.New(outcome.TargetExists, "%s is already there and is %s", p.Spell(), KindOf(p.Info.Mode)).At(p.Spell())
	}
	if err := p.Governed(); err != nil {
		return false, err
	}
	from := 0
	for from < len(p.trail) && !p.trail[from].id.zero() {
		from++
	}
	made, err := p.b.makeDirs(p, from, len(p.trail))
	for i := len(made) - 1; i >= 0; i-- {
		if err != nil { // all or none
			_ = made[i].in.rmdir(made[i].name)
		}
		made[i].in.close()
	}
	return err == nil && len(made) > 0, err
}

// Remove removes what is at p: a file, a link as a link, or, with recursive, a
// folder and all that is below it. A folder disappears in one step; what it held
// is removed after that, by the next call if need be. Permissions below p were
// judged by Throughout. force clears Windows' read-only attribute.
func (b *Boundary) Remove(ctx context.Context, p *Place, recursive, force bool) error {
	if p.Top() || b.isTop(p.Info.ID) {
		return outcome.New(outcome.Refused, "%s is the top of a tree, which is never deleted", p.Spell()).At(p.Spell())
	}
	if err := p.Governed(); err != nil {
		return err
	}
	if b.leadsToScope(p.Info) {
		return errLeadsToScope(p.Spell())
	}
	if b.namedScope(p.Info) {
		return errNamedScope(p)
	}
	dir, err := p.folder()
	if err != nil {
		return err
	}
	defer dir.Close()
	now, err := dir.sys.lstat(p.Name())
	if err != nil || now.ID != p.Info.ID {
		return errStale(p)
	}
	if !p.Info.Mode.IsDir() {
		if p.Info.ReadOnly {
			if !force {
				return outcome.New(outcome.Denied, "%s has the read-only attribute. Pass force to delete it all the same", p.Spell()).At(p.Spell())
			}
			if err := dir.sys.clearReadOnly(p.Name()); err != nil {
				return declined(err, "clear the read-only attribute of", p)
			}
		}
		if err := dir.sys.unlink(p.Name()); err != nil {
			return declined(err, "delete", p)
		}
		return nil
	}
	if !recursive {
		return outcome.New(outcome.Refused, "%s is a folder. Pass recursive to delete it and everything in it", p.Spell()).At(p.Spell())
	}
	return b.removeFolder(dir, p)
}

func (b *Boundary) removeFolder(dir *Dir, p *Place) error {
	c := b.Begin()
	defer c.Close()
	gone := ReservedPrefix + c.id + "-1"
	if err := c.note(dir, gone); err != nil {
		return err
	}
	if c.journal == nil { // without a journal a hidden rest would stay for ever
		if err := removeAll(dir.sys, p.Name()); err != nil {
			return declined(err, "delete all of", p)
		}
		return nil
	}
	if err := dir.sys.moveNew(p.Name(), dir.sys, gone); err != nil {
		return declined(err, "delete", p)
	}
	if err := removeAll(dir.sys, gone); err != nil {
		if back := dir.sys.moveNew(gone, dir.sys, p.Name()); back != nil {
			c.abandon()
		}
		return outcome.New(outcome.Denied, "the operating system does not let fettle delete all of %s: what it refused is still there. %v", p.Spell(), sysCause(err)).At(p.Spell()).Because(err)
	}
	_ = dir.sys.sync()
	return nil
}

// SetExecutable sets or clears the executable bit of the file. supported is
// false where the system has no such bit.
func (p *Place) SetExecutable(on bool) (supported bool, err error) {
	if err := p.Governed(); err != nil {
		return false, err
	}
	if !p.Exists {
		return false, errNotFound(p.Spell())
	}
	if !p.Info.Mode.IsRegular() {
		return false, errNotRegular(p.Spell(), p.Info.Mode)
	}
	if p.b.windows {
		return false, nil
	}
	dir, err := p.folder()
	if err != nil {
		return false, err
	}
	defer dir.Close()
	f, info, err := dir.sys.openRegular(p.Name())
	if err != nil {
		return false, declined(err, "open", p)
	}
	defer f.Close()
	if info.ID != p.Info.ID {
		return false, errStale(p)
	}
	mode := withExecutable(info.Mode, on)
	if mode == info.Mode {
		return true, nil
	}
	if err := f.Chmod(mode); err != nil {
		return false, declined(err, "set the executable bit of", p)
	}
	return true, nil
}

// MayCreate refuses where the missing folders above p, or p itself, do not grant create.
func (p *Place) MayCreate() error {
	if p.Exists {
		return nil
	}
	if err := p.Need(config.Create); err != nil {
		return err
	}
	return p.Governed()
}

// IsLink reports a place that is a link itself, as LocateEntry gives it.
func (p *Place) IsLink() bool { return p.Exists && p.Info.Mode&fs.ModeSymlink != 0 }

// SameFile reports two places that are one file, whatever their names.
func (p *Place) SameFile(q *Place) bool { return p.Exists && q.Exists && p.Info.ID == q.Info.ID }

// ErrStale reports whether err says that a file changed meanwhile.
func ErrStale(err error) bool {
	var e *outcome.Error
	return errors.As(err, &e) && e.Kind == outcome.Stale
}

// Rescope finds the declared scopes again. A call of several operations does
// so between them: one may have moved a scope's folder and made another in its
// place, and a scope covers what its path names now.
func (b *Boundary) Rescope() {
	for _, t := range b.trees {
		t.scopes = nil
	}
	b.scopeLinks = sync.OnceValue(b.linksToScopes)
	look := disk.New()
	for _, t := range b.trees {
		b.resolveScopes(t, look)
	}
	for _, t := range b.trees {
		t.plain = b.isPlain(t)
	}
}
