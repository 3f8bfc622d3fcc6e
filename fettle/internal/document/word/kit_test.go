package word_test

import (
	"strings"
	"testing"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/conformance"
	"fettler/fettle/internal/document/word"
)

const (
	wordSpace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
	relSpace  = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	spaces    = ` xmlns:w="` + wordSpace + `" xmlns:r="` + relSpace + `"` +
		` xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"` +
		` xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml"` +
		` xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"`
)

// file is a Word document under test: what stands in each part's root.
type file struct {
	body, styles, numbering, footnotes, endnotes, comments string
	rels                                                   string
	more                                                   []conformance.Part
}

func (f file) pack(t testing.TB) []byte { return conformance.Zip(t, f.parts()...) }

func (f file) parts() []conformance.Part {
	parts := []conformance.Part{
		{Name: "[Content_Types].xml", Body: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`},
		{Name: "_rels/.rels", Body: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="` + relSpace + `/officeDocument" Target="word/document.xml"/></Relationships>`},
		{Name: "word/_rels/document.xml.rels", Body: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` + f.rels + `</Relationships>`},
	}
	for _, p := range []struct{ root, name, body string }{
		{"w:styles", "styles", f.styles}, {"w:numbering", "numbering", f.numbering}, {"w:footnotes", "footnotes", f.footnotes},
		{"w:endnotes", "endnotes", f.endnotes}, {"w:comments", "comments", f.comments},
	} {
		if p.body != "" {
			parts = append(parts, conformance.Part{Name: "word/" + p.name + ".xml", Body: "<" + p.root + spaces + ">" + p.body + "</" + p.root + ">"})
		}
	}
	parts = append(parts, conformance.Part{Name: "word/document.xml", Body: "<w:document" + spaces + "><w:body>" + f.body + "</w:body></w:document>"})
	return append(parts, f.more...)
}

func render(t testing.TB, raw []byte) (*document.Rendering, error) {
	t.Helper()
	var r document.Rendering
	err := word.Render(t.Context(), conformance.Source(raw), &r)
	return &r, err
}

func (f file) render(t testing.TB) *document.Rendering {
	t.Helper()
	r, err := render(t, f.pack(t))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// p is a paragraph of one run.
func p(text string) string { return "<w:p>" + run(text) + "</w:p>" }

func run(text string) string {
	return `<w:r><w:t xml:space="preserve">` + text + "</w:t></w:r>"
}

// styled is a paragraph of a style.
func styled(style, text string) string {
	return `<w:p><w:pPr><w:pStyle w:val="` + style + `"/></w:pPr>` + run(text) + "</w:p>"
}

func equal(t *testing.T, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}
