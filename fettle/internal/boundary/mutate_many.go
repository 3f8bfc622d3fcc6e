package boundary

import (
	"context"
	"io"
	"runtime"

	"fettler/fettle/internal/parallel"
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
	err := parallel.Each(len(files), runtime.GOMAXPROCS(0), func(i int) (err error) {
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
