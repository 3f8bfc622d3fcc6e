package verb

import (
	"context"

	"fettler/fettle/internal/ops"
	"fettler/shared/level"
)

var run = &Verb{
	Name: "run", Level: level.Guardrails, Title: "Run a declared task", Model: true, Destructive: true, Lock: Free,
	Summary: "one declared task, run to its end, with its streams and exit code",
	About: "Takes a name that tasks lists; the command line is declared. The call is ok whenever the task was run; look at exit_code. " +
		"A stream longer than 20,000 bytes comes back with its beginning and its end.",
	Params: []Param{
		{Name: "name", Type: String, Arg: true, Required: true, Value: "NAME", Plain: true, Help: "a declared task"},
		{Name: "timeout", Type: Int, Value: "SECONDS", Help: "end the task, and all it started, after this long; 0 is no timeout"},
	},
	Run: func(ctx context.Context, s *ops.Session, a Args) (ops.Answer, error) {
		return answer(ops.Run(ctx, s, ops.RunInput{Name: a.String("name"), Seconds: a.Int("timeout")}))
	},
}
