package identifiers

import (
	"strings"
	"testing"
	"unicode"
)

func TestFold(t *testing.T) {
	for s, want := range map[string]string{
		"a\u00a0b\u2009c":                                  "a b c",
		"a\u00adb\u2013c\u2212d":                           "a-b-c-d",
		"\u0664\uff15\U0001d7d7":                           "459",
		"a\u200b\u200e\u202e\u2066\u061c\ufe0f\U000e0100b": "ab",
		"1\ufffd2\x96\u0663\ufffd":                         "1-2\x963\ufffd",
		"a\ufffd1\ufffdb\ufffd\ufffd2":                     "a\ufffd1\ufffdb\ufffd\ufffd2",
		"a\x1b[1;31mb\x1b[0m":                              "ab",
		"1\x1b[1ma\x1b[0m\x1b[K2\x1b[2Cb":                  "1  a  2  b",
		"\x1b[12\x1b\x1b[\x1b[ 1\x1b":                      "\x1b[12\x1b\x1b[\x1b[ 1\x1b",
		`\n\t\\r\u00e9\u001B[m\x\`:                         " \n  \\        " + "     " + `\x\`,
		`\b1\bb\n@\u00g0\u123`:                             `  1\bb\n@\u00g0\u123`,
	} {
		if got := string(fold(nil, []string{s})); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// What is not asked about is what the tables would have left alone.
func TestPlainIsNothingToFold(t *testing.T) {
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if plain(r) && unicode.In(r, unicode.Pd, unicode.Zs, unicode.Nd, unicode.Cf, unicode.Variation_Selector) {
			t.Errorf("%U is folded", r)
		}
	}
}

func BenchmarkFoldBeyondASCII(b *testing.B) {
	lines := []string{strings.Repeat("Größere Räume – é日本語テキスト番号123 и русский текст 45.\u200e\n", 10000)}
	b.SetBytes(int64(len(lines[0])))
	var buf []byte
	for b.Loop() {
		buf = fold(buf, lines)
	}
}
