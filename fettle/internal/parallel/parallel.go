// Package parallel does one thing for each of many, several at once.
//
// Each is all of it. What fn shares between calls is the caller's to guard, and
// a call that is to end early asks its own context.
package parallel

import (
	"sync"
	"sync/atomic"
)

// Each calls fn for 0 to n-1, at most so many at once. They are begun in
// their order, none after one has failed, and the error is the first one's in
// that order.
func Each(n, atOnce int, fn func(i int) error) error {
	if atOnce = min(atOnce, n); atOnce <= 1 {
		for i := range n {
			if err := fn(i); err != nil {
				return err
			}
		}
		return nil
	}
	errs := make([]error, n)
	var next atomic.Int64
	var failed atomic.Bool
	var group sync.WaitGroup
	for range atOnce {
		group.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = fn(i); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
