package file

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// What a killed setup left goes with the next one; what a living one works on,
// and what only looks like it, stays.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f.json")
	dead := exec.Command(os.Args[0], "-test.run=^$")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	name := func(pid int) string {
		id := []byte{byte(pid >> 24), byte(pid >> 16), byte(pid >> 8), byte(pid), 1, 2}
		const digits = "0123456789abcdef"
		var sb strings.Builder
		for _, b := range id {
			sb.WriteByte(digits[b>>4])
			sb.WriteByte(digits[b&15])
		}
		return ".f.json.fettler-" + sb.String()
	}
	left, living := name(dead.Process.Pid), name(os.Getppid())
	kept := []string{living, ".f.json.fettler-backup", ".f.json.fettler-0102", ".g.json" + strings.TrimPrefix(left, ".f.json"), "f.json"}
	for _, n := range append(kept, left) {
		if err := os.WriteFile(filepath.Join(dir, n), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	Sweep(path)
	for _, n := range kept {
		if _, err := os.Lstat(filepath.Join(dir, n)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, left)); err == nil {
		t.Errorf("%s is left over", left)
	}
}

// A backup is whole before it has its name: a staged one that was cut short is
// no backup, and the next setup makes one.
func TestBackupIsWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	raw := bytes.Repeat([]byte("line\n"), 1000)
	os.WriteFile(path, raw, 0o640)
	os.WriteFile(tempName(path), raw[:10], 0o600)
	f, err := Open(path, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Replace([]byte("new")); err != nil {
		t.Fatal(err)
	}
	backup, _ := f.Backup()
	if got, err := os.ReadFile(backup); err != nil || !bytes.Equal(got, raw) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if info, err := os.Stat(backup); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}
