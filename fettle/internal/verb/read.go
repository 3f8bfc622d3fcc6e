package verb

import (
	"context"

	"fettler/fettle/internal/ops"
	"fettler/shared/level"
)

var read = &Verb{
	Name: "read", Level: level.Tools, Title: "Read files", Model: true, ReadOnly: true, Idempotent: true,
	Summary: "content, encoding, line ending, final newline and hash of one or more files",
	About: "Reads text, PDF, Excel, Word, notebooks, images and archives. Stops at 2000 lines or 40,000 characters; next_from goes on. " +
		"Present the hash as expect when you edit.",
	Params: []Param{
		{Name: "paths", Type: Strings, Arg: true, Required: true, Value: "PATH", Help: "files, relative to the default tree or tree:path"},
		{Name: "from", Type: Int, Min: 1, Value: "N", Plain: true, Help: "first line"},
		{Name: "to", Type: Int, Min: 1, Value: "N", Help: "last line; lifts the cap of 2000 lines"},
		{Name: "tail", Type: Int, Min: 1, Value: "N", Plain: true, Help: "the last N lines"},
		{Name: "numbered", Type: Bool, Plain: true, Help: "put line numbers into the text"},
		{Name: "member", Type: String, Value: "NAME", Help: "read this entry of an archive"},
		{Name: "hash", Type: Bool, Plain: true, Help: "hash also a file over 256 MB"},
	},
	Run: func(ctx context.Context, s *ops.Session, a Args) (ops.Answer, error) {
		return answer(ops.Read(ctx, s, ops.ReadInput{
			Paths: a.Strings("paths"), From: a.Int("from"), To: a.Int("to"), Tail: a.Int("tail"),
			Numbered: a.Bool("numbered"), Member: a.String("member"), Hash: a.Bool("hash"),
		}))
	},
}
