//go:build mage && unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakKB is a process's peak resident size.
func peakKB(s *os.ProcessState) int64 {
	ru, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" { // bytes there
		return int64(ru.Maxrss) / 1024
	}
	return int64(ru.Maxrss)
}
