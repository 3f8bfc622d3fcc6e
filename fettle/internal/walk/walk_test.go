package walk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"sync"
	"testing"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/glob"
	"fettler/shared/config"
)

// tree makes files below a new folder and opens it.
func tree(t testing.TB, scopes []boundary.ScopeSpec, files ...string) (*boundary.Dir, string) {
	t.Helper()
	root := t.TempDir()
	for _, f := range files {
		p := filepath.Join(root, filepath.FromSlash(f))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte("x\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return open(t, root, scopes), root
}

func open(t testing.TB, root string, scopes []boundary.ScopeSpec) *boundary.Dir {
	t.Helper()
	b, err := boundary.New(boundary.Options{Trees: []boundary.Spec{{Name: "work", Path: root, Can: config.List | config.Read, Scopes: scopes}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	p, err := b.Locate(".", config.List, "")
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

func run(t testing.TB, d *boundary.Dir, o Options) (string, Result) {
	t.Helper()
	var mu sync.Mutex
	var got []string
	if o.Workers == 0 {
		o.Workers = 3
	}
	r, err := Walk(context.Background(), d, o, func(_ int, e Entry) error {
		mu.Lock()
		defer mu.Unlock()
		s := e.Rel
		if e.Type.IsDir() {
			s += "/"
		}
		got = append(got, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(got)
	return strings.Join(got, " "), r
}

func globs(t testing.TB, ps ...string) []*glob.Glob {
	t.Helper()
	var out []*glob.Glob
	for _, p := range ps {
		g, err := glob.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, g)
	}
	return out
}

func TestWalk(t *testing.T) {
	d, _ := tree(t, nil, "a.go", ".env", "src/b.go", "src/x/c.go", "src/x/c.txt", "bin/o1", "src/Bin/o2", ".git/HEAD", ".git/objects/aa/1", "vendor/v.go")
	generated := []string{".git", "bin", "obj"}
	got, r := run(t, d, Options{Generated: generated})
	if want := ".env a.go src/b.go src/x/c.go src/x/c.txt vendor/v.go"; got != want {
		t.Errorf("%s", got)
	}
	if r.Excluded != 4 || !reflect.DeepEqual(r.Met, []string{"Bin", "bin", ".git"}) {
		t.Errorf("%+v", r)
	}
	if got, r = run(t, d, Options{Glob: globs(t, "src/**/*.go")[0], Generated: generated}); got != "src/b.go src/x/c.go" || r.Excluded != 4 {
		t.Errorf("%s %+v", got, r)
	}
	if got, r = run(t, d, Options{Exclude: globs(t, "**/x", "*.go", ".git", "**/bin", "vendor/")}); got != ".env src/b.go" || r.Excluded != 0 {
		t.Errorf("%s %+v", got, r)
	}
	if got, _ = run(t, d, Options{Folders: true, Glob: globs(t, "src/*")[0]}); got != "src/Bin/ src/b.go src/x/" {
		t.Errorf("%s", got)
	}
}

// K09: links lead nowhere, so a cycle cannot be entered.
func TestLinks(t *testing.T) {
	d, root := tree(t, nil, "a/f")
	for name, to := range map[string]string{"self": ".", "a/loop": "../a", "out": "/"} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Skip("no links here:", err)
		}
	}
	if got, _ := run(t, d, Options{}); got != "a/f a/loop out self" {
		t.Errorf("%s", got)
	}
}

func TestHidden(t *testing.T) {
	d, _ := tree(t, []boundary.ScopeSpec{
		{Path: "secret", CanSet: true}, {Path: "secret/open", Can: config.List, CanSet: true}, {Path: "bin/s", CanSet: true},
	}, "a", "secret/s", "secret/open/o", "bin/x", "bin/s/y")
	got, r := run(t, d, Options{Generated: []string{"bin"}, Folders: true})
	if got != "a secret/open/ secret/open/o" || r.Excluded != 1 {
		t.Errorf("%s %+v", got, r)
	}
}

// K41: what cannot be listed is said, and the rest is visited.
func TestUnreadable(t *testing.T) {
	d, root := tree(t, nil, "a", "locked/b", "z/c")
	if err := os.Chmod(filepath.Join(root, "locked"), 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Join(root, "locked"), 0o755)
	if _, err := os.ReadDir(filepath.Join(root, "locked")); err == nil {
		t.Skip("permissions do not bind this user")
	}
	got, r := run(t, d, Options{})
	if got != "a z/c" || r.Failed != 1 || r.Skipped[0].Rel != "locked" || !errors.Is(r.Skipped[0].Err, fs.ErrPermission) {
		t.Errorf("%s %+v", got, r)
	}
}

func TestStops(t *testing.T) {
	var files []string
	for i := range 1000 {
		files = append(files, fmt.Sprintf("d%d/f%d", i%10, i))
	}
	d, _ := tree(t, nil, files...)
	boom := errors.New("boom")
	if _, err := Walk(context.Background(), d, Options{Workers: 4}, func(int, Entry) error { return boom }); err != boom {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Walk(ctx, d, Options{Workers: 4}, func(int, Entry) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	got, _ := run(t, d, Options{Workers: 8})
	if n := len(strings.Fields(got)); n != 1000 {
		t.Error(n)
	}
}

// A folder with very many files is shared out; each file comes once.
func TestLargeFolder(t *testing.T) {
	var files []string
	for i := range 3*chunk + 7 {
		files = append(files, fmt.Sprintf("f%04d", i))
	}
	d, _ := tree(t, nil, files...)
	if got, _ := run(t, d, Options{Workers: 4}); got != strings.Join(files, " ") {
		t.Error(len(got))
	}
}
