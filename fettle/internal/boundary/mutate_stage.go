package boundary

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"fettler/shared/config"
	"fettler/shared/outcome"
)

// Write stages what content gives for the place. The place is refused when it
// is governed, whatever the caller checked; permissions are the caller's.
func (c *Change) Write(p *Place, content io.Reader, o StageOptions) (*Staged, error) {
	s, err := c.write(p, len(c.items), content, o)
	if err != nil {
		return nil, err
	}
	c.items = append(c.items, s)
	return s, nil
}

// write is Write for the file that is to be number n of the Change, from 0.
func (c *Change) write(p *Place, n int, content io.Reader, o StageOptions) (*Staged, error) {
	if err := p.Governed(); err != nil {
		return nil, err
	}
	if p.Top() {
		return nil, outcome.New(outcome.Refused, "%s is the top of a tree, not a file", p.Spell()).At(p.Spell())
	}
	if p.Exists && !o.Replace {
		return nil, errExists(p)
	}
	if p.Exists && !p.Info.Mode.IsRegular() {
		return nil, errNotRegular(p.Spell(), p.Info.Mode)
	}
	if p.b.namedScope(p.Info) {
		return nil, errNamedScope(p)
	}
	dir, err := c.folder(p)
	if err != nil {
		return nil, err
	}
	s := &Staged{
		place: p, dir: dir, replace: p.Exists, was: o.Was, wasHash: o.WasHash,
		temp: fmt.Sprintf("%s%s-%d", ReservedPrefix, c.id, n+1),
	}
	if err := c.stage(s, n, content, o); err != nil {
		return nil, err
	}
	return s, nil
}

func (c *Change) stage(s *Staged, n int, content io.Reader, o StageOptions) (err error) {
	p := s.place
	var old *os.File
	if s.replace {
		if err := s.dir.sys.writable(p.Name()); err != nil {
			return declined(err, "write", p)
		}
		if f, info, err := s.dir.sys.openRegular(p.Name()); err == nil {
			old = f
			defer f.Close()
			if info.ID != p.Info.ID {
				return errStale(p)
			}
		}
		if p.Info.Links > 1 {
			others := "1 other name of this file keeps"
			if n := p.Info.Links - 1; n > 1 {
				others = fmt.Sprintf("%d other names of this file keep", n)
			}
			s.Lost = append(s.Lost, "hard link: "+others+" the old content")
		}
	}
	if err := c.note(s.dir, s.temp); err != nil {
		return err
	}
	perm := o.Mode.Perm()
	if perm == 0 {
		perm = 0o666
	}
	if s.replace {
		perm = 0o600 // until it has the mode of what it replaces
	}
	f, err := s.dir.sys.create(s.temp, perm|0o200)
	if err != nil {
		return declined(err, "make a file beside", p)
	}
	defer func() {
		f.Close()
		if err != nil {
			_ = s.dir.sys.unlink(s.temp)
		}
	}()
	sum := sha256.New()
	if s.Size, err = io.Copy(io.MultiWriter(f, sum), content); err != nil {
		var o *outcome.Error
		if errors.As(err, &o) {
			return err
		}
		return declined(err, "write", p)
	}
	s.Hash = hex.EncodeToString(sum.Sum(nil))
	if err := s.dress(f, old, o); err != nil {
		return declined(err, "set the mode of", p)
	}
	// Many files share one flush at the commit.
	if n < fewFiles {
		if err := f.Sync(); err != nil {
			return declined(err, "write", p)
		}
	}
	if err := f.Close(); err != nil {
		return declined(err, "write", p)
	}
	if !o.ModTime.IsZero() {
		if err := s.dir.sys.chtimes(s.temp, o.ModTime); err != nil {
			s.Lost = append(s.Lost, "modified time")
		}
	}
	return nil
}

// fewFiles are flushed one by one; beyond, the disk is flushed once.
const fewFiles = 8

// dress gives the staged file the mode, owner and attributes it is to have.
func (s *Staged) dress(f, old *os.File, o StageOptions) error {
	if s.replace {
		if old != nil {
			s.Lost = append(s.Lost, carry(old, f)...)
		} else {
			s.Lost = append(s.Lost, "owner", "extended attributes")
			if err := f.Chmod(s.place.Info.Mode.Perm()); err != nil {
				return err
			}
		}
	}
	if o.Executable == nil && o.Mode.Perm()&0o200 != 0 || o.Executable == nil && o.Mode == 0 {
		return nil
	}
	fi, err := f.Stat()
	if err != nil {
		return err
	}
	mode := fi.Mode()
	if !s.replace && o.Mode != 0 && o.Mode.Perm()&0o200 == 0 {
		mode &^= 0o222 // it was created writable only for staging
	}
	if o.Executable != nil {
		mode = withExecutable(mode, *o.Executable)
	}
	if mode == fi.Mode() {
		return nil
	}
	return f.Chmod(mode)
}

// withExecutable sets the bit for everyone who may read, or clears it.
func withExecutable(m fs.FileMode, on bool) fs.FileMode {
	if on {
		return m | m&0o444>>2 | 0o100
	}
	return m &^ 0o111
}

