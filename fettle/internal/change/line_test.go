package change

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Lines are counted where a table of them is not needed: both say the same,
// whatever the endings and whatever the order of the places.
func TestLinesCountedAndLookedUp(t *testing.T) {
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		var sb strings.Builder
		for range rnd.IntN(60) {
			sb.WriteString([]string{"\n", "\r\n", "\r", "x", "ab", "\n\r"}[rnd.IntN(6)])
		}
		text := sb.String()
		var offsets []int
		for range 20 {
			offsets = append(offsets, rnd.IntN(len(text)+1))
		}
		if seed%2 == 0 {
			slices.Sort(offsets)
		}
		counting, table := &resolver{text: text}, &resolver{text: text}
		table.count()
		for _, o := range offsets {
			if got, want := counting.line(o), table.line(o); got != want {
				t.Fatalf("%q: offset %d is in line %d by counting and %d in the table (of %v)", text, o, got, want, offsets)
			}
		}
		if starts := mixedStarts([]int{0}, text); !slices.Equal(starts, table.starts) &&
			!slices.Equal(append(starts, len(text)), table.starts) {
			t.Fatalf("%q: %v and %v", text, starts, table.starts)
		}
	}
}
