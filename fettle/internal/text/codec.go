package text

import (
	"unicode/utf16"
	"unicode/utf8"
)

// decoder turns chunks of a file, the mark taken off, into UTF-8. A character
// that lies across two chunks is carried over.
type decoder struct {
	enc   Encoding
	carry [4]byte
	held  int
}

// append decodes chunk onto dst. What it appends is whole characters.
func (d *decoder) append(dst, chunk []byte) ([]byte, error) {
	for d.held > 0 && len(chunk) > 0 {
		d.carry[d.held] = chunk[0]
		d.held++
		chunk = chunk[1:]
		out, rest, err := d.whole(dst, d.carry[:d.held])
		if err != nil {
			return dst, err
		}
		if len(rest) == 0 {
			dst, d.held = out, 0
		} else if d.held == len(d.carry) {
			return dst, ErrBinary // four bytes always hold a whole character
		}
	}
	dst, rest, err := d.whole(dst, chunk)
	if err != nil {
		return dst, err
	}
	if len(rest) > 0 {
		d.held = copy(d.carry[:], rest)
	}
	return dst, nil
}

// view is append to nothing where nothing has to be changed: the bytes
// themselves. ok is false where they have to be.
func (d *decoder) view(chunk []byte) (out []byte, ok bool, err error) {
	if d.held > 0 || d.enc != UTF8 && d.enc != UTF8BOM {
		return nil, false, nil
	}
	n := wholeUTF8(chunk)
	if !utf8.Valid(chunk[:n]) {
		return nil, true, ErrBinary
	}
	d.held = copy(d.carry[:], chunk[n:])
	return chunk[:n:n], true, nil
}

// wholeUTF8 is how much of b is whole characters, if it is any.
func wholeUTF8(b []byte) int {
	for k := 1; k <= 3 && k <= len(b); k++ {
		if c := b[len(b)-k]; utf8.RuneStart(c) {
			if c >= 0xc0 && !utf8.FullRune(b[len(b)-k:]) {
				return len(b) - k
			}
			break
		}
	}
	return len(b)
}

// finish says whether the file ended inside a character.
func (d *decoder) finish() error {
	if d.held > 0 {
		return ErrBinary
	}
	return nil
}

// whole appends the whole characters of b and gives the bytes left over: at
// most three, the beginning of one that may yet be valid.
func (d *decoder) whole(dst, b []byte) (out, rest []byte, err error) {
	switch d.enc {
	case UTF8, UTF8BOM:
		n := wholeUTF8(b)
		if !utf8.Valid(b[:n]) {
			return dst, nil, ErrBinary
		}
		return append(dst, b[:n]...), b[n:], nil
	case UTF16LE, UTF16BE:
		for len(b) >= 2 {
			r, size := unit16(b, d.enc), 2
			if utf16.IsSurrogate(r) {
				if r >= 0xdc00 {
					return dst, nil, ErrBinary
				}
				if len(b) < 4 {
					break
				}
				r, size = utf16.DecodeRune(r, unit16(b[2:], d.enc)), 4
				if r == utf8.RuneError { // a pair never encodes U+FFFD
					return dst, nil, ErrBinary
				}
			}
			dst = utf8.AppendRune(dst, r)
			b = b[size:]
		}
		return dst, b, nil
	default:
		for len(b) >= 4 {
			r := unit32(b, d.enc)
			if r > utf8.MaxRune || r >= 0xd800 && r < 0xe000 {
				return dst, nil, ErrBinary
			}
			dst = utf8.AppendRune(dst, rune(r))
			b = b[4:]
		}
		return dst, b, nil
	}
}

func unit16(b []byte, e Encoding) rune {
	if e == UTF16LE {
		return rune(b[0]) | rune(b[1])<<8
	}
	return rune(b[1]) | rune(b[0])<<8
}

func unit32(b []byte, e Encoding) uint32 {
	if e == UTF32LE {
		return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
	}
	return uint32(b[3]) | uint32(b[2])<<8 | uint32(b[1])<<16 | uint32(b[0])<<24
}

func appendRune(dst []byte, r rune, e Encoding) []byte {
	switch e {
	case UTF16LE, UTF16BE:
		if hi, lo := utf16.EncodeRune(r); hi != utf8.RuneError {
			return append16(append16(dst, hi, e), lo, e)
		}
		return append16(dst, r, e)
	case UTF32LE:
		return append(dst, byte(r), byte(r>>8), byte(r>>16), byte(r>>24))
	case UTF32BE:
		return append(dst, byte(r>>24), byte(r>>16), byte(r>>8), byte(r))
	}
	return utf8.AppendRune(dst, r)
}

func append16(dst []byte, r rune, e Encoding) []byte {
	if e == UTF16LE {
		return append(dst, byte(r), byte(r>>8))
	}
	return append(dst, byte(r>>8), byte(r))
}
