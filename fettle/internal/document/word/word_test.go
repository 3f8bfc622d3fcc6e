package word_test

import (
	"errors"
	"strings"
	"testing"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/conformance"
	"fettler/fettle/internal/document/word"
)

var good = file{
	styles:    `<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style>`,
	numbering: `<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`,
	footnotes: `<w:footnote w:id="2">` + p("the note") + `</w:footnote>`,
	body: styled("H1", "Introduction") + p("first") + `<w:p><w:r><w:t>noted</w:t><w:footnoteReference w:id="2"/></w:r></w:p>` +
		`<w:tbl><w:tr><w:tc>` + p("a") + `</w:tc><w:tc>` + p("b") + `</w:tc></w:tr></w:tbl>` +
		`<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>` + run("item") + `</w:p>`,
}

func TestConformance(t *testing.T) {
	conformance.Run(t, conformance.Suite{Render: word.Render, Good: good.pack(t), Steps: 300})
}

func TestParagraphsAndTables(t *testing.T) {
	r := good.render(t)
	equal(t, r.Lines, "Introduction", "first", "noted[^1]", "[^1] the note", "a\tb", "1. item")
	if c := r.Cite(5); c != "heading Introduction" {
		t.Errorf("the table is cited as %q", c)
	}
}

func TestHeadings(t *testing.T) {
	f := file{
		styles: `<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>` +
			`<w:style w:type="paragraph" w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="berschrift1"/></w:style>` +
			`<w:style w:type="paragraph" w:styleId="Lvl"><w:name w:val="Chapter"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>` +
			`<w:style w:type="paragraph" w:styleId="Plain"><w:name w:val="Plain"/><w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>` +
			`<w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="Loop"/><w:basedOn w:val="Loop"/></w:style>`,
		body: styled("berschrift1", "localised") + styled("Mine", "based on") + styled("Lvl", "outline") + styled("Heading2", "no such style") +
			`<w:p><w:pPr><w:outlineLvl w:val="2"/></w:pPr>` + run("direct") + `</w:p>` + styled("Plain", "body") + styled("Loop", "loop") + styled("berschrift1", " ") + p("text"),
	}
	r := f.render(t)
	var cites []string
	for _, l := range r.Landmarks {
		cites = append(cites, l.Cite)
	}
	equal(t, cites, "heading localised", "heading based on", "heading outline", "heading no such style", "heading direct")
	if c := r.Cite(len(r.Lines)); c != "heading direct" {
		t.Errorf("the end is cited as %q", c)
	}
}

// K55: what the main text only refers to is there.
func TestNotesByReference(t *testing.T) {
	f := file{
		footnotes: `<w:footnote w:type="separator" w:id="-1">` + p("sep") + `</w:footnote><w:footnote w:id="1">` + p("foot") + `</w:footnote><w:footnote w:id="3">` + p("never referred to") + `</w:footnote>`,
		endnotes:  `<w:endnote w:id="1">` + p("end one") + p("end two") + `</w:endnote>`,
		comments:  `<w:comment w:id="0" w:author="Ann B">` + p("why?") + `</w:comment>`,
		body: `<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>` +
			`<w:tbl><w:tr><w:tc><w:p>` + run("cell") + `<w:r><w:endnoteReference w:id="1"/></w:r></w:p></w:tc><w:tc>` + p("x") + `</w:tc></w:tr></w:tbl>` +
			`<w:p>` + run("said") + `<w:r><w:commentReference w:id="0"/></w:r><w:del><w:r><w:footnoteReference w:id="3"/></w:r></w:del></w:p>`,
	}
	equal(t, f.render(t).Lines, "[^1]", "[^1] foot", "cell[^e1]\tx", "[^e1] end one end two", "said", "[comment by Ann B] why?")
}

