package ops

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fettler/fettle/internal/boundary"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

func findIn(t *testing.T, dir string, in FindInput) *FindAnswer {
	t.Helper()
	s, _ := readSession(t, dir, config.None)
	a, err := Find(context.Background(), s, in)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// names gives the paths of an answer, folders with a slash and links with an @.
func (a *FindAnswer) names() string {
	var out []string
	for _, f := range a.Files {
		n := f.Path
		if f.Directory {
			n += "/"
		}
		if f.Link {
			n += "@" + f.LinkTarget
		}
		out = append(out, n)
	}
	return strings.Join(out, " ")
}

func human(a Answer) string {
	var b bytes.Buffer
	a.Human(&b)
	return b.String()
}

// The session of the user's own document: columns, order, count line.
func TestFindSession(t *testing.T) {
	dir := t.TempDir()
	for i, f := range []struct {
		name string
		size int
		at   string
	}{
		{"src/Fettler/Edits.cs", 11233, "2026-08-12T08:05:52Z"}, {"src/Fettler/Glob.cs", 4812, "2026-08-14T09:22:07Z"},
		{"src/Fettler/PathRoot.cs", 6104, "2026-08-13T17:40:11Z"}, {"bin/a", 1, ""}, {"src/obj/b", 1, ""}, {".git/HEAD", 1, ""},
	} {
		put(t, dir, f.name, bytes.Repeat([]byte("x"), f.size))
		if at, err := time.Parse(time.RFC3339, f.at); err == nil {
			if err := os.Chtimes(filepath.Join(dir, f.name), at, at); err != nil {
				t.Fatal(i, err)
			}
		}
	}
	want := `src/Fettler/Glob.cs           4812  2026-08-14T09:22:07Z
src/Fettler/PathRoot.cs       6104  2026-08-13T17:40:11Z
src/Fettler/Edits.cs         11233  2026-08-12T08:05:52Z
3 files (3 excluded: bin, obj, .git - pass --include-generated)
`
	if got := human(findIn(t, dir, FindInput{Pattern: "src/**/*.cs", Sort: "mtime", Limit: 3})); got != want {
		t.Errorf("%s", got)
	}
	if got := findIn(t, dir, FindInput{Pattern: "SRC/**", Since: "2026-08-13", Sort: "path"}).names(); got != "src/Fettler/Glob.cs src/Fettler/PathRoot.cs" {
		t.Errorf("%s", got)
	}
	if a := findIn(t, dir, FindInput{IncludeGenerated: true}); a.Count != 6 || a.Excluded.Count != 0 || len(a.Excluded.Folders) != 0 {
		t.Errorf("%+v", a)
	}
}

// A cut answer says so and gives the call that goes on; together the parts are the whole, in either order.
func TestFindCut(t *testing.T) {
	dir := t.TempDir()
	for i := range 30 {
		put(t, dir, fmt.Sprintf("d%d/f%02d", i%3, i), nil)
		at := time.Unix(int64(1_700_000_000+(i*7)%10), 0)
		os.Chtimes(filepath.Join(dir, fmt.Sprintf("d%d/f%02d", i%3, i)), at, at)
	}
	for _, sort := range []string{"path", "mtime"} {
		whole := findIn(t, dir, FindInput{Sort: sort}).names()
		var parts []string
		after := ""
		for range 10 {
			a := findIn(t, dir, FindInput{Sort: sort, Limit: 7, After: after})
			parts = append(parts, a.names())
			if a.Truncated != (a.NextAfter != "") || a.Truncated && (a.CutBy != "lines" || !strings.Contains(human(a), "Continue with: fettle find --sort "+sort+" --limit 7 --after "+a.NextAfter)) {
				t.Errorf("%+v\n%s", a, human(a))
			}
			if after = a.NextAfter; after == "" {
				break
			}
		}
		if got := strings.Join(parts, " "); got != whole || len(parts) != 5 {
			t.Errorf("%s: %s\nwant %s", sort, got, whole)
		}
	}
}

func TestFindCaps(t *testing.T) {
	dir := t.TempDir()
	for i := range FindFiles + 1 {
		put(t, dir, fmt.Sprintf("f%04d", i), nil)
	}
	if a := findIn(t, dir, FindInput{}); a.Count != FindFiles || !a.Truncated || a.CutBy != "lines" || a.NextAfter != "f0999" {
		t.Errorf("%d %v %s", a.Count, a.Truncated, a.CutBy)
	}
	long := strings.Repeat("n", 200)
	for i := range 300 {
		put(t, dir, fmt.Sprintf("deep/%s%04d", long, i), nil)
	}
	a := findIn(t, dir, FindInput{Pattern: "deep/*"})
	if a.CutBy != "characters" || a.Count != Characters/(5+200+4+1) {
		t.Errorf("%d %s", a.Count, a.CutBy)
	}
}

// K09, K41 and links: each real file once, links as links, odd names in a form that can be passed back.
func TestFindOddEntries(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a/f", nil)
	for name, to := range map[string]string{"self": ".", "a/loop": "../a", "out": "/etc", "b": "a/f"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip("no links here:", err)
		}
	}
	if got := findIn(t, dir, FindInput{}).names(); got != "a/f a/loop@a b@a/f out@ self@." {
		t.Errorf("%s", got)
	}
	if got := findIn(t, dir, FindInput{Kind: "dir"}).names(); got != "a/" {
		t.Errorf("%s", got)
	}
	if got := findIn(t, dir, FindInput{Kind: "any", Pattern: "*"}).names(); got != "a/ b@a/f out@ self@." {
		t.Errorf("%s", got)
	}
	dir = t.TempDir()
	put(t, dir, "bad\xff", []byte("x"))
	put(t, dir, "a\nb", []byte("x"))
	a := findIn(t, dir, FindInput{})
	if a.names() != "a\nb bad\\xff" || strings.Count(human(a), "\n") != 3 {
		t.Errorf("%q\n%s", a.names(), human(a))
	}
	if got := findIn(t, dir, FindInput{After: "a\nb"}).names(); got != `bad\xff` {
		t.Errorf("%s", got)
	}
	if got := readOne(t, dir, ReadInput{Paths: []string{`bad\xff`}}); got.Bytes != 1 {
		t.Errorf("%+v", got)
	}
}

