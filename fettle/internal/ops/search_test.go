package ops

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/text"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

func searchIn(t *testing.T, dir string, in SearchInput) *SearchAnswer {
	t.Helper()
	s, _ := readSession(t, dir, config.None)
	a, err := Search(context.Background(), s, in)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// spots gives the hits of an answer, path:line:column.
func (a *SearchAnswer) spots() string {
	var out []string
	if a.Hits != nil {
		for _, h := range *a.Hits {
			out = append(out, fmt.Sprintf("%s:%d:%d", h.Path, h.Line, h.Column))
		}
	}
	return strings.Join(out, " ")
}

func TestSearch(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "b.txt", []byte("one\nTwo two\nthree\n"))
	put(t, dir, "a/x.go", []byte("func two() {}\r\n\r\ntwofold\r\n"))
	put(t, dir, "a/bin.dat", []byte("two\x00two"))
	put(t, dir, "bin/g.txt", []byte("two"))
	for _, c := range []struct {
		in   SearchInput
		want string
	}{
		{SearchInput{Patterns: []string{"two"}}, "a/x.go:1:6 a/x.go:3:1 b.txt:2:1"},
		{SearchInput{Patterns: []string{"two"}, CaseSensitive: true, Word: true}, "a/x.go:1:6 b.txt:2:5"},
		{SearchInput{Patterns: []string{"two()", "e$"}, Literal: true}, "a/x.go:1:6"},
		{SearchInput{Patterns: []string{"^t", "one"}, Glob: "**/*.txt"}, "b.txt:1:1 b.txt:2:1 b.txt:3:1"},
		{SearchInput{Patterns: []string{"two"}, Exclude: []string{"a"}}, "b.txt:2:1"},
		{SearchInput{Patterns: []string{"two"}, IncludeGenerated: true, Glob: "**/*.txt"}, "b.txt:2:1 bin/g.txt:1:1"},
		{SearchInput{Patterns: []string{`(\w)\1`}}, "b.txt:3:4"},
	} {
		a := searchIn(t, dir, c.in)
		if a.spots() != c.want || *a.HitsCount != int64(len(*a.Hits)) || a.Truncated {
			t.Errorf("%+v: %s, want %s", c.in, a.spots(), c.want)
		}
	}
	a := searchIn(t, dir, SearchInput{Patterns: []string{"two"}, Context: 1})
	if got := human(a); got != `a/x.go:1:6: func two() {}
a/x.go-2- 
--
a/x.go-2- 
a/x.go:3:1: twofold
--
b.txt-1- one
b.txt:2:1: Two two
b.txt-3- three
3 hits in 2 files (2 searched; 1 excluded: bin - pass --include-generated)
not searched: 1 (binary): a/bin.dat
` {
		t.Errorf("%s", got)
	}
	if a.Kind != "regex" || a.FilesMatched != 3 || a.FilesSearched != 2 || strings.Join(a.Files, " ") != "a/x.go b.txt" || a.FilesWithHits != 2 {
		t.Errorf("%+v", a)
	}
}

// 0 hits, 0 searched and 0 that can be searched are told apart. K33, K39
// A byte-order mark before a pattern is no part of it, wherever it came from.
func TestSearchMarkedPattern(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "f", []byte("hit\n"))
	in := SearchInput{Patterns: []string{"\ufeffhit"}}
	if a := searchIn(t, dir, in); a.spots() != "f:1:1" || a.Patterns[0] != "hit" || in.Patterns[0] != "\ufeffhit" {
		t.Errorf("%s %q", a.spots(), a.Patterns)
	}
}

func TestSearchSaysWhatItDidNot(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "scripts/a.py", []byte("marker"))
	put(t, dir, ".gitignore", []byte("*.log\nscripts/*\n"))
	put(t, dir, "app.log", []byte("marker"))
	put(t, dir, ".github/w.yml", []byte("marker"))
	put(t, dir, "pic/a.png", []byte("\x89PNG\r\n\x1a\n\x00marker"))
	put(t, dir, "pic/b.png", []byte("\x89PNG\r\n\x1a\n\x00marker"))
	if got := searchIn(t, dir, SearchInput{Patterns: []string{"marker"}}).spots(); got != ".github/w.yml:1:1 app.log:1:1 scripts/a.py:1:1" {
		t.Errorf("%s", got)
	}
	if got := searchIn(t, dir, SearchInput{Patterns: []string{"marker"}, Glob: "scripts/"}).spots(); got != "scripts/a.py:1:1" {
		t.Errorf("%s", got)
	}
	a := searchIn(t, dir, SearchInput{Patterns: []string{"marker"}, Glob: "*.py"})
	if len(a.Notes) != 2 || a.Notes[0] != "0 files matched the glob; nothing was searched" || !strings.Contains(a.Notes[1], "'**/*.py'") {
		t.Errorf("%q", a.Notes)
	}
	a = searchIn(t, dir, SearchInput{Patterns: []string{"marker"}, Glob: "pic/*"})
	if len(a.Notes) != 1 || a.Notes[0] != "2 files matched the glob; none could be searched as text" || len(a.Skipped) != 1 || a.Skipped[0].Count != 2 {
		t.Errorf("%+v", a)
	}
	if a = searchIn(t, dir, SearchInput{Patterns: []string{"nowhere"}}); len(a.Notes) != 0 || a.FilesSearched != 4 || a.Hits == nil {
		t.Errorf("%+v", a)
	}
}

