package workbook_test

import (
	"fmt"
	"testing"
)

// K53: dates in an unambiguous form, the raw number when in doubt.
func TestDates(t *testing.T) {
	for _, c := range []struct{ code, value, want string }{
		{"yyyy-mm-dd", "46096", "2026-03-15"},
		{"m/d/yy", "100", "1900-04-09"},
		{"d-mmm", "60", "1900-02-29"},
		{"d-mmm", "59", "1900-02-28"},
		{"d-mmm", "61", "1900-03-01"},
		{"d-mmm", "1", "1900-01-01"},
		{"d-mmm", "0", "0"},
		{"d-mmm", "-5", "-5"},
		{"d-mmm", "2958465", "9999-12-31"},
		{"d-mmm", "2958466", "2958466"},
		{"h:mm", "0.5", "12:00:00"},
		{"h:mm", "46096.5", "2026-03-15T12:00:00"},
		{"yyyy-mm-dd", "46096.75", "2026-03-15T18:00:00"},
		{"yyyy-mm-dd hh:mm", "46096", "2026-03-15T00:00:00"},
		{"[h]:mm", "1.5", "36:00:00"},
		{"[h]:mm", "0.25", "06:00:00"},
		{"[mm]:ss", "0.5", "12:00:00"},
		{"mm:ss.0", "0.000011574", "00:00:01"},
		{"mmm", "46096", "2026-03-15"},
		{"mm", "46096", "2026-03-15"},
		{"hh:mm AM/PM", "0.75", "18:00:00"},
		{"[$-409]mmmm d, yyyy;@", "46096", "2026-03-15"},
		{"[$-F800]dddd, mmmm dd, yyyy", "46096", "2026-03-15"},
		{`yyyy"年"m"月"d"日"`, "46096", "2026-03-15"},
		{`e"年"`, "46096", "2026-03-15"},
		// Quotes, escapes, brackets: no dates.
		{`0 "days"`, "46096", "46096"},
		{`0\d`, "46096", "46096"},
		{`"a;b" 0`, "46096", "46096"},
		{`"["0"]"`, "46096", "46096"},
		{`[Red]0.00`, "46096", "46096"},
		{`[$USD-409] #,##0.00`, "46096", "46096"},
		{`_-* #,##0.00_-;\-* #,##0.00_-;_-* "-"??_-;_-@_-`, "46096", "46096"},
		{`General`, "46096", "46096"},
		{`0.00E+00`, "46096", "46096"},
		{`0.00E-00`, "46096", "46096"},
		{`# ?/?`, "0.5", "0.5"},
		{`#,#####`, "1234.5", "1234.5"},
		{`0%`, "0.15", "0.15"},
		{`@`, "46096", "46096"},
		// Sections and conditions.
		{`yyyy-mm-dd;-0`, "46096", "2026-03-15"},
		{`0;yyyy-mm-dd`, "46096", "46096"},
		{`[>100]yyyy-mm-dd;0`, "46096", "2026-03-15"},
		{`[>100]yyyy-mm-dd;0`, "50", "50"},
		// Identifiers.
		{`00000`, "501", "00501"},
		{`000\-00\-0000`, "12345678", "012-34-5678"},
		{`000-00-0000`, "12345678901", "12345-67-8901"},
		{`(000) 000-0000`, "5551234567", "(555) 123-4567"},
		{`00000`, "1.5", "1.5"},
		{`0.00`, "1.5", "1.5"},
	} {
		f := file{styles: formats(c.code), sheets: []tab{{name: "S", rows: `<row><c s="1"><v>` + c.value + `</v></c></row>`}}}
		if got := f.lines(t); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s in %q: got %q, want %q", c.value, c.code, got, c.want)
		}
	}
}

func TestBuiltinDateFormats(t *testing.T) {
	for id := range 60 {
		want := "46096"
		switch {
		case id >= 14 && id <= 17, id >= 27 && id <= 31, id >= 34 && id <= 36, id >= 50 && id <= 58:
			want = "2026-03-15"
		case id >= 18 && id <= 22, id == 32, id == 33, id == 45, id == 47:
			want = "2026-03-15T00:00:00"
		case id == 46:
			want = "1106304:00:00"
		}
		f := file{styles: fmt.Sprintf(`<cellXfs><xf numFmtId="%d"/></cellXfs>`, id), sheets: []tab{{name: "S", rows: `<row><c s="0"><v>46096</v></c></row>`}}}
		if got := f.lines(t); got[0] != want {
			t.Errorf("format %d: got %q, want %q", id, got, want)
		}
	}
}

// K53: the date system of 1904, which an element of another vocabulary with
// the same name must not reset.
func TestDates1904(t *testing.T) {
	book := `<workbookPr date1904="1"/><extLst><ext xmlns:x15="http://schemas.microsoft.com/office/spreadsheetml/2010/11/main"><x15:workbookPr chartTrackingRefBase="1"/></ext></extLst>`
	f := file{
		book:   book,
		styles: `<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="20"/></cellXfs>`,
		sheets: []tab{{name: "S", rows: `<row><c s="1"><v>100</v></c><c s="1"><v>0</v></c><c s="2"><v>0.5</v></c><c s="1"><v>2957003</v></c><c s="1"><v>2957004</v></c></row>`}},
	}
	equal(t, f.lines(t), "1904-04-10\t1904-01-01\t12:00:00\t9999-12-31\t2957004")
}

func TestDifferentialFormatsAreNoCellFormats(t *testing.T) {
	f := file{
		styles: `<numFmts><numFmt numFmtId="170" formatCode="0.0"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="170"/></cellXfs><dxfs><dxf><numFmt numFmtId="170" formatCode="yyyy"/></dxf></dxfs>`,
		sheets: []tab{{name: "S", rows: `<row><c s="0"><v>46096</v></c></row>`}},
	}
	equal(t, f.lines(t), "46096")
}
