package match

import (
	"bytes"
	"time"

	"github.com/dlclark/regexp2"
)

// Searcher is a Matcher with the memory of one goroutine.
type Searcher struct {
	m        *Matcher
	plain    bool // no fast path: the twin that tests compare with
	backward []*regexp2.Regexp
	until    time.Time // when the file's second is over
	timedOut bool
	slow     slow
	run      *runner // the fast path's state
	buf      []byte
}

// Searcher makes one for one goroutine. Once stop is closed, which may be nil,
// it finds nothing more, and says that it timed out.
func (m *Matcher) Searcher(stop <-chan struct{}) *Searcher {
	s := &Searcher{m: m, slow: slow{stop: stop}}
	for _, p := range m.backward {
		s.backward = append(s.backward, regexp2.MustCompile(p, m.dotnetOptions()))
	}
	if m.fast != nil && len(m.backward) == 0 {
		s.run = newRunner(m.fast)
	}
	return s
}

// dotnetOptions are how the .NET dialect is compiled.
func (m *Matcher) dotnetOptions() regexp2.RegexOptions {
	if !m.opt.CaseSensitive {
		return regexp2.IgnoreCase
	}
	return regexp2.None
}

// Begin starts a file: its second begins.
func (s *Searcher) Begin() {
	s.timedOut = false
	s.until = time.Time{}
	s.slow.begin()
}

// TimedOut reports that the file's time was spent; what was found before
// stands, and the rest of the file was not searched.
func (s *Searcher) TimedOut() bool { return s.timedOut }

// Start begins a buffer, which stays as it is until the next Start.
func (s *Searcher) Start(buf []byte) {
	s.buf = buf
	if s.run != nil {
		s.run.start()
	}
}

// Next gives the first matching line of the buffer that begins at from or
// after it. from is the start of a line.
func (s *Searcher) Next(from int) (Hit, bool) {
	if s.run != nil && !s.plain {
		return s.run.next(s, from)
	}
	return s.nextPlain(from)
}

// nextPlain looks at every line.
func (s *Searcher) nextPlain(from int) (Hit, bool) {
	for from < len(s.buf) && !s.timedOut {
		end, next := lineEnd(s.buf, from)
		line := s.buf[from:end]
		if bytes.IndexByte(line, '\r') >= 0 {
			return Hit{Start: from, End: end, At: from, Break: true}, true
		}
		if at := s.at(line); at >= 0 {
			return Hit{Start: from, End: end, At: from + at}, true
		}
		from = next
	}
	return Hit{}, false
}

// lineEnd gives where the line at from ends without its ending, and where the
// next begins.
func lineEnd(buf []byte, from int) (end, next int) {
	end, next = len(buf), len(buf)
	if i := bytes.IndexByte(buf[from:], '\n'); i >= 0 {
		end, next = from+i, from+i+1
	}
	if end > from && buf[end-1] == '\r' {
		end--
	}
	return end, next
}

// at is where the first match in a line begins, or -1.
func (s *Searcher) at(line []byte) int {
	best := s.linearAt(line)
	for _, re := range s.backward {
		if at := s.atBackward(re, line); at >= 0 && (best < 0 || at < best) {
			best = at
		}
	}
	return best
}

// atBackward matches in the .NET dialect, within what is left of the file's second.
func (s *Searcher) atBackward(re *regexp2.Regexp, line []byte) int {
	now := time.Now()
	if s.until.IsZero() {
		s.until = now.Add(FileTime)
	}
	left := s.until.Sub(now)
	if left <= 0 {
		s.timedOut = true
		return -1
	}
	re.MatchTimeout = left
	text := string(line)
	found, err := re.FindStringMatch(text)
	if err != nil {
		s.timedOut = true
		return -1
	}
	if found == nil {
		return -1
	}
	return runeOffset(text, found.Index)
}

// runeOffset is the byte at which rune n of s begins. Bytes that are not
// UTF-8 are a rune each, as they are to the engine.
func runeOffset(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}
