package workbook_test

import (
	"archive/zip"
	"bufio"
	"compress/flate"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/conformance"
	"fettler/fettle/internal/document/workbook"
)

func TestMain(m *testing.M) { conformance.Main(m, workbook.Render) }

// mostMB is what a workbook may take, whatever it holds.
const mostMB = 64

const (
	sheetPart  = "xl/worksheets/sheet1.xml"
	stringPart = "xl/sharedStrings.xml"
	sheetHead  = `<worksheet xmlns="` + mainSpace + `"><sheetData>`
	sheetTail  = `</sheetData></worksheet>`
	sstHead    = `<sst xmlns="` + mainSpace + `">`
)

// without is a workbook of one sheet with parts left to a bomb.
func without(names ...string) []conformance.Part {
	f := file{strings: `<si><t>x</t></si>`, sheets: []tab{{name: "S", rows: `<row><c t="s"><v>0</v></c></row>`}}}
	var parts []conformance.Part
	for _, p := range f.parts() {
		keep := true
		for _, n := range names {
			keep = keep && p.Name != n
		}
		if keep {
			parts = append(parts, p)
		}
	}
	return parts
}

func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("bombs take seconds")
	}
	mb := 1 << 20
	for name, c := range map[string]struct {
		bomb   conformance.Bomb
		reason document.Reason // "" where the rendering's own bound ends it, or nothing
	}{
		"rows":            {conformance.Bomb{Name: sheetPart, Head: sheetHead, Body: strings.Repeat(`<row><c><v>1</v></c></row>`, 4000), Times: 10_000, Tail: sheetTail}, ""},
		"empty rows":      {conformance.Bomb{Name: sheetPart, Head: sheetHead, Body: strings.Repeat(`<row/>`, mb/6), Times: 600, Tail: sheetTail}, document.TooLarge},
		"blanks":          {conformance.Bomb{Name: sheetPart, Head: sheetHead, Body: strings.Repeat(" ", mb), Times: 600, Tail: sheetTail}, document.TooLarge},
		"columns":         {conformance.Bomb{Name: sheetPart, Head: sheetHead + "<row>", Body: strings.Repeat(`<c><v>1</v></c>`, 4000), Times: 10_000, Tail: "</row>" + sheetTail}, document.TooLarge},
		"same cell":       {conformance.Bomb{Name: sheetPart, Head: sheetHead + "<row>", Body: strings.Repeat(`<c r="A1"><v>1</v></c>`, 4000), Times: 7_000, Tail: "</row>" + sheetTail}, document.TooLarge},
		"text of a cell":  {conformance.Bomb{Name: sheetPart, Head: sheetHead + `<row><c t="str"><v>`, Body: strings.Repeat("x", mb), Times: 600, Tail: "</v></c></row>" + sheetTail}, document.TooLarge},
		"giant tag":       {conformance.Bomb{Name: sheetPart, Head: sheetHead + `<row r="`, Body: strings.Repeat("1", mb), Times: 600, Tail: `"/>` + sheetTail}, document.TooLarge},
		"giant comment":   {conformance.Bomb{Name: sheetPart, Head: sheetHead + `<!--`, Body: strings.Repeat("-x", mb/2), Times: 600, Tail: `-->` + sheetTail}, document.TooLarge},
		"attributes":      {conformance.Bomb{Name: sheetPart, Head: sheetHead + `<row`, Body: strings.Repeat(` a="1"`, 4000), Times: 6000, Tail: `/>` + sheetTail}, document.TooLarge},
		"nesting":         {conformance.Bomb{Name: sheetPart, Head: sheetHead, Body: strings.Repeat(`<a>`, mb/3), Times: 600, Tail: ""}, document.TooLarge},
		"claimed small":   {conformance.Bomb{Name: sheetPart, Head: sheetHead, Body: strings.Repeat(`<row><c><v>1</v></c></row>`, 4000), Times: 100, Tail: sheetTail, Claim: 100}, ""},
		"claimed huge":    {conformance.Bomb{Name: sheetPart, Head: sheetHead + `<row><c><v>1</v></c></row>`, Body: "\n", Times: 1, Tail: sheetTail, Claim: 1 << 60}, document.Damaged},
		"shared formulas": {conformance.Bomb{Name: sheetPart, Head: sheetHead, Body: `<row><c><f t="shared" ref="A1" si="0">` + strings.Repeat("A1+", 20_000) + `1</f></c></row>`, Times: 5000, Tail: sheetTail}, ""},
		"strings":         {conformance.Bomb{Name: stringPart, Head: sstHead, Body: strings.Repeat(`<si><t>`+strings.Repeat("text ", 20)+`</t></si>`, 4000), Times: 2000, Tail: `</sst>`}, document.TooLarge},
		"empty strings":   {conformance.Bomb{Name: stringPart, Head: sstHead, Body: strings.Repeat(`<si/>`, 40_000), Times: 2000, Tail: `</sst>`}, document.TooLarge},
		"one string":      {conformance.Bomb{Name: stringPart, Head: sstHead + "<si><t>", Body: strings.Repeat("x", mb), Times: 600, Tail: `</t></si></sst>`}, document.TooLarge},
		"styles":          {conformance.Bomb{Name: "xl/styles.xml", Head: `<styleSheet xmlns="` + mainSpace + `"><cellXfs>`, Body: strings.Repeat(`<xf numFmtId="14"/>`, 40_000), Times: 500, Tail: `</cellXfs></styleSheet>`}, document.TooLarge},
		"entities":        {conformance.Bomb{Name: sheetPart, Head: `<!DOCTYPE x [`, Body: strings.Repeat(`<!ENTITY a "&b;&b;&b;&b;">`, 4000), Times: 6000, Tail: `]>` + sheetHead + sheetTail}, document.TooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			m := conformance.Measure(t, conformance.BombFile(t, without(c.bomb.Name), c.bomb))
			t.Logf("%d MB, %v, %d lines, %s", m.PeakMB, m.Took, m.Lines, m.Error)
			if m.PeakMB > mostMB && !conformance.Race {
				t.Errorf("it took %d MB", m.PeakMB)
			}
			if c.reason != "" && m.Reason != c.reason {
				t.Errorf("got %q (%s), want %q", m.Reason, m.Error, c.reason)
			}
		})
	}
}

