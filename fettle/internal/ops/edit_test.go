package ops

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/change"
	"fettler/fettle/internal/text"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

func bytesOf(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func oneEdit(path string, e change.Edit) EditInput {
	return EditInput{Path: path, Edits: []change.Edit{e}}
}

func wantOutcome(t *testing.T, err error, k outcome.Kind) {
	t.Helper()
	if o := outcome.Of(err); o == nil || o.Kind != k {
		t.Errorf("%v; want %s", err, k.Word())
	}
}

// K15, K17: what is not touched stays byte for byte, whatever it is.
func TestEditKeepsBytes(t *testing.T) {
	utf16 := func(s string) string {
		raw, err := text.Encode(s, text.UTF16LE)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	for _, c := range []struct{ before, after string }{
		{"one\r\ntwo\r\nthree\r\n", "one\r\nTWO\r\nthree\r\n"},
		{"\xef\xbb\xbftwo=1\nother=2\n", "\xef\xbb\xbfTWO=1\nother=2\n"},
		{"a\rb\ntwo\r\nc", "a\rb\nTWO\r\nc"},
		{utf16("x\r\ntwo\r\n\U0001F600"), utf16("x\r\nTWO\r\n\U0001F600")},
		{"two \u00a0\u202f \u200b", "TWO \u00a0\u202f \u200b"},
	} {
		dir := t.TempDir()
		put(t, dir, "f", []byte(c.before))
		s, _ := readSession(t, dir, config.None)
		a, err := Edit(context.Background(), s, oneEdit("f", change.Edit{Old: "two", New: "TWO"}))
		if err != nil {
			t.Fatal(err)
		}
		if got := bytesOf(t, dir, "f"); got != c.after || a.Files[0].Hash != text.Hash([]byte(got)) {
			t.Errorf("%q became %q", c.before, got)
		}
	}
}

// K25: what decides is the content, not the clock.
func TestExpectIsTheContent(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "f", []byte("same\n"))
	hash := text.Hash([]byte("same\n"))
	edit := func(old, fresh string) error {
		s, _ := readSession(t, dir, config.None)
		in := oneEdit("f", change.Edit{Old: old, New: fresh})
		in.Expect = hash
		_, err := Edit(context.Background(), s, in)
		return err
	}
	now := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "f"), now, now); err != nil {
		t.Fatal(err)
	}
	if err := edit("same", "fine"); err != nil {
		t.Error("touched only:", err)
	}
	put(t, dir, "f", []byte("sane\n"))
	if err := os.Chtimes(filepath.Join(dir, "f"), now, now); err != nil {
		t.Fatal(err)
	}
	err := edit("sane", "x")
	wantOutcome(t, err, outcome.Stale)
	if err != nil && !strings.Contains(err.Error(), text.Hash([]byte("sane\n"))) {
		t.Error("the new hash is not named:", err)
	}
	if err := os.Remove(filepath.Join(dir, "f")); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "f", []byte("same\n"))
	if err := edit("same", "fine"); err != nil {
		t.Error("removed and written again:", err)
	}
}

// A file that the rest of the world writes at the same time is changed from
// what was read or not at all.
func TestChangedWhileEdited(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "f", []byte("a\n"))
	s, _ := readSession(t, dir, config.None)
	p, err := s.forChange("f", config.Update)
	if err != nil {
		t.Fatal(err)
	}
	o, err := openText(p)
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, "f", []byte("somebody\n"))
	_, err = putFile(s, p, []byte("b\n"), boundary.StageOptions{Replace: true, Was: o.info})
	wantOutcome(t, err, outcome.Stale)
	if got := bytesOf(t, dir, "f"); got != "somebody\n" {
		t.Error(got)
	}
}

