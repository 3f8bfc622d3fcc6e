package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// The limit goes when what is in use has outgrown it, so that a call that needs
// much is not collected for ever.
func TestCollectorIsGivenBack(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	defer func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) }()
	collectLate()
	runtime.GC()
	time.Sleep(20 * time.Millisecond)
	if got := debug.SetMemoryLimit(-1); got != few {
		t.Fatalf("with little in use the limit is %d, not %d", got, few)
	}
	held := make([]byte, few)
	for deadline := time.Now().Add(20 * time.Second); debug.SetMemoryLimit(-1) != math.MaxInt64; {
		if time.Now().After(deadline) {
			t.Fatal("the limit stays with more in use than it allows")
		}
		runtime.GC()
		time.Sleep(5 * time.Millisecond)
	}
	if got := debug.SetGCPercent(100); got != often {
		t.Errorf("the collector is left at %d %%", got)
	}
	runtime.KeepAlive(held)
}
