package boundary

// Changing files. Everything that changes a tree goes through a Change: new
// content is staged beside its target under one of fettle's own names, which no
// verb sees, made to last, and put in place by a rename. Begin makes a Change,
// Write stages, Commit puts in place, and Close takes back whatever was not
// committed; it is always called.
//
// What the file system promises, and what fettle makes of it. A rename within a
// folder is one step: a reader, and a machine that stops, sees the old file or
// the new one, whole. Several renames are several steps. So a Change of several
// files first stages all of them, then writes a journal that names each with the
// hashes of its old and new content, and only then renames; a process that dies
// in between leaves the journal, and the next call finishes the renames or takes
// them back before it does anything else (Recover). Between two renames another
// program can see some files new and some old: no file system offers more. The
// last look at a target and its rename are two steps as well: a program that
// writes the file in the moment between them loses its write, and nothing short
// of its cooperation could save it. After a loss of power a staged file may
// remain under its hidden name when the journal did not reach the disk; the
// files themselves are whole. A disk that lies about flushing is beyond all this.

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"fettler/shared/config"
	"fettler/shared/outcome"
)

// errReadOnly is Windows' attribute, which the refusal names.
var errReadOnly = errors.New("it has the read-only attribute")

// Change is a set of staged contents that take effect together or not at all.
type Change struct {
	b       *Boundary
	id      string
	journal *journal
	items   []*Staged
	made    []madeDir
	ended   bool
}

// Staged is one file of a Change.
type Staged struct {
	Hash string   // of the new content
	Size int64    // of the new content
	Lost []string // what could not be carried over from the replaced file

	place   *Place
	dir     *Dir
	temp    string
	replace bool
	was     Info
	wasHash string
	backup  bool // the old file has a second name, temp + backupSuffix
	swapped bool
}

const backupSuffix = "-was"

// StageOptions say how new content meets what is there.
type StageOptions struct {
	// Replace allows a target that exists. Without it, one that appears before
	// the commit refuses it (target-exists).
	Replace bool
	// Was is the target as its content was read: when it is something else at
	// the commit, the Change is refused as stale. The zero Info skips the check.
	Was Info
	// WasHash is the hash of what is replaced, for the journal of a Change of
	// several files; "" has it computed.
	WasHash string
	// Mode is the mode of a file that was not there; 0 is 0666. The umask applies.
	Mode fs.FileMode
	// Executable, when not nil, sets or clears the executable bits of the result.
	Executable *bool
	// ModTime is the result's; the zero time is now.
	ModTime time.Time
}

// Begin starts a Change.
func (b *Boundary) Begin() *Change {
	var id [8]byte
	_, _ = rand.Read(id[:])
	return &Change{b: b, id: hex.EncodeToString(id[:])}
}

// Write stages what content gives for the place. The place is refused when it
// is governed, whatever the caller checked; permissions are the caller's.
func (c *Change) Write(p *Place, content io.Reader, o StageOptions) (*Staged, error) {
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
	if err := c.parents(p); err != nil {
		return nil, err
	}
	dir, err := p.Parent()
	if err != nil {
		return nil, err
	}
	s := &Staged{place: p, dir: dir, replace: p.Exists, was: o.Was, wasHash: o.WasHash}
	if err := c.stage(s, content, o); err != nil {
		dir.Close()
		return nil, err
	}
	c.items = append(c.items, s)
	return s, nil
}