// note writes in the journal that a hidden file is about to be made. A single
// file's journal is a courtesy to the next call: it is done without where the
// top of the tree cannot be written.
func (c *Change) note(dir *Dir, name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.noted {
		c.noted = true
		c.journal = c.b.newJournal(dir.tree, c.id)
	}
	if c.journal == nil {
		return nil
	}
	if dir.tree != c.journal.tree && c.mirrors[dir.tree] == nil {
		m := c.b.newJournal(dir.tree, c.id)
		if m == nil {
			return noJournal(dir.tree)
		}
		if c.mirrors == nil {
			c.mirrors = map[*Tree]*journal{}
		}
		c.mirrors[dir.tree] = m
	}
	return c.journal.note(entryAt{Tree: dir.tree.Name, Dir: escapeBytes(relOf(dir.trail)), Name: name})
}

func noJournal(t *Tree) error {
	return outcome.New(outcome.Denied, "the operating system does not let fettle keep a journal at the top of tree '%s', "+
		"without which more than one file cannot change together. Change them one at a time, within one disk", t.Name)
}

// madeDir is a folder made for a file that is yet to come.
type madeDir struct {
	in   sysDir
	name string
}

// parents makes the folders that are missing above p. They go again when the
// Change is not committed.
func (c *Change) parents(p *Place) error {
	missing := -1
	for i, st := range p.trail[:len(p.trail)-1] {
		if st.id.zero() {
			missing = i
			break
		}
	}
	if missing < 0 {
		return nil
	}
	made, err := p.b.makeDirs(p, missing, len(p.trail)-1)
	c.made = append(c.made, made...)
	return err
}

// makeDirs makes the components from..to of p's trail, each judged where it
// comes to be: it must grant create, and must not be governed.
func (b *Boundary) makeDirs(p *Place, from, to int) (made []madeDir, err error) {
	up, err := b.openTrail(p.at, p.trail[:from])
	if err != nil {
		return nil, err
	}
	defer func() { up.close() }()
	for i := from; i < to; i++ {
		at := p.trail[:i+1]
		q := &Place{Tree: p.at, Rel: relOf(at), b: b, at: p.at, trail: at}
		v := b.judge(p.at, at)
		q.Can = v.can
		if !v.can.Has(config.List) || Reserved(p.trail[i].name) {
			return made, errOutside()
		}
		if err := q.Need(config.Create); err != nil {
			return made, err
		}
		if err := q.Governed(); err != nil {
			return made, err
		}
		err := up.mkdir(p.trail[i].name, 0o777)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return made, declined(err, "make the folder", q)
		}
		if err == nil {
			handle, err := up.again()
			if err != nil {
				return made, err
			}
			made = append(made, madeDir{handle, p.trail[i].name})
		}
		next, info, err := up.openDir(p.trail[i].name)
		if err != nil {
			return made, declined(err, "open the folder", q)
		}
		_ = up.sync()
		up.close()
		up = next
		p.trail[i].id = info.ID
	}
	return made, nil
}

// folderKey is a folder as a place was judged in it.
type folderKey struct {
	tree *Tree
	id   FileID
	rel  string
}

// folder opens the folder that p lies in, with the parents that are missing,
// once for all files in it. It is the Change's to close.
func (c *Change) folder(p *Place) (*Dir, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.parents(p); err != nil {
		return nil, err
	}
	up := p.trail[:len(p.trail)-1]
	key := folderKey{p.at, p.at.id, relOf(up)}
	if len(up) > 0 {
		key.id = up[len(up)-1].id
	}
	if d := c.folders[key]; d != nil {
		return d, nil
	}
	d, err := p.folder()
	if err != nil {
		return nil, err
	}
	if c.folders == nil {
		c.folders = map[folderKey]*Dir{}
	}
	c.folders[key] = d
	return d, nil
}

// folder opens the folder a place lies in. One that was replaced since it was
// judged is stale.
func (p *Place) folder() (*Dir, error) {
	d, err := p.Parent()
	if errors.Is(err, errMoved) {
		return nil, errStale(p)
	}
	return d, err
}

func errExists(p *Place) error {
	return outcome.New(outcome.TargetExists, "%s is already there. Pass overwrite to replace it", p.Spell()).At(p.Spell())
}

func errStale(p *Place) error {
	return outcome.New(outcome.Stale, "%s changed while it was being changed here. Nothing was written; read it again", p.Spell()).At(p.Spell())
}

// declined words the system's refusal without a machine's path in it.
func declined(err error, what string, p *Place) error {
	if errors.Is(err, errReadOnly) {
		return outcome.New(outcome.Denied, "%s has the read-only attribute. Clear it first; delete takes force", p.Spell()).At(p.Spell()).Because(err)
	}
	var link *os.LinkError
	why := sysCause(err)
	if errors.As(err, &link) {
		why = link.Err
	}
	return outcome.New(outcome.Denied, "the operating system does not let fettle %s %s: %v", what, p.Spell(), why).At(p.Spell()).Because(err)
}

func hashEntry(d sysDir, name string) (string, error) {
	f, _, err := d.openRegular(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func copyEntry(d sysDir, name, as string) error {
	f, info, err := d.openRegular(name)
	if err != nil {
		return err
	}
	defer f.Close()
	to, err := d.create(as, 0o600)
	if err != nil {
		return err
	}
	defer to.Close()
	if _, err := io.Copy(to, f); err != nil {
		return err
	}
	carry(f, to)
	if err := to.Sync(); err != nil {
		return err
	}
	return d.chtimes(as, info.ModTime)
}
