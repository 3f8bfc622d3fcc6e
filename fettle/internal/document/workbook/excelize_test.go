package workbook_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/conformance"
	"fettler/fettle/internal/document/workbook"
)

// A workbook that excelize wrote reads as excelize reads it, cell by cell,
// where excelize is right: it is no oracle for dates of 1904, for the formats
// of other editions or for damage.
func TestAgreesWithExcelize(t *testing.T) {
	x := excelize.NewFile()
	defer x.Close()
	for r := 1; r <= 50; r++ {
		for c, v := range []any{"text " + strconv.Itoa(r), r * r, float64(r) / 8, r%2 == 0, nil, " <&> \" "} {
			if r%7 == c {
				continue
			}
			cell, _ := excelize.CoordinatesToCellName(c+1, r)
			if err := x.SetCellValue("Sheet1", cell, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := x.NewSheet("Umlaut Ä & Co"); err != nil {
		t.Fatal(err)
	}
	date := time.Date(2026, 3, 15, 14, 30, 0, 0, time.UTC)
	for cell, v := range map[string]any{"B2": date, "C3": "x", "D4": "line\nbreak"} {
		if err := x.SetCellValue("Umlaut Ä & Co", cell, v); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.SetCellFormula("Umlaut Ä & Co", "E4", `SUM(Sheet1!B1:B50)&"<"`); err != nil {
		t.Fatal(err)
	}
	var raw bytes.Buffer
	if err := x.Write(&raw); err != nil {
		t.Fatal(err)
	}
	r, err := render(t, raw.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"sheet Sheet1"}
	rows, err := x.GetRows("Sheet1", excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		for i, v := range row {
			if i == 3 && v != "" {
				row[i] = map[string]string{"1": "TRUE", "0": "FALSE"}[v]
			}
		}
		want = append(want, strings.TrimRight(strings.Join(row, "\t"), "\t"))
	}
	want = append(want, "sheet Umlaut Ä & Co", "", "\t2026-03-15T14:30:00", "\t\tx", "\t\t\tline break\t=SUM(Sheet1!B1:B50)&\"<\"")
	equal(t, r.Lines, want...)
}

// generated is a workbook of excelize's: 20 columns, a tenth of the cells
// formulas. FETTLER_BENCH_ROWS asks for other than 20,000 rows.
func generated(b *testing.B) string {
	b.Helper()
	rows := 20_000
	if n, err := strconv.Atoi(os.Getenv("FETTLER_BENCH_ROWS")); err == nil {
		rows = n
	}
	x := excelize.NewFile()
	defer x.Close()
	w, err := x.NewStreamWriter("Sheet1")
	if err != nil {
		b.Fatal(err)
	}
	row := make([]any, 20)
	for r := 1; r <= rows; r++ {
		for c := range row {
			switch {
			case c >= 18:
				row[c] = excelize.Cell{Formula: fmt.Sprintf("SUM(A%d:B%d)*%d", r, r, c), Value: r * c}
			case c%3 == 0:
				row[c] = fmt.Sprintf("customer %d", r*7+c)
			default:
				row[c] = float64(r*c) / 4
			}
		}
		if err := w.SetRow("A"+strconv.Itoa(r), row); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	name := filepath.Join(b.TempDir(), "generated.xlsx")
	if err := x.SaveAs(name); err != nil {
		b.Fatal(err)
	}
	return name
}

// lines is a sink that counts.
type lines struct {
	document.Rendering
	n int
}

func (l *lines) Line(string) error { l.n++; return nil }

// The two belong together: a workbook is to be read in less than 0.3 of the
// time excelize takes for its rows alone, which leaves out the formulas.
func BenchmarkRender(b *testing.B) {
	raw, err := os.ReadFile(generated(b))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		var out lines
		if err := workbook.Render(b.Context(), conformance.Source(raw), &out); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkExcelizeRows(b *testing.B) {
	name := generated(b)
	b.ReportAllocs()
	for b.Loop() {
		x, err := excelize.OpenFile(name)
		if err != nil {
			b.Fatal(err)
		}
		rows, err := x.Rows("Sheet1")
		if err != nil {
			b.Fatal(err)
		}
		for rows.Next() {
			if _, err := rows.Columns(); err != nil {
				b.Fatal(err)
			}
		}
		rows.Close()
		x.Close()
	}
}
