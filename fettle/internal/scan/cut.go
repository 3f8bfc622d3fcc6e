package scan

import (
	"strings"
	"unicode/utf8"
)

// How much of a long line is shown: enough for the match and what stands
// around it, and little enough that 200 of them are an answer.
const (
	maxShown  = 300 // characters
	shownLead = 100 // of these before the match
)

// ellipsis marks where a line was cut.
const ellipsis = "…"

// Column is the character, from 1, at which the byte at stands in a line.
func Column(line []byte, at int) int { return utf8.RuneCount(line[:at]) + 1 }

// CutAround gives a line's text, and of a long one what is around the byte
// at, cut between characters and marked where it was cut.
func CutAround(line []byte, at int) string {
	if len(line) <= maxShown || utf8.RuneCount(line) <= maxShown {
		return show(line)
	}
	from := at
	for n := 0; n < shownLead && from > 0; n++ {
		_, size := utf8.DecodeLastRune(line[:from])
		from -= size
	}
	to := from
	for n := 0; n < maxShown && to < len(line); n++ {
		_, size := utf8.DecodeRune(line[to:])
		to += size
	}
	out := show(line[from:to])
	if from > 0 {
		out = ellipsis + out
	}
	if to < len(line) {
		out += ellipsis
	}
	return out
}

// cutHead gives a line's text, and of a long one its beginning.
func cutHead(line []byte) string {
	if len(line) <= maxShown {
		return show(line)
	}
	at := 0
	for n := 0; n < maxShown && at < len(line); n++ {
		_, size := utf8.DecodeRune(line[at:])
		at += size
	}
	if at == len(line) {
		return show(line)
	}
	return show(line[:at]) + ellipsis
}

// show is text that is valid UTF-8: each odd byte is U+FFFD.
func show(line []byte) string {
	if utf8.Valid(line) {
		return string(line)
	}
	var sb strings.Builder
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRune(line[i:])
		sb.WriteRune(r)
		i += n
	}
	return sb.String()
}
