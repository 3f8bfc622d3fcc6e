package ops

import (
	"strings"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/scan"
)

// judgedLines gives the screen the lines that a file's hits show, each once:
// of a document, a landmark may be what a hit shows too.
type judgedLines struct {
	doc   *document.Rendering // nil for a text
	cited *document.Landmark
	given map[int64]bool // of a document, whose landmarks lie before their hits
}

// of gives the lines that a hit, which lies behind the ones before, adds.
func (j *judgedLines) of(h scan.Hit) []string {
	if j.doc == nil {
		return h.Whole
	}
	out := j.landmark(h.Line)
	for i, l := range h.Whole {
		out = j.add(out, h.WholeFrom+int64(i), l)
	}
	return out
}

// landmark gives what a line's cite says, which is content as well: the whole
// lines that it stands for, since a cite may be cut, and the cite where it joins several.
func (j *judgedLines) landmark(line int64) (out []string) {
	m := j.doc.Landmark(int(line))
	if m == nil || m == j.cited {
		return nil
	}
	j.cited = m
	said, heading := strings.CutPrefix(m.Cite, "heading ")
	n := m.Line
	for length := 0; n <= len(j.doc.Lines) && (n == m.Line || heading && length < len(said)); n++ {
		out = j.add(out, int64(n), j.doc.Lines[n-1])
		length += len(j.doc.Lines[n-1]) + 1
	}
	if n != m.Line+1 || !strings.Contains(j.doc.Lines[m.Line-1], said) {
		out = append(out, m.Cite)
	}
	return out
}

func (j *judgedLines) add(out []string, n int64, line string) []string {
	if j.given[n] {
		return out
	}
	if j.given == nil {
		j.given = map[int64]bool{}
	}
	j.given[n] = true
	return append(out, line)
}
