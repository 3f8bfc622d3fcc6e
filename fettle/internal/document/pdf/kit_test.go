package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
	"testing"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/conformance"
)

// maker writes small PDFs. Objects are numbered from 1 in the order in which
// they are added; 1 is the catalog and 2 the page tree, 3 the usual font.
type maker struct {
	objects []string
	pages   []int
	extra   string // of the trailer
	seal    func(n int, s []byte) []byte
}

const usualFont = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"

func newMaker() *maker {
	return &maker{objects: []string{"", "", usualFont}}
}

func (m *maker) add(body string) int {
	m.objects = append(m.objects, body)
	return len(m.objects)
}

// stream adds a stream with entries of its dictionary.
func (m *maker) stream(entries, data string) int {
	n := len(m.objects) + 1
	if m.seal != nil {
		data = string(m.seal(n, []byte(data)))
	}
	return m.add(fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", entries, len(data), data))
}

// page adds a page with a content stream; entries come into its dictionary.
func (m *maker) page(content, resources, entries string) {
	c := m.stream("", content)
	m.pages = append(m.pages, m.add(fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents %d 0 R/Resources<</Font<</F 3 0 R>>%s>>%s>>", c, resources, entries)))
}

func (m *maker) bytes() []byte {
	var kids []string
	for _, p := range m.pages {
		kids = append(kids, fmt.Sprintf("%d 0 R", p))
	}
	if m.objects[0] == "" {
		m.objects[0] = "<</Type/Catalog/Pages 2 0 R>>"
	}
	if m.objects[1] == "" {
		m.objects[1] = fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", len(kids), strings.Join(kids, " "))
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var at []int
	for i, o := range m.objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, m.extra, start)
	return b.Bytes()
}

// onePage is a document of one page with the usual font as F, size 10.
func onePage(content string) []byte {
	m := newMaker()
	m.page("BT /F 10 Tf 12 TL 50 700 Td "+content+" ET", "", "")
	return m.bytes()
}

func deflated(s string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

// alone is the interpreter without pdfium behind it.
var alone = (&reader{alone: true}).render

func render(t *testing.T, r document.Render, b []byte) (*document.Rendering, error) {
	t.Helper()
	var out document.Rendering
	err := document.Guard(t.Context(), r, conformance.Source(b), &out)
	return &out, err
}

// lines renders with the interpreter and wants no error.
func lines(t *testing.T, b []byte) string {
	t.Helper()
	r, err := render(t, alone, b)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return strings.Join(r.Lines, "\n")
}
