package pdf

import (
	"fmt"
	"strings"
	"testing"
)

// withFont is a page that shows a string in a font of its own.
func withFont(show string, font string, streams ...string) []byte {
	m := newMaker() // 1 to 3
	for _, s := range streams {
		m.stream("", s) // from 4 on
	}
	m.page("BT /T 10 Tf 50 700 Td "+show+" ET", "", "")
	last := len(m.objects) - 1
	f := m.add(font)
	m.objects[last] = strings.Replace(m.objects[last], "/F 3 0 R", fmt.Sprintf("/F 3 0 R/T %d 0 R", f), 1)
	return m.bytes()
}

const upToUnicode = `/CIDInit /ProcSet findresource begin begincmap
1 begincodespacerange <00> <FF> endcodespacerange
2 beginbfchar <01> <0048> <02> <00660069> endbfchar
2 beginbfrange <03> <05> <0061> <06> <07> [<D83DDE00> /eacute] endbfrange
endcmap`

const wide = `begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange
1 beginbfrange <0010> <0030> <0041> endbfrange endcmap`

func TestFonts(t *testing.T) {
	simple := "<</Type/Font/Subtype/Type1/BaseFont/X"
	for _, c := range []struct {
		name, show, font string
		streams          []string
		want             string
	}{
		{"WinAnsi", `(\223caf\351\224 \200) Tj`, simple + "/Encoding/WinAnsiEncoding>>", nil, "“café” €"},
		{"MacRoman", `(caf\216) Tj`, simple + "/Encoding/MacRomanEncoding>>", nil, "café"},
		{"standard quotes", "(it's) Tj", simple + ">>", nil, "it’s"},
		{"differences by name", "(ABCDE) Tj", simple + "/Encoding<</Differences[65/eacute/fi 67/uni0416/u1F600/A.sc]>>>>", nil, "éfiЖ😀A"},
		{"names that are numbers", "(AB) Tj", simple + "/Encoding<</Differences[65/G4A/G6f]>>>>", nil, "Jo"},
		{"decimal names", "(AB) Tj", simple + "/Encoding<</Differences[65/a72/a105]>>>>", nil, "Hi"},
		{"Symbol", "(abg) Tj", "<</Type/Font/Subtype/Type1/BaseFont/Symbol>>", nil, "αβγ"},
		{"ToUnicode", "<010203040506> Tj", simple + "/ToUnicode 4 0 R>>", []string{upToUnicode}, "Hfiabc😀"},
		{"ToUnicode by name", "<07> Tj", simple + "/ToUnicode 4 0 R>>", []string{upToUnicode}, "é"},
		{"widths make gaps", "[(a) 0 (b)] TJ 4 0 Td (c) Tj 10 0 Td (d) Tj", simple + "/FirstChar 97/Widths[200 200 400 400]>>", nil, "abc d"},
		{"Identity-H", "<00100011> Tj", "<</Subtype/Type0/Encoding/Identity-H/ToUnicode 4 0 R/DescendantFonts[<</Subtype/CIDFontType2/DW 500/W[16[600 600] 20 30 700]>>]>>", []string{wide}, "AB"},
		{"UCS2", "<4E2D6587> Tj", "<</Subtype/Type0/Encoding/UniGB-UCS2-H/DescendantFonts[<</Subtype/CIDFontType0>>]>>", nil, "中文"},
		{"Shift JIS", "<93FA967B 41> Tj", "<</Subtype/Type0/Encoding/90ms-RKSJ-H/DescendantFonts[<</Subtype/CIDFontType0>>]>>", nil, "日本A"},
		{"JIS", "<467C4B5C> Tj", "<</Subtype/Type0/Encoding/H/DescendantFonts[<</Subtype/CIDFontType0>>]>>", nil, "日本"},
		{"GBK", "<D6D0CEC4> Tj", "<</Subtype/Type0/Encoding/GBK-EUC-H/DescendantFonts[<</Subtype/CIDFontType0>>]>>", nil, "中文"},
		{"Big5", "<A4A4A4E5> Tj", "<</Subtype/Type0/Encoding/ETen-B5-H/DescendantFonts[<</Subtype/CIDFontType0>>]>>", nil, "中文"},
		{"Korean", "<C7D1B1DB> Tj", "<</Subtype/Type0/Encoding/KSCms-UHC-H/DescendantFonts[<</Subtype/CIDFontType0>>]>>", nil, "한글"},
		{"written downwards", "<4E2D6587> Tj", "<</Subtype/Type0/Encoding/UniGB-UCS2-V/DescendantFonts[<</Subtype/CIDFontType0>>]>>", nil, "中文"},
		{"Type 3", "[(ab) -2 (c)] TJ", "<</Subtype/Type3/FontMatrix[0.1 0 0 0.1 0 0]/FontBBox[0 0 10 10]/FirstChar 97/Widths[5 5 5]/Encoding<</Differences[97/x/y/z]>>>>", nil, "xyz"},
		{"Type 3 with a box that lies", "[(a) -50 (bc)] TJ", "<</Subtype/Type3/FontMatrix[1 0 0 1 0 0]/FontBBox[0 0 1 -1]/FirstChar 97/Widths[50 50 50]/Encoding<</Differences[97/x/y/z]>>>>", nil, "xyz"},
		{"widths that are too large", "(a) Tj 3 0 Td (b) Tj 3 0 Td (c) Tj", simple + "/FirstChar 97/Widths[900 900 900]>>", nil, "abc"},
		{"built into the program", "(!) Tj", simple + "/FontDescriptor<</FontFile 4 0 R>>>>", []string{"%!PS\n/Encoding 256 array\ndup 33 /beta put\nreadonly def\ncurrentfile eexec xxxx"}, "β"},
		{"Hebrew as it is drawn", `<010203> Tj`, simple + "/ToUnicode 4 0 R>>", []string{"1 beginbfrange <01> <03> <05D0> endbfrange"}, "גבא"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := lines(t, withFont(c.show, c.font, c.streams...)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestBlindFontsAreSaid(t *testing.T) {
	b := withFont("<00100011> Tj", "<</Subtype/Type0/Encoding/Identity-H/DescendantFonts[<</Subtype/CIDFontType2>>]>>")
	r, err := render(t, alone, b)
	if err != nil || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "do not say which letters") {
		t.Errorf("%v, notes %q", err, r.Notes)
	}
}

// A font that a damaged page names and does not have reads as plain letters.
func TestNoFont(t *testing.T) {
	if got := lines(t, onePage("/None 10 Tf (letters) Tj")); got != "letters" {
		t.Errorf("got %q", got)
	}
}

func TestLogicalOrder(t *testing.T) {
	for _, c := range [][2]string{
		{"abc", "abc"},
		{"ג ב א", "א ב ג"},
		{"12 םולש", "שלום 12"},
		{"(ה) ab cd םולש", "שלום ab cd (ה)"},
		{"see םולש now", "see שלום now"},
	} {
		if got := logical(c[0], false); got != c[1] {
			t.Errorf("%q: got %q, want %q", c[0], got, c[1])
		}
	}
}

// leftwards is a line whose glyphs are placed one before the other.
func TestRightToLeftInOrder(t *testing.T) {
	m := "1 beginbfrange <01> <04> <05D0> endbfrange"
	b := withFont("1 0 0 1 100 700 Tm <01> Tj 1 0 0 1 95 700 Tm <02> Tj 1 0 0 1 85 700 Tm <03> Tj", "<</Type/Font/Subtype/Type1/BaseFont/X/FirstChar 1/Widths[500 500 500 500]/ToUnicode 4 0 R>>", m)
	if got := lines(t, b); got != "אב ג" {
		t.Errorf("got %q", got)
	}
}
