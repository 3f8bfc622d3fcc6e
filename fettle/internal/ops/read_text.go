package ops

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"fettler/fettle/internal/text"
	"fettler/shared/outcome"
)

// text serves lines of a text and gives them as they are in the file, without
// numbers, for the screen to judge.
func (r *reader) text(ctx context.Context, src *source, out *ReadFile) ([]string, error) {
	// Beyond that size only what is asked for is read.
	whole := src.at == nil || src.size <= hashUnasked || r.in.Hash
	if r.in.Tail > 0 {
		return r.textTail(ctx, src, out, whole)
	}
	in, err := src.stream()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	sum := sha256.New()
	sc := text.NewScannerFor(ctx, io.TeeReader(in, sum), src.size)
	from := max(r.in.From, 1)
	skipped, err := sc.Skip(from - 1)
	if err != nil {
		return nil, err
	}
	take := newTaker(r, from)
	if skipped == from-1 {
		take.room(src.size)
		if err := take.from(sc); err != nil {
			return nil, err
		}
	} else {
		take.ended = true
	}
	facts := sc.Seen()
	known := whole || take.ended
	if known {
		if facts, err = sc.Rest(); err != nil {
			return nil, err
		}
	}
	switch {
	case out.Hash != "": // of the file that this lies in
	case whole:
		out.Hash = hex.EncodeToString(sum.Sum(nil))
	default:
		out.Notes = append(out.Notes, r.large())
	}
	if known {
		if err := r.beyond(src.name, src.path, facts.Lines); err != nil {
			return nil, err
		}
	}
	out.describe(facts, known)
	take.fill(out, facts.Lines, known)
	return take.served, nil
}

func (r *reader) large() string {
	return "the file is over 256 MB, so it was read only as far as asked and not hashed: " + r.s.argument("hash") + " reads and hashes all of it"
}

// beyond refuses to begin behind the last of total lines.
func (r *reader) beyond(name, path string, total int64) error {
	if from := r.in.From; from > 1 && from > total {
		return outcome.New(outcome.Invalid, "%s has %d %s; %s %d is beyond its end", name, total, plural(total, "line", "lines"), r.s.argument("from"), from).At(path)
	}
	return nil
}

// textTail serves the end. Without whole only the end is read.
func (r *reader) textTail(ctx context.Context, src *source, out *ReadFile, whole bool) ([]string, error) {
	want := int(r.tail())
	if !whole && !r.in.Numbered {
		lines, facts, more, err := text.Tail(ctx, src.at, src.size, want, r.left)
		if err != nil {
			return nil, err
		}
		out.describe(facts, false)
		final := facts.FinalNewline
		out.FinalNewline = &final
		out.Notes = append(out.Notes, r.large())
		// A file of that size has more than an answer's lines.
		return r.end(lines, 0, more || r.in.Tail > r.tail(), out), nil
	}
	in, err := src.stream()
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	facts, err := text.NewScanner(ctx, io.TeeReader(in, sum)).Rest()
	in.Close()
	if err != nil {
		return nil, err
	}
	if out.Hash == "" {
		out.Hash = hex.EncodeToString(sum.Sum(nil))
	}
	out.describe(facts, true)
	var lines []text.Line
	if src.at != nil {
		lines, _, _, err = text.Tail(ctx, src.at, src.size, want, r.left)
	} else {
		lines, err = r.streamTail(ctx, src, facts.Lines)
	}
	if err != nil {
		return nil, err
	}
	return r.end(lines, facts.Lines, false, out), nil
}

// tail is how many of the last lines an answer serves at most.
func (r *reader) tail() int64 { return min(r.in.Tail, ReadLines) }

