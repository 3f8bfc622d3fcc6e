package scan

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"fettler/fettle/internal/match"
	"fettler/fettle/internal/text"
)

func scanner(t testing.TB, o Options, patterns ...string) *Scanner {
	t.Helper()
	m, err := match.Compile(patterns, match.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return New(t.Context(), m, o)
}

func file(t testing.TB, s *Scanner, content string) Result {
	t.Helper()
	r, err := s.File(strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func spots(r Result) string {
	var out []string
	for _, h := range r.Hits {
		out = append(out, fmt.Sprintf("%d:%d:%s", h.Line, h.Column, h.Text))
	}
	return strings.Join(out, "|")
}

func TestFile(t *testing.T) {
	s := scanner(t, Options{Max: 10}, "needle")
	for content, want := range map[string]string{
		"":                           "",
		"needle":                     "1:1:needle",
		"a\nxNEEDLE\r\nb\n":          "2:2:xNEEDLE",
		"a\rb\rneedle\rc":            "3:1:needle",
		"a\r\nb\rneedle\n\nneedle":   "3:1:needle|5:1:needle",
		"é日needle":                   "1:3:é日needle",
		"\xef\xbb\xbfneedle\nneedle": "1:1:needle|2:1:needle",
		"caf\xe9 needle":             "1:6:caf\uFFFD needle", // K39: the ASCII parts of Latin-1 match
		"needle\x00":                 "",
		"a\n" + strings.Repeat("\n", 9) + "needle": "11:1:needle",
	} {
		if got := spots(file(t, s, content)); got != want {
			t.Errorf("%q: %q, want %q", content, got, want)
		}
	}
}

// K39
func TestEncodings(t *testing.T) {
	s := scanner(t, Options{Max: 10}, "needle h")
	for _, e := range []text.Encoding{text.UTF16LE, text.UTF16BE, text.UTF32LE, text.UTF32BE, text.UTF8BOM} {
		raw, err := text.Encode("first\r\n\tneedle here é\n", e)
		if err != nil {
			t.Fatal(err)
		}
		if got := spots(file(t, s, string(raw))); got != "2:2:\tneedle here é" {
			t.Errorf("%s: %q", e, got)
		}
	}
	for _, c := range []string{"text\x00text\nneedle here", "needle here\n" + strings.Repeat("x\n", bufferSize) + "\x00", "\xff\xfe\x00"} {
		if r := file(t, s, c); !r.Binary || r.Count != 0 || r.Hits != nil {
			t.Errorf("%.20q…: %+v", c, r)
		}
	}
}

// K35: a very long line hides nothing, and is shown cut around the match.
func TestLongLine(t *testing.T) {
	s := scanner(t, Options{Max: 10}, "needle")
	for _, n := range []int{70_000, 3 * bufferSize} {
		r := file(t, s, "needle1\n"+strings.Repeat("é", n)+"needle2"+strings.Repeat("日", n)+"\nneedle3\n")
		if len(r.Hits) != 3 || r.Hits[0].Line != 1 || r.Hits[1].Line != 2 || r.Hits[2].Line != 3 {
			t.Fatalf("%s", spots(r))
		}
		h := r.Hits[1]
		if h.Column != n+1 || utf8.RuneCountInString(h.Text) != maxShown+2 || !utf8.ValidString(h.Text) ||
			!strings.HasPrefix(h.Text, "…é") || !strings.Contains(h.Text, "éneedle2日") || !strings.HasSuffix(h.Text, "日…") {
			t.Errorf("%d %s", h.Column, h.Text)
		}
	}
}

func TestContext(t *testing.T) {
	s := scanner(t, Options{Max: 10, Context: 2, Whole: true}, "hit")
	r := file(t, s, "a\r\nb\r\nc\r\nhit\r\nd\r\nhit")
	want := []Hit{
		{4, 1, "hit", []Line{{2, "b"}, {3, "c"}, {5, "d"}, {6, "hit"}}, []string{"b", "c", "hit", "d", "hit"}, 2},
		{6, 1, "hit", []Line{{4, "hit"}, {5, "d"}}, nil, 0},
	}
	if !reflect.DeepEqual(r.Hits, want) {
		t.Errorf("%+v", r.Hits)
	}
	// A mark is no line, and no part of one.
	for text, want := range map[string][]Line{"\ufeffhit\nb\n": {{2, "b"}}, "\ufeffa\nhit": {{1, "a"}}} {
		if r := file(t, s, text); len(r.Hits) != 1 || !reflect.DeepEqual(r.Hits[0].Context, want) {
			t.Errorf("%q: %+v", text, r.Hits)
		}
	}
}

// A line that stands beside several hits is held once, in the first of them.
func TestWholeLinesOnce(t *testing.T) {
	s := scanner(t, Options{Max: 10, Context: 1, Whole: true}, "x")
	var got []string
	for _, h := range file(t, s, "1\n2x\n3x\n4\n5\n6\n7\n8\n9x\n10x\n11").Hits {
		for i, l := range h.Whole {
			if n := strings.TrimRight(l, "x"); n != fmt.Sprint(h.WholeFrom+int64(i)) {
				t.Errorf("line %s is held as %d", n, h.WholeFrom+int64(i))
			}
			got = append(got, l)
		}
	}
	if want := []string{"1", "2x", "3x", "4", "8", "9x", "10x", "11"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

func TestBounds(t *testing.T) {
	s := scanner(t, Options{Max: 2}, "x")
	if r := file(t, s, "x\nx\nx\nx"); r.Count != 2 || len(r.Hits) != 2 {
		t.Errorf("%+v", r)
	}
	s = scanner(t, Options{Max: 1, All: true}, "x")
	if r := file(t, s, "x\nx\nx\nx"); r.Count != 4 || len(r.Hits) != 1 {
		t.Errorf("%+v", r)
	}
	var judged []string
	s = scanner(t, Options{All: true, Judge: func(l []string) error { judged = append(judged, l...); return nil }}, "x")
	file(t, s, "1x\n2\n3x")
	if strings.Join(judged, "|") != "1x|3x" {
		t.Errorf("%q", judged)
	}
	s = scanner(t, Options{Max: 1, Document: func(head []byte, binary bool) bool { return bytes.HasPrefix(head, []byte("%PDF-")) && binary }}, "x")
	if r := file(t, s, "%PDF-x\x00"); !r.Document || r.Hits != nil || r.Binary {
		t.Errorf("%+v", r)
	}
	if _, err := s.File(iotest.ErrReader(io.ErrUnexpectedEOF)); err != io.ErrUnexpectedEOF {
		t.Error(err)
	}
}

func TestRendering(t *testing.T) {
	s := scanner(t, Options{Max: 5, Context: 1}, "b")
	r, err := s.Lines([]string{"a", "x\nb", "c"})
	if err != nil || spots(r) != "2:3:x b" || len(r.Hits[0].Context) != 2 {
		t.Errorf("%+v %v", r, err)
	}
}

// However a file arrives and wherever its pieces end, its hits are the same as
// those of its lines one by one.
func TestPieces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	re := regexp.MustCompile("needle")
	for range 40 {
		var sb strings.Builder
		for sb.Len() < bufferSize+rng.IntN(bufferSize) {
			switch rng.IntN(400) {
			case 0:
				sb.WriteString("needle")
			case 1:
				sb.WriteString(strings.Repeat("y", rng.IntN(bufferSize/4)))
			}
			sb.WriteString(strings.Repeat("x", rng.IntN(90)))
			sb.WriteString([]string{"\n", "\r\n", "\n", "\n", "\r"}[rng.IntN(5)])
		}
		content := sb.String()
		lines := text.Lines(content)
		ctx := rng.IntN(3)
		var want []string
		for i, l := range lines {
			if loc := re.FindStringIndex(l); loc != nil {
				var c []string
				for j := max(0, i-ctx); j <= min(len(lines)-1, i+ctx); j++ {
					if j != i {
						c = append(c, fmt.Sprintf("%d %s", j+1, cutHead([]byte(lines[j]))))
					}
				}
				want = append(want, fmt.Sprintf("%d:%d:%s %q", i+1, loc[0]+1, CutAround([]byte(l), loc[0]), c))
			}
		}
		s := scanner(t, Options{Max: 1 << 30, Context: ctx}, "needle")
		var r io.Reader = strings.NewReader(content)
		if rng.IntN(2) == 0 {
			r = iotest.HalfReader(r)
		}
		res, err := s.File(r)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range res.Hits {
			var c []string
			for _, l := range h.Context {
				c = append(c, fmt.Sprintf("%d %s", l.Line, l.Text))
			}
			got = append(got, fmt.Sprintf("%d:%d:%s %q", h.Line, h.Column, h.Text, c))
		}
		if !reflect.DeepEqual(got, want) {
			for i := range want {
				if i >= len(got) || got[i] != want[i] {
					t.Fatalf("hit %d of %d/%d, context %d:\n got %q\nwant %q", i, len(got), len(want), ctx, got[i:min(i+1, len(got))], want[i])
				}
			}
			t.Fatal("more hits than lines", len(got), len(want))
		}
	}
}

// Hits behind what an answer can show are not kept, but for one that says so.
func TestRoom(t *testing.T) {
	text := strings.Repeat("xxxxxxxxx\n", 50)
	for name, c := range map[string]struct {
		o    Options
		want int
	}{
		"shown":             {Options{Max: 40, Shown: 95}, 10},
		"shown, with lines": {Options{Max: 40, Shown: 95, Context: 2}, 3},
		"whole lines":       {Options{Max: 40, Held: 80, Whole: true}, 9},
		"shared lines":      {Options{Max: 40, Held: 80, Whole: true, Context: 3}, 6},
		"two at least":      {Options{Max: 40, Shown: 1, Held: 1, Whole: true}, 2},
		"all":               {Options{Max: 40, Shown: 95, All: true}, 10},
	} {
		r := file(t, scanner(t, c.o, "x"), text)
		if len(r.Hits) != c.want || c.o.All && r.Count != 50 {
			t.Errorf("%s: %d hits of %d", name, len(r.Hits), r.Count)
		}
		shown, held := 0, 0
		for _, h := range r.Hits {
			shown += h.Shown()
			held += len(strings.Join(h.Whole, ""))
		}
		if shown != r.Shown || held != r.Held {
			t.Errorf("%s: %d shown, %d held: %+v", name, shown, held, r)
		}
	}
}
