// Package ooxml reads the zip of XML parts that Excel and Word files are,
// with a bound on everything a stranger can make large.
//
// Open gives a Package; its Part gives a Scanner over one part's XML. Kind
// tells from the bytes what a zip is. The package knows nothing of sheets or
// paragraphs, expands no entity, resolves nothing outside the file and trusts
// no size that the file claims.
package ooxml

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"strings"

	"fettler/fettle/internal/document"
)

// Bounds of one package, counted in bytes really read.
const (
	MaxPart      = 512 << 20 // one part, unpacked
	MaxWordPart  = 128 << 20 // one part of a Word document, whose text is a fraction of it
	MaxDocument  = 1 << 30   // all parts together, unpacked
	maxDirectory = 4 << 20   // the zip's table of members
	maxEndRecord = 2 << 20   // what finding that table may read
)

// Package is an open office file.
type Package struct {
	Main string // the main part's name
	Type string // its content type

	members map[string]*zip.File // by lower-case name without a leading slash
	twice   string               // a name that stands in the zip twice
	left    int64                // bytes that may still be read
	ctx     context.Context
	types   contentTypes
}

// Open reads the table of members, the content types and the main part's
// place. The error is an *document.Error, or ctx's, which ends the reading of
// the package's parts as well.
func Open(ctx context.Context, src document.Source) (*Package, error) {
	if err := legacy(src); err != nil {
		return nil, err
	}
	p, err := openZip(ctx, src)
	if err != nil {
		return nil, err
	}
	if err := p.findMain(); err != nil {
		return nil, err
	}
	return p, nil
}

func openZip(ctx context.Context, src document.Source) (*Package, error) {
	gate := &gate{r: src.ReaderAt, left: maxDirectory + maxEndRecord}
	z, err := zip.NewReader(gate, src.Size)
	if err != nil && !(errors.Is(err, zip.ErrInsecurePath) && z != nil) {
		if gate.left < 0 {
			return nil, document.Errorf(document.TooLarge, "the file's table of members is larger than %d bytes", maxDirectory)
		}
		return nil, document.Errorf(document.Damaged, "the file is damaged: it begins like a zip, and its table of members cannot be read (%v)", err)
	}
	gate.open = true
	p := &Package{members: make(map[string]*zip.File, len(z.File)), left: MaxDocument, ctx: ctx}
	for _, f := range z.File {
		name := clean(f.Name)
		if _, ok := p.members[name]; ok {
			p.twice = f.Name
			continue // the first stands, as office programs have it
		}
		p.members[name] = f
	}
	return p, nil
}

// gate bounds what opening a zip may read; after that every part is bounded
// on its own.
type gate struct {
	r    io.ReaderAt
	left int64
	open bool
}

func (g *gate) ReadAt(b []byte, off int64) (int, error) {
	if !g.open {
		g.left -= int64(len(b))
		if g.left < 0 {
			return 0, errors.New("it is too large")
		}
	}
	return g.r.ReadAt(b, off)
}

func clean(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/"))
}

// Twice names a member that stands in the zip twice, or "".
func (p *Package) Twice() string { return p.twice }

// Has says whether the package holds a part.
func (p *Package) Has(name string) bool {
	_, ok := p.members[clean(name)]
	return ok
}

// Part is one open part.
type Part struct {
	*Scanner
	Member string // its name in the zip
	file   io.ReadCloser
}

// Part opens a part. A part that is not there is an error that is
// fs.ErrNotExist.
func (p *Package) Part(name string) (*Part, error) {
	f, ok := p.members[clean(name)]
	if !ok {
		return nil, &missing{name}
	}
	if f.Flags&1 != 0 {
		return nil, document.Errorf(document.Password, "the member %s is encrypted, and fettle holds no passwords", f.Name)
	}
	r, err := f.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		return nil, document.Errorf(document.Unsupported, "the member %s is packed with %s, which fettle does not read", f.Name, method(f.Method))
	}
	if err != nil {
		return nil, document.Errorf(document.Damaged, "the file is damaged: the member %s cannot be opened (%v)", f.Name, err)
	}
	most := int64(MaxPart)
	if p.Kind() == document.Word {
		most = MaxWordPart
	}
	return &Part{Member: f.Name, file: r, Scanner: NewScanner(&bounded{p: p, r: r, name: f.Name, most: most, left: most})}, nil
}

// Close ends the part.
func (p *Part) Close() error { return p.file.Close() }

// Next is the scanner's, with the part named in an error.
func (p *Part) Next() (Event, error) {
	ev, err := p.Scanner.Next()
	if err != nil && err != io.EOF {
		return ev, name(err, p.Member)
	}
	return ev, err
}

// Skip is the scanner's, with the part named in an error.
func (p *Part) Skip() error {
	if err := p.Scanner.Skip(); err != nil {
		return name(err, p.Member)
	}
	return nil
}

// Drain is the scanner's, with the part named in an error.
func (p *Part) Drain() error {
	if err := p.Scanner.Drain(); err != nil {
		return name(err, p.Member)
	}
	return nil
}

// Starts gives the elements that begin, down to the end of the part, of the
// namespaces that mine takes. The scanner is at the element while the loop's body
// runs, which may read on from it. What fails is given as the last.
func (p *Part) Starts(mine func(Space) bool) iter.Seq[error] {
	return func(yield func(error) bool) {
		for {
			ev, err := p.Next()
			switch {
			case err == io.EOF:
				return
			case err != nil:
				yield(err)
				return
			case ev == Start && mine(p.Space) && !yield(nil):
				return
			}
		}
	}
}

// Finish ends a part whose root element has ended. note is told of a document type.
func (p *Part) Finish(note func(string) error) error {
	if p.Declared {
		if err := note("the part " + p.Member + " declares a document type; nothing it declares is read or expanded"); err != nil {
			return err
		}
	}
	return p.Drain()
}

// name puts the part's name before an error of its XML.
func name(err error, part string) error {
	var e *document.Error
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if !errors.As(err, &e) {
		return document.Errorf(document.Damaged, "the part %s is damaged: %v", part, err)
	}
	if strings.Contains(e.Message, part) {
		return e
	}
	switch e.Reason {
	case document.TooLarge:
		return document.Errorf(e.Reason, "the part %s is more than fettle reads: %s", part, e.Message)
	default:
		return document.Errorf(e.Reason, "the part %s is damaged: %s", part, e.Message)
	}
}

type missing struct{ name string }

func (m *missing) Error() string { return fmt.Sprintf("the part %s is missing", m.name) }

func (m *missing) Is(target error) bool { return target == fs.ErrNotExist }

// bounded counts what is really read, whatever the headers claim.
type bounded struct {
	p    *Package
	r    io.Reader
	name string
	most int64
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if err := b.p.ctx.Err(); err != nil {
		return 0, err
	}
	if b.left <= 0 {
		return 0, document.Errorf(document.TooLarge, "the part %s is larger than %d MB unpacked", b.name, b.most>>20)
	}
	if b.p.left <= 0 {
		return 0, document.Errorf(document.TooLarge, "the document is larger than %d MB unpacked", MaxDocument>>20)
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.r.Read(p)
	b.left -= int64(n)
	b.p.left -= int64(n)
	if errors.Is(err, zip.ErrChecksum) {
		err = errors.New("its checksum does not match")
	}
	return n, err
}

func method(m uint16) string {
	switch m {
	case 9:
		return "Deflate64"
	case 12:
		return "bzip2"
	case 14:
		return "LZMA"
	case 93:
		return "Zstandard"
	case 95:
		return "xz"
	case 99:
		return "AES encryption"
	}
	return fmt.Sprintf("method %d", m)
}
