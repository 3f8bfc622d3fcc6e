// Package term makes strangers' text safe to print: a file name, a branch or
// an archive's member may hold characters that move a terminal's cursor,
// start a second line or turn the direction of what follows.
//
// Escape is for names, wherever they go. Content is for what a caller asked to
// read: only a terminal gets it otherwise than it is.
package term

import (
	"fmt"
	"os"
	"strings"
	"sync"
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

// Content gives text of a file as it is fit to print on standard output: as it
// is when that goes into a pipe or a file, and to a terminal with the characters
// escaped that would move its cursor, change its settings or turn the direction
// of what follows. The tab and the ends of lines stay.
func Content(text string) string {
	if !suspect(text) || !toTerminal() {
		return text
	}
	return visible(text)
}

// toTerminal says whether standard output is a terminal, or another device
// that it does no harm to take for one.
var toTerminal = sync.OnceValue(func() bool {
	info, err := os.Stdout.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
})

// suspect is a quick look: it may take a harmless text for one to be looked at.
func suspect(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < 0x20 && c != '\n' && c != '\t' || c >= 0x7f {
			return true
		}
	}
	return false
}

func visible(text string) string {
	var sb strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && n == 1, r < 0x20 && r != '\n' && r != '\t' && r != '\r', r == 0x7f:
			fmt.Fprintf(&sb, `\x%02x`, text[i])
		case r == '\r' && !strings.HasPrefix(text[i:], "\r\n"):
			sb.WriteString(`\r`) // alone it goes back over what was printed
		case r >= 0x80 && r <= 0x9f, r == 0x2028, r == 0x2029, unicode.Is(unicode.Bidi_Control, r):
			fmt.Fprintf(&sb, `\u{%04x}`, r)
		default:
			sb.WriteString(text[i : i+n])
		}
		i += n
	}
	return sb.String()
}
