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

	"fettler/shared/outcome"
)

// TestOracle compares Locate with brute force on a real tree full of links:
// whatever is found is where the system says it is, inside and not hidden,
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
	w := makeWorld(t)
	w.mkdir(t, "T/d/e/f", "T/h/i", "T/h/shown/x", "O/p/q")
	for _, f := range []string{"T/d/1", "T/d/e/2", "T/h/3", "T/h/i/4", "T/h/shown/5", "T/h/shown/x/6", "O/p/7", "T/7"} {
		w.write(t, f, f)
	}
	names := []string{"a.txt", "sub", "b.txt", "d", "e", "f", "h", "i", "shown", "x", "1", "2", "3", "4", "5", "6", "7", "T", "O", "p", "q", "secret.txt", "absent", "l0", "l1", "l2", "l3", "l4", "l5", "l6", "l7", "l8", "l9"}
	random := func(n int) string {
		var segs []string
		for range 1 + rng.IntN(n) {
			switch rng.IntN(6) {
			case 0:
				segs = append(segs, "..")
			case 1:
				segs = append(segs, []string{".", "", "..."}[rng.IntN(3)])
			default:
				segs = append(segs, names[rng.IntN(len(names))])
			}
		}
		return strings.Join(segs, "/")
	}
	dirs := []string{"T", "T/sub", "T/d", "T/d/e", "T/h", "T/h/i", "T/h/shown"}
	for i := range 10 {
		target := random(4)
		if rng.IntN(4) == 0 {
			target = path.Join(w.base, random(3))
		}
		if target == "" {
			target = "."
		}
		_ = os.Symlink(target, filepath.Join(w.base, dirs[rng.IntN(len(dirs))], fmt.Sprint("l", i)))
	}
	b := w.open(t, hide("h"), ScopeSpec{Path: "h/shown", CanSet: true, Can: 3})
	hidden, shown := filepath.Join(w.T, "h"), filepath.Join(w.T, "h", "shown")
	within := func(top, p string) bool { return p == top || strings.HasPrefix(p, top+"/") }
	found, absent, outside := 0, 0, 0
	for range count {
		p := random(6)
		switch rng.IntN(10) {
		case 0:
			p = w.base + "/" + p
		case 1:
			p = w.T + "/" + p
		}
		if p == "" {
			continue
		}
		abs := p
		if !path.IsAbs(p) {
			abs = w.T + "/" + p
		}
		abs = path.Clean(abs)
		real, sysErr := filepath.EvalSymlinks(abs)
		pl, err := b.Locate(p, 0, "")
		visible := sysErr == nil && within(w.T, real) && (!within(hidden, real) || within(shown, real))
		switch {
		case err == nil && pl.Exists:
			found++
			info, statErr := os.Stat(abs)
			got, gotErr := os.Lstat(pl.Abs())
			if !visible || statErr != nil || gotErr != nil || !os.SameFile(info, got) || pl.Abs() != real {
				t.Fatalf("%q: found %s, the system says %s %v", p, pl.Abs(), real, sysErr)
			}
		case err == nil:
			absent++
			if sysErr == nil {
				t.Fatalf("%q: nothing found at %s, the system says %s", p, pl.Abs(), real)
			}
			if at := pl.Abs(); !within(w.T, at) || within(hidden, at) && !within(shown, at) {
				t.Fatalf("%q: an absent place outside: %s", p, at)
			}
		default:
			e := outcome.Of(err)
			if e.Kind == outcome.OutsideRoot {
				outside++
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
	if found < count/50 || absent < count/50 || outside < count/50 {
		t.Errorf("the paths do not cover the kinds: %d found, %d absent, %d outside", found, absent, outside)
	}
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
