package boundary

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"strings"

	"fettler/shared/config"
	"fettler/shared/outcome"
)

// Recover finishes or takes back what a process left half done: it is to be
// called before anything else of a call. It touches only what a journal names
// and only under the names fettle keeps for itself, resolves every path through
// the boundary, refuses the governed, and leaves a journal whose process lives
// or whose places may no longer be changed. A tree may hold what strangers wrote,
// a made-up journal too: only a private file counts, and it speaks of another
// tree only where that tree has a record of the same name.
func (b *Boundary) Recover() {
	var found []*Tree
	for _, t := range b.trees {
		if _, err := t.top.lstat(journalFolder); err == nil {
			found = append(found, t)
		}
	}
	// Those that decide come before the records they lean on.
	for _, decided := range []bool{true, false} {
		for _, t := range found {
			b.recoverTree(t, decided)
		}
	}
}

// mostJournals bounds how many one call works off.
const mostJournals = 1000

func (b *Boundary) recoverTree(t *Tree, decided bool) {
	dir, info, err := t.top.openDir(journalFolder)
	if err != nil || !b.private(info) {
		return
	}
	defer dir.close()
	var names []string
	_ = dir.entries(func(name string, _ fs.FileMode) error {
		if isID(name) && len(names) < mostJournals {
			names = append(names, name)
		}
		return nil
	})
	for _, name := range names {
		b.recoverJournal(t, dir, name, decided)
	}
	if !decided {
		_ = t.top.rmdir(journalFolder) // when it is empty
	}
}

// private reports what nobody else could have made: fettle makes its journals
// so, and a checkout or an unpacked archive does not.
func (b *Boundary) private(info Info) bool { return b.windows || info.Mode.Perm()&0o077 == 0 }

func isID(name string) bool {
	raw, err := hex.DecodeString(name)
	return err == nil && len(raw) == 8 && name == strings.ToLower(name)
}

func (b *Boundary) recoverJournal(t *Tree, dir sysDir, name string, decided bool) {
	f, err := dir.openOwn(name)
	if err != nil {
		return
	}
	defer f.Close()
	if !tryLock(f) {
		return // its process lives
	}
	mine, err := fileInfo(f)
	if err != nil || !mine.Mode.IsRegular() || !b.private(mine) {
		return
	}
	if now, err := dir.lstat(name); err != nil || now.ID != mine.ID {
		return
	}
	r := recovery{b: b, tree: t, id: name}
	r.read(f)
	if r.decided == decided && r.run() {
		_ = dir.unlink(name)
	}
}

// recovery is one journal being worked off.
type recovery struct {
	b       *Boundary
	tree    *Tree // whose journal it is
	id      string
	notes   []entryAt
	plan    []planned
	decided bool
}

func (r *recovery) read(f io.Reader) {
	sc := bufio.NewScanner(io.LimitReader(f, longestJournal))
	sc.Buffer(nil, longestJournal)
	for sc.Scan() {
		var l journalLine
		d := json.NewDecoder(bytes.NewReader(sc.Bytes()))
		d.DisallowUnknownFields()
		if d.Decode(&l) != nil {
			return // torn: nothing after it was relied on
		}
		switch {
		case l.Note != nil && r.own(l.Note.Name):
			r.notes = append(r.notes, *l.Note)
		case l.Decide != nil && l.Sum == sumOf(l.Decide):
			r.plan, r.decided = l.Decide, true
		}
	}
}

// own says whether a name is one that this journal's process made.
func (r *recovery) own(name string) bool {
	return strings.HasPrefix(name, ReservedPrefix+r.id+"-") && !strings.ContainsAny(name, "/\\\x00")
}

// run reports whether nothing is left to do.
func (r *recovery) run() bool {
	if r.decided && !r.settle() {
		return false
	}
	done := true
	for _, n := range r.notes {
		done = r.discard(n) && done
	}
	return done
}

// discard removes a hidden entry and its second name.
func (r *recovery) discard(n entryAt) bool {
	p, err := r.b.Locate(locator(n.Tree, n.Dir), 0, "")
	if err != nil || !p.Exists {
		return err == nil || outcome.Of(err).Kind == outcome.NotFound
	}
	if p.Can&(config.Create|config.Update|config.Delete|config.Rename) == 0 {
		return false
	}
	dir, err := r.b.OpenDir(p)
	if err != nil {
		return false
	}
	defer dir.Close()
	done := true
	for _, name := range []string{n.Name, n.Name + backupSuffix} {
		if err := removeAll(dir.sys, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			done = false
		}
	}
	return done
}

