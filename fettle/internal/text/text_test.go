package text

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		head string
		enc  Encoding
		mark int
	}{
		{"", UTF8, 0}, {"a", UTF8, 0}, {"\xef\xbb", UTF8, 0},
		{"\xef\xbb\xbfx", UTF8BOM, 3},
		{"\xff\xfea\x00", UTF16LE, 2}, {"\xff\xfe", UTF16LE, 2},
		{"\xfe\xff\x00a", UTF16BE, 2},
		{"\xff\xfe\x00\x00", UTF32LE, 4},
		{"\x00\x00\xfe\xff", UTF32BE, 4},
	} {
		if e, n := Sniff([]byte(c.head)); e != c.enc || n != c.mark {
			t.Errorf("Sniff(%q) = %s, %d; want %s, %d", c.head, e, n, c.enc, c.mark)
		}
	}
}

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		raw  string
		want Content
	}{
		{"", Content{"", UTF8, None, false, false}}, // K29
		{"a", Content{"a", UTF8, None, false, false}},
		{"a\nb\n", Content{"a\nb\n", UTF8, LF, false, true}},
		{"a\r\nb\r\n", Content{"a\r\nb\r\n", UTF8, CRLF, false, true}},
		{"a\rb", Content{"a\rb", UTF8, CR, false, false}},
		{"a\r\nb\r\nc\n", Content{"a\r\nb\r\nc\n", UTF8, CRLF, true, true}},
		{"a\r\r\n", Content{"a\r\r\n", UTF8, CRLF, true, true}},
		{"\xef\xbb\xbfk\n", Content{"k\n", UTF8BOM, LF, false, true}},
		{"\xef\xbb\xbf\xef\xbb\xbfk", Content{"\ufeffk", UTF8BOM, None, false, false}}, // a mark further along is content
		{"\xff\xfea\x00\r\x00\n\x00", Content{"a\r\n", UTF16LE, CRLF, false, true}},
		{"\xfe\xff\x00a\xd8\x3d\xde\x00", Content{"a\U0001f600", UTF16BE, None, false, false}},
		{"\xff\xfe\x00\x00a\x00\x00\x00", Content{"a", UTF32LE, None, false, false}},
		{"\x00\x00\xfe\xff\x00\x01\xf6\x00", Content{"\U0001f600", UTF32BE, None, false, false}},
	} {
		got, err := Decode([]byte(c.raw))
		if err != nil || got != c.want {
			t.Errorf("Decode(%q) = %+v, %v; want %+v", c.raw, got, err, c.want)
		}
	}
}

// K39: what is not text is said to be binary and never guessed.
var binaries = []string{
	"text\x00needle", "caf\xe9", "\xc0\x80", "\xed\xa0\x80",
	"\xff\xfea", "\xff\xfe\x00\xd8", "\xff\xfe\x00\xdc", "\xff\xfe\x00\xd8a\x00", "\xff\xfea\x00\x00\x00",
	"\x00\x00\xfe\xff\x00\x11\x00\x00", "\x00\x00\xfe\xff\x00\x00\xd8\x00", "\x00\x00\xfe\xff\x00\x00", "\xe2\x82",
}

func TestBinary(t *testing.T) {
	for _, raw := range binaries {
		if _, err := Decode([]byte(raw)); !errors.Is(err, ErrBinary) {
			t.Errorf("Decode(%q): %v", raw, err)
		}
		if _, err := NewScanner(context.Background(), strings.NewReader(raw)).Rest(); !errors.Is(err, ErrBinary) {
			t.Errorf("Scanner(%q): %v", raw, err)
		}
	}
}

func TestLines(t *testing.T) {
	for s, want := range map[string][]string{
		"": nil, "a": {"a"}, "a\n": {"a"}, "\n": {""}, "a\r\rb": {"a", "", "b"}, "a\r\r\nb\n\n": {"a", "", "b", ""}, "\r\n": {""},
	} {
		if got := Lines(s); !reflect.DeepEqual(got, want) {
			t.Errorf("Lines(%q) = %q", s, got)
		}
	}
}

func TestWithEnding(t *testing.T) {
	in := "a\r\nb\rc\nd"
	for e, want := range map[Ending]string{LF: "a\nb\nc\nd", CRLF: "a\r\nb\r\nc\r\nd", CR: "a\rb\rc\rd", None: "a\nb\nc\nd"} {
		if got := WithEnding(in, e); got != want {
			t.Errorf("%s: %q", e, got)
		}
	}
}

func TestHeadAndLast(t *testing.T) {
	s := "a€😀b"
	for n, want := range []string{"", "a", "a€", "a€😀", s, s} {
		if got := Head(s, n); got != want {
			t.Errorf("Head %d: %q", n, got)
		}
	}
	for n, want := range []string{"", "b", "😀b", "€😀b", s, s} {
		if got := Last(s, n); got != want {
			t.Errorf("Last %d: %q", n, got)
		}
	}
}

