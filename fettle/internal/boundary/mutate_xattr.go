//go:build linux || darwin

package boundary

import (
	"errors"
	"strings"

	"golang.org/x/sys/unix"
)

// carryExtended copies extended attributes, access lists among them, and
// names those that could not be carried.
func carryExtended(old, fresh int) (lost []string) {
	n, err := unix.Flistxattr(old, nil)
	if err != nil {
		if unsupported(err) || errors.Is(err, unix.ENOTSUP) {
			return nil
		}
		return []string{"extended attributes"}
	}
	if n == 0 {
		return nil
	}
	list := make([]byte, n+1024)
	if n, err = unix.Flistxattr(old, list); err != nil {
		return []string{"extended attributes"}
	}
	for name := range strings.SplitSeq(string(list[:n]), "\x00") {
		if name == "" {
			continue
		}
		size, err := unix.Fgetxattr(old, name, nil)
		value := make([]byte, max(size, 0)+1)
		if err == nil {
			size, err = unix.Fgetxattr(old, name, value)
		}
		if err == nil {
			err = unix.Fsetxattr(fresh, name, value[:size], 0)
		}
		if err != nil {
			lost = append(lost, "extended attribute "+name)
		}
	}
	return lost
}
