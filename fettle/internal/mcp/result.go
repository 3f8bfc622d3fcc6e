package mcp

import (
	"encoding/json"
	"slices"
	"sync"

	"fettler/fettle/internal/ops"
	"fettler/fettle/internal/verb"
)

// result is what a tool call gave. It is written by hand, since its one long
// member is JSON inside a JSON string: through the library's types it is
// escaped once and then read through three times more.
type result struct {
	text    []byte // a JSON document
	images  []ops.Image
	isError bool
}

// buffers keep what answers are written in: memory that is touched for the first
// time costs more than all else of a small read.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// maxKept is the largest buffer that is kept, in bytes.
const maxKept = 256 << 10

func keep(b []byte) {
	if b = b[:0]; cap(b) <= maxKept {
		buffers.Put(&b)
	}
}

// answer is what a verb gave as a tool's result.
func answer(a ops.Answer, err error) *result {
	b := *buffers.Get().(*[]byte)
	return &result{text: verb.AppendJSON(b, a, err), isError: verb.End(a, err) != nil}
}

// answered writes the response that carries r, which is not to be used again.
func (w *writer) answered(id json.RawMessage, r *result) {
	b := r.line(*buffers.Get().(*[]byte), id)
	w.line(b)
	keep(b)
	keep(r.text)
}

// line appends the response to b.
func (r *result) line(b []byte, id json.RawMessage) []byte {
	size := len(id) + len(r.text) + len(r.text)/8 + 160
	for _, i := range r.images {
		size += len(i.Base64) + 80
	}
	b = slices.Grow(b, size)
	b = append(append(append(b, `{"jsonrpc":"2.0","id":`...), id...), `,"result":{"content":[{"type":"text","text":`...)
	b = append(quote(b, r.text), '}')
	for _, i := range r.images {
		b = append(append(append(b, `,{"type":"image","data":"`...), i.Base64...), `","mimeType":`...)
		b = append(quote(b, []byte(i.MIMEType)), '}')
	}
	b = append(b, ']')
	if r.isError {
		b = append(b, `,"isError":true`...)
	}
	return append(b, `}}`...)
}

// quote appends s, valid UTF-8, as a JSON string.
func quote(b, s []byte) []byte {
	b = append(b, '"')
	from := 0
	for i, c := range s {
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, `\n`...)
		default:
			b = append(b, `\u00`...)
			b = append(b, "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		}
	}
	return append(append(b, s[from:]...), '"')
}
