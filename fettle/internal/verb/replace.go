package verb

import (
	"context"

	"fettler/fettle/internal/ops"
	"fettler/shared/level"
)

var replace = &Verb{
	Name: "replace", Level: level.Tools, Title: "Replace across files", Model: true, Destructive: true, Lock: Exclusive,
	Summary: "one substitution everywhere it appears across a glob",
	About: "Matches exact bytes, with case. Documents, images, archives and binary files are left as they are and counted. " +
		"A file that holds the text and may not be changed refuses the whole call.",
	Params: []Param{
		{Name: "find", Type: String, Arg: true, Required: true, Value: "FIND", Help: "the text to find, exactly"},
		{Name: "with", Type: String, Arg: true, Required: true, Value: "WITH", Plain: true, Help: "what goes there; may be empty"},
		{Name: "replace-file", Type: String, CLI: true, Source: File, Fills: "find", Value: "FILE", Help: "take the text to find from a file"},
		{Name: "with-file", Type: String, CLI: true, Source: File, Fills: "with", Value: "FILE", Help: "take what goes there from a file"},
		{Name: "glob", Type: String, Value: "GLOB", Plain: true, Help: "files such as src/**/*.go; everything without it"},
		{Name: "in", Type: String, Value: "TREE", Plain: true, Help: "tree to change; the default tree without it"},
		{Name: "dry-run", Type: Bool, Plain: true, Help: "change nothing; show the plan and a unified diff"},
		{Name: "include-generated", Type: Bool, Help: "go into the folders that are left out"},
		{Name: "exclude", Type: Strings, Value: "GLOB", Plain: true, Help: "leave out what this names, and what lies below it"},
		allowCredential,
	},
	Run: func(ctx context.Context, s *ops.Session, a Args) (ops.Answer, error) {
		return answer(ops.Replace(ctx, s, ops.ReplaceInput{
			Find: a.String("find"), With: a.String("with"), Glob: a.String("glob"), In: a.String("in"),
			DryRun: a.Bool("dry-run"), IncludeGenerated: a.Bool("include-generated"), Exclude: a.Strings("exclude"),
		}))
	},
}
