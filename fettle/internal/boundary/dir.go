package boundary

import (
	"errors"
	"io/fs"
	"os"
	"sync/atomic"

	"fettler/shared/config"
	"fettler/shared/outcome"
)

// Dir is an open folder inside a tree, with what may be done there. It is
// the handle a walk goes down by. Nothing in it changes between making it and
// Close, so several goroutines may use it until one of them closes it.
type Dir struct {
	b     *Boundary
	tree  *Tree
	trail []step
	v     verdict
	sys   sysDir
	leafy bool // some scope covers a file or an absent name, so entries are judged one by one
	local bool // see Local

	unread atomic.Bool // sys was opened for its listing too, and nobody has read it
}

// OpenDir opens a folder that Locate found.
func (b *Boundary) OpenDir(p *Place) (*Dir, error) {
	if !p.Exists {
		return nil, errNotFound(p.Spell())
	}
	if !p.Info.Mode.IsDir() {
		return nil, outcome.New(outcome.Invalid, "%s is %s, not a folder", p.Spell(), KindOf(p.Info.Mode)).At(p.Spell())
	}
	sys, err := b.openTrail(p.at, p.trail)
	if err != nil {
		return nil, err
	}
	return b.dir(p.at, append([]step(nil), p.trail...), sys, verdict{p.Can, p.Screen}), nil
}

// Parent opens the folder the place lies in, for changing its entry Name.
func (p *Place) Parent() (*Dir, error) {
	if len(p.trail) == 0 {
		return nil, outcome.New(outcome.Refused, "%s is the top of a tree, which fettle does not change", p.Spell()).At(p.Spell())
	}
	up := p.trail[:len(p.trail)-1]
	for _, s := range up {
		if s.id.zero() {
			return nil, errNotFound(p.b.spell(p.at, relOf(up)))
		}
	}
	sys, err := p.b.openTrail(p.at, up)
	if err != nil {
		return nil, err
	}
	return p.b.dir(p.at, append([]step(nil), up...), sys, p.b.judge(p.at, up)), nil
}

func (b *Boundary) dir(t *Tree, trail []step, sys sysDir, v verdict) *Dir {
	d := &Dir{b: b, tree: t, trail: trail, sys: sys, v: v, leafy: !t.plain && b.anyLeaf()}
	d.reached(t.id, t.local)
	return d
}

// reached sets what depends on the disk: that of the folder from which d was
// reached, unless something is mounted on the way. local is asked only there.
func (d *Dir) reached(from FileID, local func() bool) {
	if d.id().dev == from.dev {
		d.local = local()
	} else {
		d.local = d.sys.local()
	}
	d.sys = d.sys.directly(d.b.alone && d.local)
}

// anyLeaf reports whether a scope covers something that is not a folder.
func (b *Boundary) anyLeaf() bool {
	for _, t := range b.trees {
		for i := range t.scopes {
			for _, p := range t.scopes[i].places {
				if !p.folder {
					return true
				}
			}
		}
	}
	return false
}

// Can says what may be done in the folder.
func (d *Dir) Can() config.Permissions { return d.v.can }

// Screen says what is screened in the folder.
func (d *Dir) Screen() config.Categories { return d.v.screen }

// Rel is the folder's path below its tree, "" at the top.
func (d *Dir) Rel() string { return relOf(d.trail) }

// Tree is the tree the folder was opened from.
func (d *Dir) Tree() *Tree { return d.tree }

// Close lets the handle go.
func (d *Dir) Close() error { d.sys.close(); return nil }

// Each calls fn for every entry, in the system's order. Hidden entries and
// fettle's own are left out; a hidden folder with something visible below it
// is given all the same, and its Dir grants no list.
func (d *Dir) Each(fn func(name string, t fs.FileMode) error) error {
	list := d.sys.entries
	if d.unread.CompareAndSwap(true, false) {
		list = d.sys.rest
	}
	return list(func(name string, t fs.FileMode) error {
		if len(name) > 1 && name[0] == '.' && Reserved(name) {
			return nil
		}
		if t&fs.ModeIrregular != 0 { // the disk does not tell types in its listing
			info, err := d.sys.lstat(name)
			if err != nil {
				return nil
			}
			t = info.Mode.Type()
		}
		if !d.shows(name, t) {
			return nil
		}
		return fn(name, t)
	})
}

// shows reports whether an entry may be known.
func (d *Dir) shows(name string, t fs.FileMode) bool {
	if d.tree.plain || !t.IsDir() && !d.leafy {
		return d.v.can.Has(config.List)
	}
	at, _, err := d.at(name)
	if err != nil {
		return false
	}
	return d.b.judge(d.tree, at).can.Has(config.List) || t.IsDir() && d.b.mayHold(d.tree, at)
}

// at is the trail of an entry, with its identity.
func (d *Dir) at(name string) ([]step, Info, error) {
	info, err := d.sys.lstat(name)
	if err != nil {
		return nil, Info{}, err
	}
	return append(append(make([]step, 0, len(d.trail)+1), d.trail...), step{name, info.ID}), info, nil
}

