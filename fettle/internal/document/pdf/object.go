package pdf

import (
	"context"
	"errors"
	"io"
	"reflect"
	"strings"

	lib "github.com/ledongthuc/pdf"
)

// Bounds on what one document may make the reader hold or do. They are far
// above honest documents and far below what hurts.
const (
	maxFile    = 128 << 20 // bytes of the file
	maxStream  = 64 << 20  // bytes of one stream, decoded
	maxDecoded = 4 << 30   // of all streams; they are not held at once
	maxDepth   = 64        // page tree, form fields
	maxPages   = 50_000    // pages of a document
	maxNodes   = 200_000   // nodes of a page tree or a form
	maxObjects = 2_000_000 // what a cross-reference may declare
)

var errBudget = errors.New("it makes its reader go in circles")

// identity is an indirect object's number. The library keeps it to itself, and
// without it neither a loop nor a font that was read before can be known, so
// it is looked at by reflection. A change of the library fails TestIdentity.
type identity struct{ id, gen uint64 }

func identify(v lib.Value) identity {
	p := reflect.ValueOf(v).FieldByName("ptr")
	if !p.IsValid() || p.NumField() < 2 {
		return identity{}
	}
	return identity{p.Field(0).Uint(), p.Field(1).Uint()}
}

// place is where a stream's bytes begin in the file, and the key they are
// encrypted with is none.
func place(v lib.Value) (offset int64, plain bool) {
	rv := reflect.ValueOf(v)
	d := rv.FieldByName("data")
	if d.Kind() != reflect.Interface || d.IsNil() || d.Elem().Kind() != reflect.Struct {
		return 0, false
	}
	o := d.Elem().FieldByName("offset")
	r := rv.FieldByName("r")
	if !o.IsValid() || r.Kind() != reflect.Pointer || r.IsNil() {
		return 0, false
	}
	key := r.Elem().FieldByName("key")
	return o.Int(), key.IsValid() && key.Len() == 0
}

// metered is the document's bytes for the library: it stops a reader that goes
// round in circles, which the library would do for ever (a Prev chain that
// closes, an object stream that extends itself), and it stops with the context.
type metered struct {
	ctx  context.Context
	src  io.ReaderAt
	left int64
}

func (m *metered) ReadAt(p []byte, off int64) (int, error) {
	if err := m.ctx.Err(); err != nil {
		return 0, err
	}
	if m.left -= int64(len(p)) + 64; m.left < 0 {
		return 0, errBudget
	}
	return m.src.ReadAt(p, off)
}

// stream is the decoded bytes of v, as far as they could be decoded. The
// error says why they end early.
func (d *file) stream(v lib.Value) ([]byte, error) {
	if v.Kind() != lib.Stream {
		return nil, errors.New("a stream is missing")
	}
	limit := min(int64(maxStream), d.decoded)
	if limit <= 0 {
		return nil, errTooMuch
	}
	var out []byte
	var err error
	if off, plain := place(v); plain {
		out, err = d.filtered(v, off, limit)
	} else {
		// The library decrypts; its filters are few, and it panics over others.
		out, err = readLimited(v.Reader(), limit)
	}
	d.decoded -= int64(len(out))
	return out, err
}

func (d *file) filtered(v lib.Value, off, limit int64) ([]byte, error) {
	length := v.Key("Length").Int64()
	if off < 0 || off > d.size {
		return nil, errors.New("a stream lies outside the file")
	}
	if length <= 0 || off+length > d.size || !d.endsAt(off+length) {
		length = d.findEnd(off)
	}
	raw := make([]byte, min(length, d.size-off))
	n, err := d.src.ReadAt(raw, off)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	raw = raw[:n]
	filter, parms := v.Key("Filter"), v.Key("DecodeParms")
	if parms.IsNull() {
		parms = v.Key("DP")
	}
	switch filter.Kind() {
	case lib.Name:
		if parms.Kind() == lib.Array {
			parms = parms.Index(0)
		}
		return unfilter(raw, filter.Name(), params(parms), limit)
	case lib.Array:
		if filter.Len() > 8 {
			return nil, errors.New("a stream has too many filters")
		}
		for i := range filter.Len() {
			p := parms
			if parms.Kind() == lib.Array {
				p = parms.Index(i)
			}
			if raw, err = unfilter(raw, filter.Index(i).Name(), params(p), limit); err != nil && len(raw) == 0 {
				return nil, err
			}
		}
		return raw, err
	}
	return raw, nil
}

// endsAt says whether a stream ends where its length says.
func (d *file) endsAt(off int64) bool {
	buf := make([]byte, 16)
	n, _ := d.src.ReadAt(buf, off)
	return strings.HasPrefix(strings.TrimLeft(string(buf[:n]), " \r\n\t\x00"), "endstr")
}

// findEnd is the length of a stream that lies about it.
func (d *file) findEnd(off int64) int64 {
	buf := make([]byte, 64<<10)
	const word = "endstream"
	for at := off; at < d.size; at += int64(len(buf) - len(word)) {
		n, _ := d.src.ReadAt(buf, at)
		if i := indexOf(buf[:n], word); i >= 0 {
			return at + int64(i) - off
		}
		if n < len(buf) {
			break
		}
	}
	return d.size - off
}

func params(v lib.Value) predictor {
	p := predictor{kind: int(v.Key("Predictor").Int64()), colors: 1, bits: 8, columns: 1, early: true}
	if x := v.Key("Colors"); !x.IsNull() {
		p.colors = int(x.Int64())
	}
	if x := v.Key("BitsPerComponent"); !x.IsNull() {
		p.bits = int(x.Int64())
	}
	if x := v.Key("Columns"); !x.IsNull() {
		p.columns = int(x.Int64())
	}
	if x := v.Key("EarlyChange"); !x.IsNull() {
		p.early = x.Int64() != 0
	}
	return p
}