func TestTrackedChanges(t *testing.T) {
	f := file{body: `<w:p>` + run("a") + `<w:del w:id="1"><w:r><w:delText>GONE</w:delText></w:r></w:del><w:ins w:id="2">` + run("b") + `</w:ins>` +
		`<w:moveFrom>` + run("GONE") + `</w:moveFrom><w:moveTo>` + run("c") + `</w:moveTo></w:p>` +
		`<w:p><w:pPr><w:rPr><w:del w:id="3"/></w:rPr></w:pPr>` + run("joined ") + `</w:p>` + p("line") +
		`<w:p><w:pPr><w:pStyle w:val="x"/><w:pPrChange><w:pPr><w:pStyle w:val="Heading1"/></w:pPr></w:pPrChange></w:pPr><w:r><w:rPr><w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange></w:rPr><w:t>shown</w:t></w:r></w:p>` +
		`<w:tbl><w:tr><w:trPr><w:del/></w:trPr><w:tc>` + p("GONE") + `</w:tc></w:tr><w:tr><w:tc>` + p("kept") + `</w:tc><w:tc><w:tcPr><w:cellDel/></w:tcPr>` + p("GONE") + `</w:tc></w:tr></w:tbl>` +
		`<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>` + run("last") + `</w:p>`}
	r := f.render(t)
	equal(t, r.Lines, "abc", "joined line", "shown", "kept", "last")
	if len(r.Landmarks) != 0 {
		t.Errorf("a former style made a landmark: %v", r.Landmarks)
	}
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "deleted text") {
		t.Errorf("notes: %q", r.Notes)
	}
}

func TestHiddenText(t *testing.T) {
	f := file{
		styles: `<w:style w:type="character" w:styleId="Hide"><w:name w:val="Hide"/><w:rPr><w:vanish/></w:rPr></w:style>`,
		body: `<w:p>` + run("a") + `<w:r><w:rPr><w:vanish/></w:rPr><w:t>GONE</w:t></w:r><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>b</w:t></w:r>` +
			`<w:r><w:rPr><w:rStyle w:val="Hide"/></w:rPr><w:t>GONE</w:t></w:r><w:r><w:rPr><w:rStyle w:val="Hide"/><w:vanish w:val="false"/></w:rPr><w:t>c</w:t></w:r></w:p>`,
	}
	r := f.render(t)
	equal(t, r.Lines, "abc")
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "hidden") {
		t.Errorf("notes: %q", r.Notes)
	}
}

// K55: a text box stands twice in the file and shows once.
func TestTextBoxOnce(t *testing.T) {
	box := `<w:txbxContent>` + p("box one") + p("box two") + `</w:txbxContent>`
	f := file{body: `<w:p>` + run("before ") + `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wps:txbx>` + box + `</wps:txbx></w:drawing></mc:Choice>` +
		`<mc:Fallback><w:pict><v:textbox>` + box + `</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>` + run("after") + `</w:p>` +
		`<w:p><w:r><mc:AlternateContent><mc:Choice Requires="x"><w:drawing/></mc:Choice><mc:Fallback><w:pict><v:textbox>` + box + `</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`}
	equal(t, f.render(t).Lines, "before after", "box one", "box two", "box one", "box two")
}

func TestCharacters(t *testing.T) {
	f := file{body: `<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/><w:t>e</w:t><w:sym w:font="Arial" w:char="20AC"/></w:r></w:p>` +
		`<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="100"/></w:tabs></w:pPr><m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath></w:p>`}
	equal(t, f.render(t).Lines, "a\tb", "c-de€", "x=1")
}

func TestFields(t *testing.T) {
	char := func(typ string) string { return `<w:r><w:fldChar w:fldCharType="` + typ + `"/></w:r>` }
	f := file{body: `<w:p>` + char("begin") + `<w:r><w:instrText> PAGE </w:instrText></w:r>` + run("GONE") + char("separate") + run("7") + char("end") + run(" after") + `</w:p>` +
		`<w:p>` + char("begin") + run("GONE") + `</w:p>` + p("not swallowed") +
		`<w:p><w:fldSimple w:instr="DATE">` + run("today") + `</w:fldSimple></w:p>`}
	equal(t, f.render(t).Lines, "7 after", "not swallowed", "today")
}

func TestHyperlinks(t *testing.T) {
	f := file{
		rels: `<Relationship Id="h1" Type="x/hyperlink" Target="https://example.org/a?b=1&amp;c=2" TargetMode="External"/><Relationship Id="h2" Type="x/hyperlink" Target="mailto:a@example.org" TargetMode="External"/>`,
		body: `<w:p><w:hyperlink r:id="h1">` + run("here") + `</w:hyperlink></w:p><w:p><w:hyperlink r:id="h2">` + run("a@example.org") + `</w:hyperlink></w:p><w:p><w:hyperlink w:anchor="x">` + run("inside") + `</w:hyperlink></w:p>`,
	}
	equal(t, f.render(t).Lines, "here (https://example.org/a?b=1&c=2)", "a@example.org", "inside")
}

