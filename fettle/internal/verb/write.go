package verb

import (
	"context"

	"fettler/fettle/internal/ops"
	"fettler/shared/level"
)

// allowCredential is offered by the command line and by nothing else: that a
// random-looking string is no secret is a person's judgement.
var allowCredential = Param{Name: "allow-credential", Type: Bool, CLI: true, Help: "this is not a credential: write it all the same"}

var write = &Verb{
	Name: "write", Level: level.Tools, Title: "Write a file", Model: true, Destructive: true, Idempotent: false, Lock: Exclusive,
	Summary: "the file created, replaced or extended",
	About: "Makes missing parent folders. Encoding, mark and line ending of a replaced file are kept. " +
		"A write that would add a credential is refused; so are documents, images and archives.",
	Params: []Param{
		{Name: "path", Type: String, Arg: true, Required: true, Value: "PATH", Plain: true, Help: "file, relative to the default tree or tree:path"},
		{Name: "text", Type: String, Required: true, Value: "TEXT", Plain: true, Help: "the content; may be empty"},
		{Name: "text-file", Type: String, CLI: true, Source: File, Fills: "text", Value: "FILE", Help: "take the content from a file"},
		{Name: "stdin", Type: Bool, CLI: true, Source: Stdin, Fills: "text", Help: "take the content from standard input"},
		{Name: "overwrite", Type: Bool, Plain: true, Help: "replace what is there"},
		{Name: "append", Type: Bool, Plain: true, Help: "add the text at the end of what is there, as it is"},
		{Name: "expect", Type: String, Value: "HASH", Help: "only when the file still has this hash, as read gave it"},
		{Name: "encoding", Type: String, Enum: []string{"utf-8", "utf-8-bom", "utf-16le", "utf-16be", "utf-32le", "utf-32be"}, Value: "ENCODING", Plain: true, Help: "encoding of the result"},
		{Name: "eol", Type: String, Enum: []string{"lf", "crlf", "cr"}, Value: "EOL", Plain: true, Help: "line ending of the text"},
		allowCredential,
	},
	Run: func(ctx context.Context, s *ops.Session, a Args) (ops.Answer, error) {
		return answer(ops.Write(ctx, s, ops.WriteInput{
			Path: a.String("path"), Text: a.String("text"), Overwrite: a.Bool("overwrite"), Append: a.Bool("append"),
			Expect: a.String("expect"), Encoding: a.String("encoding"), EOL: a.String("eol"),
		}))
	},
}
