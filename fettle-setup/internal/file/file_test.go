package file

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A client that writes between the reading and the swap keeps its change.
func TestChangedMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.json")
	os.WriteFile(path, []byte("{}"), 0o644)
	f, err := Open(path, "")
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(path, []byte(`{"client":1}`), 0o644)
	if err := f.Replace([]byte("ours")); !errors.Is(err, ErrChanged) {
		t.Errorf("%v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != `{"client":1}` {
		t.Errorf("%s", b)
	}
}

// A file made meanwhile is never replaced by one that was to be new.
func TestMadeMeanwhile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sub", "f.json")
	f, err := Open(path, dir)
	if err != nil || f.Exists {
		t.Fatal(err)
	}
	os.MkdirAll(filepath.Dir(path), 0o755)
	os.WriteFile(path, []byte("theirs"), 0o644)
	if err := f.Replace([]byte("ours")); !errors.Is(err, ErrChanged) {
		t.Errorf("%v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != "theirs" {
		t.Errorf("%s", b)
	}
	entries, _ := os.ReadDir(filepath.Dir(path))
	if len(entries) != 1 {
		t.Errorf("%v was left behind", entries)
	}
}

func TestBackupIsMadeOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	os.WriteFile(path, []byte("first"), 0o640)
	for _, text := range []string{"second", "third"} {
		f, err := Open(path, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Replace([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	f, _ := Open(path, "")
	backup, made := f.Backup()
	if b, _ := os.ReadFile(backup); string(b) != "first" || !made {
		t.Errorf("%s", b)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o640 && os.PathSeparator == '/' {
		t.Errorf("%v", info.Mode())
	}
}