// K35, K39
func TestSearchOddFiles(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "long", []byte("needle1\n"+strings.Repeat("x", 70_000)+"needle2\nneedle3\n"))
	utf16, _ := text.Encode("a\nneedle here\n", text.UTF16BE)
	put(t, dir, "utf16", utf16)
	put(t, dir, "latin1", []byte("caf\xe9 needle"))
	put(t, dir, "!x", []byte("needle"))
	put(t, dir, "a\nb.txt", []byte("needle"))
	a := searchIn(t, dir, SearchInput{Patterns: []string{"needle"}})
	if got := a.spots(); got != "!x:1:1 a\nb.txt:1:1 latin1:1:6 long:1:1 long:2:70001 long:3:1 utf16:2:1" {
		t.Errorf("%q", got)
	}
	if got := human(a); strings.Count(got, "\n") != 8 || !strings.Contains(got, `a\nb.txt:1:1: needle`) || !strings.Contains(got, "caf\uFFFD needle") {
		t.Errorf("%s", got)
	}
}

func TestSearchCut(t *testing.T) {
	dir := t.TempDir()
	for i := range 20 {
		put(t, dir, fmt.Sprintf("d%d/f%02d", i%3, i), bytes.Repeat([]byte("hit\n-\n"), i))
	}
	whole := searchIn(t, dir, SearchInput{Patterns: []string{"hit"}, Limit: 1000}).spots()
	var parts []string
	after := ""
	for range 40 {
		a := searchIn(t, dir, SearchInput{Patterns: []string{"hit"}, Limit: 7, After: after})
		parts = append(parts, a.spots())
		if a.Truncated && !strings.Contains(human(a), "(cut at 7 hits). Continue with: fettle search hit --limit 7 --after "+a.NextAfter) {
			t.Errorf("%s", human(a))
		}
		if after = a.NextAfter; after == "" {
			break
		}
	}
	if got := strings.Join(parts, " "); got != whole || len(parts) != 28 {
		t.Errorf("%d\n%s\nwant\n%s", len(parts), got, whole)
	}
	if a := searchIn(t, dir, SearchInput{Patterns: []string{"hit"}}); *a.HitsCount != 190 || a.Truncated {
		t.Errorf("%d", *a.HitsCount)
	}
	put(t, dir, "more", bytes.Repeat([]byte("hit\n"), 500))
	if a := searchIn(t, dir, SearchInput{Patterns: []string{"hit"}}); *a.HitsCount != SearchHits || a.CutBy != "lines" || a.NextAfter != "more:10" {
		t.Errorf("%d %s", *a.HitsCount, a.NextAfter)
	}
	if a := searchIn(t, dir, SearchInput{Patterns: []string{"hit"}, Count: true}); *a.HitsCount != 690 || a.Truncated || a.Hits != nil || a.FilesWithHits != 20 {
		t.Errorf("%+v", a)
	}
	a := searchIn(t, dir, SearchInput{Patterns: []string{"hit"}, FilesOnly: true, Limit: 3})
	if strings.Join(a.Files, " ") != "d0/f03 d0/f06 d0/f09" || a.NextAfter != "d0/f09" || a.Hits != nil || a.HitsCount != nil {
		t.Errorf("%+v", a)
	}
	a = searchIn(t, dir, SearchInput{Patterns: []string{"hit"}, FilesOnly: true, Limit: 2, After: a.NextAfter})
	if strings.Join(a.Files, " ") != "d0/f12 d0/f15" {
		t.Errorf("%+v", a)
	}
	put(t, dir, "wide", []byte(strings.Repeat(strings.Repeat("y", 290)+"hit\n", 190)))
	a = searchIn(t, dir, SearchInput{Patterns: []string{"hit"}, Glob: "wide"})
	if a.CutBy != "characters" || *a.HitsCount != Characters/(293+4+2) {
		t.Errorf("%s %d", a.CutBy, *a.HitsCount)
	}
}

