package ops

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"testing"

	"fettler/fettle/internal/boundary"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// entryOf is a member: a name ending in / is a folder, body "->x" a link.
type entryOf struct {
	name, body string
	mode       int64
	typ        byte
}

func tarOf(t *testing.T, entries ...entryOf) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: e.mode, Size: int64(len(e.body)), Typeflag: e.typ}
		if e.mode == 0 {
			h.Mode = 0o644
		}
		if strings.HasSuffix(e.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if e.typ == tar.TypeSymlink || e.typ == tar.TypeLink {
			h.Linkname, h.Size = e.body, 0
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			io.WriteString(w, e.body)
		}
	}
	w.Close()
	return b.Bytes()
}

func zipOf(t *testing.T, entries ...entryOf) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		mode := fs.FileMode(0o644)
		if e.mode != 0 {
			mode = fs.FileMode(e.mode & 0o777)
		}
		if e.typ == tar.TypeSymlink {
			mode |= fs.ModeSymlink
		}
		h.SetMode(mode)
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, e.body)
	}
	w.Close()
	return b.Bytes()
}

// listing is every path below dir with its content, executables marked.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, p)
		rel = filepath.ToSlash(rel)
		switch {
		case rel == ".":
		case d.IsDir():
			out = append(out, rel+"/")
		default:
			b, _ := os.ReadFile(p)
			info, _ := d.Info()
			if info.Mode()&0o111 != 0 {
				rel += "*"
			}
			if info.Mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0 {
				rel += "!"
			}
			if len(b) > 20 {
				b = []byte(fmt.Sprintf("%d bytes", len(b)))
			}
			out = append(out, rel+"="+string(b))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(out)
	return strings.Join(out, " ")
}

func extract(t *testing.T, dir string, in ExtractInput) (*ExtractAnswer, error) {
	t.Helper()
	s, _ := readSession(t, dir, config.None)
	return Extract(context.Background(), s, in)
}

func TestExtract(t *testing.T) {
	entries := []entryOf{{name: "bin/"}, {name: "bin/run", body: "go", mode: 0o755}, {name: "deep/er/f", body: "x"}, {name: "empty/"}, {name: "top", body: "y"}}
	suid := append(entries, entryOf{name: "su", body: "s", mode: 0o4755})
	for name, b := range map[string][]byte{"a.zip": zipOf(t, entries...), "a.tar": tarOf(t, suid...), "a.tgz": gz(tarOf(t, append([]entryOf{{name: "./"}}, suid...)...))} {
		for _, into := range []string{"new", "new/below", "there", "."} {
			dir := t.TempDir()
			put(t, dir, name, b)
			put(t, dir, "there/kept", []byte("k"))
			a, err := extract(t, dir, ExtractInput{Archive: name, Into: into})
			if err != nil {
				t.Fatalf("%s into %s: %v", name, into, err)
			}
			if a.Into != into && into != "." || a.Bytes != 4 && a.Bytes != 5 {
				t.Errorf("%+v", a)
			}
			got := listing(t, filepath.Join(dir, into))
			want := "bin/ bin/run*=go deep/ deep/er/ deep/er/f=x empty/"
			if runtime.GOOS == "windows" {
				want = strings.ReplaceAll(want, "*", "")
			}
			if !strings.Contains(got, want) || !strings.Contains(got, "top=y") || strings.Contains(got, "!") || strings.Contains(got, boundary.ReservedPrefix) {
				t.Errorf("%s into %s: %s", name, into, got)
			}
			if strings.Contains(listing(t, dir), boundary.ReservedPrefix) {
				t.Error("something was left behind")
			}
		}
	}
}

