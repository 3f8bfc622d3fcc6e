package boundary

import (
	"context"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
)

// Write is one file of WriteAll.
type Write struct {
	Place   *Place
	Content io.Reader
	Options StageOptions
}

// WriteAll stages files as Write does, several at once. What it gives is in
// their order, and so is the error: it is the first file's that has one.
func (c *Change) WriteAll(ctx context.Context, files []Write) ([]*Staged, error) {
	base := len(c.items)
	staged := make([]*Staged, len(files))
	err := SideBySide(len(files), runtime.GOMAXPROCS(0), func(i int) (err error) {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := &files[i]
		staged[i], err = c.write(f.Place, base+i, f.Content, f.Options)
		return err
	})
	for _, s := range staged {
		if s != nil {
			c.items = append(c.items, s)
		}
	}
	return staged, err
}

// inFlight is how many calls wait for the disk at once.
const inFlight = 8

// SideBySide calls fn for 0 to n-1, at most so many at once. They are begun in
// their order, none after one has failed, and the error is the first one's in
// that order.
func SideBySide(n, atOnce int, fn func(i int) error) error {
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
