// Package change holds what changing a file means, apart from the disk: edit
// scripts, the resolution of edits against a text as it was read, and the diff
// that shows them.
//
// Call DecodeScript for a script, then Resolve with a decoded file and its
// edits; Result.Text is the new text and Result.Diff shows it. ReplaceAll is the
// one substitution of the replace verb. Staging what results, and making several
// files change together, is boundary's.
//
// Rules it keeps. Every edit is resolved against the text as read, never against
// what another edit made of it. Bytes outside the places that were named are
// not touched. Text that an edit brings in takes the file's own line endings;
// text already there keeps its own, mixed or not. An anchor matches exactly, by
// code point and with case; when it does not match, it is tried once more in the
// file's line endings and in nothing else, and then the refusal says the
// nearest thing that would help.
package change

import (
	"fmt"
	"sort"
	"strings"

	"fettler/fettle/internal/text"
	"fettler/shared/outcome"
)

// Op is what an edit does.
type Op int

// The operations.
const (
	Replace Op = iota
	Insert
	Delete
)

// Edit is one edit. Lines count from 1.
type Edit struct {
	Op  Op
	Old string // Replace: the anchor, matched exactly
	New string // Replace: what goes there; Insert: whole lines
	All bool   // Replace: every place, not the only one
	// From and To are the lines a Replace looks in (0: all), or the lines a
	// Delete removes, both inclusive.
	From, To int
	After    int // Insert: the line after which; 0 is the top
	// OldFile and NewFile name a tree path whose text is to be read into Old or
	// New before the edit is resolved; the field they came from is in the script's words.
	OldFile, NewFile string
}

// FileField is the script's word for the field that NewFile came from.
func (e *Edit) FileField() string {
	if e.Op == Insert {
		return "textFile"
	}
	return "withFile"
}

// Span is one place that changes: text[Start:End] becomes Text.
type Span struct {
	Start, End int
	Text       string
	Index      int // of the edit, from 1
}

// Step is one line of a plan.
type Step struct {
	Index       int    `json:"index"`
	Line        int    `json:"line"`
	Description string `json:"description"`
}

// Result is a text with its edits applied.
type Result struct {
	Text   string
	Places int
	Plan   []Step
	Spans  []Span // in the order of the text
	old    string
}

// Miss is a refusal that speaks of lines: a caller judges them before it lets
// the refusal out of a screened place.
type Miss struct {
	Err   *outcome.Error
	Lines []int
}

func (m *Miss) Error() string { return m.Err.Error() }

// Unwrap gives the outcome.
func (m *Miss) Unwrap() error { return m.Err }

// Resolve applies edits to a file as it was read. It refuses with not-found,
// conflict or invalid, naming the edit.
func Resolve(c text.Content, edits []Edit) (*Result, error) {
	if len(edits) == 0 {
		return nil, outcome.New(outcome.Invalid, "there are no edits to apply")
	}
	r := &resolver{text: c.Text, ending: c.Ending, mixed: c.Mixed, total: len(edits)}
	if len(edits) > fewEdits {
		var anchors []string
		for i := range edits {
			if edits[i].Op == Replace && edits[i].Old != "" {
				anchors = append(anchors, r.spellings(edits[i].Old)...)
			}
		}
		r.index = newIndex(r.text, anchors)
	}
	for i := range edits {
		if err := r.resolve(i+1, &edits[i]); err != nil {
			return nil, err
		}
	}
	sort.SliceStable(r.spans, func(i, j int) bool {
		a, b := r.spans[i], r.spans[j]
		if a.Start != b.Start {
			return a.Start < b.Start
		}
		return a.End == a.Start && b.End != b.Start // what is inserted at a place goes before it
	})
	for i := 1; i < len(r.spans); i++ {
		a, b := r.spans[i-1], r.spans[i]
		if a.End > b.Start {
			first, second := min(a.Index, b.Index), max(a.Index, b.Index)
			line := r.line(b.Start)
			return nil, &Miss{outcome.New(outcome.Conflict, "edits %d and %d overlap at line %d. Every edit is resolved "+
				"against the file as read, so join them into one", first, second, line), []int{line}}
		}
	}
	return r.result()
}

