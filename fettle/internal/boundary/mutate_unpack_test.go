package boundary

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An unpacking that is killed at any step is finished or gone after the next call.
func TestUnpackingKilled(t *testing.T) {
	for step := -1; step <= 3; step++ {
		w := makeWorld(t)
		if err := os.Mkdir(filepath.Join(w.T, "out"), 0o755); err != nil {
			t.Fatal(err)
		}
		w.write(t, "T/a.tar", "an archive")
		w.write(t, "T/out/old", "old")
		b := w.open(t)
		u, err := b.Unpack(locate(t, b, "a.tar"), locate(t, b, "out"))
		if err != nil {
			t.Fatal(err)
		}
		for i, rel := range []string{"old", "d/x", "d/y", "new"} {
			if err := u.Add(rel, false, true); err != nil {
				t.Fatal(err)
			}
			if _, err := u.File(i, strings.NewReader("fresh"), false); err != nil {
				t.Fatal(err)
			}
		}
		u.letGo()
		parent := func(un *unit) (*Dir, error) { return un.place.Parent() }
		if step >= 0 {
			if err := u.decide(parent); err != nil {
				t.Fatal(err)
			}
			for _, un := range u.units[:step] {
				d, err := parent(un)
				if err == nil {
					err = un.swap(d)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		die(u.c)
		w.open(t).Recover()
		old := slurp(t, filepath.Join(w.T, "out/old"))
		_, err1 := os.Stat(filepath.Join(w.T, "out/d/y"))
		_, err2 := os.Stat(filepath.Join(w.T, "out/new"))
		switch {
		case step < 0 && old == "old" && err1 != nil && err2 != nil:
		case step >= 0 && old == "fresh" && err1 == nil && err2 == nil:
		default:
			t.Errorf("killed at step %d: old is %q, %v, %v", step, old, err1, err2)
		}
		clean(t, w.base)
	}
}

// What was staged in a folder that somebody replaced by a link before it was
// taken back is taken back by the next call that finds the folder again.
func TestUnpackingWhoseFolderIsAwayForAMoment(t *testing.T) {
	w := makeWorld(t)
	w.mkdir(t, "T/out")
	w.write(t, "T/a.tar", "an archive")
	b := w.open(t)
	u, err := b.Unpack(locate(t, b, "a.tar"), locate(t, b, "out"))
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Add("d/x", false, false); err != nil {
		t.Fatal(err)
	}
	if _, err := u.File(0, strings.NewReader("fresh"), false); err != nil {
		t.Fatal(err)
	}
	out, away := filepath.Join(w.T, "out"), filepath.Join(w.T, "away")
	if err := os.Rename(out, away); err != nil {
		t.Fatal(err)
	}
	w.link(t, w.O, "T/out")
	u.Close()
	b.Recover() // the link is still there
	if err := os.Remove(out); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(away, out); err != nil {
		t.Fatal(err)
	}
	b.Recover()
	clean(t, w.base)
}
