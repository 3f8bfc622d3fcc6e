package text

import "strings"

// Ending is a line ending, in the word answers and flags use.
type Ending string

// The endings. A file without any is None.
const (
	LF   Ending = "lf"
	CRLF Ending = "crlf"
	CR   Ending = "cr"
	None Ending = "none"
)

// ParseEnding knows the three words that can be asked for.
func ParseEnding(word string) (Ending, bool) {
	switch e := Ending(word); e {
	case LF, CRLF, CR:
		return e, true
	}
	return "", false
}

// Chars is the ending's own characters: "\n" for LF and for None, which is
// what a file gets that has to have one.
func (e Ending) Chars() string {
	switch e {
	case CRLF:
		return "\r\n"
	case CR:
		return "\r"
	}
	return "\n"
}

// Lines splits s at \n, \r\n and \r and leaves the endings out. "" has no
// lines, and an ending at the end begins no further one.
func Lines(s string) []string {
	var lines []string
	for s != "" {
		i := strings.IndexAny(s, "\r\n")
		if i < 0 {
			return append(lines, s)
		}
		lines = append(lines, s[:i])
		if s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n' {
			i++
		}
		s = s[i+1:]
	}
	return lines
}

// Breaks counts the endings in s: \n, \r\n and a lone \r.
func Breaks(s string) int {
	n := strings.Count(s, "\n")
	if r := strings.Count(s, "\r"); r > 0 {
		n += r - strings.Count(s, "\r\n")
	}
	return n
}

// WithEnding rewrites every ending in s as e. It is for text that an edit
// brings in; text that is already in a file keeps its endings.
func WithEnding(s string, e Ending) string {
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(s, "\r\n", "\n")
		s = strings.ReplaceAll(s, "\r", "\n")
	}
	if e.Chars() == "\n" {
		return s
	}
	return strings.ReplaceAll(s, "\n", e.Chars())
}

// endings counts each kind.
type endings struct{ lf, crlf, cr int64 }

// dominant is the most frequent kind; between equals \n, then \r\n.
func (n endings) dominant() (e Ending, mixed bool) {
	kinds := 0
	for _, k := range []int64{n.lf, n.crlf, n.cr} {
		if k > 0 {
			kinds++
		}
	}
	switch {
	case kinds == 0:
		return None, false
	case n.lf >= n.crlf && n.lf >= n.cr:
		return LF, kinds > 1
	case n.crlf >= n.cr:
		return CRLF, kinds > 1
	}
	return CR, kinds > 1
}

// Endings gives the dominant ending of a text, and whether it has others too.
func Endings(s string) (e Ending, mixed bool) { return countEndings(s).dominant() }

func countEndings(s string) endings {
	pairs := int64(strings.Count(s, "\r\n"))
	return endings{
		lf:   int64(strings.Count(s, "\n")) - pairs,
		crlf: pairs,
		cr:   int64(strings.Count(s, "\r")) - pairs,
	}
}

func endsLine(s string) bool {
	return strings.HasSuffix(s, "\n") || strings.HasSuffix(s, "\r")
}
