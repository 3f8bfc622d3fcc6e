package verb

import (
	"context"
	"strconv"
	"strings"

	"fettler/fettle/internal/change"
	"fettler/fettle/internal/ops"
	"fettler/shared/level"
	"fettler/shared/outcome"
)

const editSchema = `{"type":"object","description":"the edits: {\"edits\":[…]} with path, or {\"files\":[{\"path\",\"expect\",\"edits\"}…]} for several files. An edit is {\"replace\",\"with\"} (with \"all\", or \"from\" and \"to\" as lines to look in), {\"insertAfter\",\"text\"} or {\"deleteFrom\",\"deleteTo\"}; replaceFile, withFile and textFile name a tree path whose text is used instead",` +
	`"properties":{"edits":{"type":"array","items":` + oneEdit + `},"files":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"expect":{"type":"string"},"edits":{"type":"array","items":{"type":"object"}}},"required":["path","edits"]}}}}`

const oneEdit = `{"type":"object","properties":{"replace":{"type":"string"},"replaceFile":{"type":"string"},"with":{"type":"string"},"withFile":{"type":"string"},"from":{"type":"integer"},"to":{"type":"integer"},"all":{"type":"boolean"},"insertAfter":{"type":"integer"},"text":{"type":"string"},"textFile":{"type":"string"},"deleteFrom":{"type":"integer"},"deleteTo":{"type":"integer"}},"additionalProperties":false}`

var edit = &Verb{
	Name: "edit", Level: level.Tools, Title: "Edit files", Model: true, Destructive: true, Lock: Exclusive,
	Summary: "a batch of edits applied, or the first that failed",
	About: "Every edit is resolved against the files as read; all are applied or none, over several files too. The text to replace must match exactly and be there once, unless all is set. " +
		"Text brought in takes the file's own line endings. Present the hash that read gave as expect.",
	Params: []Param{
		{Name: "path", Type: String, Arg: true, Value: "PATH", Help: "file, where the script does not name its files"},
		{Name: "expect", Type: String, Value: "HASH", Help: "only when the file still has this hash, as read gave it"},
		{Name: "dry-run", Type: Bool, Plain: true, Help: "change nothing; show the plan and a unified diff"},
		{Name: "script", Type: Object, Tool: true, Value: `{"edits":[{"replace":"old","with":"new"}]}`, Help: "the edits", Schema: editSchema},
		{Name: "script", Type: String, CLI: true, Source: File, Fills: "script", Value: "FILE", Help: "take the edits from a JSON file"},
		{Name: "script-path", Type: String, Value: "TREEPATH", Help: "take the edits from a JSON file in a tree"},
		{Name: "replace", Type: String, CLI: true, Value: "TEXT", Help: "the text to replace, exactly as it is there"},
		{Name: "replace-file", Type: String, CLI: true, Source: File, Fills: "replace", Value: "FILE", Help: "take it from a file"},
		{Name: "replace-stdin", Type: Bool, CLI: true, Source: Stdin, Fills: "replace", Help: "take it from standard input"},
		{Name: "with", Type: String, CLI: true, Value: "TEXT", Help: "what goes there"},
		{Name: "with-file", Type: String, CLI: true, Source: File, Fills: "with", Value: "FILE", Help: "take it from a file"},
		{Name: "with-stdin", Type: Bool, CLI: true, Source: Stdin, Fills: "with", Help: "take it from standard input"},
		{Name: "between", Type: String, CLI: true, Value: "A-B", Help: "look in these lines only"},
		{Name: "all", Type: Bool, CLI: true, Help: "replace every place, not the only one"},
		{Name: "insert-after", Type: Int, CLI: true, Min: 0, Value: "N", Help: "insert the text after this line; 0 is the top"},
		{Name: "text", Type: String, CLI: true, Value: "TEXT", Help: "what is inserted"},
		{Name: "text-file", Type: String, CLI: true, Source: File, Fills: "text", Value: "FILE", Help: "take it from a file"},
		{Name: "text-stdin", Type: Bool, CLI: true, Source: Stdin, Fills: "text", Help: "take it from standard input"},
		{Name: "delete", Type: String, CLI: true, Value: "A-B", Help: "delete these lines"},
		allowCredential,
	},
	Run: func(ctx context.Context, s *ops.Session, a Args) (ops.Answer, error) {
		in := ops.EditInput{Path: a.String("path"), Expect: a.String("expect"), DryRun: a.Bool("dry-run"), Script: a.Object("script"), ScriptPath: a.String("script-path")}
		one, err := oneOf(a)
		if err != nil {
			return nil, err
		}
		if one != nil {
			in.Edits = []change.Edit{*one}
		}
		return answer(ops.Edit(ctx, s, in))
	},
}

// oneOf gives the edit that flags describe, or nil without any.
func oneOf(a Args) (*change.Edit, error) {
	kinds := 0
	for _, name := range []string{"replace", "insert-after", "delete"} {
		if a.Has(name) {
			kinds++
		}
	}
	e := &change.Edit{}
	var needs, extra []string
	var err error
	switch {
	case kinds > 1:
		return nil, outcome.New(outcome.Invalid, "edit takes one of --replace, --insert-after and --delete. Several edits go in a script")
	case a.Has("replace"):
		e.Old, e.New, e.All = a.String("replace"), a.String("with"), a.Bool("all")
		needs, extra = []string{"with"}, []string{"text"}
		if a.Has("between") {
			e.From, e.To, err = lineRange("--between", a.String("between"))
		}
	case a.Has("insert-after"):
		e.Op, e.After, e.New = change.Insert, int(min(a.Int("insert-after"), 1<<31-1)), a.String("text")
		needs, extra = []string{"text"}, []string{"with", "between", "all"}
	case a.Has("delete"):
		e.Op = change.Delete
		e.From, e.To, err = lineRange("--delete", a.String("delete"))
		extra = []string{"with", "between", "all", "text"}
	default:
		e, extra = nil, []string{"with", "between", "all", "text"}
	}
	if err != nil {
		return nil, err
	}
	for _, n := range needs {
		if !a.Has(n) {
			return nil, outcome.New(outcome.Invalid, "edit needs --%s with that. Write --%s= for an empty one", n, n)
		}
	}
	for _, n := range extra {
		if a.Has(n) {
			return nil, outcome.New(outcome.Invalid, "--%s does not go with this edit. Run fettle help edit", n)
		}
	}
	return e, nil
}

// lineRange reads A-B, or one line.
func lineRange(flag, s string) (from, to int, err error) {
	a, b, two := strings.Cut(s, "-")
	if !two {
		b = a
	}
	from, err1 := strconv.Atoi(a)
	to, err2 := strconv.Atoi(b)
	if err1 != nil || err2 != nil || from < 1 || to < from {
		return 0, 0, outcome.New(outcome.Invalid, "%s takes lines as A-B, such as 3-7, or one line; it is '%s'", flag, s)
	}
	return from, to, nil
}
