package ops

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/document"
	"fettler/fettle/internal/screen"
	"fettler/fettle/internal/text"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// readSession opens dir as the tree work, with stand-ins for reader and screen.
func readSession(t *testing.T, dir string, screen config.Categories) (*Session, *judged) {
	t.Helper()
	b, err := boundary.New(boundary.Options{Trees: []boundary.Spec{{Name: "work", Path: dir, Can: config.Work, Screen: screen}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	j := &judged{}
	return &Session{Boundary: b, Config: &config.Config{}, Render: fakeRenderer{}, Screen: j, Progress: func(int64, int64, string) {}, Terminal: true}, j
}

// judged is a Screener that remembers, finds a word for each category, and
// cannot ask the models of the broken ones.
type judged struct {
	mu     sync.Mutex
	lines  []string
	asked  []config.Categories
	broken config.Categories
}

func (j *judged) Count(_ context.Context, want config.Categories, payload []string) (c screen.Counts, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines, j.asked = append(j.lines, payload...), append(j.asked, want)
	if models := want & config.Models; j.broken&models != 0 {
		err = fmt.Errorf("no model for %s", j.broken&models)
		want &= config.Identifiers
	}
	for i, word := range []string{"SECRET", "SICK", "SUED", "STUDIED"} {
		if want&(1<<i) != 0 {
			c[i] = strings.Count(strings.Join(payload, "\n"), word)
		}
	}
	return c, err
}

func (j *judged) Judges(context.Context, config.Categories) ([]screen.Judged, string) {
	return nil, ""
}

// fakeRenderer renders a document as its words, a line each.
type fakeRenderer struct{}

func (fakeRenderer) Render(ctx context.Context, f *os.File, info boundary.Info, kind document.Kind, s config.Categories) (*document.Rendering, error) {
	b, err := io.ReadAll(io.NewSectionReader(f, 0, info.Size))
	if err != nil {
		return nil, err
	}
	return fakeRenderer{}.RenderBytes(ctx, b, kind, s)
}

func (fakeRenderer) RenderBytes(_ context.Context, b []byte, kind document.Kind, _ config.Categories) (*document.Rendering, error) {
	if bytes.Contains(b, []byte("LOCKED")) {
		return nil, document.Errorf(document.Password, "it needs a password")
	}
	return &document.Rendering{Kind: kind, Lines: strings.Fields(string(b)), Notes: []string{"page 2 has no text (an image)"}}, nil
}

func put(t testing.TB, dir, name string, body []byte) {
	t.Helper()
	full := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, body, 0o644); err != nil {
		t.Fatal(err)
	}
}

func readOne(t *testing.T, dir string, in ReadInput) *ReadFile {
	t.Helper()
	s, _ := readSession(t, dir, config.None)
	a, err := Read(context.Background(), s, in)
	if err != nil {
		t.Fatal(err)
	}
	return a.Files[0]
}

func readFails(t *testing.T, dir string, in ReadInput, k outcome.Kind, words string) {
	t.Helper()
	s, _ := readSession(t, dir, config.None)
	_, err := Read(context.Background(), s, in)
	if o := outcome.Of(err); o == nil || o.Kind != k || !strings.Contains(o.Message, words) {
		t.Errorf("%+v: %v; want %s with %q", in, err, k.Word(), words)
	}
}

// served is a file as one string: text, range, and what was left.
func served(f *ReadFile) string {
	s := "nil"
	if f.Text != nil {
		s = fmt.Sprintf("%q", *f.Text)
	}
	if f.From != nil {
		s += fmt.Sprintf(" %d-%d", *f.From, *f.To)
	}
	if f.Lines != nil {
		s += fmt.Sprintf(" of %d", *f.Lines)
	}
	if f.Truncated {
		s += " cut by " + f.CutBy
	}
	if f.LinesRemaining != nil {
		s += fmt.Sprintf(" left %d", *f.LinesRemaining)
	}
	if f.NextFrom > 0 {
		s += fmt.Sprintf(" next %d", f.NextFrom)
	}
	if f.NextTo > 0 {
		s += fmt.Sprintf("-%d", f.NextTo)
	}
	return s
}

func TestReadRanges(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "f", []byte("one\ntwo\r\nthree\n"))
	put(t, dir, "empty", nil)
	for _, c := range []struct {
		in   ReadInput
		want string
	}{
		{ReadInput{}, `"one\ntwo\nthree" 1-3 of 3`},
		{ReadInput{From: 2}, `"two\nthree" 2-3 of 3`},
		{ReadInput{To: 1}, `"one" 1-1 of 3 left 2`},
		{ReadInput{From: 2, To: 2}, `"two" 2-2 of 3 left 1`},
		{ReadInput{To: 99}, `"one\ntwo\nthree" 1-3 of 3`},
		{ReadInput{Tail: 2}, `"two\nthree" 2-3 of 3`},
		{ReadInput{Tail: 99}, `"one\ntwo\nthree" 1-3 of 3`},
		{ReadInput{Tail: 1, Numbered: true}, `"    3 | three" 3-3 of 3`},
		{ReadInput{From: 2, Numbered: true}, `"    2 | two\n    3 | three" 2-3 of 3`},
		{ReadInput{Paths: []string{"empty"}}, `"" 1-0 of 0`}, // K29
		{ReadInput{Paths: []string{"empty"}, Tail: 3}, `"" of 0`},
	} {
		if c.in.Paths == nil {
			c.in.Paths = []string{"f"}
		}
		if got := served(readOne(t, dir, c.in)); got != c.want {
			t.Errorf("%+v: %s, want %s", c.in, got, c.want)
		}
	}
	f := readOne(t, dir, ReadInput{Paths: []string{"f"}})
	if f.LineEnding != "lf" || !*f.LineEndingMixed || !*f.FinalNewline || f.Encoding != "utf-8" || f.Hash != text.Hash([]byte("one\ntwo\r\nthree\n")) || f.Bytes != 15 {
		t.Errorf("%+v", f)
	}
	// K25: the hash of a part is the hash of the file.
	if part := readOne(t, dir, ReadInput{Paths: []string{"f"}, Tail: 1}); part.Hash != f.Hash {
		t.Error("a partial read has another hash")
	}
	var b bytes.Buffer
	(&ReadAnswer{Files: []*ReadFile{f}}).Human(&b)
	if !strings.Contains(b.String(), "lf (MIXED)") || !strings.Contains(b.String(), "    2 | two\n") {
		t.Error(b.String())
	}
	readFails(t, dir, ReadInput{Paths: []string{"f"}, From: 4}, outcome.Invalid, "has 3 lines; --from 4 is beyond its end")
	readFails(t, dir, ReadInput{Paths: []string{"f"}, From: 3, To: 2}, outcome.Invalid, "before")
	readFails(t, dir, ReadInput{Paths: []string{"f"}, Tail: 1, To: 2}, outcome.Invalid, "--tail")
	readFails(t, dir, ReadInput{Paths: []string{"f"}, Member: "x"}, outcome.Invalid, "no archive")
	readFails(t, dir, ReadInput{Paths: []string{"f", "missing"}}, outcome.NotFound, "missing")
	readFails(t, dir, ReadInput{Paths: []string{"f", "../out"}}, outcome.OutsideRoot, "")
}

// K45: whatever the size, the answer is bounded, says what is left and how to go on.
func TestReadCaps(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "many", []byte(strings.Repeat("x\n", 5000)))
	put(t, dir, "wide", []byte(strings.Repeat(strings.Repeat("é", 99)+"\n", 1000)))
	put(t, dir, "line", []byte(strings.Repeat("é", 1_000_000)))
	put(t, dir, "mid", []byte(strings.Repeat("é", 100_000)+"\nnext\n"))
	last := func(f *ReadFile) string {
		s := served(f)
		return s[strings.LastIndexByte(s, '"')+1:]
	}
	for _, c := range []struct {
		path string
		in   ReadInput
		want string
	}{
		{"many", ReadInput{}, " 1-2000 of 5000 cut by lines left 3000 next 2001"},
		{"many", ReadInput{From: 4000}, " 4000-5000 of 5000"},
		{"many", ReadInput{To: 3000}, " 1-3000 of 5000 left 2000"},
		{"many", ReadInput{To: 5000, Numbered: true}, " 1-4000 of 5000 cut by characters left 1000 next 4001"},
		{"many", ReadInput{Tail: 2000}, " 3001-5000 of 5000"},
		{"many", ReadInput{Tail: 4000}, " 3001-5000 of 5000 cut by lines left 2000 next 1001-3000"},
		{"many", ReadInput{Tail: 9000}, " 3001-5000 of 5000 cut by lines left 3000 next 1-3000"},
		{"wide", ReadInput{}, " 1-400 of 1000 cut by characters left 600 next 401"},
		{"wide", ReadInput{To: 1000}, " 1-400 of 1000 cut by characters left 600 next 401"},
		{"wide", ReadInput{Numbered: true}, " 1-370 of 1000 cut by characters left 630 next 371"},
		{"wide", ReadInput{Tail: 600}, " 601-1000 of 1000 cut by characters left 200 next 401-600"},
		{"wide", ReadInput{Tail: 600, Numbered: true}, " 631-1000 of 1000 cut by characters left 230 next 401-630"},
		{"line", ReadInput{}, " 1-1 of 1 cut by characters"},
		{"line", ReadInput{Tail: 1}, " 1-1 of 1 cut by characters"},
		{"mid", ReadInput{}, " 1-1 of 2 cut by characters left 1 next 2"},
		{"mid", ReadInput{Tail: 2}, " 2-2 of 2 cut by characters left 1 next 1-1"},
	} {
		c.in.Paths = []string{c.path}
		f := readOne(t, dir, c.in)
		if got := last(f); got != c.want {
			t.Errorf("%s %+v:%s, want%s", c.path, c.in, got, c.want)
		}
		if n := text.Chars(*f.Text); n > Characters && c.path != "line" && c.path != "mid" || n > text.MaxLineChars {
			t.Errorf("%s %+v: %d characters", c.path, c.in, n)
		}
	}
	if n := text.Chars(*readOne(t, dir, ReadInput{Paths: []string{"line"}}).Text); n != text.MaxLineChars {
		t.Errorf("a line of a million characters was served with %d", n)
	}
	// One budget for the whole call.
	s, _ := readSession(t, dir, config.None)
	paths := make([]string, 50)
	for i := range paths {
		paths[i] = "wide"
	}
	a, err := Read(context.Background(), s, ReadInput{Paths: paths})
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, f := range a.Files {
		total += text.Chars(*f.Text)
	}
	if total > Characters || len(a.Files) != 50 || last(a.Files[1]) != " 1-0 of 1000 cut by characters left 1000 next 1" {
		t.Errorf("%d characters; the second file:%s", total, last(a.Files[1]))
	}
	var b bytes.Buffer
	readOne(t, dir, ReadInput{Paths: []string{"wide"}, Tail: 600}).human(&b)
	if !strings.Contains(b.String(), "200 lines are left (cut at 40000 characters). Continue with: fettle read wide --from 401 --to 600\n") {
		t.Error(b.String()[b.Len()-200:])
	}
}

