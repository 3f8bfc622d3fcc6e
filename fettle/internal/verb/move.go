package verb

import (
	"context"

	"fettler/fettle/internal/ops"
	"fettler/shared/level"
)

var move = &Verb{
	Name: "move", Level: level.Tools, Title: "Move or rename", Model: true, Destructive: true, Lock: Exclusive,
	Summary: "a file, folder or link moved or renamed, and what guarantee that gave",
	About:   "One rename where it can be; between disks it copies, verifies and removes, and says so. Content is not looked at.",
	Params: []Param{
		{Name: "from", Type: String, Arg: true, Required: true, Value: "FROM", Plain: true, Help: "what is moved"},
		{Name: "to", Type: String, Arg: true, Required: true, Value: "TO", Plain: true, Help: "its new path in full"},
		{Name: "overwrite", Type: Bool, Plain: true, Help: "replace a file that is there"},
	},
	Run: func(ctx context.Context, s *ops.Session, a Args) (ops.Answer, error) {
		return answer(ops.Move(ctx, s, ops.MoveInput{From: a.String("from"), To: a.String("to"), Overwrite: a.Bool("overwrite")}))
	},
}
