// Package identifiers counts personal identifiers in text by their shape: the
// screening category of that name, which needs nothing installed.
//
// Call Count with the lines an answer would carry. Six detectors, one a file,
// report positions; positions that overlap are one entity and count once.
// The package never returns the text it matched, so no caller can quote it.
//
// It is a safety net over plain text and not a boundary: encoded, split or
// spelled-out identifiers pass, and a bare run of digits never matches,
// because order numbers, timestamps and hashes would.
package identifiers

import (
	"bytes"
	"slices"
	"sync"
)

// Count says how many identifiers the lines hold. Time is linear in their length.
func Count(lines []string) int {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.text = fold(s.text, lines)
	s.spans = s.find(s.text)
	n := len(merge(s.spans))
	if cap(s.text) > 1<<20 { // one large answer's, not worth keeping
		s.text = nil
	}
	return n
}

// scratch is what counting needs and may be used again.
type scratch struct {
	text  []byte
	spans []span
	c     cluster
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// span is a half-open range of the folded text.
type span struct{ start, end int }

// find runs the six detectors over folded text. Five of them hang on digits,
// so one pass over the groups of digits feeds them all; the sixth hops from
// one at sign to the next.
func (s *scratch) find(b []byte) []span {
	spans := emails(b, s.spans[:0])
	c := &s.c
	defer func() { c.text = nil }()
	for at := 0; ; {
		if !c.next(b, at) {
			return spans
		}
		at = c.end()
		if c.small() {
			continue
		}
		if len(c.groups) > 1 || c.plus {
			spans = ssns(c, spans)
			spans = cards(c, spans)
			spans = phones(c, spans)
		}
		spans = records(c, spans)
		spans = births(c, spans)
	}
}

// merge joins overlapping spans, so that a number two detectors claim counts once.
func merge(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return a.start - b.start })
	kept := spans[:0]
	for _, s := range spans {
		if n := len(kept); n > 0 && s.start < kept[n-1].end {
			kept[n-1].end = max(kept[n-1].end, s.end)
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

// isDigit, isLetter and isWord are about ASCII alone: a number set directly
// against Chinese or Thai text still stands on its own.
func isDigit(c byte) bool  { return c-'0' < 10 }
func isLetter(c byte) bool { return c|0x20-'a' < 26 }
func isWord(c byte) bool   { return isDigit(c) || isLetter(c) }

// endsFold reports whether b ends with the lower-case word, in any case.
func endsFold(b []byte, word string) bool {
	return len(b) >= len(word) && bytes.EqualFold(b[len(b)-len(word):], []byte(word))
}
