package pdf

import (
	"strconv"
	"strings"
	"testing"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/conformance"
)

// What a page's operators read, one pitfall each.
func TestText(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"words are gaps between glyphs", "[(Hel) 20 (lo) -400 (wor) -30 (ld)] TJ", "Hello world"},
		{"a drawn space", "(two words) Tj", "two words"},
		{"kerning is no gap", "[(T) 80 (o)] TJ", "To"},
		{"Td, T*, quote and double quote", "(a) Tj 0 -12 Td (b) Tj T* (c) Tj (d) ' 3 1 (e f) \"", "a\nb\nc\nd\ne f"},
		{"TD sets the leading", "(a) Tj 0 -20 TD (b) Tj T* (c) Tj", "a\nb\nc"},
		{"Tm places", "1 0 0 1 50 500 Tm (low) Tj 1 0 0 1 50 600 Tm (high) Tj", "low\nhigh"},
		{"a word in two pieces on one line", "(Hel) Tj 1 0 0 1 64.45 700 Tm (lo) Tj", "Hello"},
		{"cells far apart", "(left) Tj 200 0 Td (right) Tj", "left\tright"},
		{"columns as they are drawn", "(one) Tj 0 -12 Td (two) Tj 200 12 Td (three) Tj 0 -12 Td (four) Tj", "one\ntwo\nthree\nfour"},
		{"a raised mark", "(E=mc) Tj 4 Ts 6 0 0 6 0 0 cm (x) Tj", "E=mc\nx"},
		{"superscript stays on its line", "(mc) Tj /F 6 Tf 3 Ts (2) Tj", "mc2"},
		{"hidden text of recognition", "3 Tr (hidden ocr) Tj", "hidden ocr"}, // K47
		{"a word cut at a line's end", "(an inter-) Tj T* (national word) Tj", "an international\nword"},
		{"a hyphen that belongs", "(A-) Tj T* (B) Tj", "A-\nB"},
		{"bold by drawing twice", "(B) Tj 1 0 0 1 50.3 700 Tm (B) Tj", "B"},
		{"a line drawn twice", "(Bold) Tj 1 0 0 1 50.3 700 Tm (Bold) Tj", "Bold"},
		{"escapes", `(a\(b\)\101\
c\\) Tj`, `a(b)Ac\`},
		{"hexadecimal, odd", "<48 656C6C6F2> Tj", "Hello"},
		{"operator stuck to its number", "0.5Tc(a)Tj[(b)-3(c)]TJ", "abc"},
		{"numbers as they are written", "--12 0 Td 5-3 0 Td (a) Tj", "a"},
		{"an inline image with EI inside", "(a) Tj ET BI /W 2 /H 2 ID \x01\x02 EI\xff\x00 \x03 EI BT /F 10 Tf 50 600 Td (b) Tj", "a\nb"},
		{"an array that is not closed", "[(a) -400 (b) TJ T* (c) Tj", "a b\nc"},
		{"horizontal scale", "50 Tz (ab) Tj 5.56 0 Td (c) Tj", "abc"},
		{"turned text", "0 1 -1 0 100 100 Tm (up) Tj ( and on) Tj", "up and on"},
		{"text that the document gives itself", "/Span <</ActualText (ffi)>> BDC (x) Tj (y) Tj EMC", "ffi"},
		{"q and Q around", "(a) Tj ET q 2 0 0 2 0 0 cm BT /F 10 Tf 10 10 Td (b) Tj ET Q Q Q BT 50 650 Td (c) Tj", "a\nb\nc"},
		{"comments", "% (no) Tj\n(yes) Tj", "yes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := lines(t, onePage(c.content)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestForms(t *testing.T) {
	m := newMaker()
	form := m.stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Matrix[1 0 0 1 0 100]/Resources<</Font<</G 3 0 R>>>>", "BT /G 10 Tf 50 0 Td (inside) Tj ET /Self Do")
	m.objects[form-1] = strings.Replace(m.objects[form-1], "/Resources<<", "/Resources<</XObject<</Self 4 0 R>>", 1) // it draws itself
	m.page("BT /F 10 Tf 50 700 Td (before) Tj ET /X Do BT 50 650 Td (after) Tj ET", "/XObject<</X 4 0 R>>", "")
	got := lines(t, m.bytes())
	if !strings.HasPrefix(got, "before\ninside\n") || !strings.HasSuffix(got, "after") || strings.Count(got, "inside") > maxForms {
		t.Errorf("got %q", got)
	}
}

// A form that draws itself ten times would be drawn 10^12 times.
func TestFormsMultiply(t *testing.T) {
	m := newMaker()
	m.stream("/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</Self 4 0 R>>>>", strings.Repeat("/Self Do ", 10))
	m.page("BT /F 10 Tf 50 700 Td (before) Tj ET /X Do", "/XObject<</X 4 0 R>>", "")
	r, err := render(t, alone, m.bytes())
	if err != nil || strings.Join(r.Lines, "|") != "before" || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "draws more than is read") {
		t.Errorf("%v, lines %q, notes %q", err, r.Lines, r.Notes)
	}
}

func TestPages(t *testing.T) {
	m := newMaker()
	m.page("BT /F 10 Tf 50 700 Td (one) Tj ET", "", "")
	m.page("q 100 0 0 100 0 0 cm /I Do Q", "/XObject<</I 6 0 R>>", "")
	m.objects = append(m.objects, "<</Subtype/Image/Width 1/Height 1>>")
	m.page("BT /F 10 Tf 50 700 Td (three) Tj ET", "", "")
	b := m.bytes()
	b = []byte(strings.Replace(string(b), "/I 6 0 R", "/I 8 0 R", 1))
	r, err := render(t, alone, b)
	if err != nil {
		t.Fatal(err)
	}
	// K47: the page of an image is named beside the text of the others.
	if len(r.Notes) != 1 || r.Notes[0] != "page 2 has no text (an image)" {
		t.Errorf("notes: %q", r.Notes)
	}
	want := []document.Landmark{{Line: 1, Cite: "page 1"}, {Line: 2, Cite: "page 2"}, {Line: 2, Cite: "page 3"}}
	if len(r.Landmarks) != 3 || r.Landmarks[0] != want[0] || r.Landmarks[1] != want[1] || r.Landmarks[2] != want[2] {
		t.Errorf("landmarks: %v", r.Landmarks)
	}
	if r.Cite(2) != "page 3" || r.Lines[1] != "three" || r.Served != Interpreter {
		t.Errorf("cite %q, lines %q, engine %q", r.Cite(2), r.Lines, r.Served)
	}
}

func TestAnnotations(t *testing.T) {
	m := newMaker()
	ap := m.stream("/Subtype/Form/BBox[0 0 100 20]/Resources<</Font<</H 3 0 R>>>>", "/Tx BMC BT /H 10 Tf 2 4 Td (shown value) Tj ET EMC")
	parent := m.add("<</FT/Tx/V(from the parent)>>")
	m.page("BT /F 10 Tf 50 700 Td (page) Tj ET", "", "/Annots["+
		"<</Subtype/Widget/FT/Tx/V(other)/Rect[50 600 150 620]/AP<</N 4 0 R>>>>"+
		"<</Subtype/Widget/Parent 5 0 R/Rect[50 500 150 520]>>"+
		"<</Subtype/Widget/FT/Tx/V(hidden)/F 2/Rect[50 400 150 420]>>"+
		"<</Subtype/Widget/FT/Ch/V<FEFF004700FC00DF>/Rect[50 300 150 320]>>"+
		"<</Subtype/FreeText/Contents(a remark\rof two)/Rect[50 200 150 220]>>"+
		"<</Subtype/Popup/Contents(no)/Rect[50 100 150 120]>>]")
	if ap != 4 || parent != 5 {
		t.Fatal("the numbers moved")
	}
	if got, want := lines(t, m.bytes()), "page\nshown value\nfrom the parent\nGüß\na remark\nof two"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The object reader is strict where readers forgive.
func TestForgiving(t *testing.T) {
	good := string(onePage("(text) Tj"))
	for name, b := range map[string]string{
		"version 2":          strings.Replace(good, "%PDF-1.4", "%PDF-2.0", 1),
		"version 1.4 + junk": strings.Replace(good, "%PDF-1.4\n", "%PDF-1.4 x\n"[:9]+"\n", 1),
		"junk before":        "junk\r\n\x00\x01" + good,
		"no end":             strings.TrimSuffix(good, "%%EOF\n"),
		"junk behind":        good + strings.Repeat("\x00", 300),
		"startxref near":     strings.Replace(good, "startxref\n", "startxref\n ", 1),
		"startxref wrong":    good[:strings.Index(good, "startxref\n")] + "startxref\n7\n%%EOF\n",
		"Length too small":   strings.Replace(good, "/Length 4", "/Length 1", 1),
		"Length too large":   strings.Replace(good, "/Length 4", "/Length 9", 1),
		"Size too small":     strings.Replace(good, "/Size 6", "/Size 2", 1),
		"no table":           strings.Replace(good, "xref\n0", "xxxx\n0", 1),
		"no trailer":         good[:strings.Index(good, "xref\n0")],
		"offsets wrong":      strings.Replace(good, "00000 n", "00001 n", 2),
		"Prev leads nowhere": strings.Replace(good, "/Root", "/Prev 12/Root", 1),
		"no startxref":       good[:strings.Index(good, "startxref\n")],
	} {
		t.Run(name, func(t *testing.T) {
			if got := lines(t, []byte(b)); got != "text" {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestDamageIsSaidPerPage(t *testing.T) {
	m := newMaker()
	m.page("BT /F 10 Tf 50 700 Td (whole) Tj ET", "", "")
	m.page("BT /F 10 Tf 50 700 Td (lost) Tj ET", "", "")
	m.objects[5] = strings.Replace(m.objects[5], "<</Length", "<</Filter/JBIG2Decode/Length", 1)
	r, err := render(t, alone, m.bytes())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Landmarks) != 2 || len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "page 2 is damaged and could not be read") || len(r.Lines) != 1 {
		t.Errorf("landmarks %v, notes %q", r.Landmarks, r.Notes)
	}
}

func TestLoops(t *testing.T) {
	loop := newMaker()
	loop.page("BT /F 10 Tf 50 700 Td (once) Tj ET", "", "")
	loop.objects[1] = "<</Type/Pages/Count 99/Kids[5 0 R 2 0 R 2 0 R]>>"
	if got := lines(t, loop.bytes()); got != "once" {
		t.Errorf("a page tree that loops: got %q", got)
	}
	// A Prev chain that closes makes the library read for ever.
	prev := string(onePage("(text) Tj"))
	at := strings.Index(prev, "xref\n0")
	prev = strings.Replace(prev, "/Root 1 0 R", "/Root 1 0 R/Prev "+strconv.Itoa(at), 1)
	if got := lines(t, []byte(prev)); got != "text" {
		t.Errorf("a cross-reference that is its own predecessor: got %q", got)
	}
}

func TestBounds(t *testing.T) {
	good := string(onePage("(text) Tj"))
	for name, b := range map[string]string{
		"Size":       strings.Replace(good, "/Size ", "/Size 999999999", 1),
		"subsection": strings.Replace(good, "xref\n0 ", "xref\n4000000000 1\n0000000000 00000 n \n0 ", 1),
		"second":     strings.Replace(good, "trailer\n", "4000000000 1\n0000000000 00000 n \ntrailer\n", 1),
	} {
		if _, err := render(t, alone, []byte(b)); err == nil || !strings.Contains(err.Error(), "declares") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	bomb := newMaker()
	bomb.page("", "", "")
	c := bomb.stream("/Filter[/FlateDecode/FlateDecode]", deflated(deflated("BT /F 10 Tf (boom) Tj ET "+strings.Repeat(" ", maxStream+1000))))
	bomb.objects[4] = strings.Replace(bomb.objects[4], "/Contents 4 0 R", "/Contents "+strconv.Itoa(c)+" 0 R", 1)
	r, err := render(t, alone, bomb.bytes())
	if err != nil || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "decodes to more") || strings.Join(r.Lines, "") != "boom" {
		t.Errorf("a bomb: %v, notes %q, lines %q", err, r.Notes, r.Lines)
	}
}

func TestConformance(t *testing.T) {
	m := newMaker()
	m.page("BT /F 10 Tf 12 TL 50 700 Td (one) Tj T* (two words) Tj ET", "", "")
	m.page("BT /F 10 Tf 12 TL 50 700 Td (three) Tj T* (four) Tj T* (five) Tj ET", "", "")
	conformance.Run(t, conformance.Suite{Render: alone, Good: m.bytes(), Steps: 150})
}

// TestIdentity watches what is read by reflection out of the library.
func TestIdentity(t *testing.T) {
	d, err := openFile(t.Context(), onePage("(a) Tj"))
	if err != nil {
		t.Fatal(err)
	}
	pages := d.r.Trailer().Key("Root").Key("Pages")
	if got := identify(pages); got != (identity{2, 0}) {
		t.Errorf("the page tree is object %v, want 2", got)
	}
	off, plain := place(pages.Key("Kids").Index(0).Key("Contents"))
	if !plain || off == 0 {
		t.Errorf("a stream's place: %d %v", off, plain)
	}
}