// Every cell refers to one long string: the rendering's bound ends it.
func TestLongStringsInEveryCell(t *testing.T) {
	parts := without(sheetPart, stringPart)
	parts = append(parts, conformance.Part{Name: stringPart, Body: sstHead + `<si><t>` + strings.Repeat("x", 200<<10) + `</t></si></sst>`})
	m := conformance.Measure(t, conformance.BombFile(t, parts, conformance.Bomb{Name: sheetPart, Head: sheetHead,
		Body: strings.Repeat(`<row>`+strings.Repeat(`<c t="s"><v>0</v></c>`, 20)+`</row>`, 100), Times: 100, Tail: sheetTail}))
	if m.PeakMB > mostMB || m.Error != document.ErrFull.Error() {
		t.Errorf("%d MB, %s", m.PeakMB, m.Error)
	}
}

// 100,000 rows of 20 columns, a tenth of them formulas.
func TestLargeWorkbookMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("a large workbook takes seconds")
	}
	file := large(t, 100_000)
	m := conformance.Measure(t, file)
	t.Logf("%d MB, %v, %d lines, %d bytes", m.PeakMB, m.Took, m.Lines, m.Bytes)
	if m.PeakMB > mostMB || m.Error != "" || m.Lines != 100_001 {
		t.Errorf("%d MB, %d lines, %s", m.PeakMB, m.Lines, m.Error)
	}
}

// large writes a workbook of 20 columns: numbers, shared strings, dates, and
// two formulas a row, one of them shared.
func large(t testing.TB, rows int) *os.File {
	t.Helper()
	const unique = 50_000
	out, err := os.Create(filepath.Join(t.TempDir(), "large.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { out.Close() })
	z := zip.NewWriter(out)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	member := func(name string, write func(w *bufio.Writer)) {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		b := bufio.NewWriterSize(w, 64<<10)
		write(b)
		if err := b.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	f := file{styles: formats("yyyy-mm-dd"), strings: "x", sheets: []tab{{name: "S", rows: "x"}}}
	for _, p := range f.parts() {
		if p.Name != sheetPart && p.Name != stringPart {
			member(p.Name, func(w *bufio.Writer) { w.WriteString(p.Body) })
		}
	}
	member(stringPart, func(w *bufio.Writer) {
		w.WriteString(sstHead)
		for i := range unique {
			fmt.Fprintf(w, "<si><t>customer number %d</t></si>", i)
		}
		w.WriteString("</sst>")
	})
	member(sheetPart, func(w *bufio.Writer) {
		w.WriteString(sheetHead)
		for r := 1; r <= rows; r++ {
			fmt.Fprintf(w, `<row r="%d">`, r)
			for c := range 20 {
				ref := fmt.Sprintf("%c%d", 'A'+c, r)
				switch {
				case c == 0:
					fmt.Fprintf(w, `<c r="%s" s="1"><v>%d</v></c>`, ref, 40000+r%5000)
				case c < 6:
					fmt.Fprintf(w, `<c r="%s" t="s"><v>%d</v></c>`, ref, (r*7+c)%unique)
				case c == 18:
					fmt.Fprintf(w, `<c r="%s"><f>SUM(G%d:R%d)*2</f><v>%d</v></c>`, ref, r, r, r)
				case c == 19 && r == 1:
					fmt.Fprintf(w, `<c r="T1"><f t="shared" ref="T1:T%d" si="0">IF(G1&gt;$H$1,"yes A1",H1)</f><v>1</v></c>`, rows)
				case c == 19:
					fmt.Fprintf(w, `<c r="%s"><f t="shared" si="0"/><v>%d</v></c>`, ref, r)
				default:
					fmt.Fprintf(w, `<c r="%s"><v>%d.%d</v></c>`, ref, r, c)
				}
			}
			w.WriteString("</row>")
		}
		w.WriteString(sheetTail)
	})
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out
}
