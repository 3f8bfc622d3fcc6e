package verb

import (
	"context"

	"fettler/fettle/internal/ops"
	"fettler/shared/level"
)

var deleteVerb = &Verb{
	Name: "delete", Level: level.Tools, Title: "Delete", Model: true, Destructive: true, Lock: Exclusive,
	Summary: "a file, link or folder removed, with counts",
	About:   "There is no trash. A folder takes recursive and is refused when anything in it may not be deleted.",
	Params: []Param{
		{Name: "path", Type: String, Arg: true, Required: true, Value: "PATH", Plain: true, Help: "what is deleted"},
		{Name: "recursive", Type: Bool, Plain: true, Help: "delete a folder and everything in it"},
		{Name: "force", Type: Bool, Plain: true, Help: "also a file with Windows' read-only attribute"},
	},
	Run: func(ctx context.Context, s *ops.Session, a Args) (ops.Answer, error) {
		return answer(ops.Delete(ctx, s, ops.DeleteInput{Path: a.String("path"), Recursive: a.Bool("recursive"), Force: a.Bool("force")}))
	},
}
