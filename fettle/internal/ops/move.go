package ops

import (
	"context"
	"fmt"
	"io"
	"io/fs"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/term"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// MoveInput asks for one entry to come to lie elsewhere.
type MoveInput struct {
	From, To  string
	Overwrite bool
}

// MoveAnswer says what guarantee the move gave.
type MoveAnswer struct {
	From        string `json:"from"`
	To          string `json:"to"`
	Atomic      bool   `json:"atomic"`
	CaseOnly    bool   `json:"case_only"`
	CrossedTree bool   `json:"crossed_tree"`
	Directory   bool   `json:"directory"`
	Link        bool   `json:"link,omitempty"` // a link was moved as a link
}

// Human says what was done and how.
func (a *MoveAnswer) Human(w io.Writer) {
	what := ""
	switch {
	case a.Directory:
		what = "the folder "
	case a.Link:
		what = "the link "
	}
	how := "in one step"
	if !a.Atomic {
		how = "copied, verified and removed: not one step, since it went to another disk"
	}
	if a.CaseOnly {
		how += "; only the case changed"
	}
	fmt.Fprintf(w, "moved %s%s to %s (%s)\n", what, term.Escape(a.From), term.Escape(a.To), how)
}

// Move renames, also between folders, trees and disks.
func Move(ctx context.Context, s *Session, in MoveInput) (*MoveAnswer, error) {
	if err := named("move", in.From, in.To); err != nil {
		return nil, err
	}
	from, to, err := s.fromTo(in.From, in.To, s.Boundary.LocateEntry)
	if err != nil {
		return nil, err
	}
	need, toNeed := config.Rename, config.Create
	if from.Leaves(to) {
		need |= config.Delete
	}
	if err := from.Need(need); err != nil {
		return nil, err
	}
	caseOnly := to.SameFile(from)
	if to.Exists && in.Overwrite && !caseOnly {
		toNeed |= config.Delete
	}
	if err := to.Need(toNeed); err != nil {
		return nil, err
	}
	survey, err := from.Throughout(ctx, need, to, config.Create)
	if err != nil {
		return nil, err
	}
	total := survey.Bytes
	moved := int64(0)
	m, err := s.Boundary.Move(ctx, from, to, in.Overwrite, len(survey.Links), func(n int64) {
		moved += n
		s.Progress(moved, total, "moving "+from.Spell())
	})
	if err != nil {
		return nil, err
	}
	return &MoveAnswer{
		From: from.Spell(), To: to.Spell(), Atomic: m.Atomic, CaseOnly: m.CaseOnly, CrossedTree: from.Tree != to.Tree,
		Directory: from.Info.Mode.IsDir(), Link: from.IsLink(),
	}, nil
}

// fromTo finds both ends of a move or a copy. Nothing is said of the
// permissions yet, except that governed files are refused before everything else.
func (s *Session) fromTo(rawFrom, rawTo string, locate func(string, config.Permissions, string) (*boundary.Place, error)) (from, to *boundary.Place, err error) {
	if from, err = locate(rawFrom, 0, ""); err != nil {
		return nil, nil, err
	}
	if !from.Exists {
		return nil, nil, outcome.New(outcome.NotFound, "there is nothing at %s", from.Spell()).At(from.Spell()).Because(fs.ErrNotExist)
	}
	if to, err = s.Boundary.Locate(rawTo, 0, ""); err != nil {
		return nil, nil, err
	}
	return from, to, to.Governed()
}
