package boundary

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"fettler/shared/config"
	"fettler/shared/outcome"
)

// Unpacking puts many new files and folders below one place, all or none.
//
// Add judges them one by one and writes nothing; Folder and File stage them
// under hidden names; Commit puts them in place; Close takes back what was not
// committed and is always called. What goes in place together is as large as it
// can be: where nothing is yet, a whole folder by one rename. Several renames go
// through the journal, as a Change of several files does.
type Unpacking struct {
	c       *Change
	b       *Boundary
	from    *Place // the archive, whose screen follows what comes out of it
	into    *Place
	units   []*unit
	byRoot  map[string]*unit
	entries []unpacked
	judged  map[string]bool // folders to be made that were judged already
	files   int
	decided bool // the record may say that this goes in place

	open  sysDir // the folder written to last
	opens string
	held  bool
}

// unit is what one rename puts in place.
type unit struct {
	place   *Place // its root
	temp    string
	folder  bool
	replace bool
	old     string
	backup  bool
	staged  bool
	swapped bool
}

// unpacked is one entry that Add took.
type unpacked struct {
	unit  *unit // nil for a folder that is there already
	below []string
}

// Unpack begins one. from is the archive and into the folder, which need not exist.
func (b *Boundary) Unpack(from, into *Place) (*Unpacking, error) {
	if into.Exists && !into.Info.Mode.IsDir() {
		return nil, outcome.New(outcome.TargetExists, "%s is %s, not a folder to unpack into", into.Spell(), KindOf(into.Info.Mode)).At(into.Spell())
	}
	return &Unpacking{c: b.Begin(), b: b, from: from, into: into, byRoot: map[string]*unit{}, judged: map[string]bool{}}, nil
}

// Landing says where a path that climbs or is absolute would come to lie: the
// error is the boundary's for one that leaves every tree, nil for one that only
// leaves the destination.
func (u *Unpacking) Landing(rel string, absolute bool) error {
	if !absolute {
		rel = filepath.ToSlash(u.into.Abs()) + "/" + rel
	}
	_, err := u.b.LocateEntry(rel, 0, "")
	if e := outcome.Of(err); e != nil && e.Kind == outcome.OutsideRoot {
		return err
	}
	return nil
}

// Add judges an entry by its clean path below the destination and remembers it;
// Folder and File speak of entries by their order here.
func (u *Unpacking) Add(rel string, folder, overwrite bool) error {
	p, err := u.b.LocateEntry(locator(u.into.at.Name, join(relOf(u.into.trail), rel)), 0, "")
	if err != nil {
		return err
	}
	if !p.below(u.into) {
		return outcome.New(outcome.Refused, "%s leads through a link out of %s", p.Spell(), u.into.Spell()).At(p.Spell())
	}
	if err := p.Governed(); err != nil {
		return err
	}
	if u.from.Screen&^p.Screen != 0 {
		return ErrUnscreened(u.from, p)
	}
	if err := u.mayLie(p, folder, overwrite); err != nil {
		return err
	}
	if folder && p.Exists {
		u.entries = append(u.entries, unpacked{})
		return nil
	}
	root := len(p.trail) - 1
	for i, st := range p.trail {
		if st.id.zero() {
			root = i
			break
		}
	}
	key := relOf(p.trail[:root+1])
	un := u.byRoot[key]
	if un == nil {
		at := append([]step(nil), p.trail[:root+1]...)
		un = &unit{
			place: &Place{Tree: p.at, Rel: key, b: u.b, at: p.at, trail: at, Exists: p.Exists, Info: p.Info},
			temp:  fmt.Sprintf("%s%s-%d", ReservedPrefix, u.c.id, len(u.units)+1), folder: folder || root < len(p.trail)-1, replace: p.Exists,
		}
		u.byRoot[key] = un
		u.units = append(u.units, un)
	}
	e := unpacked{unit: un}
	for _, st := range p.trail[root+1:] {
		e.below = append(e.below, st.name)
	}
	u.entries = append(u.entries, e)
	return nil
}

// below reports whether p lies below top by the names of its real place.
func (p *Place) below(top *Place) bool {
	if p.at != top.at || len(p.trail) <= len(top.trail) {
		return false
	}
	for i, st := range top.trail {
		if st.name != p.trail[i].name {
			return false
		}
	}
	return true
}

