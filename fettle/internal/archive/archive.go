// Package archive reads what lies in a .zip, a .tar, a .tar.gz or a lone .gz:
// the manifest, and members one at a time or all in order.
//
// Call Sniff for what bytes are, Open for the manifest, Read for one member,
// Each for all. Flaw and Collisions judge the names, which somebody else chose;
// they are pure and the same on every platform. The package writes nothing and
// resolves no path: it bounds what it reads and believes no declared size.
package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"fettler/fettle/internal/term"
	"fettler/shared/outcome"
)

// Format is what an archive is.
type Format string

// The formats.
const (
	Zip   Format = "zip"
	Tar   Format = "tar"
	TarGz Format = "tar.gz"
	Gzip  Format = "gzip" // one file, compressed
)

// Member is one entry of the manifest.
type Member struct {
	Name        string // UTF-8, as the archive spells it
	Size        int64  // declared
	Modified    time.Time
	Mode        fs.FileMode // type and permission bits
	Link        string      // target of a link
	HardLink    bool
	Unsupported string // why it cannot be read, such as "method 99 (AES)"; "" when it can
	body        any
}

// Dir reports a folder.
func (m *Member) Dir() bool { return m.Mode.IsDir() }

// Regular reports an ordinary file.
func (m *Member) Regular() bool { return m.Mode.IsRegular() && !m.HardLink }

// Executable reports the executable bit of an ordinary file.
func (m *Member) Executable() bool { return m.Regular() && m.Mode&0o111 != 0 }

// What says what a member that is neither file nor folder is.
func (m *Member) What() string {
	switch {
	case m.HardLink:
		return "a hard link"
	case m.Mode&fs.ModeSymlink != 0:
		return "a link"
	case m.Mode&fs.ModeDevice != 0:
		return "a device"
	case m.Mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m.Mode&fs.ModeSocket != 0:
		return "a socket"
	case m.Dir():
		return "a folder"
	case !m.Regular():
		return "not a regular file"
	}
	return "a file"
}

// Archive is an opened one.
type Archive struct {
	Format  Format
	Members []Member
	names   int // bytes of their names and links
	src     io.ReaderAt
	size    int64
	limits  Limits
}

// Open reads the manifest. A tar's is spread over the whole file, which is
// read for it. The error is an *outcome.Error.
func Open(ctx context.Context, src io.ReaderAt, size int64, f Format, l Limits) (*Archive, error) {
	a := &Archive{Format: f, src: src, size: size, limits: l}
	var err error
	switch f {
	case Zip:
		err = a.openZip()
	case Tar, TarGz:
		err = a.eachTar(ctx, func(m *Member, _ io.Reader) error {
			return a.list(*m)
		})
	default:
		err = outcome.New(outcome.Invalid, "%s is no archive of members", f)
	}
	if err != nil {
		return nil, said(err)
	}
	return a, nil
}

// maxNames bounds the names of all members together: a hundred thousand of three
// hundred bytes.
const maxNames = 32 << 20

// list adds a member to the manifest.
func (a *Archive) list(m Member) error {
	if a.names += len(m.Name) + len(m.Link); a.names > maxNames {
		return outcome.New(outcome.Refused, "the archive's names take more than %d bytes, which no archive needs", maxNames)
	}
	a.Members = append(a.Members, m)
	return nil
}

// Total is the declared size of all files, saturating.
func (a *Archive) Total() int64 {
	var n int64
	for i := range a.Members {
		if s := a.Members[i].Size; a.Members[i].Regular() && s > 0 {
			if n += s; n < 0 {
				return 1<<63 - 1
			}
		}
	}
	return n
}

// Find gives the index of the member of that name. A name that two members
// have is a conflict: which of them is meant is not guessed.
func (a *Archive) Find(name string) (int, error) {
	found := -1
	for i := range a.Members {
		n := a.Members[i].Name
		if n != name && strings.TrimPrefix(n, "./") != name {
			continue
		}
		if found >= 0 {
			return 0, outcome.New(outcome.Conflict, "the archive has more than one member called '%s'", term.Escape(name))
		}
		found = i
	}
	if found < 0 {
		return 0, outcome.New(outcome.NotFound, "the archive has no member called '%s'. Read it without --member to see the names", term.Escape(name))
	}
	return found, nil
}

