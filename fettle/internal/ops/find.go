package ops

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"time"
	"unicode/utf8"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/walk"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// FindFiles is how many entries find answers unless Limit says otherwise.
const FindFiles = 1000

// FindInput asks for the entries of a tree that a glob names.
type FindInput struct {
	Pattern          string // "" is everything
	In               string
	Kind             string // file, dir or any; "" is file
	Sort             string // path or mtime; "" is path
	Since            string // an ISO 8601 date or time; "" is always
	After            string // the path after which the last answer was cut
	Limit            int64
	Exclude          []string
	IncludeGenerated bool
}

// FindAnswer is what Find gives.
type FindAnswer struct {
	Files     []FoundFile `json:"files"`
	Count     int         `json:"count"`
	Truncated bool        `json:"truncated"`
	CutBy     string      `json:"cut_by,omitempty"`
	NextAfter string      `json:"next_after,omitempty"` // after of the call that continues
	Excluded  Excluded    `json:"excluded"`
	Skipped   []Skip      `json:"skipped,omitempty"` // what could not be listed
	Notes     []string    `json:"notes,omitempty"`

	in FindInput
}

// FoundFile is one entry.
type FoundFile struct {
	Path       string `json:"path"`
	Bytes      int64  `json:"bytes"`
	Modified   string `json:"modified"`
	Directory  bool   `json:"directory,omitempty"`
	Executable bool   `json:"executable,omitempty"`
	ReadOnly   bool   `json:"read_only,omitempty"`
	Hidden     bool   `json:"hidden,omitempty"`
	Link       bool   `json:"link,omitempty"`
	LinkTarget string `json:"link_target,omitempty"`
}

// found is an entry that may be answered.
type found struct {
	rel    string
	info   boundary.Info
	target string
}

// Find lists what a glob names, ordered before any limit.
func Find(ctx context.Context, s *Session, in FindInput) (*FindAnswer, error) {
	limit, err := s.limitOf(in.Limit, FindFiles)
	if err != nil {
		return nil, err
	}
	since, err := s.parseSince(in.Since)
	if err != nil {
		return nil, err
	}
	w, err := newSweep(s, sweepInput{in.In, in.Pattern, in.Exclude, in.IncludeGenerated})
	if err != nil {
		return nil, err
	}
	defer w.Close()
	order := byPath
	if in.Sort == "mtime" {
		order = byTime
	}
	after, err := w.after(in.After)
	if err != nil {
		return nil, err
	}
	w.o.Folders = in.Kind == "dir" || in.Kind == "any"
	kept := make([]keeper, w.o.Workers)
	excluded, err := w.walk(ctx, func(worker int, e walk.Entry) error {
		if !wantsKind(in.Kind, e.Type) {
			return nil
		}
		info, err := e.Dir.Stat(e.Name)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				w.skips.add(skipReason(err), e.Rel)
			}
			return nil
		}
		f := &found{rel: e.Rel, info: info}
		if !since.IsZero() && f.info.ModTime.Before(since) || after != nil && order(f, after) <= 0 {
			return nil
		}
		if f.info.Mode&fs.ModeSymlink != 0 {
			f.target = e.Dir.LinkTarget(e.Name)
		}
		kept[worker].add(f, limit, order)
		return nil
	})
	if err != nil {
		return nil, err
	}
	var all []*found
	for _, k := range kept {
		all = append(all, k.files...)
	}
	slices.SortFunc(all, order)
	a := &FindAnswer{Files: []FoundFile{}, Excluded: excluded, Skipped: w.skips.list(), in: in}
	a.fill(w, all, limit)
	return a, nil
}

func wantsKind(kind string, t fs.FileMode) bool {
	switch kind {
	case "dir":
		return t.IsDir()
	case "any":
		return true
	}
	return t.IsRegular() || t&fs.ModeSymlink != 0
}

func byPath(a, b *found) int { return cmp.Compare(a.rel, b.rel) }

// byTime puts the newest first.
func byTime(a, b *found) int {
	if c := b.info.ModTime.Compare(a.info.ModTime); c != 0 {
		return c
	}
	return byPath(a, b)
}

// after is the entry a cut answer ended with.
func (w *sweep) after(path string) (*found, error) {
	if path == "" {
		return nil, nil
	}
	p, err := w.s.Boundary.LocateEntry(path, config.List, w.tree.Name)
	if err != nil {
		return nil, err
	}
	if !p.Exists {
		return nil, outcome.New(outcome.NotFound, "there is nothing at %s any more, so the answer cannot go on from there", p.Spell()).At(p.Spell())
	}
	return &found{rel: p.Rel, info: p.Info}, nil
}

// keeper holds one worker's first entries.
type keeper struct{ files []*found }

// add keeps f, and lets go of what cannot be among the first any more.
func (k *keeper) add(f *found, limit int, order func(a, b *found) int) {
	k.files = append(k.files, f)
	if len(k.files) > 4*limit+1000 {
		slices.SortFunc(k.files, order)
		clear(k.files[limit+1:])
		k.files = k.files[:limit+1]
	}
}

// fill answers the first of all within the bounds.
func (a *FindAnswer) fill(w *sweep, all []*found, limit int) {
	left := Characters
	for i, f := range all {
		path := w.s.Boundary.Spell(w.tree, f.rel)
		left -= utf8.RuneCountInString(path) + 1
		switch {
		case i == limit:
			a.cut("lines")
			return
		case left < 0 && i > 0:
			a.cut("characters")
			return
		}
		g := FoundFile{
			Path: path, Modified: stamp(f.info.ModTime), Directory: f.info.Mode.IsDir(), Executable: f.info.Executable(),
			ReadOnly: f.info.ReadOnly, Hidden: f.info.Hidden, Link: f.info.Mode&fs.ModeSymlink != 0, LinkTarget: f.target,
		}
		// A link's size is the length of its target, which is not told when it is withheld.
		if !g.Directory && !(g.Link && g.LinkTarget == "") {
			g.Bytes = f.info.Size
		}
		a.Files = append(a.Files, g)
		a.Count++
	}
	if a.Count == 0 {
		a.Notes = w.hint()
	}
}

func (a *FindAnswer) cut(by string) {
	a.Truncated, a.CutBy = true, by
	a.NextAfter = a.Files[len(a.Files)-1].Path
}

// stamp is a time as answers write it.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// parseSince reads an ISO 8601 date or time; one without a zone is UTC, as
// answers are.
func (s *Session) parseSince(since string) (time.Time, error) {
	if since == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02T15:04Z07:00", "2006-01-02", "20060102T150405Z0700", "20060102T150405", "20060102"} {
		if t, err := time.Parse(layout, since); err == nil {
			return t, nil
		}
	}
	return time.Time{}, outcome.New(outcome.Invalid, "%s takes an ISO 8601 date or time, such as 2026-08-14 or 2026-08-14T09:22:07Z; it is '%s'", s.argument("since"), since)
}
