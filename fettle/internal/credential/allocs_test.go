package credential

import (
	"strings"
	"testing"
)

// Text without a secret costs a fixed number of allocations, however long it is.
func TestCleanTextAllocatesLittle(t *testing.T) {
	line := "func (s *Server) call(ctx context.Context, name string) error { return nil } // ordinary source\n"
	count := func(n int) float64 {
		text := strings.Repeat(line, n)
		if err := Judge("", text); err != nil {
			t.Fatal(err)
		}
		return testing.AllocsPerRun(10, func() { _ = Judge("", text) })
	}
	few, many := count(10), count(1000)
	t.Logf("%v and %v allocations", few, many)
	if many > few || few > 8 {
		t.Errorf("%v allocations for 10 lines, %v for 1,000", few, many)
	}
}
