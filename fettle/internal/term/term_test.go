package term

import (
	"strings"
	"testing"
	"unicode"
)

// K37: a name cannot forge a second line, move the cursor or turn the direction.
func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"plain.txt": "plain.txt", "a b.txt": "a b.txt", "été.txt": "été.txt", "日本": "日本",
		"a\nb": `a\nb`, "a\tb": `a\tb`, "a\rb": `a\rb`, "\x1b[2J": `\x1b[2J`, "\x7f": `\x7f`, "a\u202etxt.exe": `a\u{202e}txt.exe`,
		"a\u200bb": `a\u{200b}b`, "\u2028": `\u{2028}`, "bad\xff": `bad\xff`, "\u009b31m": `\u{009b}31m`, "\ufeffx": `\u{feff}x`, "": "",
	} {
		if got := Escape(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzEscape(f *testing.F) {
	f.Add("a\nb\u202e\xff")
	f.Fuzz(func(t *testing.T, name string) {
		got := Escape(name)
		if strings.ContainsFunc(got, func(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }) {
			t.Errorf("%q is printed as %q", name, got)
		}
	})
}

func TestContent(t *testing.T) {
	was := toTerminal
	defer func() { toTerminal = was }()
	for in, want := range map[string]string{
		"plain\n\ttext": "plain\n\ttext", "été 日本 👩\u200d👩": "été 日本 👩\u200d👩", "": "", "a\r\nb\r\n": "a\r\nb\r\n",
		"safe\rforged": `safe\rforged`, "\x1b]0;title\x07": `\x1b]0;title\x07`, "\x1b[2J": `\x1b[2J`, "a\x7f\x08b": `a\x7f\x08b`,
		"\u009b31m": `\u{009b}31m`, "if \u202e}x\u2066": `if \u{202e}}x\u{2066}`, "\u061c\u200f": `\u{061c}\u{200f}`,
		"bad\xff\x1b": `bad\xff\x1b`, "a\u2028b": `a\u{2028}b`, "\ufeffx": "\ufeffx",
	} {
		toTerminal = func() bool { return true }
		if got := Content(in); got != want {
			t.Errorf("to a terminal %q is %q, want %q", in, got, want)
		}
		toTerminal = func() bool { return false }
		if got := Content(in); got != in {
			t.Errorf("into a pipe %q is %q", in, got)
		}
	}
}