func TestReadEncodings(t *testing.T) {
	dir := t.TempDir()
	for _, e := range text.Encodings() {
		b, _ := text.Encode("né😀\r\nx", e)
		put(t, dir, string(e), b)
		f := readOne(t, dir, ReadInput{Paths: []string{string(e)}})
		if f.Encoding != string(e) || *f.Text != "né😀\nx" || f.LineEnding != "crlf" || *f.FinalNewline || f.Hash != text.Hash(b) {
			t.Errorf("%s: %+v %q", e, f, *f.Text)
		}
	}
	put(t, dir, "latin", []byte("caf\xe9"))
	put(t, dir, "late", append(bytes.Repeat([]byte("x\n"), 100_000), 0))
	put(t, dir, "elf", []byte("\x7fELF\x00\x00"))
	readFails(t, dir, ReadInput{Paths: []string{"latin"}}, outcome.Refused, "latin is binary, or text in an encoding")
	readFails(t, dir, ReadInput{Paths: []string{"late"}}, outcome.Refused, "late is binary")
	readFails(t, dir, ReadInput{Paths: []string{"late"}, Tail: 1}, outcome.Refused, "late is binary")
	readFails(t, dir, ReadInput{Paths: []string{"elf"}}, outcome.Refused, "a program (ELF)")
}

