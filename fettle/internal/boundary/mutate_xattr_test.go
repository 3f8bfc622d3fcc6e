//go:build linux || darwin

package boundary

import (
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func TestExtendedAttributesAreCarried(t *testing.T) {
	w := makeWorld(t)
	path := filepath.Join(w.T, "a.txt")
	if err := unix.Setxattr(path, "user.fettle.test", []byte("kept"), 0); err != nil {
		t.Skip("this disk keeps no extended attributes:", err)
	}
	s, err := put(t, w.open(t), "a.txt", "new", StageOptions{Replace: true})
	if err != nil || len(s.Lost) > 0 {
		t.Fatal(s, err)
	}
	buf := make([]byte, 16)
	n, err := unix.Getxattr(path, "user.fettle.test", buf)
	if err != nil || string(buf[:n]) != "kept" {
		t.Error(string(buf[:max(n, 0)]), err)
	}
}
