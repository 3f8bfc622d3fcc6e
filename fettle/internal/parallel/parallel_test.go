package parallel

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// The error is that of the first in order, all before it are done, and no more
// than asked for are at it at once.
func TestEach(t *testing.T) {
	for _, atOnce := range []int{0, 1, 2, 8, 100} {
		var running, most atomic.Int64
		var mu sync.Mutex
		done := map[int]bool{}
		err := Each(50, atOnce, func(i int) error {
			n := running.Add(1)
			defer running.Add(-1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			mu.Lock()
			done[i] = true
			mu.Unlock()
			if i >= 20 && i%3 == 0 {
				return fmt.Errorf("%d", i)
			}
			return nil
		})
		if err == nil || err.Error() != "21" {
			t.Errorf("%d at once: %v", atOnce, err)
		}
		for i := range 21 {
			if !done[i] {
				t.Errorf("%d at once: %d was left out", atOnce, i)
			}
		}
		if len(done) > 25+max(atOnce, 1) || most.Load() > int64(max(atOnce, 1)) {
			t.Errorf("%d at once: %d begun, %d at once", atOnce, len(done), most.Load())
		}
	}
	if err := Each(0, 8, func(int) error { return errors.New("none") }); err != nil {
		t.Error(err)
	}
}