// Largest is how many bytes a text that is changed, and what it becomes, may have:
// both are held in memory.
const Largest = 256 << 20

// mostPlaces bounds the places that change in one file.
const mostPlaces = 4 << 20

// put adds what an edit does, within the bounds: what a few bytes ask for may be
// more than there is room for, before a place is looked at twice or a text made.
func (r *resolver) put(s Span) error {
	if len(r.spans) == mostPlaces {
		return outcome.New(outcome.Refused, "more than %d places would change in one file. Give more of the text around the places that are meant", mostPlaces)
	}
	if r.added += len(s.Text); r.added > Largest {
		return tooLarge(r.added)
	}
	r.spans = append(r.spans, s)
	return nil
}

func tooLarge(n int) error {
	return outcome.New(outcome.Refused, "the file would come to have %d bytes or more, and files over %d are not changed as text", n, Largest)
}

// ReplaceAll substitutes every occurrence of find. Without one the result has
// no places, which is no error.
func ReplaceAll(c text.Content, find, with string) (*Result, error) {
	r := &resolver{text: c.Text, ending: c.Ending, mixed: c.Mixed, total: 1}
	anchor, at := r.find(find, 0, len(r.text), true)
	fresh := text.WithEnding(with, r.ending)
	for _, i := range at {
		if err := r.put(Span{i, i + len(anchor), fresh, 1}); err != nil {
			return nil, err
		}
	}
	if len(at) > 0 {
		r.plan = []Step{{1, r.line(at[0]), describe("replace", len(at), r.lines(at))}}
	}
	return r.result()
}

type resolver struct {
	text   string
	ending text.Ending
	mixed  bool
	total  int
	spans  []Span
	added  int // bytes that they bring in
	plan   []Step
	index  index // of the anchors, for many edits
	starts []int // of each line, and the end of the text; made when first needed
	// Until then lines are counted from the last place that was asked for.
	counted, seen, back int
}

func (r *resolver) result() (*Result, error) {
	var b strings.Builder
	n := len(r.text)
	for _, s := range r.spans {
		n += len(s.Text) - (s.End - s.Start)
	}
	if n > Largest {
		return nil, tooLarge(n)
	}
	b.Grow(n)
	at := 0
	for _, s := range r.spans {
		b.WriteString(r.text[at:s.Start])
		b.WriteString(s.Text)
		at = s.End
	}
	b.WriteString(r.text[at:])
	return &Result{Text: b.String(), Places: len(r.spans), Plan: r.plan, Spans: r.spans, old: r.text}, nil
}

// name is how a refusal calls an edit.
func (r *resolver) name(i int) string {
	if r.total == 1 {
		return "the edit"
	}
	return fmt.Sprintf("edit %d of %d", i, r.total)
}

func (r *resolver) invalid(i int, format string, args ...any) error {
	return outcome.New(outcome.Invalid, "%s %s", r.name(i), fmt.Sprintf(format, args...))
}

func (r *resolver) resolve(i int, e *Edit) error {
	switch e.Op {
	case Insert:
		return r.insert(i, e)
	case Delete:
		if e.From < 1 || e.To < e.From || e.To > r.count() {
			return r.invalid(i, "deletes lines %d-%d, and the file has %s", e.From, e.To, lineCount(r.count()))
		}
		if err := r.put(Span{r.starts[e.From-1], r.starts[e.To], "", i}); err != nil {
			return err
		}
		r.plan = append(r.plan, Step{i, e.From, "delete " + lineRange(e.From, e.To)})
		return nil
	}
	return r.replace(i, e)
}

func (r *resolver) insert(i int, e *Edit) error {
	if e.After < 0 || e.After > r.count() {
		return r.invalid(i, "inserts after line %d, and the file has %s", e.After, lineCount(r.count()))
	}
	at := r.starts[e.After]
	nl := r.ending.Chars()
	fresh := text.WithEnding(e.New, r.ending)
	lines := len(text.Lines(fresh))
	if lines == 0 || !endsLine(fresh) {
		fresh += nl
	}
	lines = max(lines, 1)
	// After a last line that has no ending, the ending goes before the new
	// text, so that the file goes on having none at its end.
	if at == len(r.text) && at > 0 && !endsLine(r.text) {
		fresh = nl + strings.TrimSuffix(fresh, nl)
	}
	if err := r.put(Span{at, at, fresh, i}); err != nil {
		return err
	}
	r.plan = append(r.plan, Step{i, e.After, fmt.Sprintf("insert %s after line %d", lineCount(lines), e.After)})
	return nil
}

