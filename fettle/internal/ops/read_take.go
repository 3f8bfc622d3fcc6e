package ops

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"fettler/fettle/internal/text"
)

// lineSource gives lines one after another, io.EOF after the last.
type lineSource interface {
	Line(max int) (text.Line, error)
}

// taker takes lines until a bound is reached.
type taker struct {
	r       *reader
	first   int64 // number of the first line
	last    int64 // number of the last line served
	to      int64 // the last line wanted
	sb      strings.Builder
	served  []string
	cutBy   string
	cutLine bool // the last line itself was cut
	ended   bool // the source has no more lines
}

func newTaker(r *reader, first int64) *taker {
	return &taker{r: r, first: first, last: first - 1, to: r.in.To}
}

// room makes place for what a source of so many bytes can fill of the budget.
func (t *taker) room(size int64) {
	size = max(min(size, int64(t.r.budget.left)), 0)
	t.sb.Grow(int(size))
	t.served = make([]string, 0, min(size/32+1, ReadLines))
}

// from takes lines of src, which stands at the first line.
func (t *taker) from(src lineSource) error {
	limit := t.first + ReadLines - 1
	if t.to > 0 {
		limit = t.to
	}
	for n := t.first; ; n++ {
		if n > limit {
			if t.to == 0 {
				t.cutBy = "lines" // unless nothing follows, which fill sees
			}
			return nil
		}
		l, err := src.Line(text.MaxLineChars)
		if errors.Is(err, io.EOF) {
			t.ended = true
			return nil
		}
		if err != nil {
			return err
		}
		if !t.add(n, l) {
			t.cutBy = "characters"
			return nil
		}
	}
}

// add serves one line when the budget has room for it. The first line of a
// call is always served: an empty answer would be a dead end.
func (t *taker) add(n int64, l text.Line) bool {
	b := &t.r.budget
	part := t.r.part(l, false)
	shown, cost := part.Text, part.Chars+1
	if t.r.in.Numbered {
		shown = Numbered(n, part.Text)
		cost = text.Chars(shown) + 1
	}
	if cost > b.left && b.spent {
		return false
	}
	b.spent = true
	b.left = max(b.left-cost, 0)
	if len(t.served) > 0 {
		t.sb.WriteByte('\n')
	}
	t.sb.WriteString(shown)
	t.served = append(t.served, l.Text)
	t.last = n
	t.cutLine = l.Cut
	return true
}

// judgedBeyond is how many characters of a cut line are judged and not served
// at each cut, so that no half of what would be found is served.
const judgedBeyond = 1000

// part is what is served of a line of which all is judged. inside says that
// the line may be cut at its beginning.
func (r *reader) part(l text.Line, inside bool) text.Line {
	if !l.Cut || !r.screened {
		return l
	}
	l.Chars -= judgedBeyond
	l.Text = text.Head(l.Text, l.Chars)
	if inside {
		l.Chars -= judgedBeyond
		l.Text = text.Last(l.Text, l.Chars)
	}
	return l
}

// Numbered is a line with its number, as the terminal prints it.
func Numbered(n int64, line string) string { return fmt.Sprintf("%5d | %s", n, line) }

// fill writes what was served into the answer. total is the number of lines
// where known says that it is.
func (t *taker) fill(out *ReadFile, total int64, known bool) {
	body := t.sb.String()
	from, to := t.first, t.last
	out.Text, out.From, out.To = &body, &from, &to
	out.numbered = t.r.in.Numbered
	if t.cutLine {
		out.Truncated, out.CutBy = true, "characters"
		out.Notes = append(out.Notes, fmt.Sprintf("line %d is longer than %d characters and is served no further", t.last, text.MaxLineChars))
	}
	if known {
		left := max(total-t.last, 0)
		if left == 0 {
			return
		}
		out.LinesRemaining = &left
	} else if t.ended {
		return
	}
	if t.cutBy != "" {
		out.Truncated, out.CutBy, out.NextFrom = true, t.cutBy, t.last+1
	}
}
