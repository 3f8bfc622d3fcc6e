package plan

import (
	"bytes"
	"strings"

	"fettler/shared/clients"
	"fettler/shared/jsonedit"
	"fettler/shared/outcome"
)

// The markers are comments in Markdown, so a page that is rendered shows none.
const (
	blockBegin = "<!-- fettler:begin -->"
	blockEnd   = "<!-- fettler:end -->"
)

// block is what the model is told. That the built-in tools are denied is said
// only where the deny list is written.
func block(denied bool) string {
	lines := []string{
		blockBegin,
		"## Files",
		"",
		"Use the fettler server's tools for files here: find, search, read, edit, write, replace, move, copy, delete, batch.",
	}
	if denied {
		lines = append(lines, "The built-in tools "+strings.Join(clients.DenyList(), ", ")+" are denied.")
	}
	return strings.Join(append(lines,
		"Call roots to see which folders are open and what may be done in each, and tasks for what run may start.",
		"A refusal says what to do. Do not try to reach the same file another way.",
		blockEnd), "\n")
}

// editBlock puts the block at the end, or in the place of the one that is there.
func editBlock(path string, raw []byte, text string) ([]jsonedit.Splice, error) {
	if bytes.Contains(raw, []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	eol := "\n"
	if strings.Contains(text, "\r\n") {
		eol = "\r\n"
	}
	begin, end := bytes.Index(raw, []byte(blockBegin)), bytes.Index(raw, []byte(blockEnd))
	switch {
	case bytes.IndexByte(raw, 0) >= 0:
		return nil, outcome.New(outcome.Refused, "%s is not plain text. Setup leaves the file alone", path).At(path)
	case begin < 0 && end < 0:
	case begin < 0 || end < begin || bytes.Count(raw, []byte(blockBegin)) > 1 || bytes.Count(raw, []byte(blockEnd)) > 1:
		return nil, outcome.New(outcome.Refused, "%s holds setup's markers in a way that does not make one block. Mend them, then run setup again", path).At(path)
	default:
		end += len(blockEnd)
		if string(raw[begin:end]) == text {
			return nil, nil
		}
		return []jsonedit.Splice{{Start: begin, End: end, Text: text}}, nil
	}
	switch {
	case len(raw) == 0:
		text += eol
	case raw[len(raw)-1] == '\n':
		text = eol + text + eol
	default:
		text = eol + eol + text // the file ends without a newline, and so it goes on
	}
	return []jsonedit.Splice{{Start: len(raw), End: len(raw), Text: text}}, nil
}
