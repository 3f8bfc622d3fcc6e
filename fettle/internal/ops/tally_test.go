package ops

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/document"
	"fettler/fettle/internal/scan"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// mixedSession opens a tree whose scopes are screened differently.
func mixedSession(t *testing.T) (*Session, *judged) {
	t.Helper()
	dir := t.TempDir()
	for i := range 40 {
		put(t, dir, fmt.Sprintf("ids/%d.txt", i), []byte("x SECRET\n"))
		put(t, dir, fmt.Sprintf("ill/%d.txt", i), []byte("x SICK SICK\n"))
		put(t, dir, fmt.Sprintf("law/%d.txt", i), []byte("x SUED\nSECRET\n"))
		put(t, dir, fmt.Sprintf("open/%d.txt", i), []byte("x SECRET SICK SUED\n"))
	}
	b, err := boundary.New(boundary.Options{Trees: []boundary.Spec{{Name: "work", Path: dir, Can: config.Work, Scopes: []boundary.ScopeSpec{
		{Path: "ids", Screen: config.Identifiers, ScreenSet: true},
		{Path: "ill", Screen: config.Clinical, ScreenSet: true},
		{Path: "law", Screen: config.Legal | config.Identifiers, ScreenSet: true},
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	s, j := readSession(t, dir, config.None)
	s.Boundary = b
	return s, j
}

func wantRefusal(t *testing.T, err error, want string) {
	t.Helper()
	if o := outcome.Of(err); o == nil || o.Kind != outcome.Screened || !strings.Contains(o.Message, ": "+want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// One refusal speaks for the whole answer, whatever its places are screened
// for, and it is the same every time.
func TestOneRefusalSpeaksForTheWholeAnswer(t *testing.T) {
	s, _ := mixedSession(t)
	ctx := context.Background()
	for range 5 {
		for in, want := range map[*SearchInput]string{
			{Patterns: []string{"x"}}:                               "40 in identifiers, 80 in clinical, 40 in legal.",
			{Patterns: []string{"x"}, Count: true}:                  "40 in identifiers, 80 in clinical, 40 in legal.",
			{Patterns: []string{"x"}, FilesOnly: true}:              "40 in identifiers, 80 in clinical, 40 in legal.",
			{Patterns: []string{"."}, Count: true}:                  "80 in identifiers, 80 in clinical, 40 in legal.",
			{Patterns: []string{"."}, FilesOnly: true}:              "80 in identifiers, 80 in clinical, 40 in legal.",
			{Patterns: []string{"x", "SECRET"}, Glob: "law/*"}:      "40 in identifiers, 40 in legal.",
			{Patterns: []string{"x"}, Context: 1, Glob: "law/*"}:    "40 in identifiers, 40 in legal.",
			{Patterns: []string{"SICK"}}:                            "80 in clinical.",
			{Patterns: []string{"SICK"}, FilesOnly: true, Limit: 3}: "6 in clinical.", // of the paths that are answered
			{Patterns: []string{"SICK"}, Limit: 3}:                  "6 in clinical.",
			{Patterns: []string{"SICK"}, Count: true, Limit: 3}:     "80 in clinical.", // a count speaks of all
			{Patterns: []string{"x"}, Glob: "ids/*", Count: true}:   "40 in identifiers.",
		} {
			_, err := Search(ctx, s, *in)
			wantRefusal(t, err, want)
		}
	}
	_, err := Read(ctx, s, ReadInput{Paths: []string{"law/1.txt", "ill/1.txt", "open/1.txt", "ids/1.txt"}})
	wantRefusal(t, err, "2 in identifiers, 2 in clinical, 1 in legal.")
	_, err = Replace(ctx, s, ReplaceInput{Find: "x", With: "y"})
	wantRefusal(t, err, "40 in identifiers, 80 in clinical, 40 in legal.")
	edit := func(paths ...string) EditInput {
		var files []string
		for _, p := range paths {
			files = append(files, fmt.Sprintf(`{"path":%q,"edits":[{"replace":"x","with":"y"}]}`, p))
		}
		return EditInput{DryRun: true, Script: json.RawMessage(`{"files":[` + strings.Join(files, ",") + `]}`)}
	}
	_, err = Edit(ctx, s, edit("ill/2.txt", "ids/2.txt"))
	wantRefusal(t, err, "1 in identifiers, 2 in clinical.")
	// What else is wrong is not said beside it.
	put(t, s.Boundary.Trees()[0].Path, "open/without.txt", []byte("-"))
	_, err = Edit(ctx, s, edit("ill/2.txt", "ids/2.txt", "open/without.txt"))
	wantRefusal(t, err, "1 in identifiers, 2 in clinical.")
}

// A model that fails is asked once for an answer, what was found stands before
// it, and of several failures the first categories' is named.
func TestAFailedModelIsAskedOnce(t *testing.T) {
	s, j := mixedSession(t)
	j.broken = config.Clinical | config.Legal
	ctx := context.Background()
	for range 5 {
		for _, in := range []SearchInput{
			{Patterns: []string{"SICK|SUED"}}, {Patterns: []string{"SICK|SUED"}, Count: true},
			{Patterns: []string{"SICK|SUED"}, FilesOnly: true},
		} {
			j.asked = nil
			_, err := Search(ctx, s, in)
			wantRefusal(t, err, "no model for clinical")
			asked := 0
			for _, want := range j.asked {
				if want&config.Models != 0 {
					asked++
				}
			}
			if asked != 2 {
				t.Errorf("the models were asked %d times", asked)
			}
		}
	}
	_, err := Search(ctx, s, SearchInput{Patterns: []string{"."}, Count: true})
	wantRefusal(t, err, "80 in identifiers.")
	_, err = Read(ctx, s, ReadInput{Paths: []string{"ill/1.txt", "ids/1.txt"}})
	wantRefusal(t, err, "1 in identifiers.")
}

// A landmark's lines count once too, whether they are hits or are only cited,
// and a cut cite is judged by the whole lines it stands for.
func TestJudgedLandmarks(t *testing.T) {
	long := strings.Repeat("long ", 50)
	doc := &document.Rendering{
		Lines: []string{"Ann's file", "a", "b", "two", "lines", "c", long + "078-05-1123", "d"},
		Landmarks: []document.Landmark{
			{Line: 1, Cite: "heading Ann's file"}, {Line: 4, Cite: "heading two lines"}, {Line: 7, Cite: "heading " + long[:200] + "..."},
		},
	}
	judged := judgedLines{doc: doc}
	var got []string
	for _, h := range []scan.Hit{
		{Line: 2, WholeFrom: 2, Whole: []string{"a"}},
		{Line: 3, Context: []scan.Line{{Line: 2}, {Line: 4}}, WholeFrom: 3, Whole: []string{"b", "two"}},
		{Line: 6, WholeFrom: 6, Whole: []string{"c"}},
		{Line: 8, WholeFrom: 8, Whole: []string{"d"}},
	} {
		got = append(got, judged.of(h)...)
	}
	want := []string{"Ann's file", "a", "b", "two", "lines", "heading two lines", "c", doc.Lines[6], "heading " + long[:200] + "...", "d"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
