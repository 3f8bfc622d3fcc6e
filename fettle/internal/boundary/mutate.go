// Changing files. Everything that changes a tree goes through a Change: new
// content is staged beside its target under one of fettle's own names, which no
// verb sees, made to last, and put in place by a rename. Begin makes a Change,
// Write stages, Commit puts in place, and Close takes back whatever was not
// committed; it is always called.
//
// Each staged file is flushed before it is renamed: a rename that reached the
// disk ahead of its content would leave an empty file under a good name, so this
// is what keeps a file whole. The folder is flushed after the rename and before
// the call answers. Whole or undone would hold without that: it is there so that
// what was answered ok is still so after a loss of power.
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
package boundary

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"sync"
	"time"

	"fettler/fettle/internal/parallel"
	"fettler/shared/outcome"
)

// errReadOnly is Windows' attribute, which the refusal names.
var errReadOnly = errors.New("it has the read-only attribute")

// Change is a set of staged contents that take effect together or not at all.
type Change struct {
	b       *Boundary
	id      string
	journal *journal
	// mirrors are empty records of the same name in the other trees that the
	// Change touches: a journal says nothing about a tree that has none.
	mirrors map[*Tree]*journal
	items   []*Staged
	made    []madeDir
	ended   bool

	mu      sync.Mutex // guards what staging several files at once shares: all above but items, and this
	noted   bool       // a journal was asked for
	folders map[folderKey]*Dir
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
				c.abandon()
				return outcome.New(outcome.Denied, "%s could not be changed, and what was changed before it could not all be taken back. "+
					"The next call tries again", s.place.Spell()).At(s.place.Spell()).Because(errors.Join(err, undoErr))
			}
			return err
		}
	}
	c.made = nil // what was made is wanted
	c.lasting()
	// Letting go of the old content can wait for the disk, for each file.
	_ = parallel.Each(len(c.items), inFlight, func(i int) error {
		if s := c.items[i]; s.backup {
			_ = s.dir.sys.unlink(s.temp + backupSuffix)
		}
		return nil
	})
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
		return noJournal(c.items[0].place.at)
	}
	return c.journal.decide(c.items)
}

// lasting makes staged files and renames last.
func (c *Change) lasting() {
	if len(c.items) > fewFiles {
		disks := map[uint64]bool{}
		all := true
		for _, d := range c.folders {
			info, err := d.sys.stat()
			if err != nil || disks[info.ID.dev] {
				continue
			}
			disks[info.ID.dev] = true
			all = d.sys.syncAll() == nil && all
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
	for _, d := range c.folders {
		_ = d.sys.sync()
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
			if err == nil {
				// Renaming between two names of one file does nothing and succeeds.
				_ = s.dir.sys.unlink(s.temp + backupSuffix)
			}
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
	for _, d := range c.folders {
		d.Close()
	}
	for _, m := range c.made {
		m.in.close()
	}
	c.items, c.made, c.folders = nil, nil, nil
}

func (c *Change) end() {
	c.ended = true
	c.journal.remove()
	for _, m := range c.mirrors {
		m.remove()
	}
	c.journal, c.mirrors = nil, nil
}

// abandon leaves what is left to Recover.
func (c *Change) abandon() {
	c.ended = true
	c.journal.abandon()
	for _, m := range c.mirrors {
		m.abandon()
	}
}
