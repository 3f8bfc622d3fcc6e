package word_test

import (
	"strings"
	"testing"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/conformance"
	"fettler/fettle/internal/document/word"
)

func TestMain(m *testing.M) { conformance.Main(m, word.Render) }

// mostMB is what a Word document may take, whatever it holds.
const mostMB = 64

func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("bombs take seconds")
	}
	const (
		doc  = "word/document.xml"
		head = "<w:document" + spaces + "><w:body>"
		tail = "</w:body></w:document>"
		mb   = 1 << 20
	)
	para := p("some text of a paragraph")
	for name, c := range map[string]struct {
		bomb   conformance.Bomb
		reason document.Reason // "" where the rendering's own bound ends it
	}{
		"paragraphs":  {conformance.Bomb{Name: doc, Head: head, Body: strings.Repeat(para, 4000), Times: 666, Tail: tail}, ""},
		"empty":       {conformance.Bomb{Name: doc, Head: head, Body: strings.Repeat("<w:p/>", 40_000), Times: 200, Tail: tail}, ""},
		"text":        {conformance.Bomb{Name: doc, Head: head + "<w:p><w:r><w:t>", Body: strings.Repeat("x", mb), Times: 200, Tail: "</w:t></w:r></w:p>" + tail}, ""},
		"tabs":        {conformance.Bomb{Name: doc, Head: head + "<w:p><w:r>", Body: strings.Repeat("<w:tab/>", 40_000), Times: 120, Tail: "</w:r></w:p>" + tail}, ""},
		"cells":       {conformance.Bomb{Name: doc, Head: head + "<w:tbl><w:tr>", Body: strings.Repeat("<w:tc>"+para+"</w:tc>", 4000), Times: 133, Tail: "</w:tr></w:tbl>" + tail}, ""},
		"one cell":    {conformance.Bomb{Name: doc, Head: head + "<w:tbl><w:tr><w:tc>", Body: strings.Repeat(para, 4000), Times: 133, Tail: "</w:tc></w:tr></w:tbl>" + tail}, ""},
		"boxes":       {conformance.Bomb{Name: doc, Head: head + "<w:p><w:r>", Body: strings.Repeat("<w:txbxContent>"+para+"</w:txbxContent>", 4000), Times: 133, Tail: "</w:r></w:p>" + tail}, ""},
		"deleted":     {conformance.Bomb{Name: doc, Head: head, Body: strings.Repeat(`<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>`+run("joined")+`</w:p>`, 4000), Times: 80, Tail: tail}, ""},
		"nesting":     {conformance.Bomb{Name: doc, Head: head, Body: strings.Repeat("<w:tbl><w:tr><w:tc>", 4000), Times: 666, Tail: ""}, document.TooLarge},
		"footnotes":   {conformance.Bomb{Name: "word/footnotes.xml", Head: "<w:footnotes" + spaces + ">", Body: strings.Repeat(`<w:footnote w:id="1">`+para+`</w:footnote>`, 4000), Times: 120, Tail: "</w:footnotes>"}, ""},
		"one note":    {conformance.Bomb{Name: "word/footnotes.xml", Head: "<w:footnotes" + spaces + `><w:footnote w:id="1">`, Body: strings.Repeat(para, 4000), Times: 133, Tail: "</w:footnote></w:footnotes>"}, ""},
		"references":  {conformance.Bomb{Name: doc, Head: head + "<w:p><w:r>", Body: strings.Repeat(`<w:footnoteReference w:id="2"/>`, 4000), Times: 266, Tail: "</w:r></w:p>" + tail}, ""},
		"styles":      {conformance.Bomb{Name: "word/styles.xml", Head: "<w:styles" + spaces + ">", Body: strings.Repeat(`<w:style w:styleId="a"><w:name w:val="b"/></w:style>`, 4000), Times: 666, Tail: "</w:styles>"}, document.TooLarge},
		"lists":       {conformance.Bomb{Name: "word/numbering.xml", Head: "<w:numbering" + spaces + ">", Body: strings.Repeat(`<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"/></w:abstractNum>`, 4000), Times: 600, Tail: "</w:numbering>"}, document.TooLarge},
		"hyperlinks":  {conformance.Bomb{Name: "word/_rels/document.xml.rels", Head: "<Relationships>", Body: strings.Repeat(`<Relationship Id="a" Type="b" Target="c" TargetMode="External"/>`, 4000), Times: 666, Tail: "</Relationships>"}, document.TooLarge},
		"content":     {conformance.Bomb{Name: "[Content_Types].xml", Head: "<Types>", Body: strings.Repeat(`<Override PartName="a" ContentType="b"/>`, 4000), Times: 1000, Tail: "</Types>"}, ""},
		"fields":      {conformance.Bomb{Name: doc, Head: head + "<w:p><w:r>", Body: strings.Repeat(`<w:fldChar w:fldCharType="begin"/>`, 4000), Times: 266, Tail: "</w:r></w:p>" + tail}, ""},
		"doctype":     {conformance.Bomb{Name: doc, Head: "<!DOCTYPE x [", Body: strings.Repeat(`<!ENTITY a "&b;&b;&b;">`, 4000), Times: 2000, Tail: "]>" + head + tail}, document.TooLarge},
		"alternates":  {conformance.Bomb{Name: doc, Head: head + "<w:p><w:r>", Body: strings.Repeat(`<mc:AlternateContent><mc:Choice/><mc:Fallback/></mc:AlternateContent>`, 4000), Times: 666, Tail: "</w:r></w:p>" + tail}, document.TooLarge},
		"header refs": {conformance.Bomb{Name: doc, Head: head + "<w:sectPr>", Body: strings.Repeat(`<w:headerReference r:id="nothing here"/>`, 4000), Times: 1166, Tail: "</w:sectPr>" + tail}, document.TooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			f := good
			var parts []conformance.Part
			for _, part := range f.parts() {
				if part.Name != c.bomb.Name {
					parts = append(parts, part)
				}
			}
			m := conformance.Measure(t, conformance.BombFile(t, parts, c.bomb))
			t.Logf("%d MB, %v, %d lines, %s", m.PeakMB, m.Took, m.Lines, m.Error)
			if m.PeakMB > mostMB {
				t.Errorf("it took %d MB", m.PeakMB)
			}
			if c.reason != "" && m.Reason != c.reason {
				t.Errorf("got %q (%s), want %q", m.Reason, m.Error, c.reason)
			}
		})
	}
}
