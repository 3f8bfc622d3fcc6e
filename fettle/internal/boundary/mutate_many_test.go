package boundary

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"fettler/shared/config"
	"fettler/shared/outcome"
)

// The error is that of the first in order, all before it are done, and no more
// than asked for are at it at once.
func TestSideBySide(t *testing.T) {
	for _, atOnce := range []int{0, 1, 2, 8, 100} {
		var running, most atomic.Int64
		var mu sync.Mutex
		done := map[int]bool{}
		err := SideBySide(50, atOnce, func(i int) error {
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
	if err := SideBySide(0, 8, func(int) error { return errors.New("none") }); err != nil {
		t.Error(err)
	}
}

// Many files are staged at once and stay in their order; when one cannot be,
// none is changed and nothing is left over.
func TestWriteAll(t *testing.T) {
	w, b := many(t, 40)
	writes := func() []Write {
		var list []Write
		for i := range 40 {
			p, err := b.Locate(fmt.Sprintf("f%d", i), config.Update, "")
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, Write{p, strings.NewReader("new"), StageOptions{Replace: true, Was: p.Info}})
		}
		return list
	}
	c := b.Begin()
	list := writes()
	list[20].Options.Replace, list[33].Options.Replace = false, false
	_, err := c.WriteAll(context.Background(), list)
	wantKind(t, err, outcome.TargetExists)
	if !strings.Contains(err.Error(), "f20 ") {
		t.Error(err)
	}
	c.Close()
	clean(t, w.base)

	c = b.Begin()
	defer c.Close()
	staged, err := c.WriteAll(context.Background(), writes())
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range staged {
		if s.place.Rel != fmt.Sprintf("f%d", i) || s != c.items[i] {
			t.Errorf("%d is %s", i, s.place.Rel)
		}
	}
	if len(c.folders) != 1 {
		t.Errorf("%d folders are open", len(c.folders))
	}
	if err := c.Commit(); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		if got, _ := os.ReadFile(filepath.Join(w.T, fmt.Sprintf("f%d", i))); string(got) != "new" {
			t.Errorf("f%d holds %q", i, got)
		}
	}
	clean(t, w.base)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c2 := b.Begin()
	if _, err := c2.WriteAll(ctx, writes()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	c2.Close()
	clean(t, w.base)
}
