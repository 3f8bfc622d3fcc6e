package change

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"fettler/fettle/internal/text"
	"fettler/shared/outcome"
)

// notFound refuses an anchor that is not there and says the nearest thing that
// would help. It quotes nothing of the file: lines, columns and code points.
func (r *resolver) notFound(i int, e *Edit, from, to int) error {
	hint, line := r.hint(e, from, to)
	where := "the file"
	if e.From != 0 {
		where = lineRange(e.From, e.To)
	}
	if r.text == "" {
		where = "the file, which is empty"
	}
	m := &Miss{Err: outcome.New(outcome.NotFound, "%s: the text to replace is not in %s%s", r.name(i), where, hint)}
	if line > 0 {
		m.Lines = []int{line}
	}
	return m
}

func (r *resolver) hint(e *Edit, from, to int) (string, int) {
	old := text.WithEnding(e.Old, text.LF)
	part := r.text[from:to]
	at := func(f folded, i int) int { return r.line(from + f.offset(i)) }
	if e.From != 0 {
		if _, where := r.find(e.Old, 0, len(r.text), false); len(where) > 0 {
			n := r.line(where[0])
			return fmt.Sprintf(". It is at line %d, outside those lines", n), n
		}
	}
	if f, i := search(part, old, fold(lookAlike)); i >= 0 {
		return r.lookAlikeHint(part, old, from+f.offset(i))
	}
	if f, i := search(part, old, fold(noSpace)); i >= 0 {
		n := at(f, i)
		return fmt.Sprintf(". It differs only in whitespace at line %d", n), n
	}
	if f, i := search(part, old, fold(noCase)); i >= 0 {
		n := at(f, i)
		return fmt.Sprintf(". It differs only in case at line %d", n), n
	}
	if f, i := search(part, old, composed); i >= 0 {
		n := at(f, i)
		return fmt.Sprintf(". It differs only in how accented characters are composed at line %d", n), n
	}
	if lines := text.Lines(old); len(lines) > 1 {
		for k := 0; k < len(lines); k++ {
			if strings.TrimSpace(lines[k]) == "" {
				continue
			}
			if p := strings.Index(part, lines[k]); p >= 0 {
				n := r.line(from + p)
				return fmt.Sprintf(". Its line %d is at line %d, and what is around it differs. Read the file again", k+1, n), n
			}
			break
		}
	}
	if strings.TrimSpace(e.New) != "" {
		if p := strings.Index(part, text.WithEnding(e.New, r.ending)); p >= 0 {
			n := r.line(from + p)
			return fmt.Sprintf(". The replacement is already there, at line %d", n), n
		}
	}
	return ". Read the file again and give the text exactly as it is there", 0
}

// folded is a text with some differences taken out, and where each byte of it came from.
type folded struct {
	s  string
	at []int32
}

func (f folded) offset(i int) int { return int(f.at[i]) }

// longestFold bounds the text that is folded for a hint.
const longestFold = 16 << 20

// search looks for anchor in part with both folded.
func search(part, anchor string, how func(string) folded) (folded, int) {
	if len(part) > longestFold {
		return folded{}, -1
	}
	a := how(anchor).s
	if strings.TrimSpace(a) == "" {
		return folded{}, -1
	}
	f := how(part)
	return f, strings.Index(f.s, a)
}

// fold applies one rule to every character; a negative result drops it.
func fold(rule func(rune) rune) func(string) folded {
	return func(s string) folded {
		var b strings.Builder
		at := make([]int32, 0, len(s)+1)
		for i, c := range s {
			if c = rule(c); c < 0 {
				continue
			}
			for range utf8.RuneLen(c) {
				at = append(at, int32(i))
			}
			b.WriteRune(c)
		}
		return folded{b.String(), at}
	}
}

func composed(s string) folded {
	var b strings.Builder
	var at []int32
	var it norm.Iter
	it.InitString(norm.NFC, s)
	for !it.Done() {
		p := it.Pos()
		seg := it.Next()
		for range seg {
			at = append(at, int32(p))
		}
		b.Write(seg)
	}
	return folded{b.String(), at}
}

func noSpace(c rune) rune {
	if unicode.IsSpace(c) {
		return -1
	}
	return c
}

func noCase(c rune) rune {
	if c == '\r' {
		return -1
	}
	return unicode.ToLower(unicode.ToUpper(c))
}

// lookAlike maps what editors, chats and word processors put in the place of a
// plain character back to it, and drops what cannot be seen. K21
func lookAlike(c rune) rune {
	switch {
	case c == '\r':
		return -1
	case c < 0x80:
		return c
	case c == 0x00AD, c >= 0x200B && c <= 0x200F, c >= 0x202A && c <= 0x202E, c == 0x2060, c == 0xFEFF:
		return -1
	case c >= 0x2010 && c <= 0x2015, c == 0x2212:
		return '-'
	case c >= 0x2018 && c <= 0x201B, c == 0x2032, c == 0x00B4, c == 0x02BC:
		return '\''
	case c >= 0x201C && c <= 0x201F, c == 0x2033:
		return '"'
	case unicode.Is(unicode.Zs, c):
		return ' '
	}
	return c
}

// lookAlikeHint names the first character in which the place and the anchor differ.
func (r *resolver) lookAlikeHint(part, anchor string, at int) (string, int) {
	line := r.line(at)
	a, t := anchor, r.text[at:]
	offset := at
	for a != "" && t != "" {
		ca, na := utf8.DecodeRuneInString(a)
		ct, nt := utf8.DecodeRuneInString(t)
		switch {
		case ca == ct:
			a, t, offset = a[na:], t[nt:], offset+nt
			continue
		case ct == '\r': // endings were tried already
			t, offset = t[nt:], offset+nt
			continue
		}
		line = r.line(offset)
		col := utf8.RuneCountInString(r.text[strings.LastIndexAny(r.text[:offset], "\r\n")+1:offset]) + 1
		switch {
		case lookAlike(ct) < 0:
			return fmt.Sprintf(". Line %d has %s at column %d, which cannot be seen", line, codePoint(ct), col), line
		case lookAlike(ca) < 0:
			return fmt.Sprintf(". The text given has %s where line %d, column %d has none", codePoint(ca), line, col), line
		}
		return fmt.Sprintf(". Line %d has %s at column %d where the text given has %s", line, codePoint(ct), col, codePoint(ca)), line
	}
	return fmt.Sprintf(". It differs only in line endings or invisible characters at line %d", line), line
}

func codePoint(c rune) string {
	switch c {
	case ' ':
		return "a space"
	case '\'':
		return "an apostrophe"
	case '"':
		return "a straight quote"
	case '-':
		return "a hyphen"
	}
	return fmt.Sprintf("U+%04X", c)
}
