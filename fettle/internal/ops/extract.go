package ops

import (
	"context"
	"errors"
	"fmt"
	"io"

	"fettler/fettle/internal/archive"
	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/document"
	"fettler/fettle/internal/render"
	"fettler/fettle/internal/term"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// ExtractInput asks for an archive to be unpacked into a folder.
type ExtractInput struct {
	Archive, Into string
	Overwrite     bool
}

// ExtractAnswer is what Extract did.
type ExtractAnswer struct {
	Archive string `json:"archive"`
	Into    string `json:"into"`
	Members int    `json:"members"`
	Bytes   int64  `json:"bytes"`
}

// Human says it in one line.
func (a *ExtractAnswer) Human(w io.Writer) {
	fmt.Fprintf(w, "extracted %d %s (%d %s) from %s into %s\n", a.Members, plural(int64(a.Members), "member", "members"),
		a.Bytes, plural(a.Bytes, "byte", "bytes"), term.Escape(a.Archive), term.Escape(a.Into))
}

// Extract unpacks an archive, whole or not at all: every member is judged
// before the first byte is written, and what is written is staged out of sight
// until all of it is there.
func Extract(ctx context.Context, s *Session, in ExtractInput) (*ExtractAnswer, error) {
	if in.Into == "" {
		return nil, outcome.New(outcome.Invalid, "extract needs %s, the folder to unpack into", s.argument("into"))
	}
	from, err := s.Boundary.Locate(in.Archive, config.Read, "")
	if err != nil {
		return nil, err
	}
	if !from.Exists {
		return nil, outcome.New(outcome.NotFound, "there is nothing at %s", from.Spell()).At(from.Spell())
	}
	into, err := s.Boundary.Locate(in.Into, 0, "")
	if err != nil {
		return nil, err
	}
	f, err := from.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	x := &extraction{s: s, in: in, from: from, into: into}
	if x.a, err = x.openArchive(ctx, f); err != nil {
		return nil, err
	}
	if x.u, err = s.Boundary.Unpack(from, into); err != nil {
		return nil, err
	}
	defer x.u.Close()
	if err := x.judge(ctx); err != nil {
		return nil, err
	}
	if err := x.stage(ctx); err != nil {
		return nil, err
	}
	if err := x.u.Commit(); err != nil {
		return nil, err
	}
	return &ExtractAnswer{Archive: from.Spell(), Into: into.Spell(), Members: len(x.a.Members), Bytes: x.bytes}, nil
}

// extraction is one call's work.
type extraction struct {
	s          *Session
	in         ExtractInput
	from, into *boundary.Place
	a          *archive.Archive
	u          *boundary.Unpacking
	entry      []int // of each member; -1 for the destination itself
	bytes      int64
}

func (x *extraction) openArchive(ctx context.Context, f io.ReaderAt) (*archive.Archive, error) {
	src := &source{name: x.from.Spell(), path: x.from.Spell()}
	size := x.from.Info.Size
	what, err := render.Sniff(x.from.Name(), f, size)
	var d *document.Error
	switch {
	case err != nil && !errors.As(err, &d):
		return nil, err
	case err == nil && what.Kind == render.Archive:
		a, err := archive.Open(ctx, f, size, what.Archive, archive.DefaultLimits)
		return a, src.declined(err)
	case err == nil && what.Kind == render.Gzip:
		return nil, outcome.New(outcome.Refused, "%s is one compressed file, not an archive of members. read gives what is underneath", x.from.Spell()).At(x.from.Spell())
	case err != nil || what.Kind == render.Document:
		return nil, outcome.New(outcome.Refused, "%s is a document, not an archive. read gives its text", x.from.Spell()).At(x.from.Spell())
	}
	return nil, outcome.New(outcome.Refused, "%s is no archive that fettle opens. It opens .zip, .tar, .tar.gz and .tgz, told by their bytes", x.from.Spell()).At(x.from.Spell())
}

// judge refuses the whole archive for any member that may not be unpacked.
func (x *extraction) judge(ctx context.Context) error {
	limit := archive.DefaultLimits.Bytes
	if total := x.a.Total(); total > limit {
		return outcome.New(outcome.Refused, "%s says it holds %d bytes, and fettle unpacks %d at most. Nothing was extracted", x.from.Spell(), total, limit).At(x.from.Spell())
	}
	var names archive.Names
	added := 0
	for i := range x.a.Members {
		if i%1000 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		m := &x.a.Members[i]
		rel, err := x.name(m, &names)
		if err != nil {
			return err
		}
		if rel == "." {
			x.entry = append(x.entry, -1)
			continue
		}
		if err := x.u.Add(rel, m.Dir(), x.in.Overwrite); err != nil {
			return x.member(m, err)
		}
		x.entry = append(x.entry, added)
		added++
	}
	return nil
}

// name judges what a member is and what it is called.
func (x *extraction) name(m *archive.Member, names *archive.Names) (string, error) {
	rel, fault, why := archive.Flaw(m.Name)
	switch fault {
	case archive.Bad:
		return "", x.refuse(m, "%s", why)
	case archive.Escapes:
		if err := x.u.Landing(rel, m.Name[0] == '/'); err != nil {
			return "", x.member(m, err)
		}
		return "", x.refuse(m, "%s, so it would land outside %s, where the archive was to go", why, x.into.Spell())
	}
	switch {
	case !m.Regular() && !m.Dir():
		return "", x.refuse(m, "it is %s, and fettle makes none", m.What())
	case m.Unsupported != "":
		return "", x.refuse(m, "%s", m.Unsupported)
	case rel == ".":
		if !m.Dir() {
			return "", x.refuse(m, "it has the destination's own name")
		}
		return rel, nil
	}
	if other := names.Add(rel, m.Dir()); other != "" {
		return "", x.refuse(m, "it and '%s' would lie in one place on some disks", term.Escape(other))
	}
	return rel, nil
}

func (x *extraction) refuse(m *archive.Member, format string, args ...any) error {
	return x.member(m, outcome.New(outcome.Refused, format, args...))
}

// member names the member in a refusal.
func (x *extraction) member(m *archive.Member, err error) error {
	var o *outcome.Error
	if !errors.As(err, &o) {
		return err
	}
	path := o.Path
	if path == "" {
		path = x.from.Spell()
	}
	return outcome.New(o.Kind, "member '%s' of %s: %s. Nothing was extracted", term.Escape(m.Name), x.from.Spell(), trimStop(o.Message)).At(path).Because(err)
}

func trimStop(s string) string {
	if n := len(s); n > 0 && s[n-1] == '.' {
		return s[:n-1]
	}
	return s
}

// stage unpacks everything under hidden names.
func (x *extraction) stage(ctx context.Context) error {
	total := x.a.Total()
	err := x.a.Each(ctx, func(i int, m *archive.Member, body io.Reader) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch {
		case x.entry[i] < 0:
			return nil
		case m.Dir():
			return x.u.Folder(x.entry[i])
		}
		n, err := x.u.File(x.entry[i], &unpackReader{Reader: body, x: x, total: total}, m.Executable())
		if err == nil && m.Size >= 0 && n != m.Size {
			err = outcome.New(outcome.Refused, "it holds %d bytes and not the %d it claims", n, m.Size)
		}
		if err != nil {
			return x.member(m, err)
		}
		return nil
	})
	return err
}

// unpackReader counts what is unpacked and says so now and then.
type unpackReader struct {
	io.Reader
	x     *extraction
	total int64
}

const progressStep = 16 << 20

func (r *unpackReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	before := r.x.bytes
	r.x.bytes += int64(n)
	if before/progressStep != r.x.bytes/progressStep {
		r.x.s.Progress(r.x.bytes, r.total, "unpacking "+r.x.from.Spell())
	}
	return n, err
}
