package verb

import (
	"context"

	"fettler/fettle/internal/ops"
	"fettler/shared/level"
)

var roots = &Verb{
	Name: "roots", Level: level.Tools, Title: "Show the open trees", Model: true, ReadOnly: true, Idempotent: true,
	Summary: "the levels, the open trees, what may be done in each, the screens, and what fettle found",
	About:   "Start here. A branch shown is what this machine has checked out; it does not say what a remote holds.",
	Run: func(ctx context.Context, s *ops.Session, _ Args) (ops.Answer, error) {
		return answer(ops.Roots(ctx, s))
	},
}