// Read opens one member's bytes. The reader stops with an *outcome.Error at a bound.
func (a *Archive) Read(ctx context.Context, i int) (io.ReadCloser, error) {
	m := &a.Members[i]
	if err := readable(m); err != nil {
		return nil, err
	}
	if a.Format == Zip {
		r, err := openZipMember(m)
		if err != nil {
			return nil, said(err)
		}
		return &metered{Reader: a.meter(ctx).reader(r), Closer: r}, nil
	}
	pr, pw := io.Pipe()
	go func() {
		at := 0
		err := a.eachTar(ctx, func(_ *Member, body io.Reader) error {
			if at++; at-1 != i {
				return nil
			}
			if _, err := io.Copy(pw, body); err != nil {
				return err
			}
			return errDone
		})
		if errors.Is(err, errDone) {
			err = nil
		}
		if err == nil {
			err = io.EOF
		}
		pw.CloseWithError(said(err))
	}()
	return pr, nil
}

var errDone = errors.New("done")

func readable(m *Member) error {
	switch {
	case m.Unsupported != "":
		return outcome.New(outcome.Refused, "member '%s' cannot be read: %s", term.Escape(m.Name), m.Unsupported)
	case !m.Regular():
		return outcome.New(outcome.Refused, "member '%s' is %s, not a file", term.Escape(m.Name), m.What())
	}
	return nil
}

// Each gives every member in the archive's order with a reader of its bytes,
// which is nil for what has none. The members are those of the manifest, or it fails.
func (a *Archive) Each(ctx context.Context, fn func(i int, m *Member, body io.Reader) error) error {
	if a.Format != Zip {
		at := 0
		return said(a.eachTar(ctx, func(m *Member, body io.Reader) error {
			if at >= len(a.Members) || a.Members[at].Name != m.Name || a.Members[at].Mode != m.Mode {
				return errChanged
			}
			at++
			return fn(at-1, m, body)
		}))
	}
	total := a.meter(ctx)
	for i := range a.Members {
		m := &a.Members[i]
		if !m.Regular() || m.Unsupported != "" {
			if err := fn(i, m, nil); err != nil {
				return said(err)
			}
			continue
		}
		r, err := openZipMember(m)
		if err == nil {
			err = fn(i, m, total.reader(r))
			r.Close()
		}
		if err != nil {
			return said(err)
		}
	}
	return nil
}

var errChanged = outcome.New(outcome.Refused, "the archive changed while it was read. Try again")

// OpenGzip decompresses a lone .gz, bounded.
func OpenGzip(ctx context.Context, src io.ReaderAt, size int64, l Limits) (io.ReadCloser, error) {
	a := &Archive{Format: Gzip, src: src, size: size, limits: l}
	r, err := a.gunzip(ctx)
	if err != nil {
		return nil, said(err)
	}
	return io.NopCloser(saying{r}), nil
}

// saying makes what a decompressor says about damage a refusal.
type saying struct{ io.Reader }

func (s saying) Read(b []byte) (int, error) {
	n, err := s.Reader.Read(b)
	if err != nil && err != io.EOF {
		err = said(err)
	}
	return n, err
}

type metered struct {
	io.Reader
	io.Closer
}

func (m *metered) Read(b []byte) (int, error) { return saying{m.Reader}.Read(b) }

// said turns an error of a decoder into a refusal that names the archive as
// the cause, and leaves refusals, cancellation and the system's errors alone.
func said(err error) error {
	var o *outcome.Error
	var p *fs.PathError
	switch {
	case err == nil, err == io.EOF, errors.As(err, &o), errors.As(err, &p),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, io.ErrClosedPipe):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return outcome.New(outcome.Refused, "the archive is damaged: it ends too early").Because(err)
	}
	return outcome.New(outcome.Refused, "the archive is damaged: %v", err).Because(err)
}

// Manifest is the archive as lines: size, date, executable bit and name of
// each member, and a line that adds them up.
func (a *Archive) Manifest() []string {
	width := 8
	for i := range a.Members {
		width = max(width, len(fmt.Sprint(a.Members[i].Size)))
	}
	lines := make([]string, 0, len(a.Members)+1)
	for i := range a.Members {
		m := &a.Members[i]
		x := byte('-')
		if m.Executable() {
			x = 'x'
		}
		name := term.Escape(m.Name)
		switch {
		case m.Link != "":
			name += " -> " + term.Escape(m.Link)
		case m.Dir() && !strings.HasSuffix(name, "/"):
			name += "/"
		}
		if !m.Regular() && !m.Dir() {
			name += " (" + m.What() + ")"
		}
		if m.Unsupported != "" {
			name += " (not readable: " + m.Unsupported + ")"
		}
		date := "                "
		if !m.Modified.IsZero() {
			date = m.Modified.UTC().Format("2006-01-02 15:04")
		}
		lines = append(lines, fmt.Sprintf("%*d  %s  %c %s", width, m.Size, date, x, name))
	}
	noun := "members"
	if len(a.Members) == 1 {
		noun = "member"
	}
	return append(lines, fmt.Sprintf("%d %s, %d bytes uncompressed", len(a.Members), noun, a.Total()))
}
