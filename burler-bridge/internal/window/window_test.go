package window

import "testing"

// Every token is believed from exactly one window, with a share of context on
// either side unless the text ends there.
func TestCut(t *testing.T) {
	for size := 2; size < 40; size++ {
		for n := range 200 {
			next := 0
			for _, w := range Cut(n, size) {
				if w.First != next || w.Last <= w.First || w.From > w.First || w.To < w.Last || w.To-w.From > size {
					t.Fatalf("size %d of %d: %+v after %d", size, n, w, next)
				}
				margin := size / 4 / 2
				if w.From > 0 && w.First-w.From < margin || w.To < n && w.To-w.Last < margin {
					t.Fatalf("size %d of %d: %+v has little context", size, n, w)
				}
				next = w.Last
			}
			if next != n {
				t.Fatalf("size %d of %d: covered %d", size, n, next)
			}
		}
	}
}
