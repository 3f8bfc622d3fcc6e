package mcp

import (
	"encoding/json"
	"slices"

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

// answer is what a verb gave as a tool's result.
func answer(a ops.Answer, err error) *result {
	return &result{text: verb.JSON(a, err), isError: verb.End(a, err) != nil}
}

// answered writes the response that carries r.
func (w *writer) answered(id json.RawMessage, r *result) { w.line(r.line(id)) }

func (r *result) line(id json.RawMessage) []byte {
	size := len(id) + len(r.text) + len(r.text)/8 + 160
	for _, i := range r.images {
		size += len(i.Base64) + 80
	}
	b := slices.Grow([]byte(nil), size)
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
