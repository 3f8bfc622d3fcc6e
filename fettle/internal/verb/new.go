package verb

import (
	"context"

	"fettler/fettle/internal/ops"
	"fettler/shared/level"
)

var newFile = &Verb{
	Name: "new", Level: level.Tools, Title: "Make an empty file", Model: true, Lock: Exclusive,
	Summary: "an empty file",
	Params:  []Param{{Name: "path", Type: String, Arg: true, Required: true, Value: "PATH", Plain: true, Help: "file that is not there yet"}},
	Run: func(ctx context.Context, s *ops.Session, a Args) (ops.Answer, error) {
		return answer(ops.New(ctx, s, ops.NewInput{Path: a.String("path")}))
	},
}
