package ops

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/change"
	"fettler/fettle/internal/document"
	"fettler/fettle/internal/parallel"
	"fettler/fettle/internal/render"
	"fettler/fettle/internal/text"
	"fettler/fettle/internal/walk"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// ReplaceInput asks for one substitution everywhere.
type ReplaceInput struct {
	Find, With       string
	Glob, In         string
	Exclude          []string
	IncludeGenerated bool
	DryRun           bool
}

// ReplaceAnswer is what was changed, or would be: the same figures either way.
type ReplaceAnswer struct {
	EditAnswer
	Replacements     int      `json:"replacements"`
	FilesMatched     int      `json:"files_matched"`  // that hold the text
	FilesSearched    int64    `json:"files_searched"` // that are text
	DocumentsSkipped int64    `json:"documents_skipped"`
	BinarySkipped    int64    `json:"binary_skipped"`
	Excluded         Excluded `json:"excluded"`
	Skipped          []Skip   `json:"skipped,omitempty"`
	Notes            []string `json:"notes,omitempty"`
}

// Human prints the files and the count.
func (a *ReplaceAnswer) Human(w io.Writer) {
	a.EditAnswer.Human(w)
	n := int64(a.Replacements)
	did := "replaced"
	if a.DryRun {
		did = "would replace"
	}
	var aside []string
	if e := a.Excluded.human(); e != "" {
		aside = append(aside, e)
	}
	if a.DocumentsSkipped > 0 {
		aside = append(aside, fmt.Sprintf("%d documents, images and archives left as they are", a.DocumentsSkipped))
	}
	if a.BinarySkipped > 0 {
		aside = append(aside, fmt.Sprintf("%d binary files left as they are", a.BinarySkipped))
	}
	fmt.Fprintf(w, "%s %d %s in %d of %d %s", did, n, plural(n, "place", "places"), a.FilesMatched, a.FilesSearched, plural(a.FilesSearched, "file", "files"))
	if len(aside) > 0 {
		fmt.Fprintf(w, " (%s)", strings.Join(aside, "; "))
	}
	fmt.Fprintln(w)
	humanSkips(w, "looked at", a.Skipped)
	for _, note := range a.Notes {
		fmt.Fprintln(w, "note: "+note)
	}
}

// replacing is a replace on its way.
type replacing struct {
	in     ReplaceInput
	sweep  *sweep
	needle []byte // what every file that matches must hold, in UTF-8
	mu     sync.Mutex
	rels   []string
	a      *ReplaceAnswer
	buf    [][]byte
	made   sum
}

// Replace substitutes a text in every file a glob names. It changes all of
// them or none: a file that holds the text and may not be changed refuses it.
func Replace(ctx context.Context, s *Session, in ReplaceInput) (*ReplaceAnswer, error) {
	in.Find, in.With = noMark(in.Find), noMark(in.With)
	switch {
	case in.Find == "":
		return nil, outcome.New(outcome.Invalid, "the text to find is empty")
	case in.Find == in.With:
		return nil, outcome.New(outcome.Invalid, "the text to find and its replacement are the same, so nothing would change")
	}
	w, err := newSweep(s, sweepInput{in.In, in.Glob, in.Exclude, in.IncludeGenerated})
	if err != nil {
		return nil, err
	}
	defer w.Close()
	r := &replacing{in: in, sweep: w, needle: needle(in.Find), a: &ReplaceAnswer{}, buf: make([][]byte, w.o.Workers)}
	r.a.EditAnswer = EditAnswer{Files: []EditedFile{}, Plan: []PlanStep{}, DryRun: in.DryRun}
	if r.a.Excluded, err = w.walk(ctx, r.visit); err != nil {
		return nil, err
	}
	sort.Strings(r.rels)
	list, err := r.resolve(ctx, s)
	if err != nil {
		return nil, err
	}
	if err := s.carryOut(ctx, list, &r.a.EditAnswer); err != nil {
		return nil, err
	}
	r.a.FilesMatched = len(list)
	for _, e := range list {
		r.a.Replacements += e.result.Places
	}
	r.a.Skipped = w.skips.list()
	return r.a, r.nothing(w)
}

// nothing says why nothing was looked at.
func (r *replacing) nothing(w *sweep) error {
	a := r.a
	switch {
	case a.FilesSearched > 0:
	case a.DocumentsSkipped+a.BinarySkipped > 0:
		return outcome.New(outcome.Refused, "the glob names only documents, images, archives and binary files (%d), and replace changes text only", a.DocumentsSkipped+a.BinarySkipped)
	default:
		a.Notes = append([]string{"0 files matched the glob; nothing was searched"}, w.hint()...)
	}
	return nil
}

