// Package term makes strangers' text safe to print: a file name, a branch or
// an archive's member may hold characters that move a terminal's cursor,
// start a second line or turn the direction of what follows.
//
// Escape is for names. Content that a caller asked to read is printed as it is.
package term

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape gives name with control, newline, bidirectional and other invisible
// characters written as \n, \t, \xNN or \u{NNNN}.
func Escape(name string) string {
	clean := true
	for i := 0; i < len(name); i++ {
		if c := name[i]; c < 0x20 || c >= 0x7f {
			clean = false
			break
		}
	}
	if clean {
		return name
	}
	var sb strings.Builder
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&sb, `\x%02x`, name[i])
		case r == '\n':
			sb.WriteString(`\n`)
		case r == '\t':
			sb.WriteString(`\t`)
		case r == '\r':
			sb.WriteString(`\r`)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&sb, `\x%02x`, r)
		case !unicode.IsPrint(r) && r != ' ':
			fmt.Fprintf(&sb, `\u{%04x}`, r)
		default:
			sb.WriteString(name[i : i+n])
		}
		i += n
	}
	return sb.String()
}
