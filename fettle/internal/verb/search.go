package verb

import (
	"context"

	"fettler/fettle/internal/ops"
	"fettler/shared/level"
)

var search = &Verb{
	Name: "search", Level: level.Tools, Title: "Search in files", Model: true, ReadOnly: true, Idempotent: true,
	Summary: "lines matching any of several patterns, as path, line, column and text",
	About: "Patterns are Go regular expressions, or .NET ones where they look around or back, matched line by line without regard to case. PDF, Word, Excel and notebooks are searched too and cite their page, heading or sheet. " +
		"An answer stops at 200 hits and at 40,000 characters and gives next_after to go on; count counts all.",
	Params: []Param{
		{Name: "patterns", Type: Strings, Arg: true, Required: true, Short: "e", Value: "PATTERN", Help: "regular expressions; a line that matches one is a hit"},
		{Name: "glob", Type: String, Value: "GLOB", Help: "only files this names, such as src/**/*.go"},
		{Name: "in", Type: String, Value: "TREE", Help: "tree to search; the default tree without it"},
		{Name: "literal", Type: Bool, Help: "take the patterns as text"},
		{Name: "case-sensitive", Type: Bool, Help: "tell upper case from lower"},
		{Name: "word", Type: Bool, Help: "match whole words only"},
		{Name: "context", Type: Int, Min: 0, Value: "N", Help: "give N lines before and after each hit"},
		{Name: "limit", Type: Int, Min: 1, Value: "N", Help: "stop at N hits, or N files with files-only"},
		{Name: "count", Type: Bool, Help: "only count, all of them"},
		{Name: "files-only", Type: Bool, Help: "only name the files that have hits"},
		{Name: "after", Type: String, Value: "PATH:LINE", Help: "go on after this hit: next_after of a cut answer"},
		{Name: "include-generated", Type: Bool, Help: "go into the folders that are left out"},
		{Name: "exclude", Type: Strings, Value: "GLOB", Help: "leave out what this names, and what lies below it"},
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
