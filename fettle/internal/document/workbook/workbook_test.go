package workbook_test

import (
	"errors"
	"strings"
	"testing"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/conformance"
	"fettler/fettle/internal/document/workbook"
)

var good = file{
	book:    `<workbookPr/>`,
	styles:  formats("yyyy-mm-dd"),
	strings: `<si><t>Name</t></si><si><t>Due</t></si><si><r><t>Ac</t></r><r><t>me</t></r></si>`,
	sheets: []tab{
		{name: "Orders", rows: `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>` +
			`<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" s="1"><v>46096</v></c><c r="C2"><f>SUM(D2:E2)</f><v>7</v></c></row>`},
		{name: "Hidden", attrs: `state="hidden"`, rows: `<row><c><v>1</v></c></row>`},
	},
}

func TestConformance(t *testing.T) {
	conformance.Run(t, conformance.Suite{Render: workbook.Render, Good: good.pack(t), Steps: 300})
}

func TestRows(t *testing.T) {
	r, err := render(t, good.pack(t))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, r.Lines,
		"sheet Orders", "Name\tDue", "Acme\t2026-03-15\t=SUM(D2:E2) [7]",
		"sheet Hidden (hidden)", "1")
	if c := r.Cite(3); c != "sheet Orders" {
		t.Errorf("line 3 is cited as %q", c)
	}
	if c := r.Cite(5); c != "sheet Hidden (hidden)" {
		t.Errorf("line 5 is cited as %q", c)
	}
}

// K51: cells keep their column; blank is blank; nothing is guessed.
func TestColumnsAreKept(t *testing.T) {
	f := file{
		styles: formats("#,#####"),
		sheets: []tab{{name: "S", rows: `
<row r="1"><c r="A1" t="str"><v>title</v></c></row>
<row r="3"><c r="A3" t="str"><v>a</v></c><c r="B3" t="str"><v>b</v></c><c r="C3"/><c r="D3" t="str"><v>d</v></c><c r="E3" s="1"/></row>
<row r="4"><c r="A4" s="1"/><c r="C4" t="str"><v>x</v></c></row>
<row r="5"><c r="A5" s="1"><v>1234.5</v></c><c r="B5" t="str"><v>007</v></c><c r="C5" t="str"><v>1E+20</v></c><c r="D5"><v>1E+20</v></c><c r="E5" t="e"><v>#N/A</v></c><c r="F5" t="b"><v>1</v></c></row>
<row r="6"/>`}},
	}
	equal(t, f.lines(t), "title", "", "a\tb\t\td", "\t\tx", "1234.5\t007\t1E+20\t1E+20\t#N/A\tTRUE")
}

func TestRowsAndCellsWithoutReferences(t *testing.T) {
	f := file{sheets: []tab{{name: "S", rows: `<row><c><v>1</v></c><c/><c><v>2</v></c></row><row><c r="B2"><v>3</v></c><c><v>4</v></c></row>`}}}
	equal(t, f.lines(t), "1\t\t2", "\t3\t4")
}

func TestCellsOutOfOrder(t *testing.T) {
	f := file{sheets: []tab{{name: "S", rows: `<row r="1"><c r="C1"><v>3</v></c><c r="A1"><v>1</v></c></row>`}}}
	equal(t, f.lines(t), "1\t\t3")
}

func TestLongBlankRunsAreOneLine(t *testing.T) {
	f := file{sheets: []tab{{name: "S", rows: `<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="A1048576"><v>2</v></c></row>`}}}
	equal(t, f.lines(t), "1", "[rows 2 to 1048575 are blank]", "2")
}

func TestHiddenSheetsAreMarked(t *testing.T) {
	f := file{sheets: []tab{
		{name: "A", rows: `<row><c><v>1</v></c></row>`},
		{name: "B", attrs: `state="hidden"`, rows: `<row><c><v>2</v></c></row>`},
		{name: "C &amp; D", attrs: `state="veryHidden"`, rows: `<row><c><v>3</v></c></row>`},
	}}
	r, err := render(t, f.pack(t))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, r.Lines, "sheet A", "1", "sheet B (hidden)", "2", "sheet C & D (very hidden)", "3")
}

