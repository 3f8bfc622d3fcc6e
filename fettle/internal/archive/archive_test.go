package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"time"

	"fettler/fettle/internal/boundary"
	"fettler/shared/outcome"
)

var day = time.Date(2026, 8, 16, 16, 8, 0, 0, time.UTC)

// makeZip makes a zip of name, content pairs as Go's writer streams them:
// with data descriptors.
func makeZip(t testing.TB, headers ...*zip.FileHeader) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, h := range headers {
		h.Modified = day
		body := h.Comment
		h.Comment = ""
		f, err := w.CreateHeader(h)
		if err == nil {
			_, err = io.WriteString(f, body)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func entry(name, body string) *zip.FileHeader {
	return &zip.FileHeader{Name: name, Comment: body, Method: zip.Deflate}
}

func makeTar(t testing.TB, headers ...*tar.Header) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		body := h.Uname
		h.Uname = ""
		h.Size = int64(len(body))
		h.ModTime = day
		if h.Mode == 0 {
			h.Mode = 0o644
		}
		err := w.WriteHeader(h)
		if err == nil {
			_, err = io.WriteString(w, body)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gz(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func open(b []byte, f Format) (*Archive, error) {
	return Open(context.Background(), bytes.NewReader(b), int64(len(b)), f, DefaultLimits)
}

func mustOpen(t *testing.T, b []byte, f Format) *Archive {
	t.Helper()
	a, err := open(b, f)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func read(a *Archive, i int) (string, error) {
	r, err := a.Read(context.Background(), i)
	if err != nil {
		return "", err
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	return string(b), err
}

func TestManifestAndMembers(t *testing.T) {
	run := entry("bin/run", "#!/bin/sh\n")
	run.SetMode(0o755)
	link := entry("l", "../out")
	link.SetMode(0o777 | fs.ModeSymlink)
	tarball := makeTar(t,
		&tar.Header{Name: "bin/", Typeflag: tar.TypeDir, Mode: 0o755},
		&tar.Header{Name: "bin/run", Mode: 0o755, Uname: "#!/bin/sh\n"},
		&tar.Header{Name: "l", Typeflag: tar.TypeSymlink, Linkname: "../out"},
		&tar.Header{Name: "a\x1b[2J", Uname: "x"})
	for _, c := range []struct {
		f    Format
		b    []byte
		want string
	}{
		{Zip, makeZip(t, run, entry("a\x1b[2J", "x"), link),
			"      10  2026-08-16 16:08  x bin/run\n       1  2026-08-16 16:08  - a\\x1b[2J\n       6  2026-08-16 16:08  - l (a link)\n3 members, 11 bytes uncompressed"},
		{Tar, tarball,
			"       0  2026-08-16 16:08  - bin/\n      10  2026-08-16 16:08  x bin/run\n       0  2026-08-16 16:08  - l -> ../out (a link)\n       1  2026-08-16 16:08  - a\\x1b[2J\n4 members, 11 bytes uncompressed"},
		{TarGz, gz(tarball), ""},
	} {
		a := mustOpen(t, c.b, c.f)
		if got := strings.Join(a.Manifest(), "\n"); c.want != "" && got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.f, got, c.want)
		}
		i, err := a.Find("bin/run")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := read(a, i); err != nil || got != "#!/bin/sh\n" {
			t.Errorf("%s: %q, %v", c.f, got, err)
		}
		var names []string
		err = a.Each(context.Background(), func(_ int, m *Member, r io.Reader) error {
			names = append(names, m.Name)
			if r != nil {
				_, err := io.Copy(io.Discard, r)
				return err
			}
			return nil
		})
		if err != nil || len(names) != len(a.Members) {
			t.Errorf("%s: each gave %q, %v", c.f, names, err)
		}
		if _, err := a.Find("no"); outcome.Of(err).Kind != outcome.NotFound {
			t.Error(err)
		}
		l, _ := a.Find("l")
		if _, err := read(a, l); outcome.Of(err).Kind != outcome.Refused {
			t.Errorf("a link was read: %v", err)
		}
	}
}

func TestSniff(t *testing.T) {
	z, tb := makeZip(t, entry("a", "x")), makeTar(t, &tar.Header{Name: "a", Uname: "x"})
	old := bytes.Clone(tb) // before the magic
	copy(old[257:265], make([]byte, 8))
	var sum int
	for i, c := range old[:512] {
		if i >= 148 && i < 156 {
			c = ' '
		}
		sum += int(c)
	}
	copy(old[148:156], []byte(strings.ToLower(oct(sum))+"\x00 "))
	for i, c := range []struct {
		b    []byte
		want Format
	}{{z, Zip}, {tb, Tar}, {old, Tar}, {gz(tb), Gzip}, {[]byte("text"), ""}, {make([]byte, 512), ""}} {
		if got := Sniff(c.b[:min(len(c.b), SniffLen)]); got != c.want {
			t.Errorf("%d: %q, want %q", i, got, c.want)
		}
	}
	// K65: a tar under a .gz is found by its bytes.
	for want, b := range map[Format][]byte{TarGz: gz(tb), Gzip: gz([]byte("text"))} {
		if got := SniffGzip(bytes.NewReader(b), int64(len(b))); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	// K59: a zip with a prefix.
	sfx := append([]byte("MZ"+strings.Repeat("stub ", 300)), z...)
	if !ZipBehind(bytes.NewReader(sfx), int64(len(sfx))) || ZipBehind(strings.NewReader("MZ nothing"), 10) {
		t.Error("a self-extracting zip is not told from a program")
	}
	if got, err := read(mustOpen(t, sfx, Zip), 0); got != "x" || err != nil {
		t.Error(got, err)
	}
}

func oct(n int) string {
	s := ""
	for range 6 {
		s = string(rune('0'+n%8)) + s
		n /= 8
	}
	return s
}

// K59: odd methods and encryption are named per member and the rest works.
func TestOddMembers(t *testing.T) {
	b := makeZip(t, entry("bz", "x"), entry("aes", "x"), entry("ok", "fine"), entry("caf\x82", "cp437"), entry("日本", "utf"))
	patch(t, b, "bz", func(h []byte) { h[10], h[11] = 12, 0 })
	patch(t, b, "aes", func(h []byte) { h[10], h[11] = 99, 0; h[8] |= 1 })
	a := mustOpen(t, b, Zip)
	m := strings.Join(a.Manifest(), "\n")
	for _, want := range []string{"bz (not readable: its compression method is 12 (bzip2))", "aes (not readable: it is encrypted)", " ok\n", "café", "日本"} {
		if !strings.Contains(m, want) {
			t.Errorf("no %q in\n%s", want, m)
		}
	}
	if _, err := read(a, 0); outcome.Of(err).Kind != outcome.Refused {
		t.Error(err)
	}
	for i, want := range map[int]string{2: "fine", 3: "cp437", 4: "utf"} {
		if got, err := read(a, i); got != want || err != nil {
			t.Errorf("%d: %q, %v", i, got, err)
		}
	}
}

// patch changes a member's header in the central directory.
func patch(t *testing.T, b []byte, name string, fn func(h []byte)) {
	i := bytes.LastIndex(b, []byte("PK\x01\x02"))
	for ; i >= 0; i = bytes.LastIndex(b[:i], []byte("PK\x01\x02")) {
		if bytes.HasPrefix(b[i+46:], []byte(name)) {
			fn(b[i:])
			return
		}
	}
	t.Fatalf("no member %s", name)
}

func TestBombs(t *testing.T) {
	zeros := strings.Repeat("\x00", 8<<20)
	l := Limits{Members: 10, Bytes: 64 << 20, Ratio: 300, Free: 1 << 20}
	tarball := makeTar(t, &tar.Header{Name: "z", Uname: zeros})
	for f, b := range map[Format][]byte{Zip: makeZip(t, entry("z", zeros)), TarGz: gz(tarball)} {
		a, err := Open(context.Background(), bytes.NewReader(b), int64(len(b)), f, l)
		if err == nil {
			_, err = read(a, 0)
		}
		refusedWith(t, err, "times its size")
	}
	l.Ratio, l.Bytes = 1<<40, 2<<20
	b := makeZip(t, entry("a", zeros[:1<<20]), entry("b", zeros[:1<<20]), entry("c", "x"))
	a, err := Open(context.Background(), bytes.NewReader(b), int64(len(b)), Zip, l)
	if err != nil {
		t.Fatal(err)
	}
	err = a.Each(context.Background(), func(_ int, _ *Member, r io.Reader) error {
		_, err := io.Copy(io.Discard, r)
		return err
	})
	refusedWith(t, err, "more than 2097152 bytes")

	var many []*zip.FileHeader
	var manyTar []*tar.Header
	for i := range 11 {
		many = append(many, entry(string(rune('a'+i)), ""))
		manyTar = append(manyTar, &tar.Header{Name: string(rune('a' + i))})
	}
	mb := makeZip(t, many...)
	le := bytes.LastIndex(mb, []byte("PK\x05\x06"))
	mb[le+8], mb[le+10] = 1, 1 // a lie about their number changes nothing
	for f, b := range map[Format][]byte{Zip: mb, Tar: makeTar(t, manyTar...)} {
		_, err := Open(context.Background(), bytes.NewReader(b), int64(len(b)), f, l)
		refusedWith(t, err, "more than 10 members")
	}
	g := gz([]byte(zeros))
	r, err := OpenGzip(context.Background(), bytes.NewReader(g), int64(len(g)), l)
	if err == nil {
		_, err = io.Copy(io.Discard, r)
	}
	refusedWith(t, err, "more than 2097152 bytes")
}

func refusedWith(t *testing.T, err error, words string) {
	t.Helper()
	var o *outcome.Error
	if !errors.As(err, &o) || o.Kind != outcome.Refused || !strings.Contains(o.Message, words) {
		t.Errorf("%v, want a refusal with %q", err, words)
	}
}

func TestDamage(t *testing.T) {
	z := makeZip(t, entry("a", strings.Repeat("text ", 1000)))
	bad := bytes.Clone(z)
	bad[40] ^= 0xff
	a := mustOpen(t, bad, Zip)
	_, err := read(a, 0)
	refusedWith(t, err, "damaged")
	_, err = open(z[:len(z)-30], Zip)
	refusedWith(t, err, "damaged")
	tb := makeTar(t, &tar.Header{Name: "a", Uname: strings.Repeat("x", 2000)})
	_, err = open(tb[:1000], Tar)
	refusedWith(t, err, "ends too early")
	_, err = open(gz(tb)[:40], TarGz)
	refusedWith(t, err, "damaged")
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b := gz(makeTar(t, &tar.Header{Name: "a"}))
	if _, err := Open(ctx, bytes.NewReader(b), int64(len(b)), TarGz, DefaultLimits); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestSameNameTwice(t *testing.T) {
	a := mustOpen(t, makeTar(t, &tar.Header{Name: "a", Uname: "1"}, &tar.Header{Name: "./a", Uname: "2"}), Tar)
	if _, err := a.Find("a"); outcome.Of(err).Kind != outcome.Conflict {
		t.Error(err)
	}
}

// K57, and security rule 13: the same verdict on every platform.
func TestFlaw(t *testing.T) {
	for name, want := range map[string]Fault{
		"a": Fine, "a/b.txt": Fine, "./a": Fine, "a//b": Fine, ".": Fine, "dir/": Fine, "..a": Fine, "a..b": Fine, "日本": Fine, "__MACOSX/._a": Fine,
		"../x": Escapes, "/abs": Escapes, "a/../../x": Escapes, "a/../b": Escapes, "..": Escapes, "//h/s": Escapes,
		"": Bad, `..\x`: Bad, `a\b`: Bad, "C:x": Bad, "C:/x": Bad, "a:stream": Bad, "a.": Bad, "a /b": Bad, "a/... ": Bad, "...": Bad,
		strings.Repeat("a/", maxFolders) + "x": Fine, strings.Repeat("a/", maxFolders+1) + "x": Bad,
		strings.Repeat("a", maxName): Fine, strings.Repeat("a", maxName+1): Bad, strings.Repeat("A/", 1<<18) + "x": Bad,
		"nul": Bad, "x/COM1.txt": Bad, "aux.c": Bad, "LPT²": Bad, "a\nb": Bad, "a\x00b": Bad, "caf\xe9": Bad,
	} {
		if _, got, why := Flaw(name); got != want {
			t.Errorf("%q: %d (%s), want %d", name, got, why, want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		paths string // a trailing slash is a folder
		hit   bool
	}{
		{"a b", false}, {"a/ a/", false}, {"a/b a/c", false}, {"a/ a/b", false}, {"a/b a/", false},
		{"a A", true}, {"a a", true}, {"a a/b", true}, {"a/b a", true}, {"A/x a/y", true}, {"a/ a", true},
		{"straße STRASSE", true}, {"\u00e9 e\u0301", true}, {"a\u200bb ab", true}, {"ﬁ fi", true},
	} {
		var n Names
		hit := false
		for p := range strings.SplitSeq(c.paths, " ") {
			if n.Add(strings.TrimSuffix(p, "/"), strings.HasSuffix(p, "/")) != "" {
				hit = true
			}
		}
		if hit != c.hit {
			t.Errorf("%q: %v", c.paths, hit)
		}
	}
}

// A folder of a name is known by what its own name folds to, whatever comes after.
func TestNamesFoldEachFolder(t *testing.T) {
	for _, rel := range []string{"A/b/C", "stra\u1e9ee/e\u0301/x", "e\u0301/\u0338x/\u0301", "a\u200b/\u200b/b", "\u212b/\u0345\u0301/\ufb01"} {
		var n Names
		n.Add(rel, false)
		want := map[string]bool{boundary.Fold(rel): true}
		for i := range rel {
			if rel[i] == '/' {
				want[boundary.Fold(rel[:i])] = true
			}
		}
		for key := range n.seen {
			if !want[key] {
				t.Errorf("%q: a folder is known as %q", rel, key)
			}
		}
		if len(n.seen) != len(want) {
			t.Errorf("%q: %d names, wanted %d", rel, len(n.seen), len(want))
		}
	}
}

// Names are bounded together: a tar's may be a megabyte each, and shrink to nothing.
func TestNamesTogether(t *testing.T) {
	var headers []*tar.Header
	for i := range 40 {
		headers = append(headers, &tar.Header{Name: fmt.Sprint(i, strings.Repeat("b", 1_000_000)), Format: tar.FormatPAX})
	}
	b := gz(makeTar(t, headers...))
	_, err := Open(context.Background(), bytes.NewReader(b), int64(len(b)), TarGz, Limits{Members: 1000, Bytes: 1 << 30, Ratio: 1e9, Free: 1 << 30})
	if err == nil || outcome.Of(err).Kind != outcome.Refused || !strings.Contains(err.Error(), "names take more than") {
		t.Errorf("%v", err)
	}
}

func FuzzOpen(f *testing.F) {
	tb := makeTar(f, &tar.Header{Name: "a", Uname: "x"}, &tar.Header{Name: "l", Typeflag: tar.TypeSymlink, Linkname: "a"})
	f.Add(makeZip(f, entry("a", "x"), entry("b", strings.Repeat("y", 100))))
	f.Add(tb)
	f.Add(gz(tb))
	l := Limits{Members: 50, Bytes: 1 << 20, Ratio: 100, Free: 1 << 16}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, format := range []Format{Zip, Tar, TarGz} {
			a, err := Open(context.Background(), bytes.NewReader(b), int64(len(b)), format, l)
			if err != nil {
				continue
			}
			if len(a.Members) > l.Members {
				t.Fatal("more members than the limit")
			}
			a.Manifest()
			var out int64
			a.Each(context.Background(), func(_ int, m *Member, r io.Reader) error {
				rel, fault, _ := Flaw(m.Name)
				if fault == Fine && (strings.HasPrefix(rel, "/") || rel == ".." || strings.HasPrefix(rel, "../")) {
					t.Fatalf("%q is fine as %q", m.Name, rel)
				}
				if r == nil {
					return nil
				}
				n, err := io.Copy(io.Discard, r)
				out += n
				return err
			})
			if out > l.Bytes+1<<16 {
				t.Fatalf("%d bytes came out", out)
			}
		}
	})
}