// streamTail takes the last lines of what can only be read forwards.
func (r *reader) streamTail(ctx context.Context, src *source, total int64) ([]text.Line, error) {
	in, err := src.stream()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	sc := text.NewScanner(ctx, in)
	if _, err := sc.Skip(total - min(total, r.tail())); err != nil {
		return nil, err
	}
	var lines []text.Line
	held := 0
	for {
		l, err := sc.Line(text.MaxLineChars)
		if errors.Is(err, io.EOF) {
			return lines, nil
		}
		if err != nil {
			return nil, err
		}
		lines = append(lines, l)
		for held += l.Chars + 1; held > r.left+text.MaxLineChars && len(lines) > 1; lines = lines[1:] {
			held -= lines[0].Chars + 1
		}
	}
}

// end serves the last lines of a source of total lines, 0 for not counted.
// What does not fit is left off at the beginning: the end is what was asked for.
func (r *reader) end(lines []text.Line, total int64, more bool, out *ReadFile) []string {
	first := int64(0)
	if total > 0 {
		first = total - int64(len(lines)) + 1
	}
	cost := func(i int) int {
		c := lines[i].Chars + 1
		if r.in.Numbered {
			c += text.Chars(Numbered(first+int64(i), ""))
		}
		return c
	}
	i := len(lines)
	for i > 0 && (cost(i-1) <= r.left || !r.spent) {
		i--
		r.spent = true
		r.left = max(r.left-cost(i), 0)
	}
	kept := lines[i:]
	var served []string
	shown := make([]text.Line, len(kept))
	for k, l := range kept {
		served = append(served, l.Text)
		shown[k] = r.part(l, true)
		if r.in.Numbered {
			shown[k].Text = Numbered(first+int64(i+k), shown[k].Text)
		}
		if l.Cut {
			out.Truncated, out.CutBy = true, "characters"
			out.Notes = append(out.Notes, fmt.Sprintf("the line is longer than %d characters, and a part of it was served", text.MaxLineChars))
		}
	}
	joined := text.Join(shown)
	out.Text, out.numbered = &joined, r.in.Numbered
	asked := min(r.in.Tail, total)
	left := asked - int64(len(kept))
	cutBy := "characters"
	if len(kept) == ReadLines {
		cutBy = "lines"
	}
	if total > 0 {
		from, to := total-int64(len(kept))+1, total
		out.From, out.To = &from, &to
	}
	switch {
	case total > 0 && left > 0:
		out.Truncated, out.CutBy, out.LinesRemaining = true, cutBy, &left
		out.NextFrom, out.NextTo = total-asked+1, total-int64(len(kept))
	case more || i > 0:
		out.Truncated, out.CutBy = true, cutBy
		out.Notes = append(out.Notes, fmt.Sprintf("earlier lines among those asked for were left off. With %s as well the file is read and counted, and the answer names the call that goes on", r.s.argument("numbered")))
	}
	return served
}

// lines serves what has lines of its own: a rendering, a manifest.
func (r *reader) lines(all []string, out *ReadFile) ([]string, error) {
	total := int64(len(all))
	out.Lines = &total
	if r.in.Tail > 0 {
		last := all[total-min(total, r.tail()):]
		lines := make([]text.Line, 0, len(last))
		for _, l := range last {
			lines = append(lines, cutLine(l))
		}
		kept, _ := text.Within(lines, max(r.left, 1))
		return r.end(kept, total, false, out), nil
	}
	from := max(r.in.From, 1)
	if err := r.beyond(out.Path, out.Path, total); err != nil {
		return nil, err
	}
	take := newTaker(r, from)
	if err := take.from(&slice{all[from-1:]}); err != nil {
		return nil, err
	}
	take.fill(out, total, true)
	return take.served, nil
}

// slice is a lineSource over lines in memory.
type slice struct{ left []string }

func (s *slice) Line(int) (text.Line, error) {
	if len(s.left) == 0 {
		return text.Line{}, io.EOF
	}
	l := s.left[0]
	s.left = s.left[1:]
	return cutLine(l), nil
}

func cutLine(l string) text.Line {
	head := text.Head(l, text.MaxLineChars)
	return text.Line{Text: head, Chars: text.Chars(head), Cut: len(head) < len(l)}
}