func TestPrefixedNamespaces(t *testing.T) {
	raw := `<x:worksheet xmlns:x="` + mainSpace + `" xmlns:y="urn:else"><x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>in</x:t></x:is></x:c><y:c r="B1"><y:v>no</y:v></y:c></x:row></x:sheetData></x:worksheet>`
	equal(t, file{sheets: []tab{{name: "S", raw: raw}}}.lines(t), "in")
	strict := `<worksheet xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"><sheetData><row><c t="d"><v>2026-03-15</v></c></row></sheetData></worksheet>`
	equal(t, file{sheets: []tab{{name: "S", raw: strict}}}.lines(t), "2026-03-15")
}

func TestSharedStrings(t *testing.T) {
	f := file{
		strings: `<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/></si>` +
			`<si><t>a_x000D_&#10;b_x005F_x0041_ c_xZZZZ_ _x0041_ _xD83D__xDE00_</t></si>` +
			`<si><t xml:space="preserve"> tab&#9;and
line</t></si><si/>`,
		sheets: []tab{{name: "S", rows: `<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"/><c t="s"><v>3</v></c><c t="s"><v>99</v></c><c><v>5</v></c></row>`}},
	}
	equal(t, f.lines(t), "東京\ta  b_x0041_ c_xZZZZ_ A 😀\t tab and line\t\t\t\t5")
}

func TestInlineRichText(t *testing.T) {
	f := file{sheets: []tab{{name: "S", rows: `<row><c t="inlineStr"><is><r><rPr><b/></rPr><t>bo</t></r><r><t>ld _x005F_x0041_</t></r><rPh><t>no</t></rPh></is></c></row>`}}}
	equal(t, f.lines(t), "bold _x0041_")
}

func TestNumbersHaveFifteenDigits(t *testing.T) {
	f := file{sheets: []tab{{name: "S", rows: `<row><c><v>0.30000000000000004</v></c><c><v>123456789012</v></c><c><v>-1.5E-12</v></c><c><v>1.0000000000000001E-2</v></c><c><v>nonsense</v></c><c><v>1.0</v></c><c><v>10</v></c><c><v>-2.50</v></c></row>`}}}
	equal(t, f.lines(t), "0.3\t123456789012\t-1.5E-12\t0.01\tnonsense\t1\t10\t-2.5")
}

func TestFormulas(t *testing.T) {
	f := file{sheets: []tab{{name: "S", rows: `
<row r="1"><c r="A1"><f>B1*2</f><v>4</v></c><c r="B1"><f>NOW()</f></c><c r="C1"><f t="array" ref="C1:C2">TRANSPOSE(A1:B1)</f><v>4</v></c><c r="D1" t="str"><f>A1&amp;"x
y"</f><v>4x</v></c></row>
<row r="2"><c r="A2"><f t="shared" ref="A2:A4" si="0">B2+$C$1&amp;" A1 "&amp;'It''s A1'!A1</f><v>1</v></c><c r="C2"><v>9</v></c></row>
<row r="3"><c r="A3"><f t="shared" si="0"/><v>2</v></c></row>
<row r="4"><c r="A4"><f t="shared" si="0"/></c><c r="B4"><f t="shared" si="7"/><v>5</v></c></row>`}}}
	equal(t, f.lines(t),
		`=B1*2 [4]`+"\t=NOW()\t{=TRANSPOSE(A1:B1)} [4]\t"+`=A1&"x y" [4x]`,
		`=B2+$C$1&" A1 "&'It''s A1'!A1 [1]`+"\t\t9",
		`=B3+$C$1&" A1 "&'It''s A1'!A2 [2]`,
		`=B4+$C$1&" A1 "&'It''s A1'!A3`+"\t5")
}

func TestComments(t *testing.T) {
	f := file{sheets: []tab{{name: "A", rows: `<row><c><v>1</v></c></row>`}, {name: "B"}}, more: []conformance.Part{
		{Name: "xl/worksheets/_rels/sheet1.xml.rels", Body: `<Relationships><Relationship Id="c" Type="` + relSpace + `/comments" Target="../comments1.xml"/></Relationships>`},
		{Name: "xl/comments1.xml", Body: `<comments xmlns="` + mainSpace + `"><authors><author>Ann</author></authors><commentList><comment ref="B2" authorId="0"><text><r><t>Ann:</t></r><r><t>
why?</t></r></text></comment></commentList></comments>`},
	}}
	r, err := render(t, f.pack(t))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, r.Lines, "sheet A", "1", "[comment at B2] Ann: why?", "sheet B")
}

