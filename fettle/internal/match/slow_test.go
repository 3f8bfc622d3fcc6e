package match

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"fettler/shared/outcome"
)

// large needs thousands of places held against each byte.
const large = `a.{0,250}b.{0,250}c.{0,250}d`

func largeText() string {
	r := rand.New(rand.NewPCG(11, 12))
	b := make([]byte, 200_000)
	for i := range b {
		b[i] = "abcxyzuvw\n"[r.IntN(9+i%2)]
	}
	return strings.ReplaceAll(string(b), "d", "x")
}

// Computing rows is bounded by what is read, and so is what they hold.
func TestAutomatonIsBounded(t *testing.T) {
	s := compile(t, Options{}, large).Searcher(nil)
	s.run.whole = true
	hits(s, largeText())
	for _, d := range []*dfa{s.run.back, s.run.ahead} {
		if d == nil {
			t.Error("an automaton was not run")
			continue
		}
		if most := visitsFree + visitsByte*(d.read+d.used) + 8*len(d.n.insts); d.visits > most {
			t.Errorf("%d visits, over %d", d.visits, most)
		}
		if d.held > maxHeld+len(d.n.insts) {
			t.Errorf("%d places held", d.held)
		}
	}
}

// A line that is given piece by piece gives what it gives in one.
func TestWatchedTwins(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, p := range patternSeeds {
		if p == "" {
			continue
		}
		for _, o := range []Options{{}, {Word: true}} {
			m, err := Compile([]string{p}, o)
			if err != nil {
				continue
			}
			s := m.Searcher(nil)
			s.plain = true
			for _, text := range randomTexts(r, 40) {
				steps := m.steps
				want := hits(s, text)
				m.steps = brief + 1
				if got := hits(s, text); !slices.Equal(got, want) {
					t.Fatalf("%s %+v in %q: %q, want %q", p, o, text, got, want)
				}
				m.steps = steps
			}
		}
	}
}

// What is spent and what is stopped end a search, within a line as well.
func TestSlowEnds(t *testing.T) {
	m := compile(t, Options{}, large)
	long := strings.Repeat("x", 2*brief/m.steps) + "a.b.c.d"
	for name, text := range map[string]string{"within a line": long, "between lines": "x\nabcd\nabcd"} {
		for _, plain := range []bool{true, false} {
			s := m.Searcher(nil)
			s.plain = plain
			if !plain {
				s.run.back.gaveUp = true
			}
			if got := hits(s, text); len(got) == 0 || s.TimedOut() {
				t.Fatalf("%s: %d hits, timed out %v", name, len(got), s.TimedOut())
			}
			s.Begin()
			s.slow.spent = time.Hour
			s.Start([]byte(text))
			if h, ok := s.Next(0); ok || !s.TimedOut() {
				t.Errorf("%s: %v, timed out %v, with nothing left to spend", name, h, s.TimedOut())
			}
			if s.Begin(); s.TimedOut() {
				t.Error("the next file has no time of its own")
			}
			stop := make(chan struct{})
			close(stop)
			s.slow.stop = stop
			if got := hits(s, text); len(got) != 0 || !s.TimedOut() {
				t.Errorf("%s: %d hits, timed out %v, when stopped", name, len(got), s.TimedOut())
			}
		}
	}
}

func TestTooManySteps(t *testing.T) {
	one := `(?:\p{L}{0,1000}x)|`
	if _, err := Compile([]string{strings.Repeat(one, 100) + "z"}, Options{}); err != nil {
		t.Error(err)
	}
	literal := slices.Repeat([]string{strings.Repeat("x", MaxPattern)}, 8)
	if _, err := Compile(literal, Options{}); err != nil {
		t.Error(err)
	}
	for _, ps := range [][]string{{strings.Repeat(one, 400) + "z"}, slices.Repeat([]string{strings.Repeat(one, 4) + "z"}, 100)} {
		_, err := Compile(ps, Options{})
		var e *outcome.Error
		if !errors.As(err, &e) || e.Kind != outcome.Invalid || !strings.Contains(err.Error(), "too large") {
			t.Errorf("not refused: %v", err)
		}
	}
}

// A pattern is looked at once, however deep it nests and however long it is.
func TestFactorsOfDeepPatterns(t *testing.T) {
	const depth = 200
	m := compile(t, Options{}, strings.Repeat("(?:", depth)+"a"+strings.Repeat("y)+", depth))
	twins(t, m, "a"+strings.Repeat("y", depth)+"\na\n", "ay\n")
	long := strings.Repeat("straße", 4000)
	twins(t, compile(t, Options{}, long), long+"\n"+long[1:], strings.ToUpper(long))
}