// K25: the hash is of the raw bytes.
func TestHash(t *testing.T) {
	if Hash(nil) != "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" {
		t.Error(Hash(nil))
	}
	if Hash([]byte("a\n")) == Hash([]byte("a\r\n")) || Hash([]byte("a")) == Hash([]byte("\xef\xbb\xbfa")) {
		t.Error("the hash does not cover mark and endings")
	}
}

// texts are what every streaming form must agree on with Decode.
func texts() []string {
	r := rand.New(rand.NewSource(1))
	var out []string
	for i := range 60 {
		var b strings.Builder
		for range r.Intn(60) {
			b.WriteString([]string{"a", "é€", "😀", "\n", "\r\n", "\r", strings.Repeat("x", r.Intn(9))}[r.Intn(7)])
		}
		if i%7 == 0 {
			b.WriteString("\n")
		}
		out = append(out, b.String())
	}
	long := strings.Repeat("é", chunk/2+1) + "\r\n" + strings.Repeat("y\n", chunk) + strings.Repeat("z", chunk-3) + "\r"
	return append(out, "", "\n", "a", long, long+"\n", strings.Repeat("w\n", chunk)+"end", strings.Repeat("\r\n", chunk))
}

// encodingsFor spares the long texts the slower half.
func encodingsFor(s string) []Encoding {
	if len(s) > chunk {
		return []Encoding{UTF8, UTF16LE}
	}
	return Encodings()
}

func raw(t *testing.T, s string, e Encoding) []byte {
	b, err := Encode(s, e)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestScannerAgreesWithDecode(t *testing.T) {
	for i, s := range texts() {
		for _, e := range encodingsFor(s) {
			b := raw(t, s, e)
			c, err := Decode(b)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range []io.Reader{bytes.NewReader(b), iotest.HalfReader(bytes.NewReader(b))} {
				sc := NewScanner(context.Background(), r)
				var got []string
				for {
					l, err := sc.Line(1 << 30)
					if err == io.EOF {
						break
					}
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, l.Text)
				}
				if !reflect.DeepEqual(got, Lines(c.Text)) {
					t.Fatalf("text %d as %s: %d lines, want %d", i, e, len(got), len(Lines(c.Text)))
				}
				checkFacts(t, sc, c)
			}
			sc := NewScanner(context.Background(), bytes.NewReader(b))
			checkFacts(t, sc, c)
			sc = NewScanner(context.Background(), bytes.NewReader(b))
			if n, err := sc.Skip(3); err != nil || n > 3 {
				t.Fatal(n, err)
			}
			if l, err := sc.Line(10); err == nil && l.Text != Head(Lines(c.Text)[3], 10) {
				t.Fatalf("line 4 is %q", l.Text)
			}
			checkFacts(t, sc, c)
		}
	}
}

func checkFacts(t *testing.T, sc *Scanner, c Content) {
	t.Helper()
	f, err := sc.Rest()
	want := Facts{c.Encoding, c.Ending, c.Mixed, c.FinalNewline, int64(len(Lines(c.Text)))}
	if err != nil || f != want {
		t.Fatalf("facts %+v, %v; want %+v", f, err, want)
	}
}

func TestLineIsCutOnACharacter(t *testing.T) {
	long := strings.Repeat("€", chunk)
	sc := NewScanner(context.Background(), strings.NewReader(long+"\nnext\n"))
	l, err := sc.Line(1000)
	if err != nil || !l.Cut || l.Text != strings.Repeat("€", 1000) || l.Chars != 1000 {
		t.Fatal(l.Chars, l.Cut, err)
	}
	if l, err := sc.Line(4); err != nil || l.Text != "next" || l.Cut {
		t.Fatal(l, err)
	}
}

func TestTailAgreesWithLines(t *testing.T) {
	for i, s := range texts() {
		for _, e := range encodingsFor(s) {
			b := raw(t, s, e)
			all := Lines(s)
			for _, n := range []int{1, 2, 5, 1 << 20} {
				for _, chars := range []int{1, 10, 40_000} {
					got, _, more, err := Tail(context.Background(), bytes.NewReader(b), int64(len(b)), n, chars)
					if err != nil {
						t.Fatal(err)
					}
					want, wantMore := tailOf(all, n, chars)
					if !slices.Equal(text(got), want) || more != wantMore {
						t.Fatalf("text %d as %s: tail %d in %d: %d lines, more %v; want %d, %v", i, e, n, chars, len(got), more, len(want), wantMore)
					}
				}
			}
		}
	}
}

func text(lines []Line) []string {
	var out []string
	for _, l := range lines {
		out = append(out, l.Text)
	}
	return out
}

