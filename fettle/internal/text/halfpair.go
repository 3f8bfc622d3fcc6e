package text

import (
	"bytes"
	"strconv"
)

// HalfPair reports whether valid JSON escapes half of a surrogate pair, which
// is no character: a decoder makes U+FFFD of it, which nobody wrote.
func HalfPair(raw []byte) bool {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 || i+1 >= len(raw) {
			return false
		}
		raw = raw[i:]
		switch c := escaped(raw); {
		case c >= 0xd800 && c < 0xdc00:
			if low := escaped(raw[6:]); low < 0xdc00 || low > 0xdfff {
				return true
			}
			raw = raw[12:]
		case c >= 0xdc00 && c <= 0xdfff:
			return true
		default:
			raw = raw[2:]
		}
	}
}

// escaped is the number that raw begins with as \uXXXX, or 0.
func escaped(raw []byte) uint64 {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0
	}
	n, _ := strconv.ParseUint(string(raw[2:6]), 16, 32)
	return n
}
