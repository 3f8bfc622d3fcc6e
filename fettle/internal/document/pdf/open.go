package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	lib "github.com/ledongthuc/pdf"
)

// file is an open document.
type file struct {
	ctx     context.Context
	src     io.ReaderAt // as the library sees it: header first
	size    int64
	r       *lib.Reader
	decoded int64 // bytes that may still come out of streams
	fonts   map[fontKey]*font
}

type fontKey struct {
	identity
	name string // of a font that is no object of its own
}

// openFile reads the cross-reference. The library wants a file to the letter;
// what readers forgive is put right in what it is shown: junk before the
// header, a version it does not know, a missing end.
func openFile(ctx context.Context, raw []byte) (d *file, err error) {
	at, err := header(raw)
	if err != nil {
		return nil, err
	}
	if err := declared(raw); err != nil {
		return nil, err
	}
	for _, skip := range []int64{at, 0} {
		var v *virtual
		if v, err = present(raw, skip); err == nil {
			if d, err = openVirtual(ctx, v); err == nil {
				return d, nil
			}
		}
		if at == 0 {
			break
		}
	}
	return nil, err
}

// reopenFile opens a document by its objects, for one whose cross-reference
// leads nowhere.
func reopenFile(ctx context.Context, raw []byte) (*file, error) {
	at, err := header(raw)
	if err != nil {
		return nil, err
	}
	v, err := rebuild(raw, at)
	if err != nil {
		return nil, err
	}
	return openVirtual(ctx, v)
}

func openVirtual(ctx context.Context, v *virtual) (d *file, err error) {
	defer func() {
		if p := recover(); p != nil {
			d, err = nil, fmt.Errorf("its cross-reference is damaged: %v", p)
		}
	}()
	m := &metered{ctx: ctx, src: v, left: 40*v.size + 8<<20}
	r, err := lib.NewReader(m, v.size)
	if err != nil {
		return nil, err
	}
	m.left = 1 << 34 // from here on the bounds are on pages and streams
	return &file{ctx: ctx, src: m, size: v.size, r: r, decoded: maxDecoded, fonts: map[fontKey]*font{}}, nil
}

// header is where the document begins: readers look for it in the first 1,024
// bytes.
func header(raw []byte) (int64, error) {
	i := bytes.Index(raw[:min(len(raw), 1024)], []byte("%PDF-"))
	if i < 0 {
		return 0, errNoHeader
	}
	return int64(i), nil
}

var errDeclared = errors.New("it declares more than is read")

var errNoHeader = errors.New("it has no PDF header")

// declared looks at the numbers by which the library sizes what it allocates.
func declared(b []byte) error {
	for _, word := range []string{"/Size", "/Index", "/Columns"} {
		if largest(b, word) > maxObjects {
			return fmt.Errorf("%w: more than %d in %s", errDeclared, maxObjects, word)
		}
	}
	for at := 0; ; {
		i := indexOf(b[at:], "xref")
		if i < 0 {
			return nil
		}
		at += i + len("xref")
		if err := declaredTable(b[at:]); err != nil {
			return err
		}
	}
}

// declaredTable walks a cross-reference table's subsections as the library
// does, whose memory grows to the largest number in them.
func declaredTable(b []byte) error {
	l := lexer{data: b}
	for {
		start, n := l.next(), l.next()
		if start.kind != tokNumber || n.kind != tokNumber {
			return nil
		}
		if start.num > maxObjects || n.num > maxObjects || start.num+n.num > maxObjects {
			return fmt.Errorf("%w: more than %d objects", errDeclared, maxObjects)
		}
		for range int(n.num) {
			l.next()
			l.next()
			if t := l.next(); t.kind != tokWord || t.text != "n" && t.text != "f" {
				return nil
			}
		}
	}
}

// largest is the largest of the two numbers that stand behind a word.
func largest(b []byte, word string) int64 {
	var most int64
	for {
		i := indexOf(b, word)
		if i < 0 {
			return most
		}
		b = b[i+len(word):]
		l := lexer{data: b[:min(len(b), 60)]}
		for range 3 {
			t := l.next()
			if t.kind == tokNumber && t.num <= 1<<62 {
				most = max(most, int64(t.num))
			} else if t.kind == tokNumber {
				most = 1 << 62
			} else if t.kind != tokOpen {
				break
			}
		}
	}
}

// virtual is a document with a header and an end that the library accepts.
type virtual struct {
	src  io.ReaderAt
	skip int64 // junk before the header
	body int64
	tail []byte
	size int64
}

var acceptedHeader = []byte("%PDF-1.7\n")

func present(raw []byte, skip int64) (*virtual, error) {
	v := &virtual{src: bytes.NewReader(raw), skip: skip, body: int64(len(raw)) - skip}
	start, err := v.startXref()
	if err != nil {
		return nil, err
	}
	v.finish(v.widen(raw, start))
	return v, nil
}

