package ops

import (
	"context"
	"fmt"
	"io"

	"fettler/fettle/internal/term"
	"fettler/shared/config"
)

// ExecInput sets or clears a file's executable bit.
type ExecInput struct {
	Path       string
	Executable bool
}

// ExecAnswer is the bit as it is now.
type ExecAnswer struct {
	Path       string `json:"path"`
	Executable bool   `json:"executable"`
	Supported  bool   `json:"supported"`
}

// Human says how the bit is.
func (a *ExecAnswer) Human(w io.Writer) {
	switch {
	case !a.Supported:
		fmt.Fprintf(w, "%s: this system has no executable bit; nothing was changed\n", term.Escape(a.Path))
	case a.Executable:
		fmt.Fprintf(w, "%s is executable\n", term.Escape(a.Path))
	default:
		fmt.Fprintf(w, "%s is not executable\n", term.Escape(a.Path))
	}
}

// Exec sets or clears the executable bit.
func Exec(ctx context.Context, s *Session, in ExecInput) (*ExecAnswer, error) {
	if err := named("exec", in.Path); err != nil {
		return nil, err
	}
	p, err := s.forChange(in.Path, config.Update)
	if err != nil {
		return nil, err
	}
	supported, err := p.SetExecutable(in.Executable)
	if err != nil {
		return nil, err
	}
	return &ExecAnswer{Path: p.Spell(), Executable: in.Executable && supported, Supported: supported}, nil
}
