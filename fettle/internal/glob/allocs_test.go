package glob

import "testing"

// Matching an ASCII path allocates nothing, whether it matches or not; any
// other is folded first.
func TestMatchAllocatesNothing(t *testing.T) {
	for _, pattern := range []string{"**/*.go", "src/**/x/*_test.go", "*.go", "src/**", "a?b*/**/e*"} {
		g, err := Compile(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"src/a/b/x/file.go", "README.md", "src/x/a_test.go", "axbee/y/ea"} {
			if n := testing.AllocsPerRun(50, func() { g.Match(path); g.Below(path); g.Covers(path) }); n != 0 {
				t.Errorf("%s on %s: %v allocations", pattern, path, n)
			}
		}
	}
}
