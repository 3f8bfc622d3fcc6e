package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"sort"
)

// trailerOf is the entries of the last trailer that names a root, without
// those that speak of the cross-reference: what a new trailer takes over.
func trailerOf(raw []byte) (string, bool) {
	for end := len(raw); ; {
		i := bytes.LastIndex(raw[:end], []byte("trailer"))
		if i < 0 {
			return "", false
		}
		end = i
		if s, ok := trailerEntries(raw[i+len("trailer") : min(len(raw), i+16<<10)]); ok {
			return s, true
		}
	}
}

func trailerEntries(b []byte) (string, bool) {
	l := &lexer{data: b}
	if l.next().kind != tokDict {
		return "", false
	}
	var out []byte
	root := false
	for depth := 1; ; {
		start := l.pos
		t := l.next()
		switch t.kind {
		case tokEnd:
			return "", false
		case tokDict:
			depth++
		case tokDictEnd:
			if depth--; depth == 0 {
				return string(out), root
			}
		case tokName:
			if depth == 1 && (t.text == "Size" || t.text == "Prev" || t.text == "XRefStm") {
				l.next() // its number
				continue
			}
			root = root || depth == 1 && t.text == "Root"
		}
		out = append(out, b[start:l.pos]...)
	}
}

// widen gives a cross-reference table a trailer without the Size that is
// wrong so often: the library drops the objects above it.
func (v *virtual) widen(raw []byte, start int64) int64 {
	if start < 0 || v.skip+start > int64(len(raw)) || !bytes.HasPrefix(raw[v.skip+start:], []byte("xref")) {
		return start // a cross-reference stream
	}
	l := &lexer{data: raw[v.skip+start:]}
	for t := l.next(); t.text != "trailer"; t = l.next() {
		if t.kind != tokNumber && t.text != "n" && t.text != "f" && t.text != "xref" {
			return start
		}
	}
	rest := raw[v.skip+start:][l.pos:]
	entries, ok := trailerEntries(rest[:min(len(rest), 16<<10)])
	if !ok {
		return start
	}
	at := v.body + int64(len(v.tail)) + 1
	v.tail = fmt.Appendf(v.tail, "\nxref\n0 0\ntrailer\n<<%s/Size %d/Prev %d>>\n", entries, maxObjects, start)
	return at
}

// rebuild writes a new cross-reference for a document whose own is damaged:
// each object where it stands last. Objects inside of streams are not found,
// so a document that has such is left to pdfium.
func rebuild(raw []byte, skip int64) (*virtual, error) {
	body := raw[skip:]
	if bytes.Contains(body, []byte("/ObjStm")) {
		return nil, errors.New("its cross-reference is damaged")
	}
	places := map[int64][2]int64{} // generation and offset
	for at := 0; ; {
		i := bytes.Index(body[at:], []byte(" obj"))
		if i < 0 {
			break
		}
		at += i + len(" obj")
		if n, gen, off, ok := numbersBefore(body, at-len(" obj")); ok && n < maxObjects && len(places) < maxObjects {
			places[n] = [2]int64{gen, off}
		}
	}
	entries, ok := trailerOf(body)
	if !ok {
		root := rootOf(body, places)
		if root == 0 {
			return nil, errors.New("its cross-reference is damaged, and it has no catalog")
		}
		entries = fmt.Sprintf("/Root %d %d R", root, places[root][0])
	}
	numbers := make([]int64, 0, len(places))
	for n := range places {
		numbers = append(numbers, n)
	}
	sort.Slice(numbers, func(i, j int) bool { return numbers[i] < numbers[j] })
	v := &virtual{src: bytes.NewReader(raw), skip: skip, body: int64(len(body)), tail: []byte("\nxref\n")}
	for _, n := range numbers {
		v.tail = fmt.Appendf(v.tail, "%d 1\n%010d %05d n \n", n, places[n][1], places[n][0])
	}
	v.tail = fmt.Appendf(v.tail, "trailer\n<<%s/Size %d>>\n", entries, maxObjects)
	v.finish(v.body + 1)
	return v, nil
}

// numbersBefore reads the "12 0" of "12 0 obj" backwards from its end.
func numbersBefore(b []byte, end int) (n, gen, off int64, ok bool) {
	digits := func(end int) (v int64, start int) {
		start = end
		for start > 0 && end-start < 10 && b[start-1] >= '0' && b[start-1] <= '9' {
			start--
		}
		for _, c := range b[start:end] {
			v = v*10 + int64(c-'0')
		}
		return v, start
	}
	gen, s := digits(end)
	if s == end || s == 0 || !space(b[s-1]) || gen > 65535 {
		return 0, 0, 0, false
	}
	for end = s; end > 0 && space(b[end-1]); end-- {
	}
	n, s = digits(end)
	return n, gen, int64(s), s < end && n > 0
}

// rootOf finds the catalog among the objects, the last one that says it is.
func rootOf(b []byte, places map[int64][2]int64) (root int64) {
	var last int64 = -1
	for n, p := range places {
		head := b[p[1]:min(int64(len(b)), p[1]+2048)]
		if i := indexOf(head, "endobj"); i >= 0 {
			head = head[:i]
		}
		if p[1] > last && bytes.Contains(head, []byte("/Catalog")) && bytes.Contains(head, []byte("/Pages")) {
			root, last = n, p[1]
		}
	}
	return root
}
