package transcripts

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// packed is every member's date.
var packed = time.Date(2026, 8, 16, 16, 8, 0, 0, time.UTC)

// pack OUT MEMBER… makes an archive, or a file that is no text, by OUT's
// extension: .zip, .tar, .tgz, .gz (of one file), else bytes. A member is
// NAME=FILE, NAME/ for a folder, NAME*=FILE for an executable, NAME->TARGET
// for a link. \xNN stands for a byte, in names and in what makes bytes.
func pack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: pack OUT MEMBER…")
	}
	var b bytes.Buffer
	out := args[0]
	switch {
	case strings.HasSuffix(out, ".zip"):
		w := zip.NewWriter(&b)
		for _, a := range args[1:] {
			m := member(ts, a)
			h := &zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: packed}
			h.SetMode(m.mode)
			f, err := w.CreateHeader(h)
			ts.Check(err)
			_, err = f.Write([]byte(m.body))
			ts.Check(err)
		}
		ts.Check(w.Close())
	case strings.HasSuffix(out, ".tar"), strings.HasSuffix(out, ".tgz"):
		var plain bytes.Buffer
		w := tar.NewWriter(&plain)
		for _, a := range args[1:] {
			m := member(ts, a)
			h, err := tar.FileInfoHeader(m, m.body)
			ts.Check(err)
			h.Name = m.name
			if h.Typeflag != tar.TypeReg {
				h.Size = 0
			}
			ts.Check(w.WriteHeader(h))
			if h.Typeflag == tar.TypeReg {
				_, err = w.Write([]byte(m.body))
				ts.Check(err)
			}
		}
		ts.Check(w.Close())
		if strings.HasSuffix(out, ".tar") {
			b = plain
			break
		}
		squeeze(ts, &b, plain.Bytes())
	case strings.HasSuffix(out, ".gz"):
		squeeze(ts, &b, []byte(ts.ReadFile(args[1])))
	default:
		b.WriteString(raw(strings.Join(args[1:], "")))
	}
	ts.Check(os.WriteFile(ts.MkAbs(out), b.Bytes(), 0o644))
}

func squeeze(ts *testscript.TestScript, out *bytes.Buffer, b []byte) {
	w := gzip.NewWriter(out)
	_, err := w.Write(b)
	ts.Check(err)
	ts.Check(w.Close())
}

// raw turns \xNN into its byte.
func raw(s string) string {
	var sb strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) && s[i+1] == 'x' {
			const digits = "0123456789abcdef"
			sb.WriteByte(byte(strings.IndexByte(digits, s[i+2])<<4 | strings.IndexByte(digits, s[i+3])))
			i += 3
			continue
		}
		sb.WriteByte(s[i])
	}
	return sb.String()
}

// packedMember is one member, as the file it describes.
type packedMember struct {
	name, body string
	mode       fs.FileMode
}

func (m packedMember) Name() string       { return m.name }
func (m packedMember) Size() int64        { return int64(len(m.body)) }
func (m packedMember) Mode() fs.FileMode  { return m.mode }
func (m packedMember) ModTime() time.Time { return packed }
func (m packedMember) IsDir() bool        { return m.mode.IsDir() }
func (m packedMember) Sys() any           { return nil }

func member(ts *testscript.TestScript, a string) packedMember {
	if name, target, ok := strings.Cut(a, "->"); ok {
		return packedMember{name, target, fs.ModeSymlink | 0o777}
	}
	if strings.HasSuffix(a, "/") {
		return packedMember{a, "", fs.ModeDir | 0o755}
	}
	name, file, ok := strings.Cut(a, "=")
	if !ok {
		ts.Fatalf("pack: %s is no member", a)
	}
	m := packedMember{raw(name), ts.ReadFile(file), 0o644}
	if n, x := strings.CutSuffix(m.name, "*"); x {
		m.name, m.mode = n, 0o755
	}
	return m
}