func TestReadVeryLarge(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "huge"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	// Sparse: the NULs in the middle would make it binary if they were read.
	if _, err := f.WriteString(strings.Repeat("first\n", 10_000)); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("\nlast but one\nlast\n"), hashUnasked+100); err != nil {
		t.Skip("no sparse files here")
	}
	got := readOne(t, dir, ReadInput{Paths: []string{"huge"}, Tail: 2})
	if *got.Text != "last but one\nlast" || got.Hash != "" || got.Lines != nil || !slices.ContainsFunc(got.Notes, func(n string) bool { return strings.Contains(n, "not hashed: --hash reads") }) {
		t.Errorf("%+v", got)
	}
	if _, err := f.WriteAt([]byte(strings.Repeat("x\n", ReadLines+1)), hashUnasked+200); err != nil {
		t.Fatal(err)
	}
	for ask, cut := range map[int64]string{ReadLines: "", ReadLines + 1: "lines"} {
		got = readOne(t, dir, ReadInput{Paths: []string{"huge"}, Tail: ask})
		named := slices.ContainsFunc(got.Notes, func(n string) bool { return strings.Contains(n, "With --numbered as well") })
		if got.CutBy != cut || named != (cut != "") || strings.Count(*got.Text, "x") != ReadLines {
			t.Errorf("%d: cut by %q, %q", ask, got.CutBy, got.Notes)
		}
	}
	s, _ := readSession(t, dir, config.None)
	if _, err := Read(context.Background(), s, ReadInput{Paths: []string{"huge"}, Tail: 2, Hash: true}); outcome.Of(err).Kind != outcome.Refused {
		t.Errorf("--hash did not read all of it: %v", err)
	}
}