// needle is the longest part of the text without a line ending: a file that
// lacks it is left after one look.
func needle(find string) []byte {
	best := ""
	for _, l := range text.Lines(find) {
		if len(l) > len(best) {
			best = l
		}
	}
	return []byte(best)
}

// visit looks whether a file may hold the text.
func (r *replacing) visit(worker int, e walk.Entry) error {
	if !e.Type.IsRegular() {
		return nil
	}
	raw, _, err := e.Dir.Read(e.Name, r.buf[worker], largestText)
	switch {
	case errors.Is(err, boundary.ErrLarge):
		r.sweep.skips.add(fmt.Sprintf("over %d bytes", largestText), e.Rel)
		return nil
	case err != nil:
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, boundary.ErrHidden) {
			r.sweep.skips.add(skipReason(err), e.Rel)
		}
		return nil
	}
	r.buf[worker] = raw
	hit, kind := r.look(e.Name, raw)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch kind {
	case render.Text:
		r.a.FilesSearched++
		if hit {
			r.rels = append(r.rels, e.Rel)
		}
	case render.Binary:
		r.a.BinarySkipped++
	default:
		r.a.DocumentsSkipped++
	}
	return nil
}

func (r *replacing) look(name string, raw []byte) (hit bool, kind render.Kind) {
	if render.Candidate(name, raw) {
		what, err := render.Sniff(name, bytes.NewReader(raw), int64(len(raw)))
		if err != nil {
			return false, render.Document
		}
		if what.Kind != render.Text && !(what.Kind == render.Document && what.Document == document.Notebook) {
			return false, what.Kind
		}
	}
	if enc, _ := text.Sniff(raw); enc == text.UTF8 || enc == text.UTF8BOM {
		// What lacks the text is looked at only to be counted as text or not.
		head := raw[:min(len(raw), 64<<10)]
		if bytes.IndexByte(head, 0) >= 0 {
			return false, render.Binary
		}
		if !bytes.Contains(raw, r.needle) {
			if c := bytes.IndexByte(raw, 0); c >= 0 {
				return false, render.Binary
			}
			return false, validText(raw)
		}
	}
	if text.Check(raw) != nil {
		return false, render.Binary
	}
	return true, render.Text
}

// resolve substitutes in memory, in the order of the paths.
func (r *replacing) resolve(ctx context.Context, s *Session) ([]*edited, error) {
	var held tally
	list, err := r.each(ctx, s, &held)
	return list, held.over(err)
}

func (r *replacing) each(ctx context.Context, s *Session, held *tally) ([]*edited, error) {
	all := make([]*edited, len(r.rels))
	atOnce := r.sweep.o.Workers
	if s.Boundary.Screens() {
		atOnce = 1 // the tally is one, and a model judges one thing at a time
	}
	err := parallel.Each(len(all), atOnce, func(i int) (err error) {
		if err := ctx.Err(); err != nil {
			return err
		}
		all[i], err = r.one(ctx, s, r.rels[i], held)
		return err
	})
	return slices.DeleteFunc(all, func(e *edited) bool { return e == nil }), err
}

// one substitutes in one file. It gives nil where there is nothing to change.
func (r *replacing) one(ctx context.Context, s *Session, rel string, held *tally) (*edited, error) {
	p, err := s.Boundary.LocateEntry(r.sweep.tree.Name+":"+rel, config.Read, "")
	if err != nil || !p.Exists {
		return nil, err
	}
	o, err := openText(p)
	if err != nil {
		return nil, err
	}
	res, err := change.ReplaceAll(o.content, r.in.Find, r.in.With)
	if err != nil {
		return nil, about(p, err)
	}
	if res.Places == 0 || res.Text == o.content.Text {
		return nil, nil
	}
	// Only what would change must be allowed to: the rest was looked at alone.
	if err := p.Governed(); err != nil {
		return nil, err
	}
	if err := p.Need(config.Read | config.Update); err != nil {
		return nil, err
	}
	if err := r.made.add(res.Text); err != nil {
		return nil, err
	}
	e := &edited{original: o, path: rel, result: res}
	return e, e.finish(ctx, s, held)
}

func validText(raw []byte) render.Kind {
	if !utf8.Valid(raw) {
		return render.Binary
	}
	return render.Text
}
