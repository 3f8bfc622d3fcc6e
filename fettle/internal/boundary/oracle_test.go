package boundary

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"fettler/shared/config"
	"fettler/shared/outcome"
)

// oracle is a real tree full of links, a boundary over it, and how often each
// kind of answer came.
type oracle struct {
	w                      world
	b                      *Boundary
	hidden, shown          string
	found, absent, outside int
}

var oracleNames = []string{"a.txt", "sub", "b.txt", "d", "e", "f", "h", "i", "shown", "x", "1", "2", "3", "4", "5", "6", "7", "T", "O", "p", "q", "secret.txt", "absent", "l0", "l1", "l2", "l3", "l4", "l5", "l6", "l7", "l8", "l9"}

func randomPath(rng *rand.Rand, n int) string {
	var segs []string
	for range 1 + rng.IntN(n) {
		switch rng.IntN(6) {
		case 0:
			segs = append(segs, "..")
		case 1:
			segs = append(segs, []string{".", "", "..."}[rng.IntN(3)])
		default:
			segs = append(segs, oracleNames[rng.IntN(len(oracleNames))])
		}
	}
	return strings.Join(segs, "/")
}

func makeOracle(t testing.TB, rng *rand.Rand) *oracle {
	w := makeWorld(t)
	w.mkdir(t, "T/d/e/f", "T/h/i", "T/h/shown/x", "O/p/q")
	for _, f := range []string{"T/d/1", "T/d/e/2", "T/h/3", "T/h/i/4", "T/h/shown/5", "T/h/shown/x/6", "O/p/7", "T/7"} {
		w.write(t, f, f)
	}
	dirs := []string{"T", "T/sub", "T/d", "T/d/e", "T/h", "T/h/i", "T/h/shown"}
	for i := range 10 {
		target := randomPath(rng, 4)
		if rng.IntN(4) == 0 {
			target = path.Join(w.base, randomPath(rng, 3))
		}
		if target == "" {
			target = "."
		}
		_ = os.Symlink(target, filepath.Join(w.base, dirs[rng.IntN(len(dirs))], fmt.Sprint("l", i)))
	}
	b := w.open(t, hide("h"), ScopeSpec{Path: "h/shown", CanSet: true, Can: 3})
	return &oracle{w: w, b: b, hidden: filepath.Join(w.T, "h"), shown: filepath.Join(w.T, "h", "shown")}
}

// check locates a path and compares with what the system says of it: whatever
// is found is where the system says it is, inside and not hidden.
func (o *oracle) check(t testing.TB, p string) {
	t.Helper()
	within := func(top, p string) bool { return p == top || strings.HasPrefix(p, top+"/") }
	abs := p
	if !path.IsAbs(p) {
		abs = o.w.T + "/" + p
	}
	abs = path.Clean(abs)
	real, sysErr := filepath.EvalSymlinks(abs)
	pl, err := o.b.Locate(p, 0, "")
	visible := sysErr == nil && within(o.w.T, real) && (!within(o.hidden, real) || within(o.shown, real))
	switch {
	case err == nil && pl.Exists:
		o.found++
		info, statErr := os.Stat(abs)
		got, gotErr := os.Lstat(pl.Abs())
		if !visible || statErr != nil || gotErr != nil || !os.SameFile(info, got) || pl.Abs() != real {
			t.Fatalf("%q: found %s, the system says %s %v", p, pl.Abs(), real, sysErr)
		}
	case err == nil:
		o.absent++
		if sysErr == nil {
			t.Fatalf("%q: nothing found at %s, the system says %s", p, pl.Abs(), real)
		}
		if at := pl.Abs(); !within(o.w.T, at) || within(o.hidden, at) && !within(o.shown, at) {
			t.Fatalf("%q: an absent place outside: %s", p, at)
		}
	default:
		e := outcome.Of(err)
		if e.Kind == outcome.OutsideRoot {
			o.outside++
			if e.Message != Outside {
				t.Fatalf("%q: other words: %s", p, e.Message)
			}
		}
		if visible && !strings.Contains(abs, "/l") {
			t.Fatalf("%q: refused (%v), the system says %s", p, err, real)
		}
		if visible && e.Kind == outcome.Fault {
			t.Fatalf("%q: %v", p, err)
		}
	}
}

// TestOracle compares Locate with brute force on a real tree full of links,
// and nothing that is there is missed. FETTLER_PATHS sets how many paths.
func TestOracle(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	count := 20_000
	if n, err := strconv.Atoi(os.Getenv("FETTLER_PATHS")); err == nil {
		count = n
	}
	rng := rand.New(rand.NewPCG(1, uint64(count)))
	o := makeOracle(t, rng)
	for range count {
		p := randomPath(rng, 6)
		switch rng.IntN(10) {
		case 0:
			p = o.w.base + "/" + p
		case 1:
			p = o.w.T + "/" + p
		}
		if p != "" {
			o.check(t, p)
		}
	}
	t.Logf("%d paths: %d found, %d absent, %d outside", count, o.found, o.absent, o.outside)
	if o.found < count/50 || o.absent < count/50 || o.outside < count/50 {
		t.Errorf("the paths do not cover the kinds: %d found, %d absent, %d outside", o.found, o.absent, o.outside)
	}
}

