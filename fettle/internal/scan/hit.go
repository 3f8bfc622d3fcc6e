package scan

import (
	"bytes"
	"unicode/utf8"

	"fettler/fettle/internal/match"
)

// take counts and keeps a hit. It reports that no more are wanted.
func (s *Scanner) take(data []byte, h match.Hit) (enough bool) {
	if !s.o.All && s.res.Count >= int64(s.o.Max) {
		return true
	}
	if s.o.After > 0 {
		if s.count(data, h.Start); s.line <= s.o.After {
			return false
		}
	}
	s.res.Count++
	if s.o.Judge != nil {
		s.pending = append(s.pending, show(data[h.Start:h.End]))
		s.waiting += h.End - h.Start
	}
	if len(s.res.Hits) >= s.o.Max {
		return false
	}
	// The second hit behind a bound says that there is more.
	if n := len(s.res.Hits); n > 1 && (s.o.Shown > 0 && s.res.Shown > s.o.Shown || s.o.Held > 0 && s.res.Held > s.o.Held) {
		return !s.o.All
	}
	s.count(data, h.Start)
	line := data[h.Start:h.End]
	hit := Hit{Line: s.line, Column: Column(line, h.At-h.Start), Text: CutAround(line, h.At-h.Start)}
	s.about(data, h, &hit)
	s.res.Shown += hit.Shown()
	s.res.Hits = append(s.res.Hits, hit)
	return false
}

// Shown is how many characters a hit shows, each line's ending being one.
func (h *Hit) Shown() int {
	n := utf8.RuneCountInString(h.Text) + 1
	for i := range h.Context {
		n += utf8.RuneCountInString(h.Context[i].Text) + 1
	}
	return n
}

// count moves the line number on to the line at to.
func (s *Scanner) count(data []byte, to int) {
	if to > s.counted {
		s.line += int64(bytes.Count(data[s.counted:to], []byte{'\n'}))
		s.counted = to
	}
}

// about adds the lines before and after a hit.
func (s *Scanner) about(data []byte, h match.Hit, hit *Hit) {
	first := h.Start
	before := 0
	for ; before < s.o.Context && first > 0; before++ {
		first = lineStart(data, first-1)
	}
	at := first
	for n := s.line - int64(before); n <= s.line+int64(s.o.Context) && (at < len(data) || n == s.line); n++ {
		line, next := data[h.Start:h.End], nextLine(data, h.End)
		if n != s.line {
			next = nextLine(data, at)
			line = trim(bytes.TrimSuffix(data[at:next], []byte{'\n'}))
			hit.Context = append(hit.Context, Line{n, cutHead(line)})
		}
		at = next
		if s.o.Whole && n > s.given {
			if s.given = n; hit.Whole == nil {
				hit.WholeFrom = n
			}
			hit.Whole = append(hit.Whole, show(line))
			s.res.Held += len(line)
		}
	}
}

func trim(line []byte) []byte { return bytes.TrimSuffix(line, []byte{'\r'}) }
