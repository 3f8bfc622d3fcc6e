//go:build mage

package main

import (
	"slices"
	"time"
)

// side does its half of a round and says how long that took.
type side func() (time.Duration, error)

// turns are the rounds of two sides that were run by turns.
type turns struct {
	ours, peer []time.Duration
	ratios     []float64
}

// run adds rounds, after some to warm up that do not count. Each side is first
// in every other round.
func (t *turns) run(warm, times int, ours, peer side) error {
	for n := -warm; n < times; n++ {
		first, second := ours, peer
		if n%2 != 0 {
			first, second = peer, ours
		}
		a, err := first()
		if err != nil {
			return err
		}
		b, err := second()
		if err != nil {
			return err
		}
		if n%2 != 0 {
			a, b = b, a
		}
		if n >= 0 {
			t.ours, t.peer, t.ratios = append(t.ours, a), append(t.peer, b), append(t.ratios, float64(a)/float64(b))
		}
	}
	return nil
}

// tell writes the ratio of the medians into r, and the quartiles of the rounds'.
func (t *turns) tell(r *result) {
	n := len(t.ratios)
	slices.Sort(t.ours)
	slices.Sort(t.peer)
	slices.Sort(t.ratios)
	r.ratio = float64(t.ours[n/2]) / float64(t.peer[n/2])
	r.low, r.high = t.ratios[n/4], t.ratios[n-1-n/4]
}

// byTurns measures a result, whose sides are ready.
func (r *result) byTurns(warm int, ours, peer side) {
	var t turns
	if err := t.run(warm, rounds, ours, peer); err != nil {
		r.why = err.Error()
		return
	}
	t.tell(r)
}