func TestTables(t *testing.T) {
	cell := func(inner string) string { return `<w:tc>` + inner + `</w:tc>` }
	inner := `<w:tbl><w:tr>` + cell(p("i1")) + cell(p("i2")) + `</w:tr><w:tr>` + cell(p("i3")) + cell(p("i4")) + `</w:tr></w:tbl>`
	f := file{body: `<w:tbl><w:tblPr/><w:tblGrid/>` +
		`<w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>` + p("wide") + `</w:tc>` + cell(p("c")) + `</w:tr>` +
		`<w:tr>` + cell(p("one")+p("two")) + cell(`<w:p><w:r><w:t>x</w:t><w:br/><w:t>y</w:t></w:r></w:p>`) + cell(p("")) + `</w:tr>` +
		`<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>` + cell(p("late")) + `</w:tr>` +
		`<w:tr>` + cell(inner+p("tail")) + cell(p("z")) + `</w:tr>` +
		`<w:sdt><w:sdtPr><w:tag w:val="t"/></w:sdtPr><w:sdtContent><w:tr>` + cell(p("in sdt")) + `</w:tr></w:sdtContent></w:sdt></w:tbl>`}
	equal(t, f.render(t).Lines, "wide\t\tc", "one two\tx y", "\tlate", "i1 | i2 / i3 | i4 / tail\tz", "in sdt")
}

func TestHeadersAndFooters(t *testing.T) {
	f := file{
		rels: `<Relationship Id="h" Type="x/header" Target="header1.xml"/><Relationship Id="f" Type="x/footer" Target="footer1.xml"/><Relationship Id="e" Type="x/header" Target="header2.xml"/>`,
		body: p("text") + `<w:p><w:pPr><w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr></w:pPr></w:p>` +
			`<w:sectPr><w:headerReference w:type="default" r:id="h"/><w:headerReference w:type="first" r:id="e"/><w:footerReference w:type="default" r:id="f"/></w:sectPr>`,
		more: []conformance.Part{
			{Name: "word/header1.xml", Body: `<w:hdr` + spaces + `>` + p("top") + `</w:hdr>`},
			{Name: "word/header2.xml", Body: `<w:hdr` + spaces + `>` + p("") + `</w:hdr>`},
			{Name: "word/footer1.xml", Body: `<w:ftr` + spaces + `>` + p("bottom") + `</w:ftr>`},
		},
	}
	r := f.render(t)
	equal(t, r.Lines, "text", "[header]", "top", "[footer]", "bottom")
	if c := r.Cite(3); c != "header" {
		t.Errorf("the header is cited as %q", c)
	}
}

func TestDamageKeepsWhatStoodBefore(t *testing.T) {
	f := file{body: p("one") + p("two") + `<w:p>` + run("three") + `<w:r></w:p>`}
	r, err := render(t, f.pack(t))
	var e *document.Error
	if !errors.As(err, &e) || e.Reason != document.Damaged {
		t.Errorf("got %v", err)
	}
	equal(t, r.Lines, "one", "two", "three")
}

func FuzzRender(f *testing.F) {
	f.Add(good.pack(f))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var r document.Rendering
		err := word.Render(t.Context(), conformance.Source(raw), &r)
		var e *document.Error
		if err != nil && !errors.As(err, &e) && !errors.Is(err, document.ErrFull) {
			t.Errorf("an error of no known kind: %v", err)
		}
	})
}

// FuzzBody lets the fuzzer write XML rather than break zips.
func FuzzBody(f *testing.F) {
	f.Add(good.body)
	f.Add(`<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr></w:p><w:tbl><w:tr><w:tc><w:tbl/></w:tc></w:tr></w:tbl>`)
	f.Fuzz(func(t *testing.T, body string) {
		var r document.Rendering
		g := good
		g.body = body
		err := word.Render(t.Context(), conformance.Source(g.pack(t)), &r)
		var e *document.Error
		if err != nil && !errors.As(err, &e) && !errors.Is(err, document.ErrFull) {
			t.Errorf("an error of no known kind: %v", err)
		}
	})
}
