package ooxml

import (
	"bytes"
	"encoding/binary"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// expand replaces the entities of XML and carriage returns. A reference to
// any other entity stays as written: nothing here resolves one.
func expand(raw []byte, scratch *[]byte) []byte {
	amp := bytes.IndexByte(raw, '&')
	if amp < 0 {
		return newlines(raw, scratch)
	}
	begin := len(*scratch)
	out := *scratch
	for amp >= 0 {
		out = appendNewlines(out, raw[:amp])
		raw = raw[amp:]
		r, size := entity(raw)
		if size == 0 {
			out = append(out, '&')
			size = 1
		} else {
			out = utf8.AppendRune(out, r)
		}
		raw = raw[size:]
		amp = bytes.IndexByte(raw, '&')
	}
	out = appendNewlines(out, raw)
	*scratch = out
	return out[begin:len(out):len(out)]
}

func newlines(raw []byte, scratch *[]byte) []byte {
	if bytes.IndexByte(raw, '\r') < 0 {
		return raw
	}
	begin := len(*scratch)
	*scratch = appendNewlines(*scratch, raw)
	return (*scratch)[begin:len(*scratch):len(*scratch)]
}

// appendNewlines turns \r\n and \r into \n, as XML wants it.
func appendNewlines(out, raw []byte) []byte {
	for {
		at := bytes.IndexByte(raw, '\r')
		if at < 0 {
			return append(out, raw...)
		}
		out = append(append(out, raw[:at]...), '\n')
		raw = raw[at+1:]
		if len(raw) > 0 && raw[0] == '\n' {
			raw = raw[1:]
		}
	}
}

// longestEntity is the room a reference may take; longer ones stay as text.
const longestEntity = 16

// entity reads the reference at b's start; size 0 is none that is known.
func entity(b []byte) (r rune, size int) {
	end := bytes.IndexByte(b[:min(len(b), longestEntity)], ';')
	if end < 2 {
		return 0, 0
	}
	name := b[1:end]
	switch string(name) {
	case "amp":
		r = '&'
	case "lt":
		r = '<'
	case "gt":
		r = '>'
	case "quot":
		r = '"'
	case "apos":
		r = '\''
	default:
		if name[0] != '#' || len(name) < 2 {
			return 0, 0
		}
		base, digits := 10, name[1:]
		if digits[0] == 'x' {
			base, digits = 16, digits[1:]
		}
		n, err := strconv.ParseUint(string(digits), base, 32)
		if err != nil || n > utf8.MaxRune {
			return 0, 0
		}
		r = rune(n)
	}
	return r, end + 1
}

// splitTail is how many bytes at b's end may belong to a reference, a
// character or a line end that goes on in the next window.
func splitTail(b []byte) int {
	n := len(b)
	if n > 0 && b[n-1] == '\r' {
		return 1
	}
	if at := bytes.LastIndexByte(b[max(0, n-longestEntity):], '&'); at >= 0 {
		at += max(0, n-longestEntity)
		if bytes.IndexByte(b[at:], ';') < 0 {
			return n - at
		}
	}
	for i := 1; i <= utf8.UTFMax && i <= n; i++ {
		if utf8.RuneStart(b[n-i]) {
			if !utf8.FullRune(b[n-i:]) {
				return i
			}
			break
		}
	}
	return 0
}

// decodeUTF16 turns a part in UTF-16, which its first bytes tell, into UTF-8.
func decodeUTF16(r io.Reader) io.Reader { return &utf16Reader{r: r} }

type utf16Reader struct {
	r     io.Reader
	order binary.ByteOrder // nil: pass through
	known bool
	head  []byte
	in    []byte
	n     int // bytes of in held over
	out   []byte
	err   error
}

func (u *utf16Reader) Read(p []byte) (int, error) {
	if !u.known {
		u.known = true
		var head [4]byte
		n, err := io.ReadFull(u.r, head[:])
		u.head = head[:n]
		if err != nil && err != io.ErrUnexpectedEOF {
			u.err = err
		}
		switch h := string(u.head); {
		case len(h) >= 2 && h[:2] == "\xff\xfe", h == "<\x00?\x00":
			u.order = binary.LittleEndian
		case len(h) >= 2 && h[:2] == "\xfe\xff", h == "\x00<\x00?":
			u.order = binary.BigEndian
		case len(h) >= 3 && h[:3] == "\xef\xbb\xbf":
			u.head = u.head[3:]
		}
		if u.order != nil {
			u.in = make([]byte, 8<<10)
			u.n = copy(u.in, u.head)
			u.head = nil
			if u.n >= 2 && (u.order.Uint16(u.in) == 0xfeff) {
				u.n = copy(u.in, u.in[2:u.n])
			}
		}
	}
	if u.order == nil {
		if len(u.head) > 0 {
			n := copy(p, u.head)
			u.head = u.head[n:]
			return n, nil
		}
		if u.err != nil {
			return 0, u.err
		}
		return u.r.Read(p)
	}
	for len(u.out) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		u.decode()
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

func (u *utf16Reader) decode() {
	n, err := u.r.Read(u.in[u.n:])
	u.n += n
	u.err = err
	u.out = u.out[:0]
	i := 0
	for ; i+1 < u.n; i += 2 {
		c := rune(u.order.Uint16(u.in[i:]))
		if utf16.IsSurrogate(c) {
			if i+3 >= u.n && err == nil {
				break
			}
			if i+3 < u.n {
				if r := utf16.DecodeRune(c, rune(u.order.Uint16(u.in[i+2:]))); r != utf8.RuneError {
					c = r
					i += 2
				}
			}
		}
		u.out = utf8.AppendRune(u.out, c)
	}
	u.n = copy(u.in, u.in[i:u.n])
}