func TestFindRefusals(t *testing.T) {
	dir := t.TempDir()
	s, _ := readSession(t, dir, config.None)
	for _, in := range []FindInput{{Pattern: "{a}"}, {Pattern: "!a"}, {Exclude: []string{"a[b"}}, {Since: "yesterday"}, {Limit: -1}, {Limit: maxLimit + 1}, {In: "nowhere"}, {Pattern: "work:a", In: "other"}} {
		_, err := Find(context.Background(), s, in)
		if o := outcome.Of(err); o == nil || o.Kind != outcome.Invalid {
			t.Errorf("%+v: %v", in, err)
		}
	}
}

// Hidden is absent: from entries, counts, totals and what is excluded. K11
func TestFindHidden(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"a", "secret/s", "bin/x", "bin/secret/y"} {
		put(t, dir, f, nil)
	}
	b, err := boundary.New(boundary.Options{Trees: []boundary.Spec{
		{Name: "work", Path: dir, Can: config.Work, Scopes: []boundary.ScopeSpec{{Path: "secret", CanSet: true}, {Path: "bin/secret", CanSet: true}}},
		{Name: "other", Path: t.TempDir(), Can: config.List | config.Read},
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	s, _ := readSession(t, dir, config.None)
	s.Boundary = b
	for _, p := range []string{"", "**", "work:", "work:**", "secret/**"} {
		a, err := Find(context.Background(), s, FindInput{Pattern: p})
		if err != nil {
			t.Fatal(err)
		}
		want := "work:a"
		if p == "secret/**" {
			want = ""
		}
		if a.names() != want || a.Excluded.Count != 1 || len(a.Skipped) != 0 {
			t.Errorf("%s: %s %+v", p, a.names(), a)
		}
	}
	if a, err := Find(context.Background(), s, FindInput{In: "OTHER"}); err != nil || a.Count != 0 {
		t.Error(err)
	}
}
