package workbook_test

import (
	"fmt"
	"strings"
	"testing"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/conformance"
	"fettler/fettle/internal/document/workbook"
)

const (
	mainSpace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relSpace  = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
)

// file is a workbook under test. Empty parts are left out.
type file struct {
	book    string // what stands in <workbook> beside the sheets
	sheets  []tab
	styles  string // what stands in <styleSheet>
	strings string // what stands in <sst>
	more    []conformance.Part
}

type tab struct {
	name, attrs string
	rows        string // what stands in <sheetData>
	raw         string // the whole part, in place of rows
}

func (f file) pack(t testing.TB) []byte { return conformance.Zip(t, f.parts()...) }

func (f file) parts() []conformance.Part {
	var sheets, rels strings.Builder
	var parts []conformance.Part
	for i, s := range f.sheets {
		fmt.Fprintf(&sheets, `<sheet name="%s" sheetId="%d" %s r:id="rId%d"/>`, s.name, i+1, s.attrs, i+1)
		fmt.Fprintf(&rels, `<Relationship Id="rId%d" Type="%s/worksheet" Target="worksheets/sheet%d.xml"/>`, i+1, relSpace, i+1)
		raw := s.raw
		if raw == "" {
			raw = `<worksheet xmlns="` + mainSpace + `"><sheetData>` + s.rows + `</sheetData></worksheet>`
		}
		parts = append(parts, conformance.Part{Name: fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1), Body: raw})
	}
	if f.styles != "" {
		fmt.Fprintf(&rels, `<Relationship Id="s" Type="%s/styles" Target="styles.xml"/>`, relSpace)
		parts = append(parts, conformance.Part{Name: "xl/styles.xml", Body: `<styleSheet xmlns="` + mainSpace + `">` + f.styles + `</styleSheet>`})
	}
	if f.strings != "" {
		fmt.Fprintf(&rels, `<Relationship Id="t" Type="%s/sharedStrings" Target="/xl/sharedStrings.xml"/>`, relSpace)
		parts = append(parts, conformance.Part{Name: "xl/sharedStrings.xml", Body: `<sst xmlns="` + mainSpace + `">` + f.strings + `</sst>`})
	}
	head := []conformance.Part{
		{Name: "[Content_Types].xml", Body: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`},
		{Name: "_rels/.rels", Body: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="` + relSpace + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{Name: "xl/workbook.xml", Body: `<workbook xmlns="` + mainSpace + `" xmlns:r="` + relSpace + `">` + f.book + `<sheets>` + sheets.String() + `</sheets></workbook>`},
		{Name: "xl/_rels/workbook.xml.rels", Body: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` + rels.String() + `</Relationships>`},
	}
	return append(append(head, parts...), f.more...)
}

func render(t testing.TB, raw []byte) (*document.Rendering, error) {
	t.Helper()
	var r document.Rendering
	err := workbook.Render(t.Context(), conformance.Source(raw), &r)
	return &r, err
}

// lines renders rows of one sheet and gives the lines below its name.
func (f file) lines(t testing.TB) []string {
	t.Helper()
	r, err := render(t, f.pack(t))
	if err != nil {
		t.Fatal(err)
	}
	return r.Lines[1:]
}

// formats makes cell styles of number formats: the first is General.
func formats(codes ...string) string {
	var fmts, xfs strings.Builder
	for i, c := range codes {
		fmt.Fprintf(&fmts, `<numFmt numFmtId="%d" formatCode="%s"/>`, 164+i, escape.Replace(c))
		fmt.Fprintf(&xfs, `<xf numFmtId="%d"/>`, 164+i)
	}
	return `<numFmts>` + fmts.String() + `</numFmts><cellXfs><xf numFmtId="0"/>` + xfs.String() + `</cellXfs>`
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func equal(t *testing.T, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}
