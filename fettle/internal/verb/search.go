package verb

import (
	"context"

	"fettler/fettle/internal/ops"
	"fettler/shared/level"
)

var search = &Verb{
	Name: "search", Level: level.Tools, Title: "Search in files", Model: true, ReadOnly: true, Idempotent: true,
	Summary: "lines matching any of several patterns, as path, line, column and text",
	About: "Regular expressions, matched line by line without case. PDF, Word, Excel and notebooks are searched too and cite page, heading or sheet. " +
		"Stops at 200 hits or 40,000 characters; next_after goes on, count counts all.",
	Params: []Param{
		{Name: "patterns", Type: Strings, Arg: true, Required: true, Short: "e", Value: "PATTERN", Help: "regular expressions; a line that matches one is a hit"},
		{Name: "glob", Type: String, Value: "GLOB", Help: "only files this names, such as src/**/*.go"},
		{Name: "in", Type: String, Value: "TREE", Plain: true, Help: "tree to search; the default tree without it"},
		{Name: "literal", Type: Bool, Plain: true, Help: "take the patterns as text"},
		{Name: "case-sensitive", Type: Bool, Plain: true, Help: "tell upper case from lower"},
		{Name: "word", Type: Bool, Plain: true, Help: "match whole words only"},
		{Name: "context", Type: Int, Min: 0, Value: "N", Plain: true, Help: "give N lines before and after each hit"},
		{Name: "limit", Type: Int, Min: 1, Value: "N", Plain: true, Help: "stop at N hits, or N files with files-only"},
		{Name: "count", Type: Bool, Plain: true, Help: "only count, all of them"},
		{Name: "files-only", Type: Bool, Plain: true, Help: "only name the files that have hits"},
		{Name: "after", Type: String, Value: "PATH:LINE", Help: "go on after this hit: next_after of a cut answer"},
		{Name: "include-generated", Type: Bool, Help: "go into the folders that are left out"},
		{Name: "exclude", Type: Strings, Value: "GLOB", Plain: true, Help: "leave out what this names, and what lies below it"},
		{Name: "no-documents", Type: Bool, Help: "do not look inside documents; they are counted"},
		{Name: "pattern-file", Type: String, CLI: true, Fills: "patterns", Source: File, Lines: true, Value: "FILE", Help: "one pattern a line, from a file"},
		{Name: "pattern-stdin", Type: Bool, CLI: true, Fills: "patterns", Source: Stdin, Lines: true, Help: "one pattern a line, from standard input"},
	},
	Run: func(ctx context.Context, s *ops.Session, a Args) (ops.Answer, error) {
		return answer(ops.Search(ctx, s, ops.SearchInput{
			Patterns: a.Strings("patterns"), Glob: a.String("glob"), In: a.String("in"),
			Literal: a.Bool("literal"), CaseSensitive: a.Bool("case-sensitive"), Word: a.Bool("word"),
			Context: a.Int("context"), Limit: a.Int("limit"), Count: a.Bool("count"), FilesOnly: a.Bool("files-only"),
			After: a.String("after"), Exclude: a.Strings("exclude"), IncludeGenerated: a.Bool("include-generated"),
			NoDocuments: a.Bool("no-documents"),
		}))
	},
}