// locator spells a recorded folder for Locate.
func locator(tree, dir string) string {
	if dir == "" {
		dir = "."
	}
	return tree + ":" + dir
}

// step is one planned rename with its open folder.
type pending struct {
	planned
	dir  *Dir
	name string
	done bool // the new content is in place already
}

// settle finishes a decided Change when every file is still what the journal
// says, or else takes back what it had done, leaving alone what somebody else
// changed since. It reports whether it is over.
func (r *recovery) settle() bool {
	var steps []pending
	defer func() {
		for _, s := range steps {
			s.dir.Close()
		}
	}()
	forward := true
	for _, pl := range r.plan {
		s, ok := r.open(pl)
		if !ok {
			return false
		}
		steps = append(steps, s)
		if pl.Gone != "" {
			continue
		}
		now, err := s.hash(s.name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false
		}
		switch now {
		case pl.New:
			steps[len(steps)-1].done = true
		case pl.Old:
			if temp, err := s.hash(pl.Temp); err != nil || temp != pl.New {
				forward = false
			}
		default:
			forward = false
		}
	}
	over := true
	for _, s := range steps {
		var err error
		switch {
		case s.Gone != "":
			err = s.leave(forward)
		case forward && !s.done:
			err = s.publish()
		case !forward && s.done:
			err = s.takeBack()
		}
		over = over && err == nil
		_ = s.dir.sys.sync()
	}
	return over
}

// open resolves one planned place as a verb would.
func (r *recovery) open(pl planned) (pending, bool) {
	if !r.own(pl.Temp) && pl.Temp != "" || !r.own(pl.Gone) && pl.Gone != "" {
		return pending{}, false
	}
	if !r.mirrored(pl.Tree) {
		return pending{}, false
	}
	p, err := r.b.LocateEntry(locator(pl.Tree, pl.Path), 0, "")
	if err != nil || p.Top() || p.Governed() != nil {
		return pending{}, false
	}
	need := config.Create
	switch {
	case pl.Gone != "":
		need = config.Rename
	case pl.Old != "":
		need = config.Update
	}
	// What was replaced by a move or a copy, or left, may have needed delete instead.
	if p.Need(need) != nil && (need == config.Create || p.Need(config.Delete) != nil) {
		return pending{}, false
	}
	dir, err := p.Parent()
	if err != nil {
		return pending{}, false
	}
	return pending{planned: pl, dir: dir, name: p.Name()}, true
}

// mirrored reports whether the journal may speak of a tree.
func (r *recovery) mirrored(name string) bool {
	t := r.b.Tree(name)
	if t == nil || t == r.tree {
		return t != nil
	}
	dir, info, err := t.top.openDir(journalFolder)
	if err != nil {
		return false
	}
	defer dir.close()
	m, err := dir.lstat(r.id)
	return err == nil && m.Mode.IsRegular() && r.b.private(m) && r.b.private(info)
}

func (s *pending) hash(name string) (string, error) {
	if s.Folder {
		return treeHash(s.dir.sys, name)
	}
	return hashEntry(s.dir.sys, name)
}

func (s *pending) publish() error {
	if s.Old == "" {
		return s.dir.sys.moveNew(s.Temp, s.dir.sys, s.name)
	}
	return s.dir.sys.rename(s.Temp, s.dir.sys, s.name)
}

func (s *pending) takeBack() error {
	if s.Old == "" {
		return removeAll(s.dir.sys, s.name)
	}
	if h, err := hashEntry(s.dir.sys, s.Temp+backupSuffix); err != nil || h != s.Old {
		return nil // nothing to go back to: the new content stays
	}
	return s.dir.sys.rename(s.Temp+backupSuffix, s.dir.sys, s.name)
}

// leave makes the entry disappear, or brings it back under its name.
func (s *pending) leave(forward bool) error {
	_, err := s.dir.sys.lstat(s.Gone)
	switch {
	case !forward && err == nil:
		return s.dir.sys.moveNew(s.Gone, s.dir.sys, s.name)
	case !forward:
		return nil
	case err == nil:
		return removeAll(s.dir.sys, s.Gone)
	}
	// It had not left yet. It goes only when it is still what was copied.
	if s.Old != "" {
		if h, err := s.hash(s.name); errors.Is(err, fs.ErrNotExist) {
			return nil
		} else if err != nil || h != s.Old {
			return err
		}
	} else {
		return nil // a delete that had not begun is no delete
	}
	if err := s.dir.sys.rename(s.name, s.dir.sys, s.Gone); err != nil {
		return err
	}
	return removeAll(s.dir.sys, s.Gone)
}
