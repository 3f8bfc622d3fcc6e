package mcp

import (
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"fettler/fettle/internal/verb"
)

// Narrow goes with collecting soon and wide with collecting late, also where
// there is one processor.
func TestApply(t *testing.T) {
	all, percent := runtime.GOMAXPROCS(0), debug.SetGCPercent(100)
	defer func() { runtime.GOMAXPROCS(all); debug.SetGCPercent(percent) }()
	for _, c := range []struct {
		processors int
		wide       bool
		percent    int
	}{{1, false, soon}, {2, true, late}, {1, true, late}, {1, false, soon}} {
		apply(c.processors, c.wide)
		if n, got := runtime.GOMAXPROCS(0), debug.SetGCPercent(100); n != c.processors || got != c.percent {
			t.Errorf("%d processors at %d percent, want %v", n, got, c)
		}
	}
}

// One processor while small reads come one by one; all of them for a call that
// works side by side, for two at once, and for a while after.
func TestPace(t *testing.T) {
	var used []int
	p := newPace()
	p.all, p.use = 4, func(n int, wide bool) {
		if wide != (n == p.all) {
			t.Errorf("%d of %d processors, wide %v", n, p.all, wide)
		}
		used = append(used, n)
	}
	read, search := verb.Lookup("read"), verb.Lookup("search")
	call := func(v *verb.Verb, times int) {
		for range times {
			p.begin(v)
			p.end()
		}
	}
	want := func(n ...int) {
		t.Helper()
		if !slices.Equal(used, n) {
			t.Errorf("%v, want %v", used, n)
		}
	}
	call(read, 3)
	want(1)
	call(search, 1)
	want(1, 4)
	call(read, quietFor-1)
	want(1, 4)
	call(read, 1)
	want(1, 4, 1)
	p.begin(read)
	p.begin(read)
	want(1, 4, 1, 4)
	p.end()
	p.end()
	call(read, quietFor)
	want(1, 4, 1, 4, 1)
	call(verb.Lookup("edit"), 1)
	want(1, 4, 1, 4, 1, 4)
}