func TestReadDocument(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a.pdf", []byte("%PDF-1.7 two three"))
	put(t, dir, "b.pdf", []byte("%PDF-1.7 LOCKED"))
	put(t, dir, "c.doc", append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), make([]byte, 600)...))
	f := readOne(t, dir, ReadInput{Paths: []string{"a.pdf"}, From: 2, Numbered: true})
	if f.Kind != "pdf" || served(f) != `"    2 | two\n    3 | three" 2-3 of 3` || len(f.Notes) != 1 || f.Encoding != "" || f.Hash == "" {
		t.Errorf("%+v %s", f, served(f))
	}
	if got := served(readOne(t, dir, ReadInput{Paths: []string{"a.pdf"}, Tail: 1})); got != `"three" 3-3 of 3` {
		t.Error(got)
	}
	readFails(t, dir, ReadInput{Paths: []string{"b.pdf"}}, outcome.Refused, "b.pdf cannot be read: it needs a password")
	readFails(t, dir, ReadInput{Paths: []string{"c.doc"}}, outcome.Refused, "c.doc cannot be read: ")
}

func TestReadArchive(t *testing.T) {
	dir := t.TempDir()
	utf16, _ := text.Encode("wide\n", text.UTF16LE)
	var z bytes.Buffer
	w := zip.NewWriter(&z)
	for name, body := range map[string]string{"a/t.txt": "in\r\nzip\n", "d.pdf": "%PDF-1.7 doc", "u.csv": string(utf16), "bin": "a\x00b"} {
		m, _ := w.Create(name)
		io.WriteString(m, body)
	}
	w.Close()
	put(t, dir, "z.zip", z.Bytes())
	var tb bytes.Buffer
	tw := tar.NewWriter(&tb)
	tw.WriteHeader(&tar.Header{Name: "./run.sh", Mode: 0o755, Size: 3})
	io.WriteString(tw, "hi\n")
	tw.WriteHeader(&tar.Header{Name: "z.zip", Mode: 0o644, Size: int64(z.Len())})
	tw.Write(z.Bytes())
	tw.Close()
	put(t, dir, "t.tgz", gz(tb.Bytes()))
	put(t, dir, "log.gz", gz([]byte("one\ntwo\n")))
	put(t, dir, "nested.gz", gz(gz(gz(gz(gz([]byte("deep")))))))

	f := readOne(t, dir, ReadInput{Paths: []string{"z.zip"}})
	if f.Kind != "archive" || !strings.HasSuffix(*f.Text, "4 members, 35 bytes uncompressed") || *f.Lines != 5 {
		t.Errorf("%+v\n%s", f, *f.Text)
	}
	for _, c := range []struct{ path, member, kind, want string }{
		{"z.zip", "a/t.txt", "text", `"in\nzip" 1-2 of 2`},
		{"z.zip", "d.pdf", "pdf", `"%PDF-1.7\ndoc" 1-2 of 2`},
		{"z.zip", "u.csv", "text", `"wide" 1-1 of 1`},
		{"t.tgz", "run.sh", "text", `"hi" 1-1 of 1`},
		{"t.tgz", "z.zip", "archive", ""},
		{"log.gz", "", "gzip", `"one\ntwo" 1-2 of 2`},
	} {
		f := readOne(t, dir, ReadInput{Paths: []string{c.path}, Member: c.member})
		if f.Kind != c.kind || c.want != "" && served(f) != c.want {
			t.Errorf("%s %s: %s %s", c.path, c.member, f.Kind, served(f))
		}
	}
	m := readOne(t, dir, ReadInput{Paths: []string{"t.tgz"}, Member: "run.sh"})
	if !m.Executable || m.Bytes != 3 || m.Hash != text.Hash([]byte("hi\n")) {
		t.Errorf("%+v", m)
	}
	if g := readOne(t, dir, ReadInput{Paths: []string{"log.gz"}}); g.Hash != text.Hash(gz([]byte("one\ntwo\n"))) || g.Encoding != "utf-8" {
		t.Errorf("%+v", g)
	}
	readFails(t, dir, ReadInput{Paths: []string{"z.zip"}, Member: "no"}, outcome.NotFound, "no member called 'no'")
	readFails(t, dir, ReadInput{Paths: []string{"z.zip"}, Member: "bin"}, outcome.Refused, "member 'bin' of z.zip is binary")
	readFails(t, dir, ReadInput{Paths: []string{"z.zip", "t.tgz"}, Member: "x"}, outcome.Invalid, "--member")
	readFails(t, dir, ReadInput{Paths: []string{"log.gz"}, Member: "x"}, outcome.Invalid, "no archive")
	readFails(t, dir, ReadInput{Paths: []string{"nested.gz"}}, outcome.Refused, "wrappings")
}