func TestSearchDocuments(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a.pdf", []byte("%PDF-1.4 \x00 word another"))
	put(t, dir, "locked.pdf", []byte("%PDF-1.4 \x00 LOCKED word"))
	put(t, dir, "old.doc", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1word"+strings.Repeat("\x00", 600)))
	put(t, dir, "t.txt", []byte("word"))
	f, err := os.Create(filepath.Join(dir, "huge.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("%PDF-1.4 word")
	f.Truncate(maxDocument + 1)
	f.Close()
	a := searchIn(t, dir, SearchInput{Patterns: []string{"word"}})
	if a.spots() != "a.pdf:3:1 t.txt:1:1" || a.DocumentsSkipped != 3 || a.FilesSearched != 2 || a.FilesMatched != 5 {
		t.Errorf("%s %+v", a.spots(), a)
	}
	a = searchIn(t, dir, SearchInput{Patterns: []string{"word"}, NoDocuments: true})
	if a.spots() != "t.txt:1:1" || a.DocumentsSkipped != 4 || !strings.Contains(human(a), "4 documents were not looked inside") {
		t.Errorf("%s %+v", a.spots(), a)
	}
}

func TestSearchTimedOut(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "slow", []byte(strings.Repeat("a", 3000)))
	put(t, dir, "fine", []byte("aab c"))
	a := searchIn(t, dir, SearchInput{Patterns: []string{`(a+)+(?=b)`}})
	if a.spots() != "fine:1:1" || strings.Join(a.TimedOut, " ") != "slow" || !strings.Contains(human(a), "timed out, and searched no further: slow") {
		t.Errorf("%s %+v", a.spots(), a)
	}
}

// What a screen covers is refused by hits, counts and names of files alike,
// and a line that is not answered is not judged.
func TestSearchScreened(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "rec/a.txt", []byte("name SECRET"+strings.Repeat(" pad", 200)+" x\nplain x\n"))
	put(t, dir, "open/b.txt", []byte("SECRET x\n"))
	b, err := boundary.New(boundary.Options{Trees: []boundary.Spec{{Name: "work", Path: dir, Can: config.Work,
		Scopes: []boundary.ScopeSpec{{Path: "rec", Screen: config.Identifiers, ScreenSet: true}}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	s, _ := readSession(t, dir, config.None)
	s.Boundary = b
	for _, in := range []SearchInput{
		{Patterns: []string{"x"}}, {Patterns: []string{"name"}, Count: true}, {Patterns: []string{"name"}, FilesOnly: true},
		{Patterns: []string{"plain"}, Context: 1}, {Patterns: []string{"x$"}},
	} {
		_, err := Search(context.Background(), s, in)
		if o := outcome.Of(err); o == nil || o.Kind != outcome.Screened || strings.Contains(o.Message, "SECRET") {
			t.Errorf("%+v: %v", in, err)
		}
	}
	for _, in := range []SearchInput{{Patterns: []string{"plain"}}, {Patterns: []string{"x"}, Glob: "open/**"}, {Patterns: []string{"x"}, Limit: 1}, {Patterns: []string{"plain"}, Count: true}} {
		if _, err := Search(context.Background(), s, in); err != nil {
			t.Errorf("%+v: %v", in, err)
		}
	}
}

// What a screen is to judge is bounded as well: behind the bound an answer is cut.
func TestSearchScreenedLongLines(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"a", "b", "c"} {
		put(t, dir, f, append(bytes.Repeat([]byte("-"), maxWhole/2-100), "hit\nhit\n"...))
	}
	s, _ := readSession(t, dir, config.Identifiers)
	var got []string
	in := SearchInput{Patterns: []string{"hit"}}
	for range 3 {
		a, err := Search(context.Background(), s, in)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, a.spots(), a.CutBy)
		if in.After = a.NextAfter; in.After == "" {
			break
		}
	}
	at := maxWhole/2 - 99
	want := []string{fmt.Sprintf("a:1:%d a:2:1 b:1:%d b:2:1", at, at), "characters", fmt.Sprintf("c:1:%d c:2:1", at), ""}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What may be listed and not read is counted, not opened; what is hidden is not there. K11
func TestSearchPermissions(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"a", "names/b", "secret/c"} {
		put(t, dir, f, []byte("x"))
	}
	b, err := boundary.New(boundary.Options{Trees: []boundary.Spec{{Name: "work", Path: dir, Can: config.Work, Scopes: []boundary.ScopeSpec{
		{Path: "names", Can: config.List, CanSet: true}, {Path: "secret", CanSet: true}, {Path: "a.txt", CanSet: true}}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	s, _ := readSession(t, dir, config.None)
	s.Boundary = b
	a, err := Search(context.Background(), s, SearchInput{Patterns: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	if a.spots() != "a:1:1" || a.FilesMatched != 2 || len(a.Skipped) != 1 || a.Skipped[0].Reason != "it may not be read here" || a.Skipped[0].Paths[0] != "names/b" {
		t.Errorf("%s %+v", a.spots(), a)
	}
}

func TestSearchRefusals(t *testing.T) {
	s, _ := readSession(t, t.TempDir(), config.None)
	for _, in := range []SearchInput{{}, {Patterns: []string{""}}, {Patterns: []string{"("}}, {Patterns: []string{"a\nb"}},
		{Patterns: []string{"a"}, Glob: "[a"}, {Patterns: []string{"a"}, Context: maxContext + 1}, {Patterns: []string{"a"}, Count: true, FilesOnly: true}, {Patterns: []string{"a"}, In: "no"}} {
		_, err := Search(context.Background(), s, in)
		if o := outcome.Of(err); o == nil || o.Kind != outcome.Invalid {
			t.Errorf("%+v: %v", in, err)
		}
	}
}
