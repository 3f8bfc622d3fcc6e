package boundary

import (
	"errors"

	"golang.org/x/sys/unix"
)

func renameExclusive(from int, name string, to int, toName string) error {
	return unix.RenameatxNp(from, name, to, toName, unix.RENAME_EXCL)
}

func (d sysDir) syncAll() error { return errors.ErrUnsupported }
