package verb

import (
	"context"

	"fettler/fettle/internal/ops"
	"fettler/shared/level"
)

var tasks = &Verb{
	Name: "tasks", Level: level.Guardrails, Title: "List the declared tasks", Model: true, ReadOnly: true, Idempotent: true,
	Summary: "the declared tasks, each with its line and the arguments it becomes",
	About:   "What is listed is what run starts. A person declares tasks; fettle cannot.",
	Run: func(ctx context.Context, s *ops.Session, _ Args) (ops.Answer, error) {
		return answer(ops.Tasks(ctx, s))
	},
}
