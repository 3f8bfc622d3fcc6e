package boundary

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// The records read here are what os.ReadDir reads, types and odd names too.
func TestEntriesAgreeWithReadDir(t *testing.T) {
	dir := t.TempDir()
	for i := range 900 { // more than one buffer
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d%s", i, strings.Repeat("n", i%200))), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{
		os.Mkdir(filepath.Join(dir, "sub"), 0o755), os.Symlink("sub", filepath.Join(dir, "link")),
		os.WriteFile(filepath.Join(dir, "bad\xff\n"), nil, 0o644), unix.Mkfifo(filepath.Join(dir, "fifo"), 0o644),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	d, _, err := openTop(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	var got, want []string
	if err := d.entries(func(name string, m fs.FileMode) error {
		got = append(got, fmt.Sprint(name, m))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	es, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range es {
		want = append(want, fmt.Sprint(e.Name(), e.Type()))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%d entries, want %d", len(got), len(want))
	}
}

func FuzzDirent(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24, 0, 8, 'a', 0, 0, 0, 0})
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 8, 'a'})
	f.Fuzz(func(t *testing.T, b []byte) {
		name, _, size, ok := dirent(b)
		if size > len(b) || ok && (size == 0 || len(name) == 0 || len(name) > size) {
			t.Fatalf("%q %d of %d", name, size, len(b))
		}
	})
}