// A merged range has its formula once, in its first cell.
func TestMergedCellsDoNotRepeat(t *testing.T) {
	raw := `<worksheet xmlns="` + mainSpace + `"><sheetData><row r="1"><c r="A1" s="0"><f>SUM(A2:A9)</f><v>3</v></c><c r="B1" s="0"/><c r="C1" s="0"/></row></sheetData><mergeCells count="1"><mergeCell ref="A1:C1"/></mergeCells></worksheet>`
	equal(t, file{sheets: []tab{{name: "S", raw: raw}}}.lines(t), "=SUM(A2:A9) [3]")
}

// Sheets come in the order of their tabs; one that has no rows says so.
func TestSheetsOfOtherKinds(t *testing.T) {
	f := file{sheets: []tab{
		{name: "Two", rows: `<row><c><v>2</v></c></row>`},
		{name: "Macros", raw: `<xm:macrosheet xmlns="` + mainSpace + `" xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><sheetData><row><c><f>HALT()</f></c></row></sheetData></xm:macrosheet>`},
	}}
	parts := f.parts()
	for i, p := range parts {
		switch p.Name {
		case "xl/workbook.xml":
			parts[i].Body = strings.Replace(p.Body, "<sheets>", `<sheets><sheet name="Chart" sheetId="8" r:id="c"/><sheet name="Module" sheetId="9" r:id=""/>`, 1)
		case "xl/_rels/workbook.xml.rels":
			parts[i].Body = strings.Replace(strings.Replace(p.Body, `/worksheet" Target="worksheets/sheet2`, `/xlMacrosheet" Target="worksheets/sheet2`, 1),
				"</Rel", `<Relationship Id="c" Type="`+relSpace+`/chartsheet" Target="chartsheets/sheet1.xml"/></Rel`, 1)
		}
	}
	r, err := render(t, conformance.Zip(t, parts...))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, r.Lines, "sheet Chart", "sheet Module", "sheet Two", "2", "sheet Macros", "=HALT()")
	equal(t, r.Notes, "the sheet Chart is a chart and has no rows", "the sheet Module has no rows of its own")
}

// Damage is said, and what stood before it and beside it is there.
func TestDamageLosesOnlyItself(t *testing.T) {
	f := file{sheets: []tab{
		{name: "A", raw: `<worksheet xmlns="` + mainSpace + `"><sheetData><row><c><v>1</v></c></row><row><c><v>2</v></c>`},
		{name: "B", rows: `<row><c><v>3</v></c></row>`},
	}}
	r, err := render(t, f.pack(t))
	var e *document.Error
	if !errors.As(err, &e) || e.Reason != document.Damaged || !strings.Contains(e.Message, "sheet A was read to row 2") {
		t.Errorf("got %v", err)
	}
	equal(t, r.Lines, "sheet A", "1", "2", "sheet B", "3")
}

func TestNoDocumentTypeNoEntity(t *testing.T) {
	raw := `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]><worksheet xmlns="` + mainSpace + `"><sheetData><row><c t="str"><v>&b;&c;&amp;</v></c></row></sheetData></worksheet>`
	r, err := render(t, file{sheets: []tab{{name: "S", raw: raw}}}.pack(t))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, r.Lines, "sheet S", "&b;&c;&")
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "document type") {
		t.Errorf("notes: %q", r.Notes)
	}
}

func FuzzRender(f *testing.F) {
	f.Add(good.pack(f))
	f.Add(file{sheets: []tab{{name: "S", rows: `<row r="9"><c r="XFD9" t="s"><f t="shared" ref="A1" si="0">A1</f><v>0</v></c></row>`}}}.pack(f))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var r document.Rendering
		err := workbook.Render(t.Context(), conformance.Source(raw), &r)
		var e *document.Error
		if err != nil && !errors.As(err, &e) && !errors.Is(err, document.ErrFull) {
			t.Errorf("an error of no known kind: %v", err)
		}
	})
}
