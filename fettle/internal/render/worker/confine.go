package worker

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

func newBytes(b []byte) io.ReaderAt { return bytes.NewReader(b) }

// Confine takes away what a worker does not need and sets its memory limit.
// The answer names what could not be taken away here; that is no failure.
func Confine() (missing []string) {
	debug.SetMemoryLimit(Memory * 3 / 4)
	// One parser and the collector: more threads only cost memory.
	runtime.GOMAXPROCS(min(runtime.GOMAXPROCS(0), 2))
	missing = confine()
	go watch()
	return missing
}

// watch ends the process when its memory runs over the limit although the
// collector works against it. Nothing useful can be said from in there.
func watch() {
	var m runtime.MemStats
	for range time.Tick(50 * time.Millisecond) {
		runtime.ReadMemStats(&m)
		if m.Sys-m.HeapReleased > Memory {
			os.Exit(ExitMemory)
		}
	}
}