func gz(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

// Text under a .gz that is larger than what is held in memory is streamed.
func TestReadLargeGzip(t *testing.T) {
	defer func(n int) { unpackedMax = n }(unpackedMax)
	unpackedMax = 1 << 20
	dir := t.TempDir()
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	for i := range 30_000 {
		fmt.Fprintf(w, "%09d %057d\n", i+1, i*i)
	}
	w.Close()
	put(t, dir, "log.gz", b.Bytes())
	f := readOne(t, dir, ReadInput{Paths: []string{"log.gz"}, Tail: 2})
	if *f.Lines != 30_000 || !strings.HasPrefix(*f.Text, "000029999 ") || *f.From != 29_999 {
		t.Errorf("%s", served(f))
	}
	if f := readOne(t, dir, ReadInput{Paths: []string{"log.gz"}, From: 20_000, To: 20_000}); !strings.HasPrefix(*f.Text, "000020000 ") {
		t.Errorf("%s", served(f))
	}
}

func TestReadImage(t *testing.T) {
	dir := t.TempDir()
	var p bytes.Buffer
	if err := png.Encode(&p, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "a.png", p.Bytes())
	big := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR")
	big = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(big, 9600), 7734)
	put(t, dir, "big.png", append(big, 8, 6, 0, 0, 0))
	put(t, dir, "heavy.png", append(bytes.Clone(p.Bytes()), make([]byte, 4<<20)...))
	put(t, dir, "bad.png", []byte("\x89PNG\r\n\x1a\n"))
	f := readOne(t, dir, ReadInput{Paths: []string{"a.png"}})
	if f.Kind != "image" || f.MIMEType != "image/png" || f.Width != 3 || f.Height != 2 || f.Base64 == "" || f.Text != nil {
		t.Errorf("%+v", f)
	}
	// K61
	for _, name := range []string{"big.png", "heavy.png"} {
		if f := readOne(t, dir, ReadInput{Paths: []string{name}}); f.Base64 != "" || len(f.Notes) != 1 || f.Width == 0 {
			t.Errorf("%s: %+v", name, f)
		}
	}
	readFails(t, dir, ReadInput{Paths: []string{"bad.png"}}, outcome.Refused, "damaged")
	s, _ := readSession(t, dir, config.Identifiers)
	_, err := Read(context.Background(), s, ReadInput{Paths: []string{"a.png"}})
	if o := outcome.Of(err); o.Kind != outcome.Screened || o.Path != "a.png" || o.Message != "this response could not be screened, so it is not being served: an image cannot be judged" {
		t.Errorf("an image in a screened place: %v", err)
	}
	// An answer that holds pictures gives them up once.
	a := &ReadAnswer{Files: []*ReadFile{f}}
	if im := a.TakeImages(); len(im) != 1 || f.Base64 != "" || len(a.TakeImages()) != 0 {
		t.Error("images were not taken")
	}
}

