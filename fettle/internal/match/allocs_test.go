package match

import (
	"bytes"
	"testing"
)

// A buffer without a hit is gone through without allocating, whichever engine
// does it. The regexp of the .NET dialect is not among them.
func TestNoHitNoAllocations(t *testing.T) {
	buf := bytes.Repeat([]byte("func plain(text string) (line int) { return 12 }\n\té 日本 x = y\n"), 200)
	for name, c := range map[string]struct {
		patterns []string
		o        Options
	}{
		"a literal":            {[]string{"unmarshal"}, Options{Literal: true, CaseSensitive: true}},
		"either case":          {[]string{"unmarshal"}, Options{Literal: true}},
		"a word":               {[]string{"lin"}, Options{Literal: true, CaseSensitive: true, Word: true}},
		"ten words":            {[]string{"Handler", "Context", "Reader", "Writer", "Buffer", "Mutex", "Channel", "Pointer", "Struct", "Interface"}, Options{CaseSensitive: true}},
		"a factor, no match":   {[]string{`^plain\(`, `return \d{3}`}, Options{CaseSensitive: true}},
		"no factor":            {[]string{`[a-z]{12,}\d`}, Options{CaseSensitive: true}},
		"a class of all lines": {[]string{`[^x]{400}$`}, Options{CaseSensitive: true}},
	} {
		m, err := Compile(c.patterns, c.o)
		if err != nil {
			t.Fatal(err)
		}
		s := m.Searcher(nil)
		look := func() {
			s.Begin()
			s.Start(buf)
			for at := 0; ; {
				h, ok := s.Next(at)
				if !ok {
					break
				}
				if !h.Break {
					t.Fatalf("%s: hit at %d", name, h.At)
				}
				at = h.End + 1
			}
		}
		look() // the automaton is built as it goes
		if n := testing.AllocsPerRun(20, look); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
