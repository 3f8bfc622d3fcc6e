package match

import (
	"io"
	"regexp/syntax"
	"time"
	"unicode/utf8"
)

// Go's regexp does what the automaton does not. It is linear in the text, but
// as slow a byte as a pattern is large, and it cannot be interrupted.

const (
	// slowest is how long a byte may take, on the average of a file, beyond FileTime.
	slowest = 200 * time.Nanosecond
	// brief is how many steps, places of a pattern held against bytes, are
	// taken without a look at the clock: some hundredths of a second.
	brief = 1 << 22
)

// slow is what a file spent in Go's regexp.
type slow struct {
	stop  <-chan struct{}
	bytes int
	spent time.Duration
}

func (s *slow) begin() { s.bytes, s.spent = 0, 0 }

// over reports that no more may be spent, here after another time has been.
func (s *slow) over(more time.Duration) bool {
	select {
	case <-s.stop:
		return true
	default:
		return s.spent+more > FileTime+time.Duration(s.bytes)*slowest
	}
}

// linearAt is where linear's first match in a line begins, or -1.
func (s *Searcher) linearAt(line []byte) (at int) {
	if s.m.linear == nil || s.timedOut {
		return -1
	}
	if s.timedOut = s.slow.over(0); s.timedOut {
		return -1
	}
	begun := time.Now()
	if s.m.steps*len(line) <= brief {
		at = s.m.at(line)
		s.slow.bytes += len(line)
	} else {
		w := &watched{slow: &s.slow, line: line, begun: begun, every: max(1, brief/s.m.steps)}
		if at = s.m.atReader(w); w.cut {
			s.timedOut = true
			return -1
		}
	}
	s.slow.spent += time.Since(begun)
	return at
}

// at is where linear's first match in a line begins, or -1.
func (m *Matcher) at(line []byte) int {
	if m.group == 0 {
		return m.begin(m.linear.FindIndex(line)) // cheaper than with its groups
	}
	return m.begin(m.linear.FindSubmatchIndex(line))
}

func (m *Matcher) atReader(r io.RuneReader) int {
	if m.group == 0 {
		return m.begin(m.linear.FindReaderIndex(r))
	}
	return m.begin(m.linear.FindReaderSubmatchIndex(r))
}

func (m *Matcher) begin(loc []int) int {
	if loc == nil {
		return -1
	}
	return loc[2*m.group]
}

// watched gives a line to Go's regexp, and ends it when its time is over.
type watched struct {
	slow  *slow
	line  []byte
	begun time.Time
	n     int
	every int // characters between two looks at the clock
	cut   bool
}

func (w *watched) ReadRune() (rune, int, error) {
	if w.n++; w.n%w.every == 0 && w.slow.over(time.Since(w.begun)) {
		w.cut = true
	}
	if w.cut || len(w.line) == 0 {
		return 0, 0, io.EOF
	}
	r, n := utf8.DecodeRune(w.line)
	w.line = w.line[n:]
	w.slow.bytes += n
	return r, n, nil
}

// steps is about how many steps an expression has once its repeats are written out.
func steps(re *syntax.Regexp) int {
	n := 1
	if re.Op == syntax.OpLiteral {
		n = len(re.Rune)
	}
	for _, sub := range re.Sub {
		n += steps(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min+1, re.Max)
	}
	return n
}
