package workbook

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A shared formula is written once, and every other cell of its range means
// it moved. It is cut once into what stays and the references that move; what
// stays is kept to the letter. (xuri/efp, whose tokens the tests compare
// with, drops the quotes of sheet names, blanks and array braces, and reads no
// further after an error value it does not know.)

const (
	maxFormula     = 64 << 10
	maxSharedOne   = 32 << 10 // Excel's own bound is 8,192 characters
	maxShared      = 65_536
	maxSharedBytes = 12 << 20
	maxRow         = 1_048_576
)

type shared struct {
	col, row int    // of the cell it was written in
	formula  string // as written
	parts    []part // cut at its first use
}

// size is what the formula takes in memory, about.
func (s *shared) size() int { return len(s.formula) + cap(s.parts)*40 + 128 }

// part is text that stays, or one reference after it.
type part struct {
	text           string
	col, row       int32 // 0: the reference has none (A:A, 1:1)
	ref            bool
	fixCol, fixRow bool
}

// cut tells the references that move from what stays.
func (s *shared) cut() {
	formula := s.formula
	begin := 0
	keep := func(end int) {
		if end > begin {
			s.parts = append(s.parts, part{text: formula[begin:end]})
		}
		begin = end
	}
	for i := 0; i < len(formula); {
		switch c := formula[i]; {
		case c == '"', c == '\'':
			i = quoted(formula, i)
		case c == '[':
			i = bracketed(formula, i)
		case c == '#': // an error value, or a spill's sign
			i++
		case wordByte(c):
			end := i
			for end < len(formula) && wordByte(formula[end]) {
				end++
			}
			if a, b, ok := reference(formula[i:end], formula[end:], before(formula, i)); ok {
				keep(i)
				s.parts = append(s.parts, a)
				if b.ref {
					colon := strings.IndexByte(formula[i:], ':') + i
					s.parts = append(s.parts, part{text: ":"}, b)
					end = colon + 1 + wordLen(formula[colon+1:])
				}
				begin = end
			}
			i = end
		default:
			_, size := utf8.DecodeRuneInString(formula[i:])
			i += size
		}
	}
	keep(len(formula))
}

func before(s string, i int) byte {
	if i == 0 {
		return 0
	}
	return s[i-1]
}

// quoted is where the text or quoted name that begins at i ends. A doubled
// quote is a quote inside it, and ending and beginning again comes to the same.
func quoted(s string, i int) int {
	end := strings.IndexByte(s[i+1:], s[i])
	if end < 0 {
		return len(s)
	}
	return i + end + 2
}

// bracketed is where a structured or external reference in brackets ends.
func bracketed(s string, i int) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '\'':
			i++ // escapes a bracket in a column's name
		case '[':
			depth++
		case ']':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// wordByte is a byte that goes on in a name, a number or a reference.
func wordByte(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' ||
		c == '$' || c == '_' || c == '.' || c == '\\' || c == '?' || c >= utf8.RuneSelf
}

func wordLen(s string) int {
	n := 0
	for n < len(s) && wordByte(s[n]) {
		n++
	}
	return n
}

// reference reads a word as a cell, or together with what follows it as a
// range of whole columns or rows.
func reference(word, rest string, prev byte) (a, b part, ok bool) {
	a, ok = parseRef(word)
	if !ok || prev == ']' {
		return a, b, false
	}
	whole := a.col == 0 || a.row == 0
	if whole {
		if len(rest) == 0 || rest[0] != ':' {
			return a, b, false
		}
		n := wordLen(rest[1:])
		b, ok = parseRef(rest[1 : 1+n])
		if !ok || (a.col == 0) != (b.col == 0) || (a.row == 0) != (b.row == 0) {
			return a, part{}, false
		}
		rest = rest[1+n:]
	}
	// A name before ( is a function, before ! a sheet, before [ a table.
	if len(rest) > 0 && (rest[0] == '(' || rest[0] == '!' || rest[0] == '[') {
		return a, part{}, false
	}
	return a, b, true
}

// parseRef reads A1, $A$1, A or 1.
func parseRef(w string) (p part, ok bool) {
	i := 0
	dollar := func() bool {
		if i < len(w) && w[i] == '$' {
			i++
			return true
		}
		return false
	}
	fix := dollar()
	start := i
	for i < len(w) && unicode.IsLetter(rune(w[i])) && w[i] < utf8.RuneSelf {
		if i-start >= 3 {
			return p, false
		}
		p.col = p.col*26 + int32(w[i]&^0x20-'A') + 1
		i++
	}
	if p.col > 0 {
		p.fixCol = fix
		if i == len(w) {
			p.ref = true
			return p, p.col <= maxColumns
		}
		fix = dollar()
	}
	start = i
	for i < len(w) && w[i] >= '0' && w[i] <= '9' {
		if i-start >= 7 {
			return p, false
		}
		p.row = p.row*10 + int32(w[i]-'0')
		i++
	}
	p.fixRow = fix
	p.ref = true
	return p, i == len(w) && i > start && p.row >= 1 && p.row <= maxRow && p.col <= maxColumns
}

// append writes the formula as the cell at col and row means it.
func (s *shared) append(dst []byte, col, row int) []byte {
	for _, p := range s.parts {
		if !p.ref {
			dst = appendClean(dst, []byte(p.text))
			continue
		}
		c, r := int(p.col), int(p.row)
		if c > 0 && !p.fixCol {
			c = wrap(c+col-s.col, maxColumns)
		}
		if r > 0 && !p.fixRow {
			r = wrap(r+row-s.row, maxRow)
		}
		if c > 0 {
			if p.fixCol {
				dst = append(dst, '$')
			}
			dst = appendColumn(dst, c)
		}
		if r > 0 {
			if p.fixRow {
				dst = append(dst, '$')
			}
			dst = strconv.AppendInt(dst, int64(r), 10)
		}
	}
	return dst
}

// wrap keeps a reference on the sheet: past its edge it comes in at the other.
func wrap(n, most int) int {
	n = (n - 1) % most
	if n < 0 {
		n += most
	}
	return n + 1
}

func appendColumn(dst []byte, col int) []byte {
	var name [4]byte
	i := len(name)
	for col > 0 {
		i--
		name[i] = byte('A' + (col-1)%26)
		col = (col - 1) / 26
	}
	return append(dst, name[i:]...)
}