// K57: refused whole, with nothing written, for any member that is not what
// its archive's reader would expect.
func TestExtractRefusesWhole(t *testing.T) {
	good := entryOf{name: "good", body: "g"}
	for _, c := range []struct {
		bad  entryOf
		kind outcome.Kind
		word string
	}{
		{entryOf{name: "../x"}, outcome.Refused, "outside out"}, // lands in the tree, not in the destination
		{entryOf{name: "a/../../x"}, outcome.Refused, "outside out"},
		{entryOf{name: "a/../b"}, outcome.Refused, "climbs"},
		{entryOf{name: "../../x"}, outcome.OutsideRoot, boundary.Outside},
		{entryOf{name: "/abs"}, outcome.OutsideRoot, boundary.Outside},
		{entryOf{name: "../hidden/x"}, outcome.OutsideRoot, boundary.Outside},
		{entryOf{name: `..\x`}, outcome.Refused, "backslash"},
		{entryOf{name: "C:x"}, outcome.Refused, "colon"},
		{entryOf{name: "com1.txt"}, outcome.Refused, "device"},
		{entryOf{name: "trailing."}, outcome.Refused, "dot"},
		{entryOf{name: "GOOD"}, outcome.Refused, "one place"},
		{entryOf{name: "good"}, outcome.Refused, "one place"},
		{entryOf{name: "good/below"}, outcome.Refused, "one place"},
		{entryOf{name: "l", body: "../out", typ: tar.TypeSymlink}, outcome.Refused, "a link"},
		{entryOf{name: ".fettler.json", body: "{}"}, outcome.Governed, "does not write"},
		{entryOf{name: "sub/.Claude/SETTINGS.json", body: "{}"}, outcome.Governed, "does not write"},
		{entryOf{name: boundary.ReservedPrefix + "x"}, outcome.OutsideRoot, boundary.Outside},
		{entryOf{name: "there"}, outcome.TargetExists, "already there"},
		{entryOf{name: "folder"}, outcome.TargetExists, "a folder"},
		{entryOf{name: "locked/x"}, outcome.Refused, "create"},
	} {
		for name, b := range map[string][]byte{"a.zip": zipOf(t, good, c.bad), "a.tar": tarOf(t, good, c.bad)} {
			dir := t.TempDir()
			put(t, dir, name, b)
			put(t, dir, "out/there", []byte("t"))
			put(t, dir, "out/folder/x", []byte("t"))
			put(t, dir, "out/locked/y", []byte("t"))
			put(t, dir, "hidden/y", []byte("t"))
			before := listing(t, dir)
			bd, err := boundary.New(boundary.Options{Trees: []boundary.Spec{{Name: "work", Path: dir, Can: config.Work, Scopes: []boundary.ScopeSpec{
				{Path: "out/locked", Can: config.Look, CanSet: true}, {Path: "hidden", CanSet: true},
			}}}})
			if err != nil {
				t.Fatal(err)
			}
			s := &Session{Boundary: bd, Progress: func(int64, int64, string) {}}
			_, err = Extract(context.Background(), s, ExtractInput{Archive: name, Into: "out"})
			bd.Close()
			if o := outcome.Of(err); o == nil || o.Kind != c.kind || !strings.Contains(o.Message, c.word) || !strings.Contains(o.Message, "Nothing was extracted") {
				t.Errorf("%s, %q: %v; want %s with %q", name, c.bad.name, err, c.kind.Word(), c.word)
			}
			if after := listing(t, dir); after != before {
				t.Errorf("%s, %q: something was written: %s", name, c.bad.name, after)
			}
		}
	}
	for _, c := range []entryOf{{name: "h", body: "good", typ: tar.TypeLink}, {name: "dev", typ: tar.TypeChar}, {name: "pipe", typ: tar.TypeFifo}} {
		dir := t.TempDir()
		put(t, dir, "a.tar", tarOf(t, good, c))
		if _, err := extract(t, dir, ExtractInput{Archive: "a.tar", Into: "out"}); outcome.Of(err).Kind != outcome.Refused {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestExtractOverwrite(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a.tar", tarOf(t, entryOf{name: "f", body: "new"}, entryOf{name: "d/g", body: "new"}, entryOf{name: "d/h/i", body: "new"}))
	put(t, dir, "out/f", []byte("old"))
	put(t, dir, "out/d/g", []byte("old"))
	put(t, dir, "out/d/kept", []byte("k"))
	if _, err := extract(t, dir, ExtractInput{Archive: "a.tar", Into: "out"}); outcome.Of(err).Kind != outcome.TargetExists {
		t.Error(err)
	}
	if _, err := extract(t, dir, ExtractInput{Archive: "a.tar", Into: "out", Overwrite: true}); err != nil {
		t.Fatal(err)
	}
	if got := listing(t, filepath.Join(dir, "out")); got != "d/ d/g=new d/h/ d/h/i=new d/kept=k f=new" {
		t.Error(got)
	}
	if got := listing(t, dir); strings.Contains(got, boundary.ReservedPrefix) {
		t.Error(got)
	}
	// Replacing is destroying: it needs delete.
	b, err := boundary.New(boundary.Options{Trees: []boundary.Spec{{Name: "work", Path: dir, Can: config.Look | config.Create | config.Update}}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	s := &Session{Boundary: b, Progress: func(int64, int64, string) {}}
	if _, err := Extract(context.Background(), s, ExtractInput{Archive: "a.tar", Into: "out", Overwrite: true}); outcome.Of(err).Kind != outcome.Refused || !strings.Contains(err.Error(), "delete") {
		t.Error(err)
	}
}

// A link that is there already does not lead a member out of the destination.
func TestExtractThroughALink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	dir, out := t.TempDir(), t.TempDir()
	put(t, dir, "a.tar", tarOf(t, entryOf{name: "l/x", body: "x"}))
	put(t, dir, "b.tar", tarOf(t, entryOf{name: "m/x", body: "x"}))
	put(t, dir, "out/y", nil)
	put(t, dir, "elsewhere/y", nil)
	os.Symlink(out, filepath.Join(dir, "out/l"))
	os.Symlink("../elsewhere", filepath.Join(dir, "out/m"))
	if _, err := extract(t, dir, ExtractInput{Archive: "a.tar", Into: "out"}); outcome.Of(err).Kind != outcome.OutsideRoot {
		t.Error(err)
	}
	if _, err := extract(t, dir, ExtractInput{Archive: "b.tar", Into: "out"}); outcome.Of(err).Kind != outcome.Refused {
		t.Error(err)
	}
	if listing(t, out) != "" || strings.Contains(listing(t, dir), "x=x") {
		t.Error("a member went through a link")
	}
}

// What goes wrong in the middle leaves nothing.
func TestExtractFailsInTheMiddle(t *testing.T) {
	var entries []entryOf
	for i := range 50 {
		entries = append(entries, entryOf{name: fmt.Sprintf("d%d/f", i%5*10+i), body: strings.Repeat("text ", 200)})
	}
	whole := gz(tarOf(t, entries...))
	z := zipOf(t, entries...)
	at := bytes.LastIndex(z[:len(z)*2/3], []byte("PK\x03\x04")) + 50 // inside a member's data
	z[at] ^= 0xff
	z[at+1] ^= 0xff
	for name, b := range map[string][]byte{"cut.tgz": whole[:len(whole)-200], "bad.zip": z} {
		for _, into := range []string{"new", "out"} {
			dir := t.TempDir()
			put(t, dir, name, b)
			put(t, dir, "out/kept", nil)
			before := listing(t, dir)
			if _, err := extract(t, dir, ExtractInput{Archive: name, Into: into}); outcome.Of(err).Kind != outcome.Refused {
				t.Errorf("%s: %v", name, err)
			}
			if after := listing(t, dir); after != before {
				t.Errorf("%s into %s left %s", name, into, after)
			}
		}
	}
	// Cancelled while it writes.
	dir := t.TempDir()
	put(t, dir, "a.tgz", whole)
	s, _ := readSession(t, dir, config.None)
	before := listing(t, dir)
	ctx := &expiring{Context: context.Background(), left: 30}
	if _, err := Extract(ctx, s, ExtractInput{Archive: "a.tgz", Into: "new"}); err == nil {
		t.Error("a cancelled call went on")
	}
	if after := listing(t, dir); after != before {
		t.Errorf("left %s", after)
	}
}

// expiring is cancelled after it was asked so many times.
type expiring struct {
	context.Context
	left int
}

func (e *expiring) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestExtractWhatIsNoArchive(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "t.zip", []byte("text"))
	put(t, dir, "one.gz", gz([]byte("x")))
	put(t, dir, "d.pdf", []byte("%PDF-1.4"))
	put(t, dir, "file", []byte("x"))
	put(t, dir, "a.tar", tarOf(t, entryOf{name: "x"}))
	for archive, word := range map[string]string{"t.zip": "no archive", "one.gz": "one compressed file", "d.pdf": "a document"} {
		_, err := extract(t, dir, ExtractInput{Archive: archive, Into: "out"})
		if o := outcome.Of(err); o.Kind != outcome.Refused || !strings.Contains(o.Message, word) {
			t.Errorf("%s: %v", archive, err)
		}
	}
	if _, err := extract(t, dir, ExtractInput{Archive: "a.tar", Into: "file"}); outcome.Of(err).Kind != outcome.TargetExists {
		t.Error(err)
	}
	if _, err := extract(t, dir, ExtractInput{Archive: "a.tar"}); outcome.Of(err).Kind != outcome.Invalid {
		t.Error(err)
	}
	if _, err := extract(t, dir, ExtractInput{Archive: "a.tar", Into: "../out"}); outcome.Of(err).Kind != outcome.OutsideRoot {
		t.Error(err)
	}
	if _, err := extract(t, dir, ExtractInput{Archive: "no.tar", Into: "out"}); outcome.Of(err).Kind != outcome.NotFound {
		t.Error(err)
	}
}

// Security rule 5: what is screened stays where it is screened.
func TestExtractKeepsTheScreen(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "in/a.tar", tarOf(t, entryOf{name: "x", body: "x"}))
	b, err := boundary.New(boundary.Options{Trees: []boundary.Spec{{Name: "work", Path: dir, Can: config.Work, Scopes: []boundary.ScopeSpec{
		{Path: "in", Screen: config.Identifiers, ScreenSet: true},
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	s := &Session{Boundary: b, Progress: func(int64, int64, string) {}}
	if _, err := Extract(context.Background(), s, ExtractInput{Archive: "in/a.tar", Into: "out"}); outcome.Of(err).Kind != outcome.Refused {
		t.Error(err)
	}
	if _, err := Extract(context.Background(), s, ExtractInput{Archive: "in/a.tar", Into: "in/out"}); err != nil {
		t.Error(err)
	}
}
