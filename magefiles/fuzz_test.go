//go:build mage

package main

import (
	"testing"
	"time"
)

// Targets share the time that is left: never more than the most, never less
// than what shows anything, and no more than fits.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		left           time.Duration
		lanes, targets int
		want           time.Duration
	}{
		{20 * time.Minute, 2, 43, 30 * time.Second},
		{10 * time.Minute, 2, 43, 24 * time.Second},
		{2 * time.Minute, 2, 43, 2 * time.Second},
		{-time.Minute, 2, 10, 2 * time.Second},
		{time.Minute, 1, 2, 27 * time.Second},
	} {
		if got := share(c.left, c.lanes, c.targets, longest); got != c.want {
			t.Errorf("%v for %d targets in %d lanes gives %v each, want %v", c.left, c.targets, c.lanes, got, c.want)
		}
	}
}

// Every target is handed out once, whether or not they share a time.
func TestFuzzingHandsOutAll(t *testing.T) {
	targets, err := fuzzTargetsIn("..")
	if err != nil || len(targets) < 40 {
		t.Fatal(len(targets), err)
	}
	for _, end := range []time.Time{{}, time.Now().Add(time.Minute)} {
		q := &fuzzing{targets: targets, lanes: 2, each: 10 * time.Second, end: end}
		seen := map[[2]string]bool{}
		for target, per, ok := q.next(); ok; target, per, ok = q.next() {
			if seen[target] || per < shortest || per > q.each {
				t.Errorf("%v again, or for %v", target, per)
			}
			seen[target] = true
		}
		if len(seen) != len(targets) {
			t.Errorf("%d of %d targets", len(seen), len(targets))
		}
	}
}