func (r *resolver) replace(i int, e *Edit) error {
	switch {
	case e.Old == "":
		return r.invalid(i, "has an empty text to replace. Give the text that is there, or insert after a line")
	case e.Old == e.New:
		return r.invalid(i, "replaces a text by itself, which changes nothing")
	}
	from, to := 0, len(r.text)
	if e.From != 0 || e.To != 0 {
		if e.From < 1 || e.To < e.From || e.To > r.count() {
			return r.invalid(i, "looks in lines %d-%d, and the file has %s", e.From, e.To, lineCount(r.count()))
		}
		from, to = r.starts[e.From-1], r.starts[e.To]
	}
	anchor, at := r.find(e.Old, from, to, e.All)
	if len(at) == 0 {
		return r.notFound(i, e, from, to)
	}
	lines := r.lines(at)
	if len(at) > 1 && !e.All {
		// Without all, places are counted even where they overlap: each could be meant.
		return &Miss{outcome.New(outcome.Conflict, "%s: the text to replace is there %s, at %s. Pass all to change every one, "+
			"give more of the text around the one that is meant, or name its lines", r.name(i), times(len(at)), someLines(lines)), lines}
	}
	fresh := text.WithEnding(e.New, r.ending)
	if fresh == anchor {
		return r.invalid(i, "changes nothing: text that an edit brings in takes the file's own line endings")
	}
	for _, p := range at {
		if err := r.put(Span{p, p + len(anchor), fresh, i}); err != nil {
			return err
		}
	}
	r.plan = append(r.plan, Step{i, lines[0], describe("replace", len(at), lines)})
	return nil
}

// find gives the places of old in text[from:to], and the spelling of it that is
// there: as given, or in the file's own line endings.
func (r *resolver) find(old string, from, to int, all bool) (anchor string, at []int) {
	for _, a := range r.spellings(old) {
		at = r.places(a, from, to, all)
		if len(at) > 0 {
			return a, at
		}
	}
	return old, nil
}

// splitsEnding says whether a match ends between \r and \n with the \r in it,
// or begins between them: taking half of an ending would leave a lone \r or \n.
func (r *resolver) splitsEnding(start, end int) bool {
	half := func(i int) bool { return i > 0 && i < len(r.text) && r.text[i-1] == '\r' && r.text[i] == '\n' }
	return half(start) || half(end)
}

// spellings gives the anchor as given, then in the endings of the file.
func (r *resolver) spellings(old string) []string {
	list := []string{old}
	if !strings.ContainsAny(old, "\r\n") {
		return list
	}
	ends := []text.Ending{r.ending}
	if r.mixed {
		ends = append(ends, text.LF, text.CRLF, text.CR)
	}
	for _, e := range ends {
		if a := text.WithEnding(old, e); a != old {
			list = append(list, a)
		}
	}
	return list
}

func endsLine(s string) bool { return strings.HasSuffix(s, "\n") || strings.HasSuffix(s, "\r") }

func lineCount(n int) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}

func lineRange(from, to int) string {
	if from == to {
		return fmt.Sprintf("line %d", from)
	}
	return fmt.Sprintf("lines %d-%d", from, to)
}

// severalPlaces is where counting ends when one place is wanted.
const severalPlaces = 1000

func times(n int) string {
	if n == severalPlaces {
		return fmt.Sprintf("%d times or more", n)
	}
	return fmt.Sprintf("%d times", n)
}

func describe(what string, n int, lines []int) string {
	if n == 1 {
		return fmt.Sprintf("%s 1 place, at line %d", what, lines[0])
	}
	return fmt.Sprintf("%s %d places, at %s", what, n, someLines(lines))
}

// mostLines bounds how many lines one message lists.
const mostLines = 10

func someLines(lines []int) string {
	var b strings.Builder
	b.WriteString("lines ")
	for i, n := range lines {
		if i == mostLines {
			fmt.Fprintf(&b, " and %d more", len(lines)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, n)
	}
	return b.String()
}
