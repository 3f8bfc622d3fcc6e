package workbook

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// appendClean appends text as it may stand in a cell of a line: line ends and
// tabs are blanks, other control characters are dropped.
func appendClean(dst, src []byte) []byte {
	plain := 0
	for i, c := range src {
		if c >= ' ' && c != 0x7f {
			continue
		}
		dst = append(dst, src[plain:i]...)
		plain = i + 1
		if c == '\t' || c == '\n' && (i == 0 || src[i-1] != '\r') || c == '\r' {
			dst = append(dst, ' ')
		}
	}
	return append(dst, src[plain:]...)
}

// appendString appends text in which Excel wrote a character that XML cannot
// hold as _xHHHH_, and a "_x" that means itself as _x005F_x.
func appendString(dst, src []byte) []byte {
	for {
		at, r, size := escaped(src)
		if size == 0 {
			return appendClean(dst, src)
		}
		dst = appendClean(dst, src[:at])
		var char [utf8.UTFMax]byte
		dst = appendClean(dst, utf8.AppendRune(char[:0], r))
		src = src[at+size:]
	}
}

// escaped finds the first escape; size 0 is none.
func escaped(src []byte) (at int, r rune, size int) {
	for at = bytes.IndexByte(src, '_'); at >= 0 && at+escape <= len(src); at++ {
		if u, ok := unit(src[at:]); ok {
			if rest := src[at+escape:]; utf16.IsSurrogate(u) { // a pair is one character
				if low, ok := unit(rest); ok {
					if pair := utf16.DecodeRune(u, low); pair != utf8.RuneError {
						return at, pair, 2 * escape
					}
				}
			}
			return at, u, escape
		}
		next := bytes.IndexByte(src[at+1:], '_')
		if next < 0 {
			break
		}
		at += next
	}
	return 0, 0, 0
}

const escape = len("_xHHHH_")

func unit(b []byte) (rune, bool) {
	if len(b) < escape || b[0] != '_' || b[1] != 'x' || b[6] != '_' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return rune(n), err == nil
}

// appendNumber appends a number as a person writes it: what Excel shows has
// 15 digits, so 0.30000000000000004 is 0.3.
func appendNumber(dst, v []byte) []byte {
	plain := len(v) <= 15 && len(v) > 0
	for i, c := range v {
		if (c < '0' || c > '9') && !(c == '-' && i == 0) && c != '.' {
			plain = false
			break
		}
	}
	if plain && (v[len(v)-1] != '0' || bytes.IndexByte(v, '.') < 0) {
		return append(dst, v...)
	}
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil {
		return appendClean(dst, v)
	}
	return appendFloat(dst, f)
}

func appendFloat(dst []byte, f float64) []byte {
	abs := f
	if abs < 0 {
		abs = -abs
	}
	if abs != 0 && (abs >= 1e15 || abs < 1e-9) {
		return strconv.AppendFloat(dst, round15(f), 'E', -1, 64)
	}
	return strconv.AppendFloat(dst, round15(f), 'f', -1, 64)
}

func round15(f float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(f, 'e', 14, 64), 64)
	if err != nil {
		return f
	}
	return r
}
