package boundary

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A name on a unix disk is bytes, and JSON carries only text. A name that is
// not valid UTF-8 is spelled with its odd bytes as \xNN, and that spelling is
// taken back where nothing has it for its literal name.

// escapeBytes gives rel with the bytes that are not UTF-8 as \xNN.
func escapeBytes(rel string) string {
	if utf8.ValidString(rel) {
		return rel
	}
	var sb strings.Builder
	for i := 0; i < len(rel); {
		r, n := utf8.DecodeRuneInString(rel[i:])
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&sb, `\x%02x`, rel[i])
		} else {
			sb.WriteString(rel[i : i+n])
		}
		i += n
	}
	return sb.String()
}

// unescapeBytes undoes escapeBytes. ok is false unless the result is a name
// that escapeBytes would have changed.
func unescapeBytes(name string) (string, bool) {
	if !strings.Contains(name, `\x`) {
		return "", false
	}
	var sb strings.Builder
	for i := 0; i < len(name); {
		if c, ok := hexByte(name[i:]); ok {
			sb.WriteByte(c)
			i += 4
			continue
		}
		sb.WriteByte(name[i])
		i++
	}
	raw := sb.String()
	return raw, escapeBytes(raw) == name && raw != name && !strings.ContainsAny(raw, "/\x00")
}

func hexByte(s string) (byte, bool) {
	if len(s) < 4 || s[0] != '\\' || s[1] != 'x' {
		return 0, false
	}
	hi, lo := strings.IndexByte("0123456789abcdef", s[2]), strings.IndexByte("0123456789abcdef", s[3])
	return byte(hi<<4 | lo), hi >= 0 && lo >= 0
}
