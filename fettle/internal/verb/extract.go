package verb

import (
	"context"

	"fettler/fettle/internal/ops"
	"fettler/shared/level"
)

var extract = &Verb{
	Name: "extract", Level: level.Tools, Title: "Unpack an archive", Model: true, Destructive: true, Lock: Exclusive,
	Summary: "an archive unpacked into an open tree, or refused whole",
	About: "Takes .zip, .tar, .tar.gz and .tgz. All or nothing: a member that would leave the folder, " +
		"is a link, or lands on something that is there refuses the whole archive. Use read to see the members first.",
	Params: []Param{
		{Name: "archive", Type: String, Arg: true, Required: true, Value: "ARCHIVE", Plain: true, Help: "the archive, relative to the default tree or tree:path"},
		{Name: "into", Type: String, Required: true, Value: "DIR", Plain: true, Help: "the folder to unpack into"},
		{Name: "overwrite", Type: Bool, Plain: true, Help: "replace files that are there"},
	},
	Run: func(ctx context.Context, s *ops.Session, a Args) (ops.Answer, error) {
		return answer(ops.Extract(ctx, s, ops.ExtractInput{Archive: a.String("archive"), Into: a.String("into"), Overwrite: a.Bool("overwrite")}))
	},
}
