package pdf

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
)

// errTooMuch is a stream that decodes to more than the bound: a bomb.
var errTooMuch = errors.New("a stream decodes to more than is read")

// unfilter undoes one filter. What could be decoded before damage is given
// with the error: half a page is better than none.
func unfilter(raw []byte, name string, p predictor, limit int64) ([]byte, error) {
	switch name {
	case "FlateDecode", "Fl":
		out, err := inflate(raw, limit)
		if err == nil || len(out) > 0 {
			out, err = p.undo(out), keep(err)
		}
		return out, err
	case "LZWDecode", "LZW":
		out, err := unLZW(raw, p.early, limit)
		return p.undo(out), err
	case "ASCII85Decode", "A85":
		return un85(raw), nil
	case "ASCIIHexDecode", "AHx":
		return unhex(raw), nil
	case "RunLengthDecode", "RL":
		return unRun(raw, limit)
	case "Crypt", "":
		return raw, nil
	}
	return nil, fmt.Errorf("a stream has the filter %.40q, which holds no text", name)
}

// keep drops the errors of a stream that is only cut: readers show what came.
func keep(err error) error {
	if errors.Is(err, errTooMuch) {
		return err
	}
	return nil
}

func inflate(raw []byte, limit int64) ([]byte, error) {
	raw = bytes.TrimLeft(raw, "\r\n")
	z, err := zlib.NewReader(bytes.NewReader(raw))
	if err == nil {
		out, err := readLimited(z, limit)
		if len(out) > 0 || err == nil {
			return out, err
		}
	}
	// A broken header, or none: the bytes behind it may be whole.
	for _, skip := range []int{2, 0} {
		if len(raw) > skip {
			if out, ferr := readLimited(flate.NewReader(bytes.NewReader(raw[skip:])), limit); len(out) > 0 {
				return out, ferr
			}
		}
	}
	return nil, errors.New("a stream's compressed bytes are damaged")
}

func readLimited(r io.Reader, limit int64) ([]byte, error) {
	var b bytes.Buffer
	n, err := io.Copy(&b, io.LimitReader(r, limit+1))
	if n > limit {
		return b.Bytes()[:limit], errTooMuch
	}
	return b.Bytes(), err
}

func unhex(raw []byte) []byte {
	out := make([]byte, 0, len(raw)/2)
	high, half := byte(0), false
	for _, c := range raw {
		v, ok := hexDigit(c)
		if c == '>' {
			break
		}
		if !ok {
			continue
		}
		if half {
			out = append(out, high<<4|v)
		} else {
			high = v
		}
		half = !half
	}
	if half {
		out = append(out, high<<4)
	}
	return out
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

func un85(raw []byte) []byte {
	raw = bytes.TrimPrefix(bytes.TrimLeft(raw, " \r\n\t"), []byte("<~"))
	out := make([]byte, 0, len(raw)*4/5)
	var group uint32
	n := 0
	for _, c := range raw {
		switch {
		case c == '~':
			raw = nil
		case c == 'z' && n == 0:
			out = append(out, 0, 0, 0, 0)
		case '!' <= c && c <= 'u':
			group = group*85 + uint32(c-'!')
			if n++; n == 5 {
				out = append(out, byte(group>>24), byte(group>>16), byte(group>>8), byte(group))
				group, n = 0, 0
			}
		}
		if raw == nil {
			break
		}
	}
	if n > 1 {
		for i := n; i < 5; i++ {
			group = group*85 + 84
		}
		b := []byte{byte(group >> 24), byte(group >> 16), byte(group >> 8)}
		out = append(out, b[:n-1]...)
	}
	return out
}

func unRun(raw []byte, limit int64) ([]byte, error) {
	var out []byte
	for i := 0; i < len(raw); {
		n := int(raw[i])
		i++
		switch {
		case n == 128:
			return out, nil
		case n < 128:
			end := min(i+n+1, len(raw))
			out = append(out, raw[i:end]...)
			i = end
		case i < len(raw):
			out = append(out, bytes.Repeat(raw[i:i+1], 257-n)...)
			i++
		}
		if int64(len(out)) > limit {
			return out[:limit], errTooMuch
		}
	}
	return out, nil
}

// unLZW is PDF's LZW: codes from 9 to 12 bits, most significant bit first,
// the width growing one code early unless the stream says otherwise.
func unLZW(raw []byte, early bool, limit int64) ([]byte, error) {
	type entry struct{ start, length int } // a string that stands in out
	var table [4096]entry
	var out []byte
	next, width, previous := 258, 9, -1
	var last entry
	bits, have := uint32(0), 0
	shift := 0
	if early {
		shift = 1
	}
	for _, c := range raw {
		bits, have = bits<<8|uint32(c), have+8
		if have < width {
			continue
		}
		code := int(bits>>(have-width)) & (1<<width - 1)
		have -= width
		switch {
		case code == 256:
			next, width, previous = 258, 9, -1
			continue
		case code == 257:
			return out, nil
		}
		start := len(out)
		switch {
		case code < 256:
			out = append(out, byte(code))
		case code < next:
			e := table[code]
			out = append(out, out[e.start:e.start+e.length]...)
		case code == next && previous >= 0:
			out = append(out, out[last.start:last.start+last.length]...)
			out = append(out, out[start])
		default:
			return out, errors.New("a stream's LZW codes are damaged")
		}
		if previous >= 0 && next < 4096 {
			// The last string and one byte more: both lie side by side in out.
			table[next] = entry{last.start, last.length + 1}
			next++
		}
		last, previous = entry{start, len(out) - start}, code
		if next+shift >= 1<<width && width < 12 {
			width++
		}
		if int64(len(out)) > limit {
			return out[:limit], errTooMuch
		}
	}
	return out, nil
}

// predictor is how a stream's rows were made smaller before compression.
type predictor struct {
	kind, colors, bits, columns int
	early                       bool
}

func (p predictor) undo(data []byte) []byte {
	if p.kind < 2 || p.colors < 1 || p.colors > 64 || p.bits < 1 || p.bits > 32 || p.columns < 1 || p.columns > 1<<24 {
		return data
	}
	size := max(1, p.colors*p.bits/8)
	row := (p.colors*p.bits*p.columns + 7) / 8
	if p.kind == 2 {
		if p.bits != 8 {
			return data
		}
		for at := 0; at < len(data); at += row {
			r := data[at:min(at+row, len(data))]
			for i := size; i < len(r); i++ {
				r[i] += r[i-size]
			}
		}
		return data
	}
	out := make([]byte, 0, len(data))
	above := make([]byte, row)
	for at := 0; at+1 < len(data); at += row + 1 {
		r := data[at+1 : min(at+1+row, len(data))]
		for i := range r {
			var left, corner byte
			if i >= size {
				left, corner = r[i-size], above[i-size]
			}
			switch data[at] {
			case 1:
				r[i] += left
			case 2:
				r[i] += above[i]
			case 3:
				r[i] += byte((int(left) + int(above[i])) / 2)
			case 4:
				r[i] += paeth(left, above[i], corner)
			}
		}
		out = append(out, r...)
		copy(above, r)
	}
	return out
}

func paeth(a, b, c byte) byte {
	p := int(a) + int(b) - int(c)
	da, db, dc := abs(p-int(a)), abs(p-int(b)), abs(p-int(c))
	switch {
	case da <= db && da <= dc:
		return a
	case db <= dc:
		return b
	}
	return c
}

func abs(n int) int { return max(n, -n) }

func indexOf(b []byte, s string) int { return bytes.Index(b, []byte(s)) }
