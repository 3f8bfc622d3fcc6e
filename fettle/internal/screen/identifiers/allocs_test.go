package identifiers

import "testing"

// Lines in which nothing is an identifier cost their folded copy and, where
// there are digits, the groups of them: no more for many lines than for one.
func TestCleanLinesAllocateLittle(t *testing.T) {
	for line, most := range map[string]float64{
		"func (s *Server) call(ctx context.Context, v *verb.Verb) (result *Result, err error) {": 1,
		"The quick brown fox jumps over the lazy dog, and nothing of it is anybody's.":           1,
		"":              1,
		"x := 12 + 345": 2,
		"in version 2, section 3, page 4711 and line 12 of é日本": 2,
	} {
		for _, n := range []int{1, 1000} {
			lines := make([]string, n)
			for i := range lines {
				lines[i] = line
			}
			if Count(lines) != 0 {
				t.Fatalf("%q is not clean", line)
			}
			if got := testing.AllocsPerRun(20, func() { Count(lines) }); got > most {
				t.Errorf("%q, %d times: %v allocations, not %v", line, n, got, most)
			}
		}
	}
}