// Many calls at once, each with its own boundary as in a server, each batch over
// the same three files: every state that is seen is one batch's.
func TestBatchesAtOnce(t *testing.T) {
	dir := t.TempDir()
	names := []string{"a", "d/b", "e/c"}
	for _, n := range names {
		put(t, dir, n, []byte("v=start\n"))
	}
	var group sync.WaitGroup
	for i := range 6 {
		group.Go(func() {
			for k := range 5 {
				b, err := boundary.New(boundary.Options{Trees: []boundary.Spec{{Name: "work", Path: dir, Can: config.Work}}})
				if err != nil {
					t.Error(err)
					return
				}
				b.Recover()
				c := b.Begin()
				err = func() error {
					for _, n := range names {
						p, err := b.Locate(n, 0, "")
						if err != nil {
							return err
						}
						if _, err := c.Write(p, strings.NewReader(fmt.Sprintf("v=%d.%d\n", i, k)), boundary.StageOptions{Replace: true}); err != nil {
							return err
						}
					}
					return c.Commit()
				}()
				c.Close()
				b.Close()
				var o *outcome.Error
				if err != nil && (!errors.As(err, &o) || o.Kind != outcome.Stale && o.Kind != outcome.Refused && o.Kind != outcome.Denied && o.Kind != outcome.NotFound) {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	for _, n := range names {
		if got := bytesOf(t, dir, n); !strings.HasPrefix(got, "v=") || !strings.HasSuffix(got, "\n") {
			t.Errorf("%s is torn: %q", n, got)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*", boundary.ReservedPrefix+"*"))
	more, _ := filepath.Glob(filepath.Join(dir, boundary.ReservedPrefix+"*"))
	if err != nil || len(left)+len(more) > 0 {
		t.Error("left over:", left, more)
	}
}

func TestScreenedEdit(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "f", []byte("SECRET here\nplain\nplain too\n"))
	s, _ := readSession(t, dir, config.Identifiers)
	ctx := context.Background()
	for _, e := range []change.Edit{{Old: "here", New: "x"}, {Old: "HERE", New: "x"}} {
		in := oneEdit("f", e)
		in.DryRun = true
		_, err := Edit(ctx, s, in)
		wantOutcome(t, err, outcome.Screened)
	}
	_, err := Replace(ctx, s, ReplaceInput{Find: "here", With: "x"})
	wantOutcome(t, err, outcome.Screened)
	if _, err := Edit(ctx, s, oneEdit("f", change.Edit{Old: "plain too", New: "x"})); err != nil {
		t.Error(err)
	}
	// The diff shows the lines around, so it is judged with them.
	in := oneEdit("f", change.Edit{Old: "plain", New: "y"})
	in.DryRun = true
	_, err = Edit(ctx, s, in)
	wantOutcome(t, err, outcome.Screened)
}

func TestDiffIsBounded(t *testing.T) {
	dir := t.TempDir()
	for i := range 30 {
		put(t, dir, fmt.Sprintf("f%d", i), []byte(strings.Repeat("word and more of it\n", 100)))
	}
	s, _ := readSession(t, dir, config.None)
	a, err := Replace(context.Background(), s, ReplaceInput{Find: "word", With: "other", DryRun: true})
	if err != nil || !a.DiffTruncated || text.Chars(a.Diff) > Characters || a.Replacements != 3000 || !strings.HasSuffix(a.Diff, "\n") {
		t.Error(err, a.DiffTruncated, len(a.Diff), a.Replacements)
	}
}

func TestReplaceAnchorsInTheFilesEndings(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "lf", []byte("a\nb\n"))
	put(t, dir, "crlf", []byte("a\r\nb\r\n"))
	s, _ := readSession(t, dir, config.None)
	a, err := Replace(context.Background(), s, ReplaceInput{Find: "a\nb", With: "x\ny"})
	if err != nil || a.Replacements != 2 || bytesOf(t, dir, "crlf") != "x\r\ny\r\n" || bytesOf(t, dir, "lf") != "x\ny\n" {
		t.Errorf("%+v %v", a, err)
	}
}

// K27 and the rest of what a wildcard or a wrong shape may not do.
func TestBatchShapes(t *testing.T) {
	for raw, want := range map[string]string{
		`{}`:                              `no "operations"`,
		`{"operations":[]}`:               "empty",
		`{"operations":[{"op":"run"}]}`:   `"op" is one of`,
		`{"operations":[{"op":"mkdir"}]}`: `needs "path"`,
		`{"operations":[{"op":"mkdir","path":"a","text":"x"}]}`:                        `mkdir takes no "text"`,
		`{"operations":[{"op":"write","path":"a","text":"x","allowCredential":true}]}`: `no field called "allowCredential"`,
		`{"operations":[{"op":"exec","path":"a","executable":"yes"}]}`:                 "true or false",
	} {
		_, err := decodeBatch([]byte(raw))
		wantOutcome(t, err, outcome.Invalid)
		if err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

// The lines that many places lie on are those that looking at each place gives.
func TestTouched(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		var b strings.Builder
		for range rng.IntN(40) {
			b.WriteByte("ab\n\r"[rng.IntN(4)])
		}
		content := b.String()
		var spans []change.Span
		for at := 0; at <= len(content); {
			at += rng.IntN(6)
			to := at + rng.IntN(4)
			if to > len(content) {
				break
			}
			spans = append(spans, change.Span{Start: at, End: to})
			at = to
		}
		want := map[int]bool{} // the bytes on those lines
		for _, sp := range spans {
			from := strings.LastIndexAny(content[:sp.Start], "\r\n") + 1
			to := len(content)
			if i := strings.IndexAny(content[sp.End:], "\r\n"); i >= 0 {
				to = sp.End + i
			}
			for k := from; k < to; k++ {
				if !strings.ContainsRune("\r\n", rune(content[k])) {
					want[k] = true
				}
			}
		}
		if got := len(strings.Join(touched(content, spans), "")); got != len(want) {
			t.Fatalf("%q %v: %d bytes, wanted %d", content, spans, got, len(want))
		}
	}
}

// A file that many edits name is read once, and those of a call are bounded.
func TestNamedTexts(t *testing.T) {
	dir := t.TempDir()
	s, _ := readSession(t, dir, config.None)
	if err := os.WriteFile(filepath.Join(dir, "w"), bytes.Repeat([]byte("w"), 1<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	brought := &texts{of: map[string]namedText{}}
	for range 1000 {
		if got, _, err := brought.read(s, "w"); err != nil || len(got) != 1<<20 {
			t.Fatalf("%d %v", len(got), err)
		}
	}
	if brought.size != 1<<20 {
		t.Errorf("%d bytes were read", brought.size)
	}
	brought.size = largestText
	if _, _, err := brought.read(s, "./w"); outcome.Of(err).Kind != outcome.Refused {
		t.Errorf("past the bound: %v", err)
	}
}

// What the files of a call come to hold is bounded together.
func TestSum(t *testing.T) {
	var made sum
	made.bytes.Store(mostChanged - 1)
	if err := made.add("a"); err != nil {
		t.Error(err)
	}
	if err := made.add("b"); outcome.Of(err).Kind != outcome.Refused {
		t.Errorf("past the bound: %v", err)
	}
}
