package pdf

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/encoding/charmap"
)

//go:embed glyphlist.txt
var glyphList string

// glyphNames is the glyph list, parsed when the first font asks.
var glyphNames = sync.OnceValue(func() map[string]rune {
	m := make(map[string]rune, 4300)
	for line := range strings.Lines(glyphList) {
		name, hex, ok := strings.Cut(strings.TrimSpace(line), ";")
		if n, err := strconv.ParseUint(hex, 16, 32); ok && err == nil {
			m[name] = rune(n)
		}
	}
	return m
})

// glyphRunes is what a glyph's name stands for: by the list, by its number
// (uni0041, u1F600), without its suffix (A.sc), part by part (f_i).
func glyphRunes(name string) (string, bool) {
	if len(name) > 100 {
		return "", false
	}
	if r, ok := glyphNames()[name]; ok {
		return string(r), true
	}
	if base, _, ok := strings.Cut(name, "."); ok && base != "" {
		return glyphRunes(base)
	}
	if strings.Contains(name, "_") {
		var b strings.Builder
		for part := range strings.SplitSeq(name, "_") {
			s, ok := glyphRunes(part)
			if !ok {
				return "", false
			}
			b.WriteString(s)
		}
		return b.String(), true
	}
	if hex, ok := strings.CutPrefix(name, "uni"); ok && len(hex) >= 4 {
		var b strings.Builder
		for ; len(hex) >= 4; hex = hex[4:] {
			n, err := strconv.ParseUint(hex[:4], 16, 32)
			if err != nil {
				return "", false
			}
			b.WriteRune(rune(n))
		}
		return b.String(), true
	}
	if hex, ok := strings.CutPrefix(name, "u"); ok && len(hex) >= 4 && len(hex) <= 6 {
		if n, err := strconv.ParseUint(hex, 16, 32); err == nil {
			return string(rune(n)), true
		}
	}
	return "", false
}

// numbered reads names such as G41, a65 and c123, which producers give when
// they know a glyph only by its number.
func numbered(name string, hex bool) (int, bool) {
	digits := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	base := 10
	if hex && len(name) == 3 {
		digits, base = name[1:], 16
	}
	if digits == "" || len(digits) > 4 || len(name)-len(digits) > 3 {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, base, 16)
	return int(n), err == nil && n >= ' ' && n < 256
}

// table is what the 256 codes of a simple font stand for, "" where nothing.
type table [256]string

func ascii() table {
	var t table
	for c := 0x20; c < 0x7f; c++ {
		t[c] = string(rune(c))
	}
	return t
}

func fromCharmap(m *charmap.Charmap) table {
	t := ascii()
	for c := 0x80; c < 0x100; c++ {
		if r := m.DecodeByte(byte(c)); r != 0xfffd && r >= 0xa0 {
			t[c] = string(r)
		}
	}
	return t
}

// place puts characters side by side from a code on. "\x00" leaves a hole.
func (t *table) place(from int, text string) {
	for _, r := range text {
		if r != 0 {
			t[from] = string(r)
		}
		from++
	}
}

var (
	winAnsi = sync.OnceValue(func() table {
		t := fromCharmap(charmap.Windows1252)
		t[0xad], t[0xa0] = "-", " "
		for c := 0x7f; c < 0x100; c++ { // what is not used is a bullet
			if t[c] == "" {
				t[c] = "•"
			}
		}
		return t
	})
	macRoman = sync.OnceValue(func() table {
		t := fromCharmap(charmap.Macintosh)
		t[0xca] = " "
		return t
	})
	standard = sync.OnceValue(func() table {
		t := ascii()
		t['\''], t['`'] = "’", "‘"
		t.place(0xa1, "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ\x00–†‡·\x00¶•‚„”»…‰\x00¿")
		t.place(0xc1, "`´ˆ˜¯˘˙¨\x00˚¸\x00˝˛ˇ—")
		t.place(0xe1, "Æ\x00ª\x00\x00\x00\x00ŁØŒº")
		t.place(0xf1, "æ\x00\x00\x00ı\x00\x00łøœß")
		return t
	})
	symbol = sync.OnceValue(func() table {
		var t table
		t.place(0x20, " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼")
		t.place(0xa0, "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\x00〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭")
		return t
	})
	dingbats = sync.OnceValue(func() table {
		var t table
		t[0x20] = " "
		for c := 0x21; c < 0x7f; c++ {
			t[c] = string(rune(0x2701 + c - 0x21))
		}
		for c, s := range map[int]string{0x25: "☎", 0x2a: "☛", 0x2b: "☞", 0x48: "★", 0x6c: "●", 0x6e: "■", 0x73: "▲", 0x74: "▼", 0x75: "◆", 0x77: "◗"} {
			t[c] = s
		}
		for c := 0xa1; c < 0xff; c++ {
			t[c] = string(rune(0x2761 + c - 0xa1))
		}
		t.place(0xa8, "♣♦♥♠①②③④⑤⑥⑦⑧⑨⑩")
		return t
	})
)

// Widths of the printable ASCII of two of the fonts a document need not carry,
// in thousandths of the size; the third has 600 throughout.
var (
	helvetica = [95]uint16{278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
		556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015,
		667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611,
		278, 278, 278, 469, 556, 333,
		556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500,
		334, 260, 334, 584}
	times = [95]uint16{250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278,
		500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921,
		722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611,
		333, 278, 333, 469, 500, 333,
		444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444,
		480, 200, 480, 541}
)

// usualWidth guesses the width of a code of a font without widths.
func usualWidth(base string, c int) float64 {
	lower := strings.ToLower(base)
	switch {
	case strings.Contains(lower, "courier"), strings.Contains(lower, "mono"):
		return 0.6
	case c < ' ' || c > '~':
		return 0.5
	case strings.Contains(lower, "times"), strings.Contains(lower, "serif"):
		return float64(times[c-' ']) / 1000
	}
	return float64(helvetica[c-' ']) / 1000
}