// finish writes the end, which the library looks for in the last 100 bytes.
func (v *virtual) finish(start int64) {
	v.tail = fmt.Appendf(v.tail, "\n%90s\nstartxref\n%d\n%%%%EOF\n", "", start)
	v.size = v.body + int64(len(v.tail))
}

// startXref is where the cross-reference begins: as the file says, else where
// the last table is.
func (v *virtual) startXref() (int64, error) {
	end := make([]byte, min(v.body, 64<<10))
	v.src.ReadAt(end, v.skip+v.body-int64(len(end)))
	if i := bytes.LastIndex(end, []byte("startxref")); i >= 0 {
		l := lexer{data: end[i+len("startxref"):]}
		if t := l.next(); t.kind == tokNumber && t.num >= 0 && int64(t.num) < v.body {
			if at, ok := v.xrefAt(int64(t.num)); ok {
				return at, nil
			}
		}
	}
	if i := bytes.LastIndex(end, []byte("\nxref")); i >= 0 {
		return v.body - int64(len(end)) + int64(i) + 1, nil
	}
	return 0, errors.New("it has no cross-reference where it says")
}

// xrefAt looks whether a cross-reference begins near a place.
func (v *virtual) xrefAt(at int64) (int64, bool) {
	buf := make([]byte, 64)
	n, _ := v.src.ReadAt(buf, v.skip+at)
	b := bytes.TrimLeft(buf[:n], " \r\n\t\x00")
	lead := int64(n - len(b))
	l := lexer{data: b}
	first, second, third := l.next(), l.next(), l.next()
	if first.text == "xref" || first.kind == tokNumber && second.kind == tokNumber && third.text == "obj" {
		return at + lead, true
	}
	if i := bytes.Index(buf[:n], []byte("xref")); i >= 0 {
		return at + int64(i), true
	}
	return 0, false
}

// ReadAt implements io.ReaderAt over the presented bytes.
func (v *virtual) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, errors.New("a place before the file")
	}
	if off < v.body {
		n, err = v.src.ReadAt(p[:min(int64(len(p)), v.body-off)], v.skip+off)
		for i := range min(n, max(0, len(acceptedHeader)-int(min(off, 100)))) {
			p[i] = acceptedHeader[int(off)+i]
		}
		if err != nil && !errors.Is(err, io.EOF) || n == 0 && err != nil {
			return n, err
		}
		off += int64(n)
	}
	if n < len(p) && off >= v.body && off-v.body < int64(len(v.tail)) {
		n += copy(p[n:], v.tail[off-v.body:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// page is a page with what it inherits.
type page struct {
	v         lib.Value
	resources lib.Value
	err       error // why it could not be read
}

// pages walks the page tree. It is done here because the library follows a
// tree that loops for ever.
func (d *file) pages() (list []page, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("its page tree is damaged: %v", p)
		}
	}()
	w := walk{d: d, seen: map[identity]bool{}}
	root := d.r.Trailer().Key("Root").Key("Pages")
	w.node(root, lib.Value{}, identity{}, 0)
	if len(w.list) == 0 && w.err == nil {
		w.err = errors.New("it has no pages")
	}
	return w.list, w.err
}

type walk struct {
	d     *file
	seen  map[identity]bool
	list  []page
	nodes int
	err   error
}

func (w *walk) node(v, res lib.Value, parent identity, depth int) {
	if w.nodes++; depth > maxDepth || w.nodes > maxNodes || len(w.list) >= maxPages {
		w.err = errors.New("its page tree is larger than is read")
		return
	}
	if w.err = w.d.ctx.Err(); w.err != nil {
		return
	}
	id := identify(v)
	// A node with kids is an object of its own. One that was met before, or
	// that has its parent's number, closes a loop.
	if branch := v.Key("Kids").Kind() == lib.Array; branch && (w.seen[id] || id == parent) {
		return
	}
	w.seen[id] = true
	if own := v.Key("Resources"); own.Kind() == lib.Dict {
		res = own
	}
	kids := v.Key("Kids")
	if kids.Kind() != lib.Array {
		if v.Kind() == lib.Dict && v.Key("Type").Name() != "Pages" {
			w.list = append(w.list, page{v: v, resources: res})
		}
		return
	}
	for i := range kids.Len() {
		w.kid(kids, i, res, id, depth)
		if w.err != nil {
			return
		}
	}
}

func (w *walk) kid(kids lib.Value, i int, res lib.Value, parent identity, depth int) {
	defer func() {
		if p := recover(); p != nil {
			w.list = append(w.list, page{err: fmt.Errorf("%v", p)})
		}
	}()
	w.node(kids.Index(i), res, parent, depth+1)
}

// cachedFont reads a font once.
func (d *file) cachedFont(holder, v lib.Value, name string) *font {
	if v.Kind() != lib.Dict {
		return notFont()
	}
	key := fontKey{identity: identify(v)}
	if key.identity == identify(holder) {
		key.name = name + "\x00" + strconv.Itoa(v.Len())
	}
	f, ok := d.fonts[key]
	if !ok {
		f = d.loadFont(v)
		d.fonts[key] = f
	}
	return f
}
