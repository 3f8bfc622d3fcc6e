package boundary

import (
	"errors"
	"io/fs"

	"fettler/shared/outcome"
)

// Commit puts everything in place. When it fails nothing is.
func (u *Unpacking) Commit() error {
	u.letGo()
	dirs := map[string]*Dir{}
	defer func() {
		for _, d := range dirs {
			d.Close()
		}
	}()
	parent := func(un *unit) (*Dir, error) {
		key := relOf(un.place.trail[:len(un.place.trail)-1])
		if d := dirs[key]; d != nil {
			return d, nil
		}
		if len(dirs) > 64 {
			for k, d := range dirs {
				d.Close()
				delete(dirs, k)
			}
		}
		d, err := un.place.Parent()
		if err == nil {
			dirs[key] = d
		}
		return d, err
	}
	if len(u.units) == 0 {
		u.c.end()
		return nil
	}
	first, err := parent(u.units[0])
	if err != nil {
		return err
	}
	if u.files > fewFiles {
		_ = first.sys.syncAll()
	}
	if len(u.units) > 1 {
		if err := u.decide(parent); err != nil {
			return err
		}
	}
	for i, un := range u.units {
		d, err := parent(un)
		if err == nil {
			err = un.swap(d)
		}
		if err != nil {
			return errors.Join(err, u.undo(i, parent))
		}
	}
	for _, un := range u.units {
		d, err := parent(un)
		if err != nil {
			continue
		}
		_ = d.sys.sync()
		if un.backup {
			_ = d.sys.unlink(un.temp + backupSuffix)
		}
	}
	u.c.end()
	return nil
}

// decide keeps what is replaced and writes the journal's deciding line.
func (u *Unpacking) decide(parent func(*unit) (*Dir, error)) error {
	if u.c.journal == nil {
		return outcome.New(outcome.Denied, "the operating system does not let fettle keep a journal at the top of tree '%s', "+
			"without which an archive cannot be unpacked among files that are there. Unpack it into a new folder", u.into.at.Name)
	}
	plan := make([]planned, len(u.units))
	for i, un := range u.units {
		d, err := parent(un)
		if err != nil {
			return err
		}
		if un.replace {
			if un.old, err = hashEntry(d.sys, un.place.Name()); err != nil {
				return declined(err, "read", un.place)
			}
			un.backup = true
			err = d.sys.link(un.place.Name(), d.sys, un.temp+backupSuffix)
			if err != nil && noLinks(err) {
				err = copyEntry(d.sys, un.place.Name(), un.temp+backupSuffix)
			}
			if err != nil {
				return declined(err, "keep the old content of", un.place)
			}
		}
		fresh, err := treeDigest(un.folder)(d.sys, un.temp)
		if err != nil {
			return declined(err, "read what was staged for", un.place)
		}
		plan[i] = planned{Tree: d.tree.Name, Path: escapeBytes(relOf(un.place.trail)), Temp: un.temp, Old: un.old, New: fresh, Folder: un.folder}
	}
	u.decided = true
	return u.c.journal.decidePlan(plan)
}

func (un *unit) swap(d *Dir) error {
	name := un.place.Name()
	if !un.replace {
		err := d.sys.moveNew(un.temp, d.sys, name)
		if errors.Is(err, fs.ErrExist) {
			return errExists(un.place)
		}
		if err != nil {
			return declined(err, "make", un.place)
		}
		un.swapped = true
		return nil
	}
	now, err := d.sys.lstat(name)
	if err != nil || now.ID != un.place.Info.ID {
		return errStale(un.place)
	}
	if err := d.sys.writable(name); err != nil {
		return declined(err, "replace", un.place)
	}
	if err := d.sys.rename(un.temp, d.sys, name); err != nil {
		return declined(err, "replace", un.place)
	}
	un.swapped = true
	return nil
}

// undo takes back the first n renames. What cannot be is left to Recover.
func (u *Unpacking) undo(n int, parent func(*unit) (*Dir, error)) error {
	var failed error
	for i := n - 1; i >= 0; i-- {
		un := u.units[i]
		d, err := parent(un)
		switch {
		case err != nil:
		case un.replace:
			if err = d.sys.rename(un.temp+backupSuffix, d.sys, un.place.Name()); err == nil {
				un.backup, un.staged = false, false
			}
		default:
			err = d.sys.moveNew(un.place.Name(), d.sys, un.temp)
		}
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		un.swapped = false
	}
	if failed == nil {
		return nil
	}
	u.c.ended = true
	u.c.journal.abandon()
	return outcome.New(outcome.Denied, "what was unpacked could not all be taken back. The next call tries again").Because(failed)
}

func (u *Unpacking) letGo() {
	if u.held {
		u.open.close()
		u.held = false
	}
}

// Close takes back what was not committed. Where a folder on the way is gone at
// the moment, or was replaced by a link, the record stays for the next call.
func (u *Unpacking) Close() {
	u.letGo()
	if u.c.ended {
		return
	}
	var failed error
	for _, un := range u.units {
		if un.staged || un.backup {
			failed = errors.Join(failed, un.takeBack())
		}
	}
	if failed != nil && !u.decided { // a decided record would be finished, not taken back
		u.c.abandon()
		return
	}
	u.c.end()
}

// takeBack removes what a unit staged and kept.
func (un *unit) takeBack() error {
	d, err := un.place.Parent()
	if err != nil {
		return err
	}
	defer d.Close()
	if !un.swapped {
		err = gone(removeAll(d.sys, un.temp))
	}
	if un.backup {
		err = errors.Join(err, gone(removeAll(d.sys, un.temp+backupSuffix)))
	}
	return err
}

// gone is the error unless it is that the entry is not there.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
