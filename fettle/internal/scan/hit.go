package scan

import (
	"bytes"

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
	}
	if len(s.res.Hits) >= s.o.Max {
		return false
	}
	s.count(data, h.Start)
	line := data[h.Start:h.End]
	hit := Hit{Line: s.line, Column: Column(line, h.At-h.Start), Text: CutAround(line, h.At-h.Start)}
	s.about(data, h, &hit)
	s.res.Hits = append(s.res.Hits, hit)
	return false
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
	start := h.Start
	for n := range s.o.Context {
		if start == 0 {
			break
		}
		end := start - 1
		start = lineStart(data, end)
		hit.Context = append(hit.Context, Line{s.line - int64(n) - 1, show(trim(data[start:end]))})
	}
	for i, j := 0, len(hit.Context)-1; i < j; i, j = i+1, j-1 {
		hit.Context[i], hit.Context[j] = hit.Context[j], hit.Context[i]
	}
	before := len(hit.Context)
	at := nextLine(data, h.End)
	for n := range s.o.Context {
		if at >= len(data) {
			break
		}
		end := nextLine(data, at)
		line := data[at:end]
		if end > at && data[end-1] == '\n' {
			line = data[at : end-1]
		}
		hit.Context = append(hit.Context, Line{s.line + int64(n) + 1, show(trim(line))})
		at = end
	}
	if s.o.Whole {
		for i, l := range hit.Context {
			if i == before {
				hit.Whole = append(hit.Whole, show(data[h.Start:h.End]))
			}
			hit.Whole = append(hit.Whole, l.Text)
		}
		if before == len(hit.Context) {
			hit.Whole = append(hit.Whole, show(data[h.Start:h.End]))
		}
	}
	for i := range hit.Context {
		hit.Context[i].Text = CutHead(hit.Context[i].Text)
	}
}

func trim(line []byte) []byte { return bytes.TrimSuffix(line, []byte{'\r'}) }
