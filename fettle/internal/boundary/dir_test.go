package boundary

import (
	"errors"
	"io/fs"
	"runtime"
	"sync"
	"testing"

	"fettler/shared/config"
	"fettler/shared/outcome"
)

// dirOf opens a folder of a boundary.
func dirOf(t *testing.T, b *Boundary, path string) *Dir {
	t.Helper()
	p, err := b.Locate(path, config.List, "")
	if err != nil {
		t.Fatal(err)
	}
	d, err := b.OpenDir(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// Look says of an entry what Open says, without opening it.
func TestLookJudgesAsOpen(t *testing.T) {
	w := makeWorld(t)
	w.write(t, "T/sub/hidden.txt", "h")
	w.write(t, "T/sub/listed.txt", "l")
	w.link(t, "b.txt", "T/sub/link")
	w.mkdir(t, "T/sub/folder")
	b := w.open(t, hide("sub/hidden.txt"), ScopeSpec{Path: "sub/listed.txt", Can: config.List, CanSet: true})
	d := dirOf(t, b, "sub")
	for _, name := range []string{"b.txt", "hidden.txt", "listed.txt", "link", "folder", "absent"} {
		f, opened, err := d.Open(name)
		if err == nil {
			f.Close()
		}
		looked, lookErr := d.Look(name)
		if (err == nil) != (lookErr == nil) || err != nil && outcome.Of(err).Message != outcome.Of(lookErr).Message && !errors.Is(lookErr, fs.ErrNotExist) {
			t.Errorf("%s: Look says %v, Open %v", name, lookErr, err)
		}
		if err == nil && opened != looked {
			t.Errorf("%s: Look gives %+v, Open %+v", name, looked, opened)
		}
	}
}

// What is known to be a disk of this machine is told from what is not.
func TestLocal(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("not known on this system")
	}
	w := makeWorld(t)
	d := dirOf(t, w.open(t), "sub")
	info, err := d.Look("b.txt")
	if err != nil {
		t.Fatal(err)
	}
	if !d.Local(info) {
		t.Skip("the temporary folder is on no disk that is known")
	}
	info.ID.dev++
	if d.Local(info) {
		t.Error("a file of another disk is taken for one of the folder's")
	}
	proc := open(t, Options{Trees: []Spec{{Name: "proc", Path: "/proc/self", Can: config.Look}}})
	if p := dirOf(t, proc, "."); p.Local(Info{ID: p.id()}) {
		t.Error("/proc is taken for a disk")
	}
	root := open(t, Options{Trees: []Spec{{Name: "root", Path: "/", Can: config.Look}}})
	sub, err := dirOf(t, root, ".").Sub("proc")
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	if sub.Local(Info{ID: sub.id()}) {
		t.Error("what is mounted below a disk is taken for it")
	}
}

// A walk's workers share a Dir: all it offers may be called at once. The race
// detector is what this is for.
func TestDirIsShared(t *testing.T) {
	w := makeWorld(t)
	w.mkdir(t, "T/sub/deep")
	w.write(t, "T/sub/deep/d.txt", "d")
	w.link(t, "b.txt", "T/sub/link")
	for _, scopes := range [][]ScopeSpec{nil, {hide("sub/hidden.txt"), {Path: "sub/deep", Can: config.Look, CanSet: true}}} {
		d := dirOf(t, w.open(t, scopes...), "sub")
		var g sync.WaitGroup
		for range 8 {
			g.Go(func() {
				var buf []byte
				for range 30 {
					f, _, err := d.Open("b.txt")
					if err != nil {
						t.Error(err)
						return
					}
					f.Close()
					data, info, err := d.Read("b.txt", buf, 100)
					if err != nil || string(data) != "b" {
						t.Errorf("%s, %v", data, err)
					}
					buf = data
					if looked, err := d.Look("b.txt"); err != nil || looked != info {
						t.Errorf("%+v, %v", looked, err)
					}
					if _, err := d.Stat("link"); err != nil {
						t.Error(err)
					}
					if to := d.LinkTarget("link"); to != "b.txt" && to != "sub/b.txt" {
						t.Errorf("the link leads to %q", to)
					}
					if _, _, err := d.Judge("hidden.txt"); err != nil {
						t.Error(err)
					}
					sub, err := d.Sub("deep")
					if err != nil {
						t.Error(err)
						return
					}
					if err := sub.Each(func(string, fs.FileMode) error { return nil }); err != nil {
						t.Error(err)
					}
					sub.Close()
					if err := d.Each(func(string, fs.FileMode) error { return nil }); err != nil {
						t.Error(err)
					}
					_, _, _ = d.Rel(), d.Can(), d.Local(info)
				}
			})
		}
		g.Wait()
	}
}
