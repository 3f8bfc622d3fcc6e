package ops

import (
	"context"
	"encoding/json"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/text"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// script is what edit or batch was given to do: as an argument, or as a file in a tree.
type script struct {
	raw  []byte
	from *boundary.Place // nil for an argument
}

func (s *Session) script(argument json.RawMessage, path string) (script, error) {
	if path == "" {
		return script{raw: argument}, nil
	}
	content, p, err := s.textAt(path)
	return script{[]byte(content), p}, err
}

// screen is what the script's own place is screened for.
func (g *script) screen() config.Categories {
	if g.from == nil {
		return config.None
	}
	return g.from.Screen
}

// leaves refuses to let the script's text come to lie where it would be screened for less.
func (g *script) leaves(p *boundary.Place) error {
	if g.screen()&^p.Screen != 0 {
		return boundary.ErrUnscreened(g.from, p)
	}
	return nil
}

// declined is err, which says what is wrong with the script and quotes it, as
// it may be told: of a script that a screen finds something in, nothing is.
func (g *script) declined(ctx context.Context, s *Session, err error) error {
	var held tally
	held.add(ctx, s.Screen, g.screen(), text.Lines(string(g.raw)))
	if held.refusal() == nil { // what the script spells with escapes
		held.add(ctx, s.Screen, g.screen(), text.Lines(outcome.Of(err).Message))
	}
	return held.over(err)
}

// named has the screen judge the fields of a script that answers and errors
// repeat, such as its paths, before anything is done.
func (g *script) named(ctx context.Context, s *Session, fields []string) error {
	var held tally
	if g.screen() != config.None {
		held.add(ctx, s.Screen, g.screen(), fields)
	}
	return held.refusal()
}
