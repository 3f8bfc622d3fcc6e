//go:build unix && !linux

package boundary

import "golang.org/x/sys/unix"

const searchFlag = unix.O_RDONLY
