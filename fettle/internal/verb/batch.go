package verb

import (
	"context"

	"fettler/fettle/internal/ops"
	"fettler/shared/level"
)

const batchSchema = `{"type":"object","description":"{\"operations\":[{\"op\",…}…]}, done in order. mkdir and new take path; write path, text and overwrite, append, expect, encoding, eol; move from, to, overwrite; copy from, to, recursive, overwrite, preserveTimes; delete path, recursive, force; exec path, executable",` +
	`"properties":{"operations":{"type":"array","items":{"type":"object","properties":{"op":{"type":"string","enum":["mkdir","new","write","move","copy","delete","exec"]}},"required":["op"]}}},"required":["operations"]}`

var batch = &Verb{
	Name: "batch", Level: level.Tools, Title: "Several operations in one call", Model: true, Destructive: true, Lock: Exclusive,
	Summary: "several operations in one call, in order, stopping at the first failure",
	About:   "What was done before a failure stays done. For edits that are all done or none, use edit.",
	Params: []Param{
		{Name: "script", Type: Object, Tool: true, Value: `{"operations":[{"op":"mkdir","path":"docs"}]}`, Help: "the operations", Schema: batchSchema},
		{Name: "script", Type: String, CLI: true, Source: File, Fills: "script", Value: "FILE", Help: "take the operations from a JSON file"},
		{Name: "script-path", Type: String, Value: "TREEPATH", Help: "take the operations from a JSON file in a tree"},
		allowCredential,
	},
	Run: func(ctx context.Context, s *ops.Session, a Args) (ops.Answer, error) {
		return answer(ops.Batch(ctx, s, ops.BatchInput{Script: a.Object("script"), ScriptPath: a.String("script-path")}))
	},
}