// Sub opens a child folder. It follows no link. ErrHidden says that neither
// it nor anything below it may be known.
func (d *Dir) Sub(name string) (*Dir, error) {
	sys, info, unread, err := d.sys.openToList(name)
	if err != nil {
		return nil, err
	}
	trail := append(append(make([]step, 0, len(d.trail)+1), d.trail...), step{name, info.ID})
	v := d.v
	if !d.tree.plain {
		v = d.b.judge(d.tree, trail)
		if !v.can.Has(config.List) && !d.b.mayHold(d.tree, trail) {
			sys.close()
			return nil, ErrHidden
		}
	}
	sub := &Dir{b: d.b, tree: d.tree, trail: trail, sys: sys, v: v, leafy: d.leafy}
	sub.unread.Store(unread)
	sub.reached(d.id(), func() bool { return d.local })
	return sub, nil
}

// id is the folder's own.
func (d *Dir) id() FileID {
	if n := len(d.trail); n > 0 {
		return d.trail[n-1].id
	}
	return d.tree.id
}

// Local reports whether what the system says of an entry is what the disk
// holds: a disk of this machine, and not one whose server is asked now and then.
func (d *Dir) Local(i Info) bool { return d.local && i.ID.dev == d.id().dev }

// Open opens a regular file for reading and says what it is. It follows no
// link and waits for no FIFO: ErrNotRegular. ErrHidden where a scope hides
// it, and a refusal where it may be listed but not read.
func (d *Dir) Open(name string) (*os.File, Info, error) {
	f, info, err := d.sys.openRegular(name)
	if err != nil {
		return nil, info, err
	}
	if err := d.allows(name, info); err != nil {
		f.Close()
		return nil, Info{}, err
	}
	return f, info, nil
}

// Look is Open without the file: what it is, where it may be read.
func (d *Dir) Look(name string) (Info, error) {
	info, err := d.sys.lstat(name)
	if err != nil {
		return info, err
	}
	if !info.Mode.IsRegular() {
		return info, ErrNotRegular
	}
	if err := d.allows(name, info); err != nil {
		return Info{}, err
	}
	return info, nil
}

// Read is Open and reading the whole of it into buf, which is used again:
// ErrLarge when the file holds more than limit bytes. The second result is the
// bytes, which may be another slice than buf.
func (d *Dir) Read(name string, buf []byte, limit int64) ([]byte, Info, error) {
	buf, info, err := d.sys.readRegular(name, buf, limit)
	if err != nil && !errors.Is(err, ErrLarge) {
		return buf, info, err
	}
	if judged := d.allows(name, info); judged != nil {
		return buf[:0], Info{}, judged
	}
	return buf, info, err
}

// allows refuses an entry that may not be read, by its identity.
func (d *Dir) allows(name string, info Info) error {
	v := d.v
	if d.leafy {
		v = d.b.judge(d.tree, append(append(make([]step, 0, len(d.trail)+1), d.trail...), step{name, info.ID}))
	}
	if !v.can.Has(config.List) {
		return ErrHidden
	}
	if !v.can.Has(config.Read) {
		return lacks(d.tree, d.b.spell(d.tree, relOf(append(d.trail[:len(d.trail):len(d.trail)], step{name: name}))), config.Read)
	}
	return nil
}

// Judge says what may be done with an entry, and what is screened there.
func (d *Dir) Judge(name string) (config.Permissions, config.Categories, error) {
	if d.tree.plain {
		return d.v.can, d.v.screen, nil
	}
	at, _, err := d.at(name)
	if errors.Is(err, fs.ErrNotExist) {
		at, err = append(append(make([]step, 0, len(d.trail)+1), d.trail...), step{name: name}), nil
	}
	if err != nil {
		return 0, 0, err
	}
	v := d.b.judge(d.tree, at)
	return v.can, v.screen, nil
}

// Stat says what an entry is, without following a link.
func (d *Dir) Stat(name string) (Info, error) { return d.sys.lstat(name) }

// LinkTarget spells where the link called name leads, or gives "" when that
// is outside, hidden or unknown.
func (d *Dir) LinkTarget(name string) string {
	at, info, err := d.at(name)
	if err != nil || info.Mode&fs.ModeSymlink == 0 {
		return ""
	}
	return d.b.linkTarget(d.tree, at)
}

// identify gives the steps of names below t's top as far as they exist,
// following no link: a link ends it, as a step of its own.
func (t *Tree) identify(names []string) []step {
	d := t.top.lent()
	defer func() { d.close() }()
	var trail []step
	for i, n := range names {
		info, err := d.lstat(n)
		if err != nil {
			return trail
		}
		trail = append(trail, step{n, info.ID})
		if i == len(names)-1 || !info.Mode.IsDir() {
			return trail
		}
		next, _, err := d.openDir(n)
		if err != nil {
			return trail
		}
		d.close()
		d = next
	}
	return trail
}
