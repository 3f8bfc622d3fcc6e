package change

import (
	"sort"
	"strings"

	"fettler/fettle/internal/text"
)

// count gives the number of lines and makes starts.
func (r *resolver) count() int {
	if r.starts == nil {
		r.starts = lineStarts(r.text)
	}
	return len(r.starts) - 1
}

// fewBack is how often lines are counted again from the top before a table of
// them is worth its memory.
const fewBack = 8

// line gives the line that holds the offset. Edits mostly come in the order of
// the text, so it counts on from where it was; the table is for those that do not.
func (r *resolver) line(offset int) int {
	if r.starts == nil && r.back < fewBack {
		if offset < r.counted {
			r.counted, r.seen, r.back = 0, 0, r.back+1
		}
		r.seen += lineEnds(r.text, r.counted, offset)
		r.counted = offset
		if offset == len(r.text) && offset > 0 && endsLine(r.text) {
			return max(1, r.seen) // the end belongs to the last line
		}
		return r.seen + 1
	}
	n := r.count()
	i := sort.SearchInts(r.starts, offset+1)
	return max(1, min(i, n))
}

// lineEnds counts the lines that begin in s after from and not after to. The
// \n of a \r\n ends the line and its \r does not.
func lineEnds(s string, from, to int) int {
	n := text.Breaks(s[from:to])
	if to < len(s) && to > from && s[to-1] == '\r' && s[to] == '\n' {
		n-- // its \n is counted with what follows
	}
	return n
}

func (r *resolver) lines(at []int) []int {
	out := make([]int, len(at))
	for i, p := range at {
		out[i] = r.line(p)
	}
	return out
}

// lineStarts gives where each line begins, and the end of the text.
func lineStarts(s string) []int {
	starts := make([]int, 1, lineEnds(s, 0, len(s))+2)
	if strings.IndexByte(s, '\r') < 0 {
		for i := 0; ; {
			k := strings.IndexByte(s[i:], '\n')
			if k < 0 {
				break
			}
			i += k + 1
			starts = append(starts, i)
		}
	} else {
		starts = mixedStarts(starts, s)
	}
	if starts[len(starts)-1] != len(s) {
		starts = append(starts, len(s))
	}
	return starts
}

func mixedStarts(starts []int, s string) []int {
	for i := 0; i < len(s); i++ {
		k := strings.IndexAny(s[i:], "\r\n")
		if k < 0 {
			break
		}
		i += k
		if s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n' {
			i++
		}
		starts = append(starts, i+1)
	}
	return starts
}
