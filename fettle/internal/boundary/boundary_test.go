package boundary

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fettler/shared/config"
	"fettler/shared/outcome"
)

// world is a folder holding an open tree T and a folder O outside it.
type world struct{ base, T, O string }

func makeWorld(t testing.TB) world {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := world{base, filepath.Join(base, "T"), filepath.Join(base, "O")}
	w.mkdir(t, "T/sub", "O", "T_secret")
	w.write(t, "T/a.txt", "a")
	w.write(t, "T/sub/b.txt", "b")
	w.write(t, "O/secret.txt", "secret")
	w.write(t, "T_secret/s.txt", "S")
	return w
}

func (w world) mkdir(t testing.TB, rels ...string) {
	t.Helper()
	for _, r := range rels {
		if err := os.MkdirAll(filepath.Join(w.base, r), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func (w world) write(t testing.TB, rel, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(w.base, rel), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (w world) link(t testing.TB, target, rel string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(w.base, rel)); err != nil {
		t.Skip("this disk makes no links:", err)
	}
}

func open(t testing.TB, o Options) *Boundary {
	t.Helper()
	b, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

func (w world) open(t testing.TB, scopes ...ScopeSpec) *Boundary {
	return open(t, Options{Trees: []Spec{{Name: "work", Path: w.T, Can: config.Work, Scopes: scopes}}})
}

// hide is a scope that grants nothing.
func hide(p string) ScopeSpec { return ScopeSpec{Path: p, CanSet: true} }

func content(t *testing.T, p *Place) string {
	t.Helper()
	f, err := p.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func wantKind(t *testing.T, err error, k outcome.Kind) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %s", k.Word())
	}
	if got := outcome.Of(err).Kind; got != k {
		t.Fatalf("%s (%v), want %s", got.Word(), err, k.Word())
	}
}

// TestOutside holds K01, K03 and the other ways out: all answer in the same words.
func TestOutside(t *testing.T) {
	w := makeWorld(t)
	w.link(t, filepath.Join(w.O, "secret.txt"), "T/leak")
	w.link(t, filepath.Join(w.O, "new.txt"), "T/dang")
	w.link(t, "../O", "T/out")
	w.link(t, "out/secret.txt", "T/twice")
	w.link(t, "../T/../O/secret.txt", "T/roundabout")
	w.link(t, "/proc/self/cwd", "T/proc")
	w.mkdir(t, "T/hidden")
	w.write(t, "T/hidden/h.txt", "h")
	b := w.open(t, hide("hidden"))
	for _, p := range []string{
		"..", "../O/secret.txt", "sub/../../O/secret.txt", "../T_secret/s.txt", w.T + "_secret/s.txt", "../../etc/passwd",
		"/etc/passwd", w.O, w.O + "/secret.txt", w.O + "/absent", "/absent", "work:../O/secret.txt", "work:/etc/passwd", "work:..",
		"leak", "dang", "out", "out/secret.txt", "out/absent", "twice", "roundabout", "proc", "leak/below",
		"hidden", "hidden/h.txt", "hidden/absent", "hidden/deep/absent", "HIDDEN/absent", ".fettler-tmp~1", "sub/.FETTLER-TMP~x/y",
	} {
		for name, locate := range map[string]func(string, config.Permissions, string) (*Place, error){"follow": b.Locate, "entry": b.LocateEntry} {
			pl, err := locate(p, 0, "")
			if name == "entry" && (p == "leak" || p == "dang" || p == "out" || p == "twice" || p == "roundabout" || p == "proc") {
				if err != nil || pl.LinkTarget() != "" {
					t.Errorf("%s as an entry: %v, target %q; want the link without its target", p, err, pl.LinkTarget())
				}
				continue
			}
			if err == nil {
				t.Errorf("%s %q: located at %s", name, p, pl.Abs())
				continue
			}
			if e := outcome.Of(err); e.Kind != outcome.OutsideRoot || e.Message != Outside {
				if p == "HIDDEN/absent" { // another name where case counts: absent
					continue
				}
				t.Errorf("%s %q: %s %q", name, p, e.Kind.Word(), e.Message)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(w.O, "new.txt")); err == nil {
		t.Error("something was made outside")
	}
}

func TestInside(t *testing.T) {
	w := makeWorld(t)
	w.link(t, "a.txt", "T/l")
	w.link(t, filepath.Join(w.T, "sub"), "T/abs")
	w.link(t, "../T/sub/../a.txt", "T/back")
	w.link(t, "./sub//", "T/sloppy")
	w.link(t, "absent.txt", "T/dangling")
	b := w.open(t)
	for p, want := range map[string]string{
		"a.txt": "a.txt", "./a.txt": "a.txt", "sub/../a.txt": "a.txt", "work:a.txt": "a.txt", "WORK:sub/b.txt": "sub/b.txt",
		"sub//b.txt": "sub/b.txt", filepath.Join(w.T, "a.txt"): "a.txt", "l": "a.txt", "abs/b.txt": "sub/b.txt",
		"back": "a.txt", "sloppy/b.txt": "sub/b.txt", ".": "", "work:": "", w.T: "", "../T/a.txt": "a.txt", "sub/": "sub",
	} {
		pl, err := b.Locate(p, config.Read, "")
		if err != nil {
			t.Errorf("%q: %v", p, err)
			continue
		}
		if pl.Rel != want || !pl.Exists {
			t.Errorf("%q is at %q (exists %v), want %q", p, pl.Rel, pl.Exists, want)
		}
	}
	if pl, err := b.Locate("l", config.Read, ""); err != nil || content(t, pl) != "a" || !pl.ViaLink {
		t.Error("the link's target is not what was read", err)
	}
	for _, p := range []string{"absent", "sub/absent", "absent/x/y", "dangling"} {
		pl, err := b.Locate(p, config.Read, "")
		if err != nil || pl.Exists {
			t.Errorf("%q: %v; want a place where nothing is", p, err)
		}
	}
	_, err := b.Locate("a.txt/x", 0, "")
	wantKind(t, err, outcome.NotFound)
	_, err = b.Locate("", 0, "")
	wantKind(t, err, outcome.Invalid)
	_, err = b.Locate("a\x00b", 0, "")
	wantKind(t, err, outcome.Invalid)
	_, err = b.Locate("a.txt", 0, "nowhere")
	wantKind(t, err, outcome.Invalid)
	if pl, err := b.LocateEntry("l", 0, ""); err != nil || pl.Rel != "l" || pl.LinkTarget() != "a.txt" {
		t.Error("a link as an entry is the link", err)
	}
}

// K05: a tree declared through a link is one tree under both spellings.
func TestTreeIsALink(t *testing.T) {
	w := makeWorld(t)
	w.link(t, "T", "datalink")
	b := open(t, Options{Trees: []Spec{{Name: "work", Path: filepath.Join(w.base, "datalink"), Can: config.Work}}})
	for _, p := range []string{"a.txt", filepath.Join(w.base, "datalink", "a.txt"), filepath.Join(w.T, "a.txt")} {
		pl, err := b.Locate(p, config.Read, "")
		if err != nil || pl.Spell() != "a.txt" {
			t.Errorf("%q: %v", p, err)
		}
	}
	_, err := b.Locate(filepath.Join(w.base, "datalink_x", "a.txt"), 0, "")
	wantKind(t, err, outcome.OutsideRoot)
}

func TestRootOfTheDisk(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a volume's root has another name there")
	}
	w := makeWorld(t)
	b := open(t, Options{Trees: []Spec{{Name: "work", Path: "/", Can: config.Look}}})
	pl, err := b.Locate(filepath.Join(w.T, "a.txt"), config.Read, "")
	if err != nil || content(t, pl) != "a" {
		t.Fatal(err)
	}
}

// K09: links in circles end.
func TestLinkCycle(t *testing.T) {
	w := makeWorld(t)
	w.link(t, "self", "T/self")
	w.link(t, "two", "T/one")
	w.link(t, "one", "T/two")
	b := w.open(t)
	for _, p := range []string{"self", "one", "one/x"} {
		_, err := b.Locate(p, 0, "")
		wantKind(t, err, outcome.Refused)
	}
}

func TestNotRegular(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no FIFOs")
	}
	w := makeWorld(t)
	if err := exec.Command("mkfifo", filepath.Join(w.T, "fifo")).Run(); err != nil {
		t.Skip(err)
	}
	b := w.open(t)
	pl, err := b.Locate("fifo", config.Read, "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = pl.Open()
	wantKind(t, err, outcome.Refused)
	if !errors.Is(err, ErrNotRegular) {
		t.Error("a FIFO is not named as one:", err)
	}
	top, err := b.Locate(".", 0, "")
	if err != nil {
		t.Fatal(err)
	}
	d, err := b.OpenDir(top)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, _, err := d.Open("fifo"); !errors.Is(err, ErrNotRegular) {
		t.Error("a walk opened a FIFO:", err)
	}
}

// listing walks the tree as find does and gives what it may know.
func listing(t *testing.T, b *Boundary) string {
	t.Helper()
	var out []string
	var walk func(d *Dir)
	walk = func(d *Dir) {
		defer d.Close()
		err := d.Each(func(name string, m fs.FileMode) error {
			rel := strings.TrimPrefix(d.Rel()+"/"+name, "/")
			if m.IsDir() {
				sub, err := d.Sub(name)
				if errors.Is(err, ErrHidden) {
					return nil
				}
				if err != nil {
					return err
				}
				if sub.Can().Has(config.List) {
					out = append(out, rel+"/")
				}
				walk(sub)
				return nil
			}
			out = append(out, rel)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	top, err := b.Locate(".", 0, "")
	if err != nil {
		t.Fatal(err)
	}
	d, err := b.OpenDir(top)
	if err != nil {
		t.Fatal(err)
	}
	walk(d)
	// The system's order is not ours.
	for i := range out {
		for j := i + 1; j < len(out); j++ {
			if out[j] < out[i] {
				out[i], out[j] = out[j], out[i]
			}
		}
	}
	return strings.Join(out, " ")
}

func TestScopes(t *testing.T) {
	w := makeWorld(t)
	w.mkdir(t, "T/backlog/cancelled/open", "T/docs")
	w.write(t, "T/backlog/x", "")
	w.write(t, "T/backlog/cancelled/y", "")
	w.write(t, "T/backlog/cancelled/open/z", "")
	w.write(t, "T/.env", "KEY")
	if err := os.Link(filepath.Join(w.T, ".env"), filepath.Join(w.T, "notes.txt")); err != nil {
		t.Skip(err)
	}
	w.link(t, "backlog/cancelled", "T/way")
	b := w.open(t,
		ScopeSpec{Path: "backlog", CanSet: true, Can: config.List | config.Read | config.Create},
		hide("backlog/cancelled"),
		ScopeSpec{Path: "backlog/cancelled/open", CanSet: true, Can: config.Look},
		hide(".env"), hide("absent"))
	for p, want := range map[string]string{
		"a.txt": config.Work.String(), "backlog": "list read create", "backlog/x": "list read create", "backlog/new": "list read create",
		"backlog/cancelled/open/z": "list read",
	} {
		pl, err := b.Locate(p, 0, "")
		if err != nil || pl.Can.String() != want {
			t.Errorf("%s: %v %v, want %s", p, pl, err, want)
		}
	}
	// K07 and K11: a hidden file is hidden under its other names too.
	for _, p := range []string{"backlog/cancelled", "backlog/cancelled/y", "backlog/cancelled/no", "way", "way/y", ".env", "notes.txt", "absent", "absent/x", "Absent/x"} {
		_, err := b.Locate(p, 0, "")
		wantKind(t, err, outcome.OutsideRoot)
	}
	const want = "a.txt backlog/ backlog/cancelled/open/ backlog/cancelled/open/z backlog/x docs/ sub/ sub/b.txt way"
	if got := listing(t, b); got != want {
		t.Errorf("the walk saw\n%s, want\n%s", got, want)
	}
	_, err := b.Locate("backlog/x", config.Update|config.Delete, "")
	wantKind(t, err, outcome.Refused)
	if !strings.Contains(err.Error(), `"update" and "delete"`) {
		t.Error("the missing words are not named:", err)
	}
}

// A scope whose path passes a link covers both places, the stricter wins.
func TestScopeThroughALink(t *testing.T) {
	w := makeWorld(t)
	w.mkdir(t, "T/real/in")
	w.write(t, "T/real/in/f", "")
	w.link(t, "real", "T/alias")
	b := w.open(t, hide("alias/in"), ScopeSpec{Path: "real/in", CanSet: true, Can: config.Look})
	for _, p := range []string{"real/in/f", "alias/in/f", "real/in/absent"} {
		_, err := b.Locate(p, 0, "")
		wantKind(t, err, outcome.OutsideRoot)
	}
}

// The deepest declared tree decides, whatever name led to the place.
func TestTreesInTrees(t *testing.T) {
	w := makeWorld(t)
	w.mkdir(t, "T/inner/deep")
	w.write(t, "T/inner/deep/f", "")
	w.link(t, filepath.Join(w.T, "inner"), "O/in")
	trees := []Spec{
		{Name: "work", Path: w.T, Can: config.Work},
		{Name: "inner", Path: filepath.Join(w.T, "inner"), Can: config.Look},
		{Name: "other", Path: w.O, Can: config.Work},
		{Name: "scratch", Path: filepath.Join(w.T, "inner", "deep"), Can: config.Work, Found: "by hand"},
	}
	b := open(t, Options{Trees: trees})
	for _, p := range []string{"inner/deep/f", "inner:deep/f", "other:in/deep/f", "scratch:f", filepath.Join(w.T, "inner/deep/f")} {
		pl, err := b.Locate(p, 0, "")
		if err != nil {
			t.Fatal(p, err)
		}
		if pl.Can != config.Look {
			t.Errorf("%s grants %s, want list read", p, pl.Can)
		}
	}
	if pl, err := b.Locate("inner/deep/f", 0, ""); err != nil || pl.Spell() != "inner:deep/f" {
		t.Errorf("spelled %s, want inner:deep/f", pl.Spell())
	}
}

// Older sessions stay outside even when a declared tree contains them.
func TestClosedFolders(t *testing.T) {
	w := makeWorld(t)
	w.mkdir(t, "T/client/new/pad", "T/client/old/pad")
	w.write(t, "T/client/new/pad/f", "")
	w.write(t, "T/client/old/pad/f", "")
	w.write(t, "T/client/old.jsonl", "")
	b := open(t, Options{
		Trees: []Spec{
			{Name: "work", Path: w.T, Can: config.Work},
			{Name: "scratch", Path: filepath.Join(w.T, "client/new/pad"), Can: config.Work, Found: "newest"},
		},
		Closed: []string{filepath.Join(w.T, "client")},
	})
	for _, p := range []string{"client/old/pad/f", "client/old.jsonl", "client/old/absent", "client/new/other"} {
		_, err := b.Locate(p, 0, "")
		wantKind(t, err, outcome.OutsideRoot)
	}
	if _, err := b.Locate("scratch:f", config.Update, ""); err != nil {
		t.Error(err)
	}
	if got := listing(t, b); strings.Contains(got, "old") {
		t.Error("a walk saw the closed folder:", got)
	}
}

// TestSwappedLink: what was judged is what is opened.
func TestSwappedLink(t *testing.T) {
	w := makeWorld(t)
	b := w.open(t)
	pl, err := b.Locate("sub/b.txt", config.Read, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(w.T, "sub")); err != nil {
		t.Fatal(err)
	}
	w.write(t, "O/b.txt", "outside")
	w.link(t, "../O", "T/sub")
	if f, err := pl.Open(); err == nil {
		f.Close()
		t.Fatal("a link swapped in was followed")
	} else {
		wantKind(t, err, outcome.OutsideRoot)
	}
	// A file saved anew is judged again and read.
	pl, err = b.Locate("a.txt", config.Read, "")
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, "T/tmp", "saved")
	if err := os.Rename(filepath.Join(w.T, "tmp"), filepath.Join(w.T, "a.txt")); err != nil {
		t.Fatal(err)
	}
	if content(t, pl) != "saved" {
		t.Error("the saved file was not read")
	}
}

func TestTreeFolderIsNotThere(t *testing.T) {
	w := makeWorld(t)
	for _, p := range []string{filepath.Join(w.base, "absent"), filepath.Join(w.T, "a.txt")} {
		_, err := New(Options{Trees: []Spec{{Name: "work", Path: p}}})
		wantKind(t, err, outcome.Invalid)
	}
}

// A folder that is replaced between judging and working is stale, never a fault.
func TestSwappedFolderIsStale(t *testing.T) {
	w := makeWorld(t)
	b := w.open(t)
	folder, err := b.Locate("sub", config.List, "")
	if err != nil {
		t.Fatal(err)
	}
	made, err := b.Locate("sub/new/deep", config.Create, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(w.T, "sub")); err != nil {
		t.Fatal(err)
	}
	w.link(t, "../O", "T/sub")
	_, err = b.OpenDir(folder)
	wantKind(t, err, outcome.Stale)
	_, err = made.Mkdir()
	wantKind(t, err, outcome.Stale)
	if _, err := os.Lstat(filepath.Join(w.base, "O", "new")); err == nil {
		t.Error("a folder was made outside")
	}
}
