package main

import (
	"math"
	"runtime"
	"runtime/debug"
)

// Most calls are over before they leave much behind, and collecting on the way
// costs a search a tenth of its time; but the peak must not follow the tree. So
// nothing is collected below few bytes in all, and what comes above is, until a
// quarter of that is really in use. From then on the collector runs when there
// is garbage of six tenths of what is in use.
const (
	few   = 12 << 20
	often = 60
)

// collectLate sets the collector so. Call it once, first.
func collectLate() {
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(few)
	watch()
}

// sentinel is garbage from the beginning, so that each collection ends it.
// It holds a pointer, or it would be put with others and not be ended alone.
type sentinel struct{ _ *sentinel }

// watch looks at what is in use after the next collection.
func watch() {
	runtime.SetFinalizer(new(sentinel), func(*sentinel) {
		var m runtime.MemStats // runtime/metrics would cost every start 15 KB
		runtime.ReadMemStats(&m)
		if m.HeapAlloc < few/4 {
			watch()
			return
		}
		debug.SetMemoryLimit(math.MaxInt64)
		debug.SetGCPercent(often)
	})
}
