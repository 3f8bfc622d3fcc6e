// Package laid lays out what a test starts from.
//
// Base comes first: a folder for this test alone, gone when the test ends.
// Files then puts files below it, and Zip makes the content of one that is an
// archive. What lies there already stays, links and modes are the test's own
// affair, and nothing here looks at what becomes of the files.
package laid

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// Base is a temporary folder with links resolved, so that a path below it is
// the one that the programs answer.
func Base(t testing.TB) string {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return base
}

// Files makes the folder top and writes these files below it, by their names
// with slashes. A file that is there already gets the new content.
func Files(t testing.TB, top string, files map[string]string) {
	t.Helper()
	if err := os.MkdirAll(top, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		p := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Zip is the content of a zip archive with these members, in any order.
func Zip(t testing.TB, members map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range members {
		f, err := z.Create(name)
		if err == nil {
			_, err = f.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
