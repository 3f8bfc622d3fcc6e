//go:build mage

package main

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// steps are how much of its input each item is given.
var steps = []int{1, 5, 25}

// rendering is why memory grows with a document: its lines are held while it
// is read from, up to 64 MB of them, so that any of them can be given.
const rendering = "the lines of a document are held while it is read from, up to 64 MB; the reader itself streams"

const (
	// steepest is how fast time may grow: as input^steepest, between the last
	// two steps, where starting the process weighs least.
	steepest = 1.1
	// growthRounds is how often each is run; the least counts.
	growthRounds = 5
)

// growth is what one item took at each step.
type growth struct {
	name string
	most float64         // what memory at the last step may be to that at the one before
	note string          // why that is more than 1.3
	cpu  []time.Duration // of the program and of what it started, user and system
	kb   []int64         // peak resident size of the largest of them
	why  string
}

// slope is the exponent of time between the last two steps.
func (g growth) slope() float64 {
	n := len(steps)
	return math.Log(float64(g.cpu[n-1])/float64(g.cpu[n-2])) / math.Log(float64(steps[n-1])/float64(steps[n-2]))
}

// fit is the exponent of time over all steps, by least squares.
func (g growth) fit() float64 {
	var sx, sy, sxx, sxy float64
	for i, n := range steps {
		x, y := math.Log(float64(n)), math.Log(float64(g.cpu[i]))
		sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	n := float64(len(steps))
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// held is how much more memory the last step took than the one before: the
// collector lets a fixed amount lie, which the first does not reach.
func (g growth) held() float64 {
	if g.kb[len(g.kb)-2] == 0 {
		return 0 // this system does not say
	}
	return float64(g.kb[len(g.kb)-1]) / float64(g.kb[len(g.kb)-2])
}

// growths measures how time and memory grow with the input.
func growths(bin, work string) []growth {
	fettle := filepath.Join(bin, "fettle")
	var out []growth
	for _, g := range []struct {
		name string
		make func(dir string, n int) error
		args []string
		most float64
		note string
	}{
		{"growth: search", copies, []string{"search", "unmarshal", "--literal", "--count", "--include-generated"}, 1.3, ""},
		{"growth: find", names, []string{"find", "**/*.txt", "--limit", "100"}, 1.3, ""},
		{"growth: read of a workbook", workbook, []string{"read", "book.xlsx", "--tail", "5"}, 2.5, rendering},
		{"growth: tail of a log", logFile, []string{"read", "app.log", "--tail", "100"}, 1.3, ""},
	} {
		if !wanted(g.name) {
			continue
		}
		r := growth{name: strings.TrimPrefix(g.name, "growth: "), most: g.most, note: g.note}
		for _, n := range steps {
			dir := filepath.Join(work, strings.ReplaceAll(g.name, ":", ""), strconv.Itoa(n))
			err := g.make(dir, n)
			if err == nil {
				err = r.add(dir, append([]string{fettle}, append(g.args, "--json", "--no-config")...))
			}
			if err != nil {
				r.why = err.Error()
			}
			if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
				break
			}
		}
		fmt.Println(r.line())
		out = append(out, r)
	}
	return out
}

// add measures one step.
func (g *growth) add(dir string, words []string) error {
	least, peak := time.Duration(math.MaxInt64), int64(math.MaxInt64)
	for i := range growthRounds + 1 {
		cpu, kb, err := watched(dir, words)
		if err != nil {
			return err
		}
		if i > 0 { // the first one warms the cache
			least, peak = min(least, cpu), min(peak, kb)
		}
	}
	g.cpu, g.kb = append(g.cpu, least), append(g.kb, peak)
	return nil
}

func (g growth) line() string {
	if g.why != "" {
		return fmt.Sprintf("| %s | not measured: %s | | | |", g.name, g.why)
	}
	var ms, mb []string
	for i := range steps {
		ms = append(ms, fmt.Sprintf("%.0f", float64(g.cpu[i].Microseconds())/1000))
		mb = append(mb, fmt.Sprintf("%.1f", float64(g.kb[i])/1024))
	}
	return fmt.Sprintf("| %s | %s | %.2f (%.2f) | %s | %.2f, bound %.1f |", g.name, strings.Join(ms, ", "), g.slope(), g.fit(), strings.Join(mb, ", "), g.held(), g.most)
}

// growthTable is the report's part about growth.
func growthTable(grown []growth) string {
	var sb strings.Builder
	fmt.Fprintf(&sb, "\n## Growth\n\nProcessor time and peak memory at 1, 5 and 25 times the input, the least of %d runs. Time grows as input to the power of\n"+
		"the slope, which is taken between the last two steps (in brackets: over all three) and may be %.1f at most. Memory is\ncompared between the last two steps as well, since nothing is collected below 12 MB; 1.3 is what a collector that runs now and\nthen may leave lying.\n\n"+
		"| what | ms | slope | MB | memory, 25 times to 5 |\n| --- | --- | --- | --- | --- |\n", growthRounds, steepest)
	for _, g := range grown {
		sb.WriteString(g.line() + "\n")
	}
	for _, g := range grown {
		if g.note != "" {
			fmt.Fprintf(&sb, "\nMemory of %s: %s.\n", g.name, g.note)
		}
	}
	return sb.String()
}

// tooSteep fails for what grows faster than it may.
func tooSteep(grown []growth) error {
	var errs []error
	for _, g := range grown {
		switch {
		case g.why != "":
			errs = append(errs, fmt.Errorf("growth of %s was not measured: %s", g.name, g.why))
			continue
		case g.slope() > steepest:
			errs = append(errs, fmt.Errorf("the time of %s grows as input^%.2f; the bound is %.1f", g.name, g.slope(), steepest))
		}
		if g.held() > g.most {
			errs = append(errs, fmt.Errorf("the memory of %s grows by %.2f for five times the input; the bound is %.1f", g.name, g.held(), g.most))
		}
	}
	return errors.Join(errs...)
}

// copies puts n copies of a part of Go's own sources into dir.
func copies(dir string, n int) error {
	src, err := goSources()
	if err != nil {
		return err
	}
	for i := range n {
		if err := os.CopyFS(filepath.Join(dir, strconv.Itoa(i)), os.DirFS(filepath.Join(src, "crypto"))); err != nil {
			return err
		}
	}
	return nil
}

// names makes n times 4,000 empty files in folders of 50.
func names(dir string, n int) error {
	for i := range n * 4000 {
		sub := filepath.Join(dir, strconv.Itoa(i/4000), strconv.Itoa(i/50%80))
		if i%50 == 0 {
			if err := os.MkdirAll(sub, 0o755); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(sub, fmt.Sprintf("file-%d.txt", i)), nil, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// logFile writes a log of n times 8 MB.
func logFile(dir string, n int) error {
	return create(filepath.Join(dir, "app.log"), func(w *bufio.Writer) error {
		for i := range n * (8 << 20) / 64 {
			fmt.Fprintf(w, "2026-01-01T00:00:00Z level=info request=%08d took=%06dus ok\n", i, i%999983)
		}
		return nil
	})
}

// workbook writes one sheet of n times 3,000 rows with text, numbers and formulas.
func workbook(dir string, n int) error {
	return create(filepath.Join(dir, "book.xlsx"), func(file *bufio.Writer) error {
		z := zip.NewWriter(file)
		const head = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`
		const ns = "http://schemas.openxmlformats.org/"
		for _, part := range [][2]string{
			{"[Content_Types].xml", head + `<Types xmlns="` + ns + `package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`},
			{"_rels/.rels", head + `<Relationships xmlns="` + ns + `package/2006/relationships"><Relationship Id="rId1" Type="` + ns + `officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
			{"xl/workbook.xml", head + `<workbook xmlns="` + ns + `spreadsheetml/2006/main" xmlns:r="` + ns + `officeDocument/2006/relationships"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`},
			{"xl/_rels/workbook.xml.rels", head + `<Relationships xmlns="` + ns + `package/2006/relationships"><Relationship Id="rId1" Type="` + ns + `officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`},
		} {
			w, err := z.Create(part[0])
			if err != nil {
				return err
			}
			if _, err := io.WriteString(w, part[1]); err != nil {
				return err
			}
		}
		w, err := z.Create("xl/worksheets/sheet1.xml")
		if err != nil {
			return err
		}
		fmt.Fprint(w, head+`<worksheet xmlns="`+ns+`spreadsheetml/2006/main"><sheetData>`)
		for row := 1; row <= 3000*n; row++ {
			fmt.Fprintf(w, `<row r="%d"><c r="A%d" t="inlineStr"><is><t>item %d</t></is></c><c r="B%d"><v>%d</v></c><c r="C%d"><v>%d.5</v></c><c r="D%d"><f>B%d+C%d</f><v>%d.5</v></c></row>`,
				row, row, row, row, row, row, row*3, row, row, row, row*4)
		}
		fmt.Fprint(w, `</sheetData></worksheet>`)
		return z.Close()
	})
}

// create writes a file once.
func create(path string, fill func(w *bufio.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	return errors.Join(fill(w), w.Flush(), f.Close())
}
