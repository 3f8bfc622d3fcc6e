package notebook_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/conformance"
	"fettler/fettle/internal/document/notebook"
)

const good = `{
 "cells": [
  {"cell_type": "markdown", "id": "x", "metadata": {"deep": [{"a": null}]}, "source": ["# Title\n", "text"]},
  {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [
    {"name": "stdout", "output_type": "stream", "text": ["one\n", "two\n"]},
    {"output_type": "execute_result", "execution_count": 1, "data": {"text/html": ["<b>3</b>"], "text/plain": ["3"]}, "metadata": {}}
   ], "source": "print('one')\nprint('two')\n3"}
 ],
 "metadata": {"kernelspec": {"name": "python3"}}, "nbformat": 4, "nbformat_minor": 5
}`

func render(t testing.TB, raw string) (*document.Rendering, error) {
	t.Helper()
	var r document.Rendering
	err := notebook.Render(t.Context(), conformance.Source([]byte(raw)), &r)
	return &r, err
}

func equal(t *testing.T, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

func TestConformance(t *testing.T) {
	conformance.Run(t, conformance.Suite{Render: notebook.Render, Good: []byte(good), Steps: 300})
}

// K63: cells numbered, source as a list or a string, no ids needed.
func TestCells(t *testing.T) {
	r, err := render(t, "\ufeff"+good)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, r.Lines, "cell 1 (markdown)", "# Title", "text",
		"cell 2 (code)", "print('one')", "print('two')", "3", "output:", "one", "two", "output:", "3")
	if c := r.Cite(6); c != "cell 2" {
		t.Errorf("line 6 is cited as %q", c)
	}
}

func TestFormat3(t *testing.T) {
	r, err := render(t, `{"metadata": {}, "nbformat": 3, "worksheets": [{"cells": [
{"cell_type": "heading", "level": 2, "source": ["Head"]},
{"cell_type": "code", "input": ["x"], "language": "python", "outputs": [
 {"output_type": "stream", "stream": "stderr", "text": ["warn"]},
 {"output_type": "pyout", "prompt_number": 1, "text": ["42"], "png": "AAAA\nAAAA"},
 {"output_type": "pyerr", "ename": "E", "evalue": "bad", "traceback": []}]}]}]}`)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, r.Lines, "cell 1 (heading)", "## Head", "cell 2 (code)", "x", "output (stderr):", "warn", "output:", "42", "[image/png: 6 bytes, not shown]", "error:", "E: bad")
}

// K63: output that is not text is measured, whatever it holds.
func TestOtherOutputIsMeasured(t *testing.T) {
	r, err := render(t, fmt.Sprintf(`{"cells": [{"cell_type": "code", "source": [], "outputs": [
{"output_type": "display_data", "data": {"image/png": %q, "application/json": {"a": [1, 2]}, "image/svg+xml": ["<svg>", "</svg>"]}}]},
{"cell_type": "markdown", "source": "pic", "attachments": {"a.png": {"image/png": "!!!! no base64"}}}], "nbformat": 4}`, strings.Repeat("QUJD", 500_000)))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, r.Lines, "cell 1 (code)", "output:", "[image/png: 1500000 bytes, not shown]", "[application/json: 13 bytes, not shown]", "[image/svg+xml: 19 bytes, not shown]",
		"cell 2 (markdown)", "pic", "[attachment a.png, image/png: 16 bytes]")
}

func TestLongOutputIsCutWithANote(t *testing.T) {
	text, _ := json.Marshal(strings.Repeat("a line\n", 10_000))
	r, err := render(t, `{"cells": [{"cell_type": "code", "source": "x", "outputs": [{"output_type": "stream", "name": "stdout", "text": `+string(text)+`}]}], "nbformat": 4}`)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(r.Lines); n != 3+200+1 {
		t.Errorf("%d lines", n)
	}
	if last := r.Lines[len(r.Lines)-1]; last != "[9800 more lines, 68600 bytes of output left out]" {
		t.Errorf("the last line is %q", last)
	}
}

func TestErrorsWithoutColours(t *testing.T) {
	r, err := render(t, `{"cells": [{"cell_type": "code", "source": "x", "outputs": [{"output_type": "error", "ename": "ValueError", "evalue": "bad",
"traceback": ["\u001b[0;31m-----\u001b[0m", "\u001b[1;32mline 1\u001b[0m\n  line 2", "\u001b]8;;http://x\u0007ValueError\u001b]8;;\u001b\\: bad\u001b["]},
{"output_type": "stream", "name": "stdout", "text": "10%\r20%\r\ndone\u0007"}]}], "nbformat": 4}`)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, r.Lines, "cell 1 (code)", "x", "error:", "-----", "line 1", "  line 2", "ValueError: bad", "output:", "20%", "done")
}

func TestNotANotebook(t *testing.T) {
	for raw, reason := range map[string]document.Reason{
		`{"a": 1}`:         document.Unsupported,
		`[1]`:              document.Unsupported,
		`{"cells": [{`:     document.Damaged,
		`{"cells": [] } x`: document.Damaged,
		``:                 document.Damaged,
		`{"cells": [{"source": "a` + "\n" + `"}]}`: document.Damaged,
		strings.Repeat(`{"a":`, 1000):              document.Damaged,
	} {
		_, err := render(t, raw)
		var e *document.Error
		if !errors.As(err, &e) || e.Reason != reason {
			t.Errorf("%.40s: got %v, want %s", raw, err, reason)
		}
	}
	r, err := render(t, `{"cells": [], "nbformat": 4}`)
	if err != nil || len(r.Notes) != 1 {
		t.Errorf("an empty notebook: %v %q", err, r.Notes)
	}
}

// What encoding/json reads is read, and what it refuses is damage, but for
// Python's NaN and Infinity and for control of depth.
func FuzzRender(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(`{"cells": [{"source": "\ud83d\ude00\ud83d \u00e9\/"}]}`))
	f.Add([]byte(`{"cells":[{"outputs":[{"data":{"image/png":{"a":-1.5e+3}}}]}],"x":[true,false,null,NaN]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var r document.Rendering
		err := notebook.Render(t.Context(), conformance.Source(raw), &r)
		var e *document.Error
		if err != nil && !errors.As(err, &e) && !errors.Is(err, document.ErrFull) {
			t.Errorf("an error of no known kind: %v", err)
		}
		var v map[string]any
		if json.Unmarshal(raw, &v) == nil && e != nil && e.Reason == document.Damaged && !strings.Contains(e.Message, "nests") && !strings.Contains(e.Message, "digits") {
			t.Errorf("good JSON is said to be damaged: %v", err)
		}
	})
}
