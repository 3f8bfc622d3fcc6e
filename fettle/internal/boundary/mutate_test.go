package boundary

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"fettler/shared/config"
	"fettler/shared/outcome"
)

func locate(t *testing.T, b *Boundary, path string) *Place {
	t.Helper()
	p, err := b.LocateEntry(path, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func follow(t *testing.T, b *Boundary, path string) *Place {
	t.Helper()
	p, err := b.Locate(path, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// put writes one file through a Change.
func put(t *testing.T, b *Boundary, path, content string, o StageOptions) (*Staged, error) {
	t.Helper()
	c := b.Begin()
	defer c.Close()
	s, err := c.Write(follow(t, b, path), strings.NewReader(content), o)
	if err != nil {
		return nil, err
	}
	return s, c.Commit()
}

func slurp(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// clean fails when one of fettle's own names is left anywhere below dir.
func clean(t *testing.T, dir string) {
	t.Helper()
	_ = filepath.WalkDir(dir, func(p string, _ fs.DirEntry, err error) error {
		if err == nil && Reserved(filepath.Base(p)) {
			t.Errorf("left over: %s", p)
		}
		return nil
	})
}

func TestWriteNewAndReplace(t *testing.T) {
	w := makeWorld(t)
	b := w.open(t)
	if s, err := put(t, b, "new/deep/f.txt", "hello", StageOptions{}); err != nil || s.Size != 5 || len(s.Lost) > 0 {
		t.Fatal(s, err)
	}
	if got := slurp(t, filepath.Join(w.T, "new/deep/f.txt")); got != "hello" {
		t.Error(got)
	}
	if _, err := put(t, b, "a.txt", "x", StageOptions{}); true {
		wantKind(t, err, outcome.TargetExists)
	}
	if runtime.GOOS != "windows" {
		if err := os.Chmod(filepath.Join(w.T, "a.txt"), 0o751); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := put(t, b, "a.txt", "second", StageOptions{Replace: true}); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(filepath.Join(w.T, "a.txt")); err != nil || runtime.GOOS != "windows" && fi.Mode().Perm() != 0o751 {
		t.Error(fi.Mode(), err)
	}
	clean(t, w.base)
}

func TestWriteKeepsLinksAndNamesHardLinks(t *testing.T) {
	w := makeWorld(t)
	w.link(t, "a.txt", "T/l")
	b := w.open(t)
	if _, err := put(t, b, "l", "through", StageOptions{Replace: true}); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(filepath.Join(w.T, "l")); err != nil || to != "a.txt" || slurp(t, filepath.Join(w.T, "a.txt")) != "through" {
		t.Error(to, err)
	}
	if err := os.Link(filepath.Join(w.T, "a.txt"), filepath.Join(w.T, "h")); err != nil {
		t.Skip(err)
	}
	s, err := put(t, b, "h", "apart", StageOptions{Replace: true})
	if err != nil || len(s.Lost) != 1 || s.Lost[0] != "hard link: 1 other name of this file keeps the old content" || slurp(t, filepath.Join(w.T, "a.txt")) != "through" {
		t.Error(s, err)
	}
	clean(t, w.base)
}

// K03: a dangling link is no way to make a file outside.
func TestDanglingLink(t *testing.T) {
	w := makeWorld(t)
	w.link(t, filepath.Join(w.O, "new.txt"), "T/dang")
	b := w.open(t)
	_, err := b.Locate("dang", 0, "")
	wantKind(t, err, outcome.OutsideRoot)
	if _, err := os.Stat(filepath.Join(w.O, "new.txt")); err == nil {
		t.Error("made outside")
	}
}

func TestGovernedIsRefusedBelowEveryVerb(t *testing.T) {
	w := makeWorld(t)
	w.mkdir(t, "T/.claude", "T/settings")
	w.write(t, "T/.fettler.json", "{}")
	w.write(t, "T/settings/settings.json", "{}")
	b := w.open(t)
	ctx := context.Background()
	for _, path := range []string{".fettler.json", ".FETTLER.json", "sub/.mcp.json", ".claude/settings.json", ".vscode/mcp.json", "fettler/fettler.json"} {
		_, err := put(t, b, path, "{}", StageOptions{Replace: true})
		wantKind(t, err, outcome.Governed)
		p := follow(t, b, path)
		if !p.Exists {
			_, err = p.Mkdir()
			wantKind(t, err, outcome.Governed)
		} else {
			wantKind(t, b.Remove(ctx, p, true, true), outcome.Governed)
			_, err = p.SetExecutable(true)
			wantKind(t, err, outcome.Governed)
			_, err = b.Move(ctx, p, follow(t, b, "q"), false, 0, nil)
			wantKind(t, err, outcome.Governed)
		}
		_, err = b.Move(ctx, locate(t, b, "a.txt"), p, true, 0, nil)
		wantKind(t, err, outcome.Governed)
	}
	// A folder whose content would become governed where it goes.
	_, err := locate(t, b, "settings").Throughout(ctx, config.Rename, follow(t, b, "sub/.claude"), config.Create)
	wantKind(t, err, outcome.Governed)
	_, err = locate(t, b, ".").Throughout(ctx, config.Delete, nil, 0)
	wantKind(t, err, outcome.Governed)
	if err == nil || strings.Contains(err.Error(), w.T) {
		t.Error("the refusal names the place:", err)
	}
	clean(t, w.base)
}

func TestStale(t *testing.T) {
	w := makeWorld(t)
	b := w.open(t)
	p := follow(t, b, "a.txt")
	c := b.Begin()
	defer c.Close()
	if _, err := c.Write(p, strings.NewReader("mine"), StageOptions{Replace: true, Was: p.Info}); err != nil {
		t.Fatal(err)
	}
	w.write(t, "T/a.txt", "somebody else's")
	wantKind(t, c.Commit(), outcome.Stale)
	c.Close()
	if got := slurp(t, filepath.Join(w.T, "a.txt")); got != "somebody else's" {
		t.Error(got)
	}
	clean(t, w.base)
}

// stageAll stages new content for n existing files and one that is not there.
func stageAll(t *testing.T, b *Boundary, n int) *Change {
	t.Helper()
	c := b.Begin()
	for i := range n {
		p := follow(t, b, fmt.Sprintf("f%d", i))
		if _, err := c.Write(p, strings.NewReader(fmt.Sprint("new", i)), StageOptions{Replace: true, Was: p.Info}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Write(follow(t, b, "made"), strings.NewReader("new"), StageOptions{}); err != nil {
		t.Fatal(err)
	}
	return c
}

func many(t *testing.T, n int) (world, *Boundary) {
	w := makeWorld(t)
	for i := range n {
		w.write(t, fmt.Sprintf("T/f%d", i), fmt.Sprint("old", i))
	}
	return w, w.open(t)
}

// state says whether the files are all old, all new, or mixed.
func state(t *testing.T, w world, n int) string {
	t.Helper()
	fresh := 0
	for i := range n {
		switch slurp(t, filepath.Join(w.T, fmt.Sprintf("f%d", i))) {
		case fmt.Sprint("new", i):
			fresh++
		case fmt.Sprint("old", i):
		default:
			t.Fatalf("f%d is torn", i)
		}
	}
	_, err := os.Stat(filepath.Join(w.T, "made"))
	switch {
	case fresh == 0 && err != nil:
		return "old"
	case fresh == n && err == nil:
		return "new"
	}
	return "mixed"
}

func TestManyAllOrNone(t *testing.T) {
	for _, n := range []int{3, 20} {
		w, b := many(t, n)
		c := stageAll(t, b, n)
		if err := c.Commit(); err != nil {
			t.Fatal(err)
		}
		c.Close()
		if got := state(t, w, n); got != "new" {
			t.Error(n, got)
		}
		clean(t, w.base)

		w, b = many(t, n)
		c = stageAll(t, b, n)
		w.write(t, "T/made", "in the way") // the last one fails: everything goes back
		wantKind(t, c.Commit(), outcome.TargetExists)
		c.Close()
		if err := os.Remove(filepath.Join(w.T, "made")); err != nil {
			t.Fatal(err)
		}
		if got := state(t, w, n); got != "old" {
			t.Error(n, got)
		}
		clean(t, w.base)
	}
}

// die lets the handles of a process that was killed go.
func die(c *Change) {
	c.abandon()
	for _, d := range c.folders {
		d.Close()
	}
}

func TestRecoverAtEveryStep(t *testing.T) {
	const n = 4
	for step := -1; step <= n+1; step++ {
		w, b := many(t, n)
		c := stageAll(t, b, n)
		want := "old"
		if step >= 0 {
			if err := c.prepare(); err != nil {
				t.Fatal(err)
			}
			want = "new"
			for i := range step {
				if err := c.items[i].swap(); err != nil {
					t.Fatal(err)
				}
			}
		}
		// While the process lives nothing is touched.
		b.Recover()
		die(c)
		b2 := w.open(t)
		b2.Recover()
		if got := state(t, w, n); got != want {
			t.Errorf("killed at step %d: %s, want %s", step, got, want)
		}
		clean(t, w.base)
	}
}

func TestRecoverLeavesWhatOthersChanged(t *testing.T) {
	const n = 3
	w, b := many(t, n)
	c := stageAll(t, b, n)
	if err := c.prepare(); err != nil {
		t.Fatal(err)
	}
	if err := c.items[0].swap(); err != nil {
		t.Fatal(err)
	}
	die(c)
	w.write(t, "T/f1", "a person's")
	w.open(t).Recover()
	if got := slurp(t, filepath.Join(w.T, "f0")); got != "old0" {
		t.Error("f0 was not taken back:", got)
	}
	if got := slurp(t, filepath.Join(w.T, "f1")); got != "a person's" {
		t.Error("f1 was overwritten:", got)
	}
	clean(t, w.base)
}

func hashOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// A journal is a file in a tree, and a tree is written by many: a forged one
// gets nothing done that a verb would refuse.
func TestForgedJournal(t *testing.T) {
	w := makeWorld(t)
	w.mkdir(t, "T/"+journalFolder, "T/hidden", "B")
	w.write(t, "B/b.txt", "other tree")
	w.write(t, "T/.fettler.json", "{}")
	w.write(t, "T/hidden/h", "h")
	id := "0123456789abcdef"
	temp := ReservedPrefix + id + "-1"
	w.write(t, "T/"+temp, "evil")
	w.write(t, "T/hidden/"+temp, "evil")
	evil := "c6fa6c4d3d5a4b8cf2f0b93ce0fa2d0f1b6f0b2ee6e7e6a4ff8f3f3a5c1c1a11"
	for name, plan := range map[string][]planned{
		"governed":   {{Tree: "work", Path: ".fettler.json", Temp: temp, Old: "x", New: evil}},
		"hidden":     {{Tree: "work", Path: "hidden/h", Temp: temp, Old: "x", New: evil}},
		"outside":    {{Tree: "work", Path: "../O/secret.txt", Temp: temp, Old: "x", New: evil}},
		"other temp": {{Tree: "work", Path: "sub/b.txt", Temp: "a.txt", New: evil}},
		"other gone": {{Tree: "work", Path: "sub/b.txt", Gone: "../a.txt", New: evil}},
		"other tree": {{Tree: "other", Path: "b.txt", Gone: ReservedPrefix + id + "-2", Old: hashOf("other tree")}},
		"taken back": {{Tree: "other", Path: "b.txt", Temp: temp, New: hashOf("other tree")}, {Tree: "work", Path: "a.txt", Temp: temp, Old: "x", New: evil}},
	} {
		f, err := os.Create(filepath.Join(w.T, journalFolder, id))
		if err != nil {
			t.Fatal(err)
		}
		j := journal{file: f}
		if err := j.note(entryAt{"work", "", "a.txt"}); err != nil {
			t.Fatal(err)
		}
		if err := j.write(journalLine{Decide: plan, Sum: sumOf(plan)}); err != nil {
			t.Fatal(err)
		}
		f.Close()
		for _, p := range []string{journalFolder, journalFolder + "/" + id} {
			if err := os.Chmod(filepath.Join(w.T, p), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		open(t, Options{Trees: []Spec{{Name: "work", Path: w.T, Can: config.Work, Scopes: []ScopeSpec{hide("hidden")}},
			{Name: "other", Path: filepath.Join(w.base, "B"), Can: config.Work}}}).Recover()
		for file, want := range map[string]string{"B/b.txt": "other tree", "T/.fettler.json": "{}", "T/hidden/h": "h", "T/a.txt": "a", "T/sub/b.txt": "b", "O/secret.txt": "secret"} {
			if got := slurp(t, filepath.Join(w.base, file)); got != want {
				t.Errorf("%s: %s became %q", name, file, got)
			}
		}
		_ = os.Remove(filepath.Join(w.T, journalFolder, id))
	}
}

func TestMove(t *testing.T) {
	ctx := context.Background()
	w := makeWorld(t)
	b := w.open(t)
	m, err := b.Move(ctx, locate(t, b, "a.txt"), follow(t, b, "sub/c.txt"), false, 0, nil)
	if err != nil || !m.Atomic || slurp(t, filepath.Join(w.T, "sub/c.txt")) != "a" {
		t.Fatal(m, err)
	}
	_, err = b.Move(ctx, locate(t, b, "sub/c.txt"), follow(t, b, "sub/b.txt"), false, 0, nil)
	wantKind(t, err, outcome.TargetExists)
	if _, err = b.Move(ctx, locate(t, b, "sub/c.txt"), follow(t, b, "sub/b.txt"), true, 0, nil); err != nil || slurp(t, filepath.Join(w.T, "sub/b.txt")) != "a" {
		t.Fatal(err)
	}
	// K27
	w.link(t, "sub", "T/l")
	for _, to := range []string{"sub/sub", "l/x", "sub/x/y"} {
		p := follow(t, b, to)
		_, err = b.Move(ctx, locate(t, b, "sub"), p, false, 0, nil)
		wantKind(t, err, outcome.Refused)
		_, err = b.CopyFolder(ctx, locate(t, b, "sub"), p, false, nil)
		wantKind(t, err, outcome.Refused)
	}
	_, err = b.Move(ctx, locate(t, b, "sub"), follow(t, b, "sub"), true, 0, nil)
	wantKind(t, err, outcome.Refused)
	m, err = b.Move(ctx, locate(t, b, "sub/b.txt"), follow(t, b, "sub/B.txt"), false, 0, nil)
	if err != nil || !m.CaseOnly || !m.Atomic {
		t.Error(m, err)
	}
	_, err = b.Move(ctx, locate(t, b, "."), follow(t, b, "q"), false, 0, nil)
	wantKind(t, err, outcome.Refused)
	clean(t, w.base)
}

// otherDisk gives a folder on another disk than the temporary one.
func otherDisk(t *testing.T, base string) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "fettle-test")
	if err != nil {
		t.Skip("no second disk to move to:", err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	a, err1 := statPath(base)
	c, err2 := statPath(dir)
	if err1 != nil || err2 != nil || a.ID.dev == c.ID.dev {
		t.Skip("the temporary folder and /dev/shm are one disk")
	}
	return dir
}

func TestMoveBetweenDisks(t *testing.T) {
	ctx := context.Background()
	w := makeWorld(t)
	far := otherDisk(t, w.base)
	two := func() *Boundary {
		return open(t, Options{Trees: []Spec{{Name: "work", Path: w.T, Can: config.Work}, {Name: "far", Path: far, Can: config.Work}}})
	}
	b := two()
	for name, from := range map[string]string{"file": "a.txt", "folder": "sub"} {
		m, err := b.Move(ctx, locate(t, b, from), follow(t, b, "far:"+name), false, 0, nil)
		if err != nil || m.Atomic {
			t.Fatal(name, m, err)
		}
		if _, err := os.Lstat(filepath.Join(w.T, from)); err == nil {
			t.Error("the source is still there")
		}
	}
	if slurp(t, filepath.Join(far, "file")) != "a" || slurp(t, filepath.Join(far, "folder/b.txt")) != "b" {
		t.Error("the content did not arrive")
	}
	w.write(t, "T/a.txt", "again")
	if _, err := b.Move(ctx, locate(t, b, "a.txt"), follow(t, b, "far:file"), true, 0, nil); err != nil || slurp(t, filepath.Join(far, "file")) != "again" {
		t.Error(err)
	}
	clean(t, w.base)
	clean(t, far)
}

func TestCopyFolder(t *testing.T) {
	ctx := context.Background()
	w := makeWorld(t)
	w.mkdir(t, "T/sub/deep")
	w.write(t, "T/sub/deep/c", "c")
	w.link(t, "deep", "T/sub/l")
	b := w.open(t, hide("sub2"))
	s, err := b.CopyFolder(ctx, locate(t, b, "sub"), follow(t, b, "copy"), true, nil)
	if err != nil || s.Files != 2 || s.Dirs != 2 || s.Bytes != 2 || len(s.Links) != 1 || s.Links[0] != "sub/l" {
		t.Fatalf("%+v %v", s, err)
	}
	if slurp(t, filepath.Join(w.T, "copy/deep/c")) != "c" {
		t.Error("not copied")
	}
	_, err = b.CopyFolder(ctx, locate(t, b, "sub"), follow(t, b, "copy"), true, nil)
	wantKind(t, err, outcome.TargetExists)
	b = w.open(t, hide("sub/deep"))
	_, err = b.CopyFolder(ctx, locate(t, b, "sub"), follow(t, b, "copy2"), true, nil)
	wantKind(t, err, outcome.Refused)
	if strings.Contains(err.Error(), "deep") {
		t.Error("the refusal tells where:", err)
	}
	clean(t, w.base)
}

func TestRemove(t *testing.T) {
	ctx := context.Background()
	w := makeWorld(t)
	w.link(t, "a.txt", "T/sub/l")
	b := w.open(t)
	wantKind(t, b.Remove(ctx, locate(t, b, "sub"), false, false), outcome.Refused)
	wantKind(t, b.Remove(ctx, locate(t, b, "."), true, true), outcome.Refused)
	if err := b.Remove(ctx, locate(t, b, "sub/l"), false, false); err != nil {
		t.Error(err)
	}
	if err := b.Remove(ctx, locate(t, b, "sub"), true, false); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(filepath.Join(w.T, "sub")); err == nil || slurp(t, filepath.Join(w.T, "a.txt")) != "a" {
		t.Error("removed the wrong thing")
	}
	clean(t, w.base)
}

func TestLeaves(t *testing.T) {
	w := makeWorld(t)
	w.mkdir(t, "T/docs/in", "T/docs/in/deeper")
	w.write(t, "T/docs/d", "d")
	b := w.open(t, ScopeSpec{Path: "docs", CanSet: true, Can: config.Work}, ScopeSpec{Path: "docs/in/deeper", CanSet: true, Can: config.Work})
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"a.txt", "sub/x", false}, {"a.txt", "docs/x", false}, {"docs/d", "docs/in/x", false}, {"docs/d", "docs/in/deeper/x", false},
		{"docs/d", "x", true}, {"docs/in/deeper", "docs/in/x", true}, {"docs", "docs2", true},
	} {
		if got := locate(t, b, c.from).Leaves(follow(t, b, c.to)); got != c.want {
			t.Errorf("%s to %s leaves: %v", c.from, c.to, got)
		}
	}
}

// A folder that takes the place of a scope's folder within one call is under
// the scope as the old one was.
func TestRescope(t *testing.T) {
	ctx := context.Background()
	w := makeWorld(t)
	b := w.open(t, ScopeSpec{Path: "sub", CanSet: true, Can: config.List | config.Read | config.Rename | config.Delete})
	if _, err := b.Move(ctx, locate(t, b, "sub"), follow(t, b, "moved"), false, 0, nil); err != nil {
		t.Fatal(err)
	}
	w.mkdir(t, "T/sub")
	b.Rescope()
	if p := follow(t, b, "sub/x"); p.Can.Has(config.Create) {
		t.Error("the new folder is not under the scope")
	}
}

func TestTopsInside(t *testing.T) {
	ctx := context.Background()
	w := makeWorld(t)
	w.mkdir(t, "T/sub/tree")
	b := open(t, Options{Trees: []Spec{{Name: "work", Path: w.T, Can: config.Work}, {Name: "inner", Path: filepath.Join(w.T, "sub/tree"), Can: config.Work}}})
	_, err := locate(t, b, "sub").Throughout(ctx, config.Delete, nil, 0)
	wantKind(t, err, outcome.Refused)
	wantKind(t, b.Remove(ctx, locate(t, b, "sub/tree"), true, false), outcome.Refused)
}

// What a loss of power left behind without a journal does not stand in the way for ever.
func TestAbandoned(t *testing.T) {
	ctx := context.Background()
	w := makeWorld(t)
	stray := filepath.Join(w.T, "sub", ReservedPrefix+"0123456789abcdef-1")
	w.write(t, "T/sub/"+filepath.Base(stray), "x")
	b := w.open(t)
	_, err := locate(t, b, "sub").Throughout(ctx, config.Delete, nil, 0)
	wantKind(t, err, outcome.Refused)
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(stray, old, old); err != nil {
		t.Fatal(err)
	}
	if _, err = locate(t, b, "sub").Throughout(ctx, config.Delete, nil, 0); err != nil {
		t.Error(err)
	}
}

// A journal that a checkout brought along is not one of fettle's own.
func TestStrangersJournal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes here")
	}
	w := makeWorld(t)
	w.mkdir(t, "T/"+journalFolder)
	id := "0123456789abcdef"
	temp := ReservedPrefix + id + "-1"
	w.write(t, "T/"+temp, "evil")
	f, err := os.Create(filepath.Join(w.T, journalFolder, id))
	if err != nil {
		t.Fatal(err)
	}
	j := journal{file: f}
	plan := []planned{{Tree: "work", Path: "a.txt", Temp: temp, Old: hashOf("a"), New: hashOf("evil")}}
	if err := j.write(journalLine{Decide: plan, Sum: sumOf(plan)}); err != nil {
		t.Fatal(err)
	}
	f.Close()
	w.open(t).Recover()
	if got := slurp(t, filepath.Join(w.T, "a.txt")); got != "a" {
		t.Error(got)
	}
	// The same one, private, is worked off: the test would see it.
	for _, p := range []string{journalFolder, journalFolder + "/" + id} {
		if err := os.Chmod(filepath.Join(w.T, p), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.open(t).Recover()
	if got := slurp(t, filepath.Join(w.T, "a.txt")); got != "evil" {
		t.Error(got)
	}
}

// A move between disks that dies at each of its steps is finished or undone.
func TestRecoverMoveBetweenTrees(t *testing.T) {
	for step := range 4 {
		w := makeWorld(t)
		w.mkdir(t, "B")
		two := func() *Boundary {
			return open(t, Options{Trees: []Spec{{Name: "work", Path: w.T, Can: config.Work}, {Name: "far", Path: filepath.Join(w.base, "B"), Can: config.Work}}})
		}
		b := two()
		c := b.Begin()
		from, to := locate(t, b, "sub"), follow(t, b, "far:sub")
		src, err := from.Parent()
		if err != nil {
			t.Fatal(err)
		}
		dst, err := to.Parent()
		if err != nil {
			t.Fatal(err)
		}
		temp, gone := ReservedPrefix+c.id+"-1", ReservedPrefix+c.id+"-2"
		for _, n := range []struct {
			d    *Dir
			name string
		}{{dst, temp}, {src, gone}} {
			if err := c.note(n.d, n.name); err != nil {
				t.Fatal(err)
			}
		}
		k := &copier{surveyor: surveyor{b: b, ctx: context.Background(), from: from, to: to, out: &Survey{}}, keep: true}
		if err := k.copy(src.sys, "sub", dst.sys, temp, from.trail, nil); err != nil {
			t.Fatal(err)
		}
		h, err := treeHash(src.sys, "sub")
		if err != nil {
			t.Fatal(err)
		}
		if step > 0 {
			if err := c.journal.decidePlan([]planned{{Tree: "far", Path: "sub", Temp: temp, New: h, Folder: true}, {Tree: "work", Path: "sub", Gone: gone, Old: h, Folder: true}}); err != nil {
				t.Fatal(err)
			}
		}
		if step > 1 {
			if err := dst.sys.moveNew(temp, dst.sys, "sub"); err != nil {
				t.Fatal(err)
			}
		}
		if step > 2 {
			if err := src.sys.rename("sub", src.sys, gone); err != nil {
				t.Fatal(err)
			}
		}
		die(c)
		two().Recover()
		_, here := os.Stat(filepath.Join(w.T, "sub/b.txt"))
		_, there := os.Stat(filepath.Join(w.base, "B/sub/b.txt"))
		if (here == nil) != (step == 0) || (there == nil) != (step > 0) {
			t.Errorf("step %d: at its source: %v, at its destination: %v", step, here, there)
		}
		clean(t, w.base)
	}
}
