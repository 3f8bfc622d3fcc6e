package ops

import (
	"context"
	"fmt"
	"io"
	"io/fs"

	"fettler/fettle/internal/term"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// DeleteInput names what is to go.
type DeleteInput struct {
	Path      string
	Recursive bool
	Force     bool // also what has Windows' read-only attribute
}

// DeleteAnswer counts what went.
type DeleteAnswer struct {
	Path        string `json:"path"`
	Files       int    `json:"files"`
	Directories int    `json:"directories"`
	Links       int    `json:"links,omitempty"` // removed as links; what they lead to stays
}

// Human says what went.
func (a *DeleteAnswer) Human(w io.Writer) {
	fmt.Fprintf(w, "deleted %s  %d %s", term.Escape(a.Path), a.Files, plural(int64(a.Files), "file", "files"))
	if a.Directories > 0 {
		fmt.Fprintf(w, ", %d %s", a.Directories, plural(int64(a.Directories), "folder", "folders"))
	}
	if a.Links > 0 {
		fmt.Fprintf(w, ", %d %s", a.Links, plural(int64(a.Links), "link", "links"))
	}
	fmt.Fprintln(w)
}

// Delete removes a file or a link, or with Recursive a folder.
func Delete(ctx context.Context, s *Session, in DeleteInput) (*DeleteAnswer, error) {
	if err := named("delete", in.Path); err != nil {
		return nil, err
	}
	p, err := s.Boundary.LocateEntry(in.Path, 0, "")
	if err != nil {
		return nil, err
	}
	if err := p.Governed(); err != nil {
		return nil, err
	}
	if !p.Exists {
		return nil, outcome.New(outcome.NotFound, "there is nothing at %s", p.Spell()).At(p.Spell()).Because(fs.ErrNotExist)
	}
	if p.Top() {
		return nil, outcome.New(outcome.Refused, "%s is the top of a tree, which is never deleted", p.Spell()).At(p.Spell())
	}
	if err := p.Need(config.Delete); err != nil {
		return nil, err
	}
	if p.Info.Mode.IsDir() && !in.Recursive {
		return nil, outcome.New(outcome.Refused, "%s is a folder. Pass recursive to delete it and everything in it", p.Spell()).At(p.Spell())
	}
	v, err := p.Throughout(ctx, config.Delete, nil, 0)
	if err != nil {
		return nil, err
	}
	if err := s.Boundary.Remove(ctx, p, in.Recursive, in.Force); err != nil {
		return nil, err
	}
	return &DeleteAnswer{Path: p.Spell(), Files: v.Files + v.Other, Directories: v.Dirs, Links: len(v.Links)}, nil
}
