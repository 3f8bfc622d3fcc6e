package boundary

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"fettler/shared/outcome"
)

// journalFolder lies at the top of a tree while something is being changed in
// it. Its name is one of fettle's own, so it is outside for every verb.
const journalFolder = ReservedPrefix + "journal"

// longestJournal bounds what Recover reads.
const longestJournal = 64 << 20

// journal is one Change's record: a line for each hidden file before it is
// made, and, for several files, one deciding line before the first rename. The
// open handle holds a lock while its process lives.
type journal struct {
	tree *Tree
	dir  sysDir // the journal folder
	top  sysDir // the tree's top
	name string
	file *os.File
}

// entryAt is a hidden file or folder that may exist.
type entryAt struct{ Tree, Dir, Name string }

// planned is one rename of a decided Change.
type planned struct {
	Tree   string `json:"tree"`
	Path   string `json:"path"`
	Temp   string `json:"temp"`
	Old    string `json:"old,omitempty"` // hash; "" when nothing was there
	New    string `json:"new,omitempty"`
	Folder bool   `json:"folder,omitempty"`
	// Gone is a hidden name beside Path under which Path leaves, and From the
	// place it has been copied from: the parts of a move between disks and of a
	// recursive delete.
	Gone string `json:"gone,omitempty"`
}

type journalLine struct {
	Note   *entryAt  `json:"note,omitempty"`
	Decide []planned `json:"decide,omitempty"`
	Sum    string    `json:"sum,omitempty"`
}

// newJournal begins a record in t, or gives nil where that cannot be done.
func (b *Boundary) newJournal(t *Tree, id string) *journal {
	top, err := t.top.again()
	if err != nil {
		return nil
	}
	for range 8 {
		if err := top.mkdir(journalFolder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			break
		}
		dir, _, err := top.openDir(journalFolder)
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				continue // another process has just cleared it away
			}
			break
		}
		f, err := dir.create(id, 0o600)
		if err != nil {
			dir.close()
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			break
		}
		// Between its making and its lock a Recover may have taken it for a dead
		// one: it is ours when the name still leads to it.
		mine, err1 := fileInfo(f)
		if tryLock(f) {
			if now, err2 := dir.lstat(id); err1 == nil && err2 == nil && now.ID == mine.ID {
				return &journal{tree: t, dir: dir, top: top, name: id, file: f}
			}
		}
		f.Close()
		dir.close()
	}
	top.close()
	return nil
}

func (j *journal) write(l journalLine) error {
	raw, err := json.Marshal(l)
	if err != nil {
		return err
	}
	_, err = j.file.Write(append(raw, '\n'))
	return err
}

func (j *journal) note(e entryAt) error { return j.write(journalLine{Note: &e}) }

// decide writes the line from which on a Change is finished and not undone.
func (j *journal) decide(items []*Staged) error {
	plan := make([]planned, len(items))
	for i, s := range items {
		plan[i] = planned{Tree: s.dir.tree.Name, Path: escapeBytes(join(relOf(s.dir.trail), s.place.Name())),
			Temp: s.temp, Old: s.wasHash, New: s.Hash}
	}
	return j.decidePlan(plan)
}

func (j *journal) decidePlan(plan []planned) error {
	err := j.write(journalLine{Decide: plan, Sum: sumOf(plan)})
	if err == nil {
		err = j.file.Sync()
	}
	if err == nil {
		err = j.dir.sync()
	}
	if err == nil {
		err = j.top.sync()
	}
	if err != nil {
		return outcome.New(outcome.Denied, "the operating system does not let fettle keep a journal: %v", sysCause(err)).Because(err)
	}
	return nil
}

func sumOf(plan []planned) string {
	raw, _ := json.Marshal(plan)
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// remove ends the record. The folder goes with the last one in it.
func (j *journal) remove() {
	if j == nil {
		return
	}
	_ = j.dir.unlink(j.name)
	j.abandon()
	_ = j.top.rmdir(journalFolder)
	j.top.close()
}

// abandon leaves the record to the next call's Recover.
func (j *journal) abandon() {
	if j == nil {
		return
	}
	j.file.Close()
	j.dir.close()
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}