// FuzzLocate is TestOracle with the fuzzer's paths, over trees of its choice.
func FuzzLocate(f *testing.F) {
	if runtime.GOOS == "windows" {
		f.Skip("links need a privilege there")
	}
	var trees []*oracle
	for i := range 4 {
		trees = append(trees, makeOracle(f, rand.New(rand.NewPCG(2, uint64(i)))))
	}
	for i, p := range []string{"a.txt", "../T/a.txt", "sub/../..", "l0/l1/l2", "h/shown/x/6", "h/i/4", "d/./e//2", "work:d/1", "l3/../7", "T", "d/1/", "a.txt/b", "h/Shown"} {
		f.Add(p, uint8(i))
	}
	f.Fuzz(func(t *testing.T, p string, tree uint8) {
		// A name may be spelled in other ways than the system's, such as with a
		// tree's name before it; what EvalSymlinks can judge is compared.
		if p == "" || strings.ContainsAny(p, "\\:\x00") || !utf8.ValidString(p) {
			return
		}
		trees[int(tree)%len(trees)].check(t, p)
	})
}

// A name that is a scope's only when case is folded is another file's on a disk
// that tells case apart: what the scope shows is not shown there, whether such a
// file is there or not, and what it hides or screens stays so.
func TestFoldedScopeNamesOnlyNarrow(t *testing.T) {
	w := makeWorld(t)
	w.mkdir(t, "T/h/shown", "T/closed")
	if _, err := os.Lstat(filepath.Join(w.T, "CLOSED")); err == nil {
		t.Skip("this disk does not tell case apart")
	}
	b := w.open(t, hide("h"), ScopeSpec{Path: "h/shown", CanSet: true, Can: config.Work}, ScopeSpec{Path: "h/later", CanSet: true, Can: config.Work}, hide("closed"), hide("after"),
		ScopeSpec{Path: "screened", ScreenSet: true, Screen: 1})
	b.fold = false // as on Linux, wherever this runs
	refused := func(p string) {
		t.Helper()
		if pl, err := b.Locate(p, 0, ""); outcome.Of(err) == nil || outcome.Of(err).Message != Outside {
			t.Errorf("%s: %v %v", p, pl, err)
		}
	}
	for _, p := range []string{"h/Shown", "h/Shown/x", "h/LATER/x", "CLOSED/x", "After/x"} {
		refused(p)
	}
	w.mkdir(t, "T/h/Shown", "T/h/LATER")
	for _, p := range []string{"h/Shown", "h/Shown/x", "h/LATER", "h/LATER/x"} {
		refused(p)
	}
	for _, p := range []string{"h/shown/new", "h/later/new"} {
		if pl, err := b.Locate(p, config.Work, ""); err != nil || pl.Can != config.Work {
			t.Errorf("%s: %v", p, err)
		}
	}
	// Where the scope's folder and its twin are both there, they are two folders,
	// and what the scope takes away is away in both.
	w.mkdir(t, "T/CLOSED")
	refused("closed/x")
	refused("CLOSED/x")
	screened := func(p string) {
		t.Helper()
		if pl, err := b.Locate(p, 0, ""); err != nil || pl.Screen != 1 {
			t.Errorf("%s: the screen does not hold by a name: %v", p, err)
		}
	}
	screened("Screened/x")
	w.mkdir(t, "T/Screened", "T/screened")
	screened("Screened/x")
	b.Rescope()
	screened("Screened/x")
	// A folder that is made anew in the scope's place during a call is the scope's.
	if err := os.Rename(filepath.Join(w.T, "screened"), filepath.Join(w.T, "away")); err != nil {
		t.Fatal(err)
	}
	w.mkdir(t, "T/screened")
	screened("screened/x")
	screened("away/x")
}

// K41: a name that is not text can be passed back as it was shown.
func TestBadName(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other disks refuse such names")
	}
	w := makeWorld(t)
	w.write(t, "T/bad\xff", "x")
	w.write(t, `T/lit\xfe`, "y")
	b := w.open(t)
	pl, err := b.Locate(`bad\xff`, 0, "")
	if err != nil || !pl.Exists || pl.Spell() != `bad\xff` {
		t.Fatal(err, pl)
	}
	if pl, err := b.Locate(`lit\xfe`, 0, ""); err != nil || content(t, pl) != "y" {
		t.Error("a literal name is not found", err)
	}
	if pl, err := b.Locate(`x\x2f`, 0, ""); err != nil || pl.Exists {
		t.Error("a separator was smuggled in", err)
	}
}