// tailOf is Tail said the slow way.
func tailOf(all []string, n, chars int) ([]string, bool) {
	asked := all[max(0, len(all)-n):]
	i := len(asked) - 1
	if i < 0 {
		return nil, false
	}
	for left := chars - Chars(asked[i]); i > 0; i-- {
		if left -= Chars(asked[i-1]) + 1; left < 0 {
			break
		}
	}
	return asked[i:], i > 0
}

func TestTailOfAHugeLine(t *testing.T) {
	for _, e := range Encodings() {
		s := "first\n" + strings.Repeat("😀x", 500_000) + "END"
		b := raw(t, s, e)
		got, _, more, err := Tail(context.Background(), bytes.NewReader(b), int64(len(b)), 2, 40_000)
		if err != nil || len(got) != 1 || !got[0].Cut || got[0].Chars != MaxLineChars || !strings.HasSuffix(s, got[0].Text) || !more {
			t.Fatalf("%s: %d lines, more %v, %v", e, len(got), more, err)
		}
	}
}

// Only the end of a large file is read.
func TestTailReadsLittle(t *testing.T) {
	const size = 1 << 40
	r := &endOnly{end: "one\ntwo\nthree\n", size: size}
	got, _, _, err := Tail(context.Background(), r, size, 2, 40_000)
	if err != nil || fmt.Sprint(text(got)) != "[two three]" {
		t.Fatal(text(got), err)
	}
	if r.read > 1<<20 {
		t.Errorf("%d bytes were read", r.read)
	}
}

// endOnly is a file of newlines with something at its end.
type endOnly struct {
	end        string
	size, read int64
}

func (r *endOnly) ReadAt(b []byte, off int64) (int, error) {
	r.read += int64(len(b))
	for i := range b {
		b[i] = '\n'
		if at := off + int64(i) - (r.size - int64(len(r.end))); at >= 0 && at < int64(len(r.end)) {
			b[i] = r.end[at]
		}
	}
	return len(b), nil
}

func TestScannerStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := NewScanner(ctx, strings.NewReader("a")).Rest(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	boom := errors.New("boom")
	if _, err := NewScanner(context.Background(), iotest.ErrReader(boom)).Rest(); !errors.Is(err, boom) {
		t.Error(err)
	}
}

func FuzzRoundTrip(f *testing.F) {
	for _, s := range binaries {
		f.Add([]byte(s))
	}
	for _, s := range []string{"", "a\r\nb\n", "\xef\xbb\xbfé", "\xff\xfea\x00\n\x00", "\x00\x00\xfe\xff\x00\x00\x00a"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := Decode(b)
		sc := NewScanner(context.Background(), bytes.NewReader(b))
		facts, serr := sc.Rest()
		if (err == nil) != (serr == nil) {
			t.Fatalf("Decode says %v, Scanner %v", err, serr)
		}
		if err != nil {
			return
		}
		back, err := Encode(c.Text, c.Encoding)
		if err != nil || !bytes.Equal(back, b) {
			t.Fatalf("%q came back as %q (%v)", b, back, err)
		}
		all := Lines(c.Text)
		if want := (Facts{c.Encoding, c.Ending, c.Mixed, c.FinalNewline, int64(len(all))}); facts != want {
			t.Fatalf("%+v, want %+v", facts, want)
		}
		got, _, more, err := Tail(context.Background(), bytes.NewReader(b), int64(len(b)), 3, 20)
		want, wantMore := tailOf(all, 3, 20)
		if err != nil || fmt.Sprint(text(got)) != fmt.Sprint(want) || more != wantMore {
			t.Fatalf("tail %q, %v, %v; want %q, %v", text(got), more, err, want, wantMore)
		}
	})
}

func TestBreaks(t *testing.T) {
	for s, want := range map[string]int{"": 0, "a": 0, "a\n": 1, "a\r\nb\r\n": 2, "a\rb": 1, "\r\r\n\n": 3, "\n\r": 2} {
		if got := Breaks(s); got != want {
			t.Errorf("%q has %d breaks, want %d", s, got, want)
		}
	}
}

// A size that a file outgrew is only a guess: every size gives the same text.
func TestNewScannerForAnySize(t *testing.T) {
	for _, raw := range []string{"", "a", "\xef\xbb\xbfa\nb", "\xff\xfe\x00\x00a\x00\x00\x00", "\xff\xfea\x00\n\x00", "\xfe\xff\xd8\x3d\xde\x00", strings.Repeat("line\r\n", 10_000)} {
		want, wantErr := NewScanner(context.Background(), strings.NewReader(raw)).Rest()
		for _, size := range []int64{-1, 0, 1, 2, 3, 4, 5, int64(len(raw)) - 1, int64(len(raw)), int64(len(raw)) + 1, 1 << 40} {
			got, err := NewScannerFor(context.Background(), strings.NewReader(raw), size).Rest()
			if got != want || !errors.Is(err, wantErr) {
				t.Errorf("%.10q said to be %d bytes: %+v, %v, want %+v, %v", raw, size, got, err, want, wantErr)
			}
		}
	}
}
