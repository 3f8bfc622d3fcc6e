package ops

import (
	"strings"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/scan"
)

// judgedLines gives the screen the lines that a file's hits show, each once: a
// line that stands beside several hits is one line.
type judgedLines struct {
	doc   *document.Rendering // nil for a text
	last  int64               // the last line of a hit that was given
	cited *document.Landmark
	given map[int64]bool // of a document, whose landmarks lie before their hits
}

// of gives the lines that a hit, which lies behind the ones before, adds.
func (j *judgedLines) of(h scan.Hit) []string {
	first := h.Line
	if len(h.Context) > 0 {
		first = min(first, h.Context[0].Line)
	}
	known := min(max(j.last-first+1, 0), int64(len(h.Whole)))
	lines := h.Whole[known:]
	j.last = max(j.last, first+int64(len(h.Whole))-1)
	if j.doc == nil {
		return lines
	}
	out := j.landmark(h.Line)
	for i, l := range lines {
		out = j.add(out, first+known+int64(i), l)
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
