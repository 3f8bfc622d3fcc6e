package ops

import (
	"context"
	"fmt"
	"io"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/term"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// NewInput names a file or folder to make.
type NewInput struct{ Path string }

// NewAnswer is what was made.
type NewAnswer struct {
	Path      string `json:"path"`
	Created   bool   `json:"created"`
	Directory bool   `json:"directory"`
}

// Human says what was made.
func (a *NewAnswer) Human(w io.Writer) {
	switch {
	case !a.Created:
		fmt.Fprintf(w, "%s is already there\n", term.Escape(a.Path))
	case a.Directory:
		fmt.Fprintf(w, "created the folder %s\n", term.Escape(a.Path))
	default:
		fmt.Fprintf(w, "created %s\n", term.Escape(a.Path))
	}
}

// New makes an empty file where nothing is.
func New(ctx context.Context, s *Session, in NewInput) (*NewAnswer, error) {
	p, err := s.toMake("new", in.Path)
	if err != nil {
		return nil, err
	}
	if p.Exists {
		return nil, outcome.New(outcome.TargetExists, "%s is already there", p.Spell()).At(p.Spell())
	}
	if _, err := putFile(s, p, nil, boundary.StageOptions{}); err != nil {
		return nil, err
	}
	return &NewAnswer{Path: p.Spell(), Created: true}, nil
}

// Mkdir makes a folder with the parents it needs.
func Mkdir(ctx context.Context, s *Session, in NewInput) (*NewAnswer, error) {
	p, err := s.toMake("mkdir", in.Path)
	if err != nil {
		return nil, err
	}
	created, err := p.Mkdir()
	if err != nil {
		return nil, err
	}
	return &NewAnswer{Path: p.Spell(), Created: created, Directory: true}, nil
}

func (s *Session) toMake(verb, raw string) (*boundary.Place, error) {
	if err := named(verb, raw); err != nil {
		return nil, err
	}
	p, err := s.Boundary.Locate(raw, 0, "")
	if err != nil {
		return nil, err
	}
	if err := p.Governed(); err != nil {
		return nil, err
	}
	if p.Exists {
		return p, nil
	}
	return p, p.Need(config.Create)
}
