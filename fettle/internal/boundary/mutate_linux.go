package boundary

import (
	"os"

	"golang.org/x/sys/unix"
)

func renameExclusive(from int, name string, to int, toName string) error {
	return unix.Renameat2(from, name, to, toName, unix.RENAME_NOREPLACE)
}

// syncAll makes everything on the disk that holds d last, in one call: a
// batch of many files costs one flush, not one for each.
func (d sysDir) syncAll() error {
	fd, err := retry(func() (int, error) {
		return unix.Openat(d.n(), ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return os.NewSyscallError("open", err)
	}
	defer unix.Close(fd)
	return os.NewSyscallError("syncfs", again(func() error { return unix.Syncfs(fd) }))
}
