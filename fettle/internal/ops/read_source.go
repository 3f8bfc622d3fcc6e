package ops

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path"

	"fettler/fettle/internal/archive"
	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/document"
	"fettler/fettle/internal/render"
	"fettler/fettle/internal/term"
	"fettler/fettle/internal/text"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// source is bytes to be served: a file, a member of an archive, or what lies
// under a .gz.
type source struct {
	name   string                        // as messages call it
	base   string                        // its own last name
	path   string                        // of the file it is or lies in
	at     io.ReaderAt                   // nil for what can only be read from its beginning
	size   int64                         // of at
	stream func() (io.ReadCloser, error) // from the beginning
	file   *os.File                      // when it is a file itself
	info   boundary.Info
	screen config.Categories
	depth  int // how many wrappings it lies under
}

// unpackedMax is how much of a member, or of what lies under a .gz, is held
// in memory. Larger text is read as a stream.
var unpackedMax = 64 << 20 // tests make it smaller

// maxDepth bounds archives in archives.
const maxDepth = 3

func (r *reader) file(ctx context.Context, place *boundary.Place, f *os.File, out *ReadFile) error {
	src := &source{
		name: out.Path, base: place.Name(), path: out.Path, at: f, size: place.Info.Size, file: f, info: place.Info, screen: place.Screen,
		stream: func() (io.ReadCloser, error) {
			return io.NopCloser(io.NewSectionReader(f, 0, place.Info.Size)), nil
		},
	}
	what, err := r.sniff(src)
	if err != nil {
		return err
	}
	if r.in.Member == "" {
		return r.serve(ctx, src, what, out)
	}
	if what.Kind != render.Archive {
		return outcome.New(outcome.Invalid, "%s is no archive, so it has no member %s", out.Path, term.Escape(r.in.Member)).At(out.Path)
	}
	return r.member(ctx, src, what.Archive, out)
}

func (r *reader) sniff(src *source) (render.What, error) {
	what, err := render.Sniff(src.base, src.at, src.size)
	return what, src.declined(err)
}

// declined makes what a document's reader says a refusal that names the file.
func (src *source) declined(err error) error {
	var d *document.Error
	if errors.As(err, &d) {
		return outcome.New(outcome.Refused, "%s cannot be read: %s", src.name, d.Message).At(src.path).Because(err)
	}
	var o *outcome.Error
	if errors.As(err, &o) && o.Path == "" && o.Kind == outcome.Refused {
		return o.At(src.path)
	}
	return err
}

// serve gives src, by what its bytes are, and has the screen count in it what
// the call's refusal will speak of.
func (r *reader) serve(ctx context.Context, src *source, what render.What, out *ReadFile) error {
	if out.Kind == "" {
		out.Kind = what.Word()
	}
	r.screened = src.screen != config.None
	var served []string
	var err error
	switch what.Kind {
	case render.Text:
		served, err = r.text(ctx, src, out)
		if errors.Is(err, text.ErrBinary) {
			err = src.binary("")
		}
	case render.Document:
		served, err = r.document(ctx, src, what.Document, out)
	case render.Archive:
		served, err = r.manifest(ctx, src, what.Archive, out)
	case render.Gzip:
		return r.gzip(ctx, src, out)
	case render.Image:
		return r.image(ctx, src, what.MIME, out)
	default:
		err = src.binary(what.Name)
	}
	if err != nil {
		var d *document.Error
		if errors.As(err, &d) { // it may name a sheet, or quote a damaged part
			r.held.add(ctx, r.s.Screen, src.screen, []string{d.Message})
		}
		return src.declined(err)
	}
	r.held.add(ctx, r.s.Screen, src.screen, append(served, out.Notes...))
	return nil
}

func (src *source) binary(name string) error {
	if name != "" {
		return outcome.New(outcome.Refused, "%s is binary: %s", src.name, name).At(src.path)
	}
	return outcome.New(outcome.Refused, "%s is binary, or text in an encoding that no byte-order mark names, and fettle does not guess", src.name).At(src.path)
}

// hash is the whole source's, where its size does not forbid it.
func (r *reader) hash(ctx context.Context, src *source, out *ReadFile) error {
	if out.Hash != "" {
		return nil // of the file that this lies in
	}
	if src.at != nil && src.size > hashUnasked && !r.in.Hash {
		out.Notes = append(out.Notes, "it is over 256 MB and was not hashed: ask with "+r.s.argument("hash"))
		return nil
	}
	in, err := src.stream()
	if err != nil {
		return err
	}
	defer in.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, &stoppable{ctx, in}); err != nil {
		return err
	}
	out.Hash = hex.EncodeToString(sum.Sum(nil))
	return nil
}