// The screen sees whole lines without numbers, of every kind.
func TestReadIsScreened(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a.txt", []byte("fine\nSECRET\n"))
	put(t, dir, "d.pdf", []byte("%PDF-1.7 SECRET"))
	put(t, dir, "g.gz", gz([]byte("SECRET")))
	utf16, _ := text.Encode("SECRET", text.UTF16BE)
	put(t, dir, "u.txt", utf16)
	s, j := readSession(t, dir, config.Identifiers)
	for _, name := range []string{"a.txt", "d.pdf", "g.gz", "u.txt"} { // K77
		_, err := Read(context.Background(), s, ReadInput{Paths: []string{name}, Numbered: true})
		if o := outcome.Of(err); o == nil || o.Kind != outcome.Screened {
			t.Errorf("%s: %v", name, err)
		}
	}
	j.lines = nil
	if _, err := Read(context.Background(), s, ReadInput{Paths: []string{"a.txt"}, To: 1, Numbered: true}); err != nil || !slices.Equal(j.lines, []string{"fine"}) {
		t.Errorf("a narrower range: %v, judged %q", err, j.lines)
	}
	// A long line is judged whole, one that is too long to be served as far as it is.
	put(t, dir, "long.txt", []byte(strings.Repeat("pad ", 99_000)+"SECRET\n"))
	if _, err := Read(context.Background(), s, ReadInput{Paths: []string{"long.txt"}}); outcome.Of(err) == nil || outcome.Of(err).Kind != outcome.Screened {
		t.Errorf("a long line: %v", err)
	}
	put(t, dir, "longer.txt", []byte(strings.Repeat("pad ", 100_000)+"SECRET\n"))
	j.lines = nil
	a, err := Read(context.Background(), s, ReadInput{Paths: []string{"longer.txt"}})
	if err != nil || !strings.HasPrefix(j.lines[0], *a.Files[0].Text) || len(*a.Files[0].Text) != 399_000 || len(j.lines[0]) != 400_000 {
		t.Errorf("too long a line: %v", err)
	}
	// So that no half of what the screen knows is served, neither at a beginning nor at an end.
	put(t, dir, "half.txt", []byte(strings.Repeat("pad ", 99_749)+"..SECRET"+strings.Repeat(" pad", 100_000)+"\n"))
	if _, err := Read(context.Background(), s, ReadInput{Paths: []string{"half.txt"}}); outcome.Of(err) == nil || outcome.Of(err).Kind != outcome.Screened {
		t.Errorf("cut in the middle: %v", err)
	}
	put(t, dir, "longest.txt", []byte(strings.Repeat("pad ", 200_000)+"\n"))
	a, err = Read(context.Background(), s, ReadInput{Paths: []string{"longest.txt"}, Tail: 1})
	if err != nil || len(*a.Files[0].Text) != 398_000 {
		t.Errorf("the end of too long a line: %v", err)
	}
	if _, err := Read(context.Background(), s, ReadInput{Paths: []string{"longer.txt"}, Tail: 1}); outcome.Of(err) == nil || outcome.Of(err).Kind != outcome.Screened {
		t.Errorf("its end: %v", err)
	}
}

func TestReadCancelled(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "f", []byte("x"))
	s, _ := readSession(t, dir, config.None)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, s, ReadInput{Paths: []string{"f"}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
