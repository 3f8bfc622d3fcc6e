package identifiers

import (
	"encoding/binary"
	"slices"
	"unicode"
	"unicode/utf8"
)

// fold joins the lines with newlines and writes every digit, hyphen and space
// Unicode knows as its ASCII one, so that a detector sees one spelling. PDF and
// Word text is full of no-break spaces, en dashes and soft hyphens. Characters
// without width are dropped, full-width ASCII is narrowed, escapes are made
// blank, all else is kept. The text is written over buf.
func fold(buf []byte, lines []string) []byte {
	size := 0
	for _, l := range lines {
		size += len(l) + 1
	}
	out := slices.Grow(buf[:0], size)
	for i, l := range lines {
		if i > 0 {
			out = append(out, '\n')
		}
		out = foldLine(out, l)
	}
	return unescape(out)
}

func foldLine(out []byte, l string) []byte {
	for len(l) > 0 {
		n := asciiPrefix(l)
		out = append(out, l[:n]...)
		l = l[n:]
		for len(l) > 0 && l[0] >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(l)
			raw := l[:size]
			l = l[size:]
			// A replacement character between digits was a dash or a no-break
			// space of another encoding.
			if r == utf8.RuneError && len(l) > 0 && isDigit(l[0]) && len(out) > 0 && isDigit(out[len(out)-1]) {
				out = append(out, '-')
				continue
			}
			out = foldRune(out, r, raw)
		}
	}
	return out
}

// asciiPrefix is the length of the leading ASCII text.
func asciiPrefix(s string) int {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		if binary.LittleEndian.Uint64([]byte(s[i:i+8]))&0x8080808080808080 != 0 {
			break
		}
	}
	for i < len(s) && s[i] < utf8.RuneSelf {
		i++
	}
	return i
}

func foldRune(out []byte, r rune, raw string) []byte {
	switch {
	case plain(r):
	case r >= 0xFF01 && r <= 0xFF5E: // full-width ASCII
		return append(out, byte(r-0xFF01+'!'))
	case r == 0x00AD || r == 0x2212 || r == 0x2043 || unicode.Is(unicode.Pd, r):
		return append(out, '-')
	case unicode.Is(unicode.Zs, r):
		return append(out, ' ')
	case unicode.Is(unicode.Nd, r):
		return append(out, '0'+digitValue(r))
	case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r): // no width; but a soft hyphen is one
		return out
	}
	return append(out, raw...)
}

// plain reports what most text beyond ASCII is, which the tables need not be
// asked about: Latin, Greek and Cyrillic letters, kana, Han and Hangul.
func plain(r rune) bool {
	return r >= 0xC0 && r < 0x58A || r > 0x30A0 && r < 0xA000 || r >= 0xAC00 && r < 0xD800
}

// digitValue counts from the start of the range that holds the decimal digit:
// Unicode lays them out in tens.
func digitValue(r rune) byte {
	for _, t := range unicode.Nd.R16 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return byte((r - rune(t.Lo)) % 10)
		}
	}
	for _, t := range unicode.Nd.R32 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return byte((r - rune(t.Lo)) % 10)
		}
	}
	return 0
}
