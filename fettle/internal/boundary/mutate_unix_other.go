//go:build unix && !linux && !darwin

package boundary

import (
	"errors"

	"golang.org/x/sys/unix"
)

func renameExclusive(int, string, int, string) error { return unix.ENOSYS }

func (d sysDir) syncAll() error { return errors.ErrUnsupported }

func carryExtended(int, int) []string { return []string{"extended attributes"} }
