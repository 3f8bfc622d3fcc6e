package walk

import (
	"context"
	"fmt"
	"testing"
)

// An entry costs its name, and its path where it has one; the walk around it
// does not grow with how many there are but for the list of a folder's files.
func TestWalkAllocatesLittle(t *testing.T) {
	per := func(sub string, n int) float64 {
		var files []string
		for i := range n {
			files = append(files, fmt.Sprintf("%sf%d", sub, i))
		}
		d, _ := tree(t, nil, files...)
		seen := 0
		visit := func(int, Entry) error { seen++; return nil }
		run := func() {
			if _, err := Walk(context.Background(), d, Options{Workers: 1}, visit); err != nil {
				t.Fatal(err)
			}
		}
		run()
		if seen != n {
			t.Fatalf("%d of %d files seen", seen, n)
		}
		return testing.AllocsPerRun(5, run)
	}
	for sub, want := range map[string]float64{"": 1, "sub/": 2} {
		few, many := per(sub, 100), per(sub, 1100)
		each := (many - few) / 1000
		t.Logf("%q: %.3f an entry, %v for 100", sub, each, few)
		if each > want+0.05 {
			t.Errorf("%q: %.2f allocations an entry, not %v", sub, each, want)
		}
	}
}
