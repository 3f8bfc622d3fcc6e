package verb

import (
	"context"

	"fettler/fettle/internal/ops"
	"fettler/shared/level"
)

var copyVerb = &Verb{
	Name: "copy", Level: level.Tools, Title: "Copy", Model: true, Destructive: true, Lock: Exclusive,
	Summary: "a file or folder copied, with the links that were left out",
	About:   "Content is not looked at. Links are reported and never followed or made.",
	Params: []Param{
		{Name: "from", Type: String, Arg: true, Required: true, Value: "FROM", Plain: true, Help: "what is copied"},
		{Name: "to", Type: String, Arg: true, Required: true, Value: "TO", Plain: true, Help: "the new path in full"},
		{Name: "recursive", Type: Bool, Plain: true, Help: "copy a folder and everything in it"},
		{Name: "overwrite", Type: Bool, Plain: true, Help: "replace a file that is there"},
		{Name: "preserve-times", Type: Bool, Plain: true, Help: "keep the modified time; without it the copy is as new as it is"},
	},
	Run: func(ctx context.Context, s *ops.Session, a Args) (ops.Answer, error) {
		return answer(ops.Copy(ctx, s, ops.CopyInput{
			From: a.String("from"), To: a.String("to"), Recursive: a.Bool("recursive"), Overwrite: a.Bool("overwrite"), PreserveTimes: a.Bool("preserve-times"),
		}))
	},
}
