package verb

import (
	"context"

	"fettler/fettle/internal/ops"
	"fettler/shared/level"
	"fettler/shared/outcome"
)

var execVerb = &Verb{
	Name: "exec", Level: level.Tools, Title: "Set the executable bit", Model: true, Idempotent: true, Lock: Exclusive,
	Summary: "the executable bit, set or cleared",
	About:   "It runs nothing.",
	Params: []Param{
		{Name: "path", Type: String, Arg: true, Required: true, Value: "PATH", Plain: true, Help: "file"},
		{Name: "on", Type: Bool, CLI: true, Help: "set it"},
		{Name: "off", Type: Bool, CLI: true, Help: "clear it"},
		{Name: "executable", Type: Bool, Tool: true, Plain: true, Help: "true sets it, false clears it"},
	},
	Run: func(ctx context.Context, s *ops.Session, a Args) (ops.Answer, error) {
		on := a.Bool("executable")
		if !a.Has("executable") {
			if on = a.Bool("on"); on == a.Bool("off") {
				if s.Terminal {
					return nil, outcome.New(outcome.Invalid, "exec needs --on or --off")
				}
				return nil, outcome.New(outcome.Invalid, "exec needs executable, true or false")
			}
		}
		return answer(ops.Exec(ctx, s, ops.ExecInput{Path: a.String("path"), Executable: on}))
	},
}
