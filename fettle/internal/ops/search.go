package ops

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"fettler/fettle/internal/match"
	"fettler/fettle/internal/recall"
	"fettler/fettle/internal/scan"
	"fettler/fettle/internal/walk"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

const (
	// SearchHits is how many hits search answers unless Limit says otherwise.
	SearchHits = 200
	// maxContext bounds the lines shown about a hit.
	maxContext = 100
	// maxCounted is how many paths of files with hits a count names.
	maxCounted = 1000
)

// SearchInput asks for the lines that match patterns.
type SearchInput struct {
	Patterns         []string
	Glob             string // "" is every file
	In               string
	Literal          bool
	CaseSensitive    bool
	Word             bool
	Context          int64
	Limit            int64
	Count            bool // how many, instead of which
	FilesOnly        bool // which files, instead of which lines
	After            string
	Exclude          []string
	IncludeGenerated bool
	NoDocuments      bool
}

// SearchAnswer is what Search gives.
type SearchAnswer struct {
	Kind     string   `json:"kind"` // literal or regex
	Patterns []string `json:"patterns"`
	// Hits are absent where they were only counted, or only their files asked for.
	Hits      *[]SearchHit `json:"hits,omitempty"`
	HitsCount *int64       `json:"hits_count,omitempty"`
	// Files are the paths of the files with hits. A count names the first of
	// them; how many there are is FilesWithHits.
	Files            []string `json:"files"`
	FilesWithHits    int64    `json:"files_with_hits"`
	FilesMatched     int64    `json:"files_matched"`  // files the glob named
	FilesSearched    int64    `json:"files_searched"` // of these, the ones looked inside
	Truncated        bool     `json:"truncated"`
	CutBy            string   `json:"cut_by,omitempty"`
	NextAfter        string   `json:"next_after,omitempty"` // after of the call that continues
	Excluded         Excluded `json:"excluded"`
	DocumentsSkipped int64    `json:"documents_skipped,omitempty"`
	TimedOut         []string `json:"timed_out,omitempty"` // files in which a pattern ran out of time
	Skipped          []Skip   `json:"skipped,omitempty"`   // files that could not be searched
	Notes            []string `json:"notes,omitempty"`

	in       SearchInput
	recalled int64 // files that were answered from memory
}

// SearchHit is a matching line.
type SearchHit struct {
	Path    string      `json:"path"`
	Line    int64       `json:"line"`           // of a document, the line of its rendering
	Column  int         `json:"column"`         // in characters, from 1
	Cite    string      `json:"cite,omitempty"` // the page, sheet or heading of a document
	Text    string      `json:"text"`
	Context []scan.Line `json:"context,omitempty"`
}

// Search finds the lines that match any of the patterns, ordered before any limit.
func Search(ctx context.Context, s *Session, in SearchInput) (*SearchAnswer, error) {
	limit, err := s.limitOf(in.Limit, SearchHits)
	switch {
	case err != nil:
		return nil, err
	case in.Context > maxContext:
		return nil, outcome.New(outcome.Invalid, "%s is a number up to %d; it is %d. Read the file for more", s.argument("context"), maxContext, in.Context)
	case in.Count && in.FilesOnly:
		return nil, outcome.New(outcome.Invalid, "%s asks how many and %s asks where. Give one or the other: a count names the files as well", s.argument("count"), s.argument("files-only"))
	}
	in.Patterns = slices.Clone(in.Patterns)
	for i, p := range in.Patterns {
		in.Patterns[i] = noMark(p)
	}
	m, err := match.Compile(in.Patterns, match.Options{Literal: in.Literal, CaseSensitive: in.CaseSensitive, Word: in.Word})
	if err != nil {
		return nil, err
	}
	w, err := newSweep(s, sweepInput{in.In, in.Glob, in.Exclude, in.IncludeGenerated})
	if err != nil {
		return nil, err
	}
	defer w.Close()
	x := &search{sweep: w, ctx: ctx, in: in, limit: limit, failed: map[config.Categories]error{}, known: s.Recall.Ask(in.question())}
	defer x.known.Close()
	if x.after, err = w.hitAfter(in.After); err != nil {
		return nil, err
	}
	x.workers = make([]searcher, w.o.Workers)
	for i := range x.workers {
		x.workers[i].init(x, m)
	}
	excluded, err := w.walk(ctx, func(worker int, e walk.Entry) error {
		if !e.Type.IsRegular() {
			return nil
		}
		return x.workers[worker].file(e)
	})
	if err != nil {
		return nil, err
	}
	return x.answer(m.Kind(), excluded)
}

// search is one call.
type search struct {
	*sweep
	ctx     context.Context
	in      SearchInput
	limit   int
	after   hitPlace
	workers []searcher
	known   *recall.Question
	seen    atomic.Int64
	judging sync.Mutex
	failed  map[config.Categories]error // held by judging: models that are not asked again
}

// keeps reports whether the lines themselves are wanted.
func (x *search) keeps() bool { return !x.in.Count && !x.in.FilesOnly }

// hitPlace is where a cut answer ended: a file, and the line in it.
type hitPlace struct {
	rel  string
	line int64
}

// hitAfter reads PATH or PATH:LINE.
func (w *sweep) hitAfter(after string) (hitPlace, error) {
	if after == "" {
		return hitPlace{}, nil
	}
	path, line := after, int64(1<<62)
	if i := strings.LastIndexByte(after, ':'); i > 0 {
		if n, ok := number(after[i+1:]); ok {
			path, line = after[:i], n
		}
	}
	p, err := w.s.Boundary.LocateEntry(path, config.List, w.tree.Name)
	if err != nil {
		return hitPlace{}, err
	}
	return hitPlace{p.Rel, line}, nil
}

func number(s string) (int64, bool) {
	if s == "" || len(s) > 18 {
		return 0, false
	}
	var n int64
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	return n, true
}

// answer orders what the workers found, cuts it, and has the screen judge what is left.
func (x *search) answer(kind string, excluded Excluded) (*SearchAnswer, error) {
	a := &SearchAnswer{Kind: kind, Patterns: x.in.Patterns, Files: []string{}, Excluded: excluded, in: x.in}
	var all []fileHits
	for i := range x.workers {
		k := &x.workers[i]
		all = append(all, k.kept...)
		a.FilesMatched += k.matched
		a.FilesSearched += k.searched
		a.FilesWithHits += k.withHits
		a.recalled += k.recalls
		a.DocumentsSkipped += k.documentsSkipped
		for _, rel := range k.timedOut {
			a.TimedOut = append(a.TimedOut, x.s.Boundary.Spell(x.tree, rel))
		}
	}
	slices.Sort(a.TimedOut)
	slices.SortFunc(all, func(a, b fileHits) int { return strings.Compare(a.rel, b.rel) })
	a.Skipped = x.skips.list()
	switch {
	case a.FilesMatched == 0:
		a.Notes = append(a.Notes, "0 files matched the glob; nothing was searched")
		a.Notes = append(a.Notes, x.hint()...)
	case a.FilesSearched == 0:
		a.Notes = append(a.Notes, noneText(a.FilesMatched))
	}
	if !x.keeps() {
		return a, x.fillFiles(a, all)
	}
	return a, x.fillHits(a, all)
}

// gone reports that an entry went away during the walk.
func gone(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// screenErr tells what the screen said from what the disk said.
func screenErr(err error) bool {
	var o *outcome.Error
	return errors.As(err, &o) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