// mayLie refuses what is occupied, and what may not be made or replaced.
func (u *Unpacking) mayLie(p *Place, folder, overwrite bool) error {
	switch {
	case p.Exists && folder && p.Info.Mode.IsDir():
		return nil
	case p.Exists && (folder || p.Info.Mode.IsDir()):
		return outcome.New(outcome.TargetExists, "%s is already there and is %s", p.Spell(), KindOf(p.Info.Mode)).At(p.Spell())
	case p.Exists && !overwrite:
		return errExists(p)
	case p.Exists && !p.Info.Mode.IsRegular():
		return outcome.New(outcome.Refused, "%s is %s, and only a file is replaced", p.Spell(), KindOf(p.Info.Mode)).At(p.Spell())
	case p.Exists:
		return p.Need(config.Create | config.Delete)
	}
	if err := p.Need(config.Create); err != nil {
		return err
	}
	for i := len(p.trail) - 1; i > 0 && p.trail[i-1].id.zero(); i-- {
		at := p.trail[:i]
		key := relOf(at)
		if u.judged[key] {
			break
		}
		v := u.b.judge(p.at, at)
		q := &Place{Tree: p.at, Rel: key, b: u.b, at: p.at, trail: at, Can: v.can}
		if !v.can.Has(config.List) {
			return errOutside()
		}
		if err := q.Need(config.Create); err != nil {
			return err
		}
		if err := q.Governed(); err != nil {
			return err
		}
		u.judged[key] = true
	}
	return nil
}

// Folder stages entry i as a folder.
func (u *Unpacking) Folder(i int) error {
	e := u.entries[i]
	if e.unit == nil {
		return nil
	}
	_, err := u.dir(e.unit, e.below)
	return err
}

// File stages entry i with what body gives, and says how much that was.
func (u *Unpacking) File(i int, body io.Reader, executable bool) (int64, error) {
	e := u.entries[i]
	un := e.unit
	var dir sysDir
	var name string
	var err error
	if un.folder {
		name = e.below[len(e.below)-1]
		dir, err = u.dir(un, e.below[:len(e.below)-1])
	} else {
		name = un.temp
		dir, err = u.beside(un)
	}
	if err != nil {
		return 0, err
	}
	f, err := dir.create(name, 0o666)
	if err != nil {
		return 0, declined(err, "make a file for", un.place)
	}
	defer f.Close()
	n, err := io.Copy(f, body)
	if err != nil {
		var o *outcome.Error
		var p *fs.PathError
		if errors.As(err, &o) || !errors.As(err, &p) {
			return n, err // the archive's, or the call was cancelled
		}
		return n, declined(err, "write", un.place)
	}
	if executable {
		fi, err := f.Stat()
		if err == nil {
			err = f.Chmod(withExecutable(fi.Mode().Perm(), true))
		}
		if err != nil {
			return n, declined(err, "set the executable bit of", un.place)
		}
	}
	if u.files++; u.files <= fewFiles {
		if err := f.Sync(); err != nil {
			return n, declined(err, "write", un.place)
		}
	}
	return n, f.Close()
}

// beside opens the folder in which the unit is staged and notes its hidden name.
func (u *Unpacking) beside(un *unit) (sysDir, error) {
	key := "\x00" + un.temp
	if u.held && u.opens == key {
		return u.open, nil
	}
	dir, err := un.place.Parent()
	if err != nil {
		return sysDir{}, err
	}
	if !un.staged {
		if err := u.c.note(dir, un.temp); err != nil {
			dir.Close()
			return sysDir{}, err
		}
		un.staged = true
	}
	u.hold(dir.sys, key)
	return dir.sys, nil
}

func (u *Unpacking) hold(d sysDir, key string) {
	if u.held {
		u.open.close()
	}
	u.open, u.opens, u.held = d, key, true
}

// dir opens a folder of a staged unit, making what is missing of it.
func (u *Unpacking) dir(un *unit, below []string) (sysDir, error) {
	key := un.temp
	for _, n := range below {
		key += "/" + n
	}
	if u.held && u.opens == key {
		return u.open, nil
	}
	at, err := u.beside(un)
	if err != nil {
		return sysDir{}, err
	}
	owned := false // at is u.open's until the first step down
	for _, n := range append([]string{un.temp}, below...) {
		err := at.mkdir(n, 0o777)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			err = declined(err, "make a folder for", un.place)
		} else {
			var next sysDir
			if next, _, err = at.openDir(n); err == nil {
				if owned {
					at.close()
				}
				at, owned = next, true
				continue
			}
			err = declined(err, "open a folder for", un.place)
		}
		if owned {
			at.close()
		}
		return sysDir{}, err
	}
	u.hold(at, key)
	return at, nil
}