func (c *Change) stage(s *Staged, content io.Reader, o StageOptions) (err error) {
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
			s.Lost = append(s.Lost, fmt.Sprintf("hard link: %d other names of this file keep the old content", p.Info.Links-1))
		}
	}
	s.temp = fmt.Sprintf("%s%s-%d", ReservedPrefix, c.id, len(c.items)+1)
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
	if len(c.items) < fewFiles {
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

// Commit puts everything in place. When it fails, every file is as it was,
// unless the system also refuses to take back what was done: then the journal
// stays and the next call tries again.
func (c *Change) Commit() error {
	if len(c.items) > 1 {
		if err := c.prepare(); err != nil {
			return err
		}
	}
	for i, s := range c.items {
		if err := s.swap(); err != nil {
			if undoErr := c.undo(i); undoErr != nil {
				c.ended = true // what is left is for Recover
				c.journal.abandon()
				return outcome.New(outcome.Denied, "%s could not be changed, and what was changed before it could not all be taken back. "+
					"The next call tries again", s.place.Spell()).At(s.place.Spell()).Because(errors.Join(err, undoErr))
			}
			return err
		}
	}
	c.made = nil // what was made is wanted
	c.lasting()
	for _, s := range c.items {
		if s.backup {
			_ = s.dir.sys.unlink(s.temp + backupSuffix)
		}
	}
	c.end()
	return nil
}

// prepare makes the staged files last, gives the old ones a second name, and
// writes the journal's deciding line.
func (c *Change) prepare() error {
	for _, s := range c.items {
		if !s.replace {
			continue
		}
		if s.wasHash == "" {
			h, err := hashEntry(s.dir.sys, s.place.Name())
			if err != nil {
				return declined(err, "read", s.place)
			}
			s.wasHash = h
		}
		err := s.dir.sys.link(s.place.Name(), s.dir.sys, s.temp+backupSuffix)
		if err != nil && noLinks(err) {
			err = copyEntry(s.dir.sys, s.place.Name(), s.temp+backupSuffix)
		}
		if err != nil {
			return declined(err, "keep the old content of", s.place)
		}
		s.backup = true
	}
	c.lasting()
	if c.journal == nil {
		return outcome.New(outcome.Denied, "the operating system does not let fettle keep a journal at the top of tree '%s', "+
			"without which several files cannot change together. Change them one at a time", c.items[0].place.at.Name)
	}
	return c.journal.decide(c.items)
}

// lasting makes staged files and renames last.
func (c *Change) lasting() {
	if len(c.items) > fewFiles {
		disks := map[uint64]bool{}
		all := true
		for _, s := range c.items {
			info, err := s.dir.sys.stat()
			if err != nil || disks[info.ID.dev] {
				continue
			}
			disks[info.ID.dev] = true
			all = s.dir.sys.syncAll() == nil && all
		}
		if all {
			return
		}
		for _, s := range c.items[fewFiles:] {
			name := s.temp
			if s.swapped {
				name = s.place.Name()
			}
			if f, _, err := s.dir.sys.openRegular(name); err == nil {
				_ = f.Sync()
				f.Close()
			}
		}
	}
	dirs := map[FileID]bool{}
	for _, s := range c.items {
		if info, err := s.dir.sys.stat(); err == nil && !dirs[info.ID] {
			dirs[info.ID] = true
			_ = s.dir.sys.sync()
		}
	}
}

// swap renames the staged file over its target.
func (s *Staged) swap() error {
	name := s.place.Name()
	if !s.replace {
		err := s.dir.sys.moveNew(s.temp, s.dir.sys, name)
		if errors.Is(err, fs.ErrExist) {
			return errExists(s.place)
		}
		if err != nil {
			return declined(err, "make", s.place)
		}
		s.swapped = true
		return nil
	}
	now, err := s.dir.sys.lstat(name)
	switch {
	case err != nil:
		return errStale(s.place)
	case now.ID != s.place.Info.ID:
		return errStale(s.place)
	case s.was != (Info{}) && (now.Size != s.was.Size || !now.ModTime.Equal(s.was.ModTime)):
		return errStale(s.place)
	}
	if err := s.dir.sys.rename(s.temp, s.dir.sys, name); err != nil {
		return declined(err, "replace", s.place)
	}
	s.swapped = true
	return nil
}

// undo takes back the first n swaps, the last one first.
func (c *Change) undo(n int) error {
	var failed error
	for i := n - 1; i >= 0; i-- {
		s := c.items[i]
		if !s.swapped {
			continue
		}
		var err error
		if s.replace {
			err = s.dir.sys.rename(s.temp+backupSuffix, s.dir.sys, s.place.Name())
			s.backup = err != nil
		} else {
			err = s.dir.sys.unlink(s.place.Name())
		}
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		s.swapped = false
		s.temp = ""
	}
	return failed
}

// Close takes back what was not committed and lets the handles go.
func (c *Change) Close() {
	if !c.ended {
		for _, s := range c.items {
			if s.temp != "" && !s.swapped {
				_ = s.dir.sys.unlink(s.temp)
			}
			if s.backup {
				_ = s.dir.sys.unlink(s.temp + backupSuffix)
			}
		}
		for i := len(c.made) - 1; i >= 0; i-- {
			_ = c.made[i].in.rmdir(c.made[i].name)
		}
		c.end()
	}
	for _, s := range c.items {
		s.dir.Close()
	}
	for _, m := range c.made {
		m.in.close()
	}
	c.items, c.made = nil, nil
}

func (c *Change) end() {
	c.ended = true
	c.journal.remove()
	c.journal = nil
}

// note writes in the journal that a hidden file is about to be made. A single
// file's journal is a courtesy to the next call: it is done without where the
// top of the tree cannot be written.
func (c *Change) note(dir *Dir, name string) error {
	if c.journal == nil && len(c.items) == 0 {
		c.journal = c.b.newJournal(dir.tree, c.id)
	}
	if c.journal == nil {
		return nil
	}
	return c.journal.note(entryAt{Tree: dir.tree.Name, Dir: escapeBytes(relOf(dir.trail)), Name: name})
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
