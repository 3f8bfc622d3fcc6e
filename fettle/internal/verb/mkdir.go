package verb

import (
	"context"

	"fettler/fettle/internal/ops"
	"fettler/shared/level"
)

var mkdir = &Verb{
	Name: "mkdir", Level: level.Tools, Title: "Make a folder", Model: true, Idempotent: true, Lock: Exclusive,
	Summary: "a folder, with the parents it needs",
	Params:  []Param{{Name: "path", Type: String, Arg: true, Required: true, Value: "PATH", Plain: true, Help: "folder"}},
	Run: func(ctx context.Context, s *ops.Session, a Args) (ops.Answer, error) {
		return answer(ops.Mkdir(ctx, s, ops.NewInput{Path: a.String("path")}))
	},
}
