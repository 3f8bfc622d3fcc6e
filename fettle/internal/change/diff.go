package change

import (
	"fmt"
	"sort"
	"strings"
)

// context is how many lines a hunk shows around what changes.
const context = 3

// Diff shows the change as a unified diff of the file, with path as its name on
// both sides. It is made from the spans, not by comparing, so that it costs
// what changed and not what is there. Lines keep their own endings.
func (r *Result) Diff(path string) string {
	blocks := r.blocks()
	if len(blocks) == 0 {
		return ""
	}
	starts := lineStarts(r.old)
	n := len(starts) - 1
	line := func(i int) string { return r.old[starts[i]:starts[i+1]] }
	var b strings.Builder
	fmt.Fprintf(&b, "--- a/%s\n+++ b/%s\n", path, path)
	shift := 0
	for i := 0; i < len(blocks); {
		j := i + 1
		for j < len(blocks) && blocks[j].from-blocks[j-1].to <= 2*context {
			j++
		}
		first, last := max(0, blocks[i].from-context), min(n, blocks[j-1].to+context)
		removed, added := 0, 0
		var body strings.Builder
		at := first
		for _, bl := range blocks[i:j] {
			for ; at < bl.from; at++ {
				put(&body, ' ', line(at))
			}
			for ; at < bl.to; at++ {
				put(&body, '-', line(at))
				removed++
			}
			for _, l := range splitLines(bl.text) {
				put(&body, '+', l)
				added++
			}
		}
		for ; at < last; at++ {
			put(&body, ' ', line(at))
		}
		was := last - first
		is := was - removed + added
		fmt.Fprintf(&b, "@@ -%s +%s @@\n", hunk(first, was), hunk(first+shift, is))
		b.WriteString(body.String())
		shift += added - removed
		i = j
	}
	return b.String()
}

// hunk writes a range as diff does: an empty one names the line before it.
func hunk(first, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", first)
	case 1:
		return fmt.Sprint(first + 1)
	}
	return fmt.Sprintf("%d,%d", first+1, n)
}

func put(b *strings.Builder, mark byte, line string) {
	b.WriteByte(mark)
	b.WriteString(line)
	if !strings.HasSuffix(line, "\n") {
		b.WriteByte('\n')
		if !strings.HasSuffix(line, "\r") {
			b.WriteString("\\ No newline at end of file\n")
		}
	}
}

// block is a run of whole old lines and what takes their place.
type block struct {
	from, to int // lines, from 0, to exclusive
	text     string
}

// blocks widens the spans to whole lines and joins those that share a line.
func (r *Result) blocks() []block {
	starts := lineStarts(r.old)
	var out []block
	for i := 0; i < len(r.Spans); {
		from, to := widen(r.old, starts, r.Spans[i], 0)
		j := i + 1
		for ; j < len(r.Spans); j++ {
			f, t := widen(r.old, starts, r.Spans[j], from)
			if f >= to {
				break
			}
			to = max(to, t)
		}
		var b strings.Builder
		at := starts[from]
		for _, s := range r.Spans[i:j] {
			b.WriteString(r.old[at:s.Start])
			b.WriteString(s.Text)
			at = s.End
		}
		b.WriteString(r.old[at:starts[to]])
		out = append(out, trim(block{from, to, b.String()}, r.old, starts))
		i = j
	}
	return out
}

// widen gives the whole lines that a span touches, looking from line lo on.
func widen(old string, starts []int, s Span, lo int) (from, to int) {
	n := len(starts) - 1
	from = max(lo, sort.SearchInts(starts, s.Start+1)-1)
	if from >= n {
		from = n
		if n > 0 && !endsLine(old) {
			from = n - 1
		}
	}
	to = from
	if s.Start > starts[from] {
		to = from + 1
	}
	if s.End > s.Start {
		to = sort.SearchInts(starts, s.End)
	}
	// A line left without its ending runs into the one that follows.
	if to < n && s.End == starts[to] {
		if joined := old[starts[from]:s.Start] + s.Text; joined != "" && !strings.HasSuffix(joined, "\n") {
			to++
		}
	}
	return from, min(to, n)
}

// trim takes lines off both ends of a block that are the same before and after.
func trim(b block, old string, starts []int) block {
	fresh := splitLines(b.text)
	for b.from < b.to && len(fresh) > 0 && fresh[0] == old[starts[b.from]:starts[b.from+1]] {
		b.from, fresh = b.from+1, fresh[1:]
	}
	for b.from < b.to && len(fresh) > 0 && fresh[len(fresh)-1] == old[starts[b.to-1]:starts[b.to]] {
		b.to, fresh = b.to-1, fresh[:len(fresh)-1]
	}
	b.text = strings.Join(fresh, "")
	return b
}

// splitLines cuts a text into lines with their endings.
func splitLines(s string) []string {
	starts := lineStarts(s)
	out := make([]string, 0, len(starts))
	for i := 0; i+1 < len(starts); i++ {
		out = append(out, s[starts[i]:starts[i+1]])
	}
	return out
}