// stoppable ends reading when its call is cancelled.
type stoppable struct {
	ctx context.Context
	io.Reader
}

func (s *stoppable) Read(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.Reader.Read(b)
}

// document serves a rendering by its own lines.
func (r *reader) document(ctx context.Context, src *source, kind document.Kind, out *ReadFile) ([]string, error) {
	if err := r.hash(ctx, src, out); err != nil {
		return nil, err
	}
	var d *document.Rendering
	var err error
	if src.file != nil {
		d, err = r.s.Render.Render(ctx, src.file, src.info, kind, src.screen)
	} else {
		b := make([]byte, src.size)
		if _, err = src.at.ReadAt(b, 0); err == nil || err == io.EOF {
			d, err = r.s.Render.RenderBytes(ctx, b, kind, src.screen)
		}
	}
	if err != nil {
		return nil, err
	}
	out.Notes = append(out.Notes, d.Notes...)
	if d.Cut {
		out.Notes = append(out.Notes, "the rendering stopped at its bound; the rest of the document was left unread")
	}
	return r.lines(d.Lines, out)
}

// manifest serves an archive's list.
func (r *reader) manifest(ctx context.Context, src *source, f archive.Format, out *ReadFile) ([]string, error) {
	if err := r.hash(ctx, src, out); err != nil {
		return nil, err
	}
	a, err := archive.Open(ctx, src.at, src.size, f, archive.DefaultLimits)
	if err != nil {
		return nil, err
	}
	return r.lines(a.Manifest(), out)
}

// member serves one entry, decoded like any file.
func (r *reader) member(ctx context.Context, src *source, f archive.Format, out *ReadFile) error {
	a, err := archive.Open(ctx, src.at, src.size, f, archive.DefaultLimits)
	if err != nil {
		return src.declined(err)
	}
	i, err := a.Find(r.in.Member)
	if err != nil {
		return err
	}
	m := &a.Members[i]
	if m.Dir() {
		return outcome.New(outcome.Invalid, "member '%s' is a folder", term.Escape(m.Name)).At(src.path)
	}
	out.Member, out.Executable = m.Name, m.Executable()
	inner := &source{
		name: "member '" + term.Escape(m.Name) + "' of " + src.name, base: path.Base(m.Name),
		stream: func() (io.ReadCloser, error) { return a.Read(ctx, i) },
	}
	n, err := r.unwrap(ctx, src, inner, out)
	if err != nil {
		return err
	}
	if out.Bytes = m.Size; n >= 0 {
		out.Bytes = n
	}
	return nil
}

// gzip serves what lies under a lone .gz.
func (r *reader) gzip(ctx context.Context, src *source, out *ReadFile) error {
	if err := r.hash(ctx, src, out); err != nil {
		return err
	}
	base := src.base
	if e := path.Ext(base); e == ".gz" || e == ".GZ" {
		base = base[:len(base)-len(e)]
	}
	inner := &source{
		name: src.name, base: base,
		stream: func() (io.ReadCloser, error) {
			return archive.OpenGzip(ctx, src.at, src.size, archive.DefaultLimits)
		},
	}
	_, err := r.unwrap(ctx, src, inner, out)
	return err
}

// unwrap serves inner, which lies in outer, and says how long it is where
// that became known.
func (r *reader) unwrap(ctx context.Context, outer, inner *source, out *ReadFile) (int64, error) {
	inner.path, inner.screen, inner.depth = outer.path, outer.screen, outer.depth+1
	if inner.depth > maxDepth {
		return -1, outcome.New(outcome.Refused, "%s lies under more than %d wrappings. Extract it first", inner.name, maxDepth).At(inner.path)
	}
	in, err := inner.stream()
	if err != nil {
		return -1, inner.declined(err)
	}
	b, err := io.ReadAll(io.LimitReader(in, int64(unpackedMax)+1))
	in.Close()
	if err != nil {
		return -1, inner.declined(err)
	}
	whole := len(b) <= unpackedMax
	inner.at, inner.size = bytes.NewReader(b), int64(len(b))
	what, err := r.sniff(inner)
	if err != nil {
		return -1, err
	}
	if whole {
		inner.stream = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil }
		return inner.size, r.serve(ctx, inner, what, out)
	}
	if what.Kind != render.Text {
		return -1, outcome.New(outcome.Refused, "%s is over %d MB unpacked. Extract it first", inner.name, unpackedMax>>20).At(inner.path)
	}
	inner.at, inner.size = nil, 0
	return -1, r.serve(ctx, inner, what, out)
}
