//go:build unix && !linux

package worker

import "golang.org/x/sys/unix"

func confine() (missing []string) {
	none := unix.Rlimit{}
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &none); err != nil {
		missing = append(missing, "core dumps")
	}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &none); err != nil {
		missing = append(missing, "new files")
	}
	return append(missing, "files and network")
}
