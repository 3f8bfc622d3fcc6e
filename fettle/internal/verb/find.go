package verb

import (
	"context"

	"fettler/fettle/internal/ops"
	"fettler/shared/level"
)

var find = &Verb{
	Name: "find", Level: level.Tools, Title: "Find files", Model: true, ReadOnly: true, Idempotent: true,
	Summary: "paths matching a glob, with size and modified time",
	About: "A glob is held against the whole path, without case: * within a segment, ** any number of segments, ? one character. " +
		"Folders such as .git and node_modules are left out and counted. Stops at 1000 entries or 40,000 characters; next_after goes on.",
	Params: []Param{
		{Name: "pattern", Type: String, Arg: true, Value: "PATTERN", Help: "glob such as src/**/*.go; everything without it"},
		{Name: "in", Type: String, Value: "TREE", Plain: true, Help: "tree to look in; the default tree without it"},
		{Name: "kind", Type: String, Enum: []string{"file", "dir", "any"}, Value: "KIND", Plain: true, Help: "what to list; files and links without it"},
		{Name: "sort", Type: String, Enum: []string{"path", "mtime"}, Value: "ORDER", Plain: true, Help: "by path, or newest first"},
		{Name: "since", Type: String, Value: "ISO-8601", Help: "only what was modified then or later"},
		{Name: "limit", Type: Int, Min: 1, Value: "N", Plain: true, Help: "stop at N entries"},
		{Name: "after", Type: String, Value: "PATH", Help: "go on after this path: next_after of a cut answer"},
		{Name: "include-generated", Type: Bool, Help: "go into the folders that are left out"},
		{Name: "exclude", Type: Strings, Value: "GLOB", Plain: true, Help: "leave out what this names, and what lies below it"},
	},
	Run: func(ctx context.Context, s *ops.Session, a Args) (ops.Answer, error) {
		return answer(ops.Find(ctx, s, ops.FindInput{
			Pattern: a.String("pattern"), In: a.String("in"), Kind: a.String("kind"), Sort: a.String("sort"),
			Since: a.String("since"), After: a.String("after"), Limit: a.Int("limit"),
			Exclude: a.Strings("exclude"), IncludeGenerated: a.Bool("include-generated"),
		}))
	},
}
