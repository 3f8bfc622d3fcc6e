package change

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"fettler/fettle/internal/text"
	"fettler/shared/outcome"
)

func content(t testing.TB, s string) text.Content {
	t.Helper()
	c, err := text.Decode([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func kind(err error) outcome.Kind {
	if err == nil {
		return outcome.OK
	}
	return outcome.Of(err).Kind
}

func TestResolve(t *testing.T) {
	rep := func(old, fresh string) Edit { return Edit{Op: Replace, Old: old, New: fresh} }
	all := func(old, fresh string) Edit { return Edit{Op: Replace, Old: old, New: fresh, All: true} }
	in := func(a, b int, e Edit) Edit { e.From, e.To = a, b; return e }
	ins := func(after int, s string) Edit { return Edit{Op: Insert, After: after, New: s} }
	del := func(a, b int) Edit { return Edit{Op: Delete, From: a, To: b} }
	for _, c := range []struct {
		name, file string
		edits      []Edit
		want       string // the text, or a part of the refusal
		kind       outcome.Kind
	}{
		{"crlf kept", "one\r\ntwo\r\nthree\r\n", []Edit{rep("two", "TWO")}, "one\r\nTWO\r\nthree\r\n", 0},                                                              // K15
		{"lf anchor over crlf", "one\r\ntwo\r\nthree\r\n", []Edit{rep("two\nthree", "2\n3")}, "one\r\n2\r\n3\r\n", 0},                                                  // K15
		{"crlf anchor over lf", "one\ntwo\n", []Edit{rep("one\r\ntwo", "1\r\n2")}, "1\n2\n", 0},                                                                        // K15
		{"crlf replacement", "a\r\nb\r\n", []Edit{rep("a", "x\r\ny")}, "x\r\ny\r\nb\r\n", 0},                                                                           // K15: never \r\r\n
		{"mixed keeps", "a\r\nb\nc\r\nd\r\n", []Edit{rep("c", "C\nCC")}, "a\r\nb\nC\r\nCC\r\nd\r\n", 0},                                                                // K15
		{"mixed anchor", "a\nb\nc\r\nd\r\ne\n", []Edit{rep("c\nd", "x")}, "a\nb\nx\r\ne\n", 0},                                                                         // K15
		{"old mac", "a\rb\rc\r", []Edit{ins(1, "x\ny")}, "a\rx\ry\rb\rc\r", 0},                                                                                         // K15
		{"lone anchor \\n never splits", "a\r\nb\r\n", []Edit{all("\n", "")}, "ab", 0},                                                                                 // taken as the file's ending
		{"twice", "x=1\nx=1\n", []Edit{rep("x=1", "x=2")}, "the text to replace is there 2 times, at lines 1, 2", outcome.Conflict},                                    // K19
		{"twice, all", "x=1\nx=1\n", []Edit{all("x=1", "x=2")}, "x=2\nx=2\n", 0},                                                                                       // K19
		{"overlapping places", "aaa", []Edit{rep("aa", "b")}, "is there 2 times", outcome.Conflict},                                                                    // K19
		{"twice, in lines", "x=1\nx=1\n", []Edit{in(2, 2, rep("x=1", "x=2"))}, "x=1\nx=2\n", 0},                                                                        // K19
		{"outside the lines", "x\ny\nz\n", []Edit{in(1, 2, rep("z", "Z"))}, "It is at line 3, outside those lines", outcome.NotFound},                                  //
		{"range", "x\n", []Edit{in(1, 2, rep("x", "y"))}, "looks in lines 1-2, and the file has 1 line", outcome.Invalid},                                              //
		{"nbsp", "a\nlist in\u00a0current\n", []Edit{rep("list in current", "x")}, "Line 2 has U+00A0 at column 8 where the text given has a space", outcome.NotFound}, // K21
		{"curly", "say \u201chi\u201d\n", []Edit{rep(`"hi"`, "x")}, "Line 1 has U+201C at column 5 where the text given has a straight quote", outcome.NotFound},       // K21
		{"straight to curly", "f('%s')", []Edit{rep("'%s'", "‘%s’")}, "f(‘%s’)", 0},                                                                                    // K21
		{"narrow space written", "a b", []Edit{rep("a b", "a\u202fb")}, "a\u202fb", 0},                                                                                 // K21
		{"unseen", "ab\u200bc\n", []Edit{rep("abc", "x")}, "Line 1 has U+200B at column 3, which cannot be seen", outcome.NotFound},                                    //
		{"whitespace", "q\nif x {\n\ty()\n}\n", []Edit{rep("if x {\n    y()", "z")}, "differs only in whitespace at line 2", outcome.NotFound},                         //
		{"case", "q\nHello World\n", []Edit{rep("hello world", "z")}, "differs only in case at line 2", outcome.NotFound},                                              //
		{"composed", "q\ncafe\u0301\n", []Edit{rep("café", "z")}, "how accented characters are composed at line 2", outcome.NotFound},                                  //
		{"first line there", "q\nab\ncd\n", []Edit{rep("ab\nce", "z")}, "Its line 1 is at line 2", outcome.NotFound},                                                   //
		{"done already", "q\nnew\n", []Edit{rep("old", "new")}, "The replacement is already there, at line 2", outcome.NotFound},                                       //
		{"not there", "q\n", []Edit{rep("zzz", "y")}, "is not in the file", outcome.NotFound},                                                                          //
		{"inserted is not seen", "a\n", []Edit{ins(1, "b"), rep("b", "c")}, "edit 2 of 2: the text to replace is not in", outcome.NotFound},                            // K23
		{"the third fails", "a\nb\n", []Edit{rep("a", "1"), rep("b", "2"), rep("c", "3")}, "edit 3 of 3", outcome.NotFound},                                            // K23
		{"overlap", "abcdef", []Edit{rep("abc", "1"), rep("cde", "2")}, "edits 1 and 2 overlap at line 1", outcome.Conflict},                                           // K23
		{"insert inside a deletion", "a\nb\nc\n", []Edit{del(1, 3), ins(2, "x")}, "edits 1 and 2 overlap", outcome.Conflict},                                           // K23
		{"the same deletion twice", "a\nb\n", []Edit{del(1, 1), del(1, 1)}, "overlap", outcome.Conflict},                                                               // K23
		{"two on one line", "abc\n", []Edit{rep("c", "3"), rep("a", "1")}, "1b3\n", 0},                                                                                 // K23
		{"line numbers stay", "a\nb\nc\n", []Edit{ins(1, "x\ny"), del(3, 3), rep("b", "B")}, "a\nx\ny\nB\n", 0},                                                        // K23
		{"two insertions keep order", "a\n", []Edit{ins(1, "1"), ins(1, "2")}, "a\n1\n2\n", 0},                                                                         // K23
		{"insert before a deletion", "a\nb\n", []Edit{del(2, 2), ins(1, "x")}, "a\nx\n", 0},                                                                            // K23
		{"empty file", "", []Edit{ins(0, "x")}, "x\n", 0},                                                                                                              // K29
		{"empty file, anchor", "", []Edit{rep("x", "y")}, "which is empty", outcome.NotFound},                                                                          // K29
		{"empty file, line 1", "", []Edit{ins(1, "x")}, "the file has 0 lines", outcome.Invalid},                                                                       // K29
		{"insert an empty line", "a\nb\n", []Edit{ins(1, "")}, "a\n\nb\n", 0},                                                                                          //
		{"no final newline stays so", "a\nb", []Edit{ins(2, "c\n")}, "a\nb\nc", 0},                                                                                     //
		{"delete the last", "a\nb", []Edit{del(2, 2)}, "a\n", 0},                                                                                                       //
		{"delete beyond", "a\n", []Edit{del(1, 2)}, "deletes lines 1-2, and the file has 1 line", outcome.Invalid},                                                     //
		{"empty anchor", "a", []Edit{rep("", "x")}, "empty text to replace", outcome.Invalid},                                                                          //
		{"same", "a", []Edit{rep("a", "a")}, "by itself", outcome.Invalid},                                                                                             //
		{"endings only", "a\r\nb\r\n", []Edit{rep("a\r\nb", "a\nb")}, "the file's own line endings", outcome.Invalid},                                                  //
		{"mark", "\ufeffkey=1\nother=2\n", []Edit{rep("key=1", "key=2")}, "key=2\nother=2\n", 0},                                                                       // K17: the mark is Encode's
	} {
		r, err := Resolve(content(t, c.file), c.edits)
		if kind(err) != c.kind {
			t.Errorf("%s: %v, want outcome %s", c.name, err, c.kind.Word())
			continue
		}
		if err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q lacks %q", c.name, err, c.want)
		}
		if err == nil && r.Text != c.want {
			t.Errorf("%s: %q, want %q", c.name, r.Text, c.want)
		}
	}
}

func TestMissNamesItsLines(t *testing.T) {
	_, err := Resolve(content(t, "x=1\nx=1\n"), []Edit{{Old: "x=1", New: "y"}})
	var m *Miss
	if !errors.As(err, &m) || len(m.Lines) != 2 {
		t.Errorf("%v speaks of lines %v", err, m)
	}
}

// model applies edits another way: it gives every byte and every gap of the
// text its own cell and writes into those.
func model(s string, edits []Edit) (string, bool) {
	cells := make([]string, len(s))
	taken := make([]bool, len(s))
	inner := make([]bool, len(s)+1) // gaps inside a replaced place
	for i := range len(s) {
		cells[i] = s[i : i+1]
	}
	gaps := make([]string, len(s)+1)
	lineAt := func(n int) int { // where line n+1 begins
		at := 0
		for ; n > 0; n-- {
			at += strings.IndexByte(s[at:], '\n') + 1
		}
		return at
	}
	take := func(a, b int, fresh string) bool {
		for i := a; i < b; i++ {
			if taken[i] {
				return false
			}
			taken[i], cells[i] = true, ""
			if i > a {
				inner[i] = true
			}
		}
		cells[a] = fresh
		return true
	}
	for _, e := range edits {
		switch e.Op {
		case Delete:
			if !take(lineAt(e.From-1), lineAt(e.To), "") {
				return "", false
			}
		case Insert:
			gaps[lineAt(e.After)] += e.New + "\n"
		case Replace:
			n := 0
			for i := 0; i+len(e.Old) <= len(s); {
				if s[i:i+len(e.Old)] != e.Old {
					i++
					continue
				}
				if !take(i, i+len(e.Old), e.New) {
					return "", false
				}
				n++
				i += len(e.Old)
			}
			if n == 0 {
				return "", false
			}
		}
	}
	var b strings.Builder
	for i := range gaps {
		if gaps[i] != "" && inner[i] {
			return "", false
		}
		b.WriteString(gaps[i])
		if i < len(s) {
			b.WriteString(cells[i])
		}
	}
	return b.String(), true
}

func TestResolveEqualsModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	agreed := 0
	for round := range 4000 {
		var b strings.Builder
		n := 1 + rng.IntN(12)
		for range n {
			for range rng.IntN(4) {
				b.WriteByte("abc"[rng.IntN(3)])
			}
			b.WriteByte('\n')
		}
		s := b.String()
		var edits []Edit
		for range 1 + rng.IntN(4) {
			switch rng.IntN(3) {
			case 0:
				a := 1 + rng.IntN(n)
				edits = append(edits, Edit{Op: Delete, From: a, To: a + rng.IntN(min(2, n-a+1))})
			case 1:
				edits = append(edits, Edit{Op: Insert, After: rng.IntN(n + 1), New: fmt.Sprint("i", len(edits))})
			case 2:
				edits = append(edits, Edit{Old: []string{"a", "ab", "b\n", "ca", "c\na"}[rng.IntN(5)], New: fmt.Sprint("R", len(edits)), All: true})
			}
		}
		want, ok := model(s, edits)
		got, err := Resolve(content(t, s), edits)
		if ok != (err == nil) || ok && got.Text != want {
			t.Fatalf("round %d: %q %+v\ngot  %+v %v\nwant %q %v", round, s, edits, got, err, want, ok)
		}
		if !ok {
			continue
		}
		agreed++
		if got2 := patch(t, s, got.Diff("f")); got2 != want {
			t.Fatalf("round %d: the diff gives %q, want %q\nfrom %q\n%s", round, got2, want, s, got.Diff("f"))
		}
	}
	if agreed < 1000 {
		t.Errorf("only %d rounds got through", agreed)
	}
}

// patch applies a unified diff strictly.
func patch(t *testing.T, s, diff string) string {
	t.Helper()
	if diff == "" {
		return s
	}
	lines := splitLines(s)
	var out []string
	at := 0
	rows := strings.SplitAfter(diff, "\n")
	for i := 2; i < len(rows); i++ {
		row := rows[i]
		switch {
		case row == "":
		case strings.HasPrefix(row, "@@"):
			var a, n int
			if k, _ := fmt.Sscanf(row, "@@ -%d,%d", &a, &n); k < 2 {
				fmt.Sscanf(row, "@@ -%d", &a)
				n = 1
			}
			if n > 0 {
				a--
			}
			out = append(out, lines[at:a]...)
			at = a
		case strings.HasPrefix(row, `\`):
			last := &out[len(out)-1]
			if rows[i-1][0] != '-' {
				*last = strings.TrimSuffix(*last, "\n")
			}
		case row[0] == '+':
			out = append(out, row[1:])
		default:
			if got := strings.TrimSuffix(row[1:], "\n"); at >= len(lines) || strings.TrimSuffix(lines[at], "\n") != got {
				t.Fatalf("the diff speaks of %q at line %d of %q\n%s", row, at+1, s, diff)
			}
			if row[0] == ' ' {
				out = append(out, row[1:])
			}
			at++
		}
	}
	return strings.Join(append(out, lines[at:]...), "")
}

func TestDiff(t *testing.T) {
	for _, c := range []struct {
		name, file string
		edits      []Edit
		want       string
	}{
		{"one", "a\nb\nc\n", []Edit{{Old: "b", New: "B"}}, "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"no newline", "a\nb", []Edit{{Op: Insert, After: 2, New: "c"}}, "--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of file\n+b\n+c\n\\ No newline at end of file\n"},
		{"into nothing", "", []Edit{{Op: Insert, New: "x"}}, "--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+x\n"},
		{"to nothing", "x\n", []Edit{{Op: Delete, From: 1, To: 1}}, "--- a/f\n+++ b/f\n@@ -1 +0,0 @@\n-x\n"},
		{"crlf", "a\r\nb\r\n", []Edit{{Old: "b", New: "c"}}, "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"},
		{"joined lines", "a\nb\nc\n", []Edit{{Old: "b\n", New: ""}, {Op: Insert, After: 3, New: "d"}}, "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n c\n+d\n"},
	} {
		r, err := Resolve(content(t, c.file), c.edits)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := r.Diff("f"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// Untouched bytes stay, whatever they are, and what comes in has the file's
// endings, whatever stands beside it.
func FuzzResolve(f *testing.F) {
	f.Add("\r\n\rb", "b", "\nxy")
	f.Add("a\r\nb\n\r\n", "\n", "x")
	f.Add("\r\r0000\n", "0", "\n") // its endings are \r, and one comes to stand before a \n
	f.Add("a\r\nb\rc\n", "b", "x\ny")
	f.Add("\ufeffkey", "key", "\r")
	f.Add("aaa", "aa", "")
	f.Add("a\r\r\nb", "\n", "\r\n")
	f.Fuzz(func(t *testing.T, file, old, fresh string) {
		c, err := text.Decode([]byte(file))
		if err != nil {
			return
		}
		r, err := Resolve(c, []Edit{{Old: old, New: fresh, All: true}})
		if err != nil {
			return
		}
		if !strings.Contains(file+old+fresh, "\r") && r.Text != strings.ReplaceAll(c.Text, old, fresh) {
			t.Fatalf("%q became %q", c.Text, r.Text)
		}
		if !strings.ContainsAny(old, "\r\n") && r.Text != strings.ReplaceAll(c.Text, old, text.WithEnding(fresh, c.Ending)) {
			t.Fatalf("%q became %q", c.Text, r.Text)
		}
		// An ending is taken whole, so no half of one is left where every \r had its \n.
		whole := func(t string) bool { return strings.Count(t, "\r") == strings.Count(t, "\r\n") }
		if whole(c.Text) && c.Ending != text.CR && !strings.Contains(old+fresh, "\r") && !whole(r.Text) {
			t.Fatalf("%q became %q", c.Text, r.Text)
		}
		_ = r.Diff("f")
	})
}

// The index finds what looking for each anchor finds.
func TestIndexEqualsSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var b strings.Builder
		for range 400 {
			b.WriteByte("ab\n"[rng.IntN(3)])
		}
		s := b.String()
		var anchors []string
		for range 20 {
			i := rng.IntN(len(s) - 20)
			anchors = append(anchors, s[i:i+window+rng.IntN(8)])
		}
		ix := newIndex(s, anchors)
		for _, a := range anchors {
			all := rng.IntN(2) == 0
			want := (&resolver{text: s}).places(a, 5, len(s)-5, all)
			got := (&resolver{text: s, index: ix}).places(a, 5, len(s)-5, all)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%q in %q: %v, want %v", a, s, got, want)
			}
		}
	}
}

// A text that is one long period costs no more than any other.
func TestPeriodicText(t *testing.T) {
	s := strings.Repeat("a", 1<<20)
	old := strings.Repeat("a", 1<<16)
	var edits []Edit
	for range 20 {
		edits = append(edits, Edit{Old: old, New: "b"})
	}
	if _, err := Resolve(content(t, s), edits); kind(err) != outcome.Conflict || !strings.Contains(err.Error(), "1000 times or more") {
		t.Error(err)
	}
	r, err := Resolve(content(t, s), []Edit{{Old: "aaaaaaaa", New: "b", All: true}})
	if err != nil || r.Places != 1<<17 {
		t.Error(err)
	}
}

// What a few bytes can ask for is bounded before it is made.
func TestTooLarge(t *testing.T) {
	c := content(t, strings.Repeat("a", 1_000_000))
	if r, err := ReplaceAll(c, "a", strings.Repeat("b", 1000)); outcome.Of(err).Kind != outcome.Refused || r != nil {
		t.Errorf("a gigabyte was made: %v", err)
	}
	var edits []Edit
	for i := range 200 {
		edits = append(edits, Edit{Old: "a", New: fmt.Sprint("b", i), All: true})
	}
	if _, err := Resolve(c, edits); outcome.Of(err).Kind != outcome.Refused || !strings.Contains(err.Error(), "places") {
		t.Errorf("two hundred million places were kept: %v", err)
	}
	edits = nil
	for range 3000 {
		edits = append(edits, Edit{Op: Insert, New: c.Text})
	}
	if _, err := Resolve(c, edits); outcome.Of(err).Kind != outcome.Refused || !strings.Contains(err.Error(), "bytes") {
		t.Errorf("three gigabytes were made: %v", err)
	}
}
