package disk

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A file on which another process has a lease is waited for until it lets go,
// and is not taken for one that cannot be read.
func TestReadFileWaitsForALease(t *testing.T) {
	const setLease, none = 1024, syscall.F_UNLCK // F_SETLEASE of fcntl.h
	p := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(p, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	fd, err := syscall.Open(p, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	lease := func(kind int) error {
		if _, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), setLease, uintptr(kind)); errno != 0 {
			return errno
		}
		return nil
	}
	if err := lease(syscall.F_WRLCK); err != nil {
		t.Skip("no leases here:", err)
	}
	go func() {
		time.Sleep(50 * time.Millisecond)
		lease(none)
	}()
	got, err := ReadFile(p, 4, 10)
	if string(got) != "text" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
