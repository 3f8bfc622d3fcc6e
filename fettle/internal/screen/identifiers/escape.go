package identifiers

import "bytes"

const esc = 0x1b

// unescape overwrites what stands in the text for colour or for white space,
// so that its letters are no part of the word behind it. Two hops over the
// whole text cost less than a look at every byte while it is folded.
func unescape(b []byte) []byte {
	for at := 0; ; {
		i := bytes.IndexByte(b[at:], '\\')
		if i < 0 {
			return uncolour(b)
		}
		at += i
		at += blank(b[at:])
	}
}

// blank makes spaces, or a newline, of an escape that b begins with, as JSON
// and program text write them, and says how far it went. The length stays, and
// two spaces never join groups of digits.
func blank(b []byte) int {
	n, last := 2, byte(' ')
	if len(b) < n {
		return 1
	}
	switch b[1] {
	case 't', 'r':
	case 'n':
		last = '\n'
	case 'b', 'f', 'v': // but before a letter it begins a name: \birthday
		if len(b) > n && isLetter(b[n]) {
			return 1
		}
	case 'u':
		if n = 6; len(b) < n || !hex(b[2:n]) {
			return 1
		}
		if bytes.EqualFold(b[2:n], []byte("001b")) {
			last = esc
		}
	default:
		return 1
	}
	if len(b) > n && b[n] == '@' { // all there is of a name: CORP\n@example.com
		return 1
	}
	for i := range n {
		b[i] = ' '
	}
	b[n-1] = last
	return n
}

func hex(b []byte) bool {
	for _, c := range b {
		if !isDigit(c) && (!isLetter(c) || c|0x20 > 'f') {
			return false
		}
	}
	return true
}

// uncolour drops a terminal's control sequences. Two spaces are left of one
// that moves the cursor, and where a letter would meet a digit: text that was
// coloured by itself is a word by itself.
func uncolour(b []byte) []byte {
	i := bytes.IndexByte(b, esc)
	if i < 0 {
		return b
	}
	out := b[:i]
	for b = b[i:]; len(b) > 0; {
		n := sequence(b)
		if n == 0 { // an escape by itself
			out, b = append(out, esc), b[1:]
		} else {
			final := b[n-1]
			b = b[n:]
			if final != 'm' && final != 'K' || len(out) > 0 && len(b) > 0 && parted(out[len(out)-1], b[0]) {
				out = append(out, "  "...) // no longer than the sequence was
			}
		}
		n = bytes.IndexByte(b, esc)
		if n < 0 {
			n = len(b)
		}
		out, b = append(out, b[:n]...), b[n:]
	}
	return out
}

// sequence is the length of the control sequence that b, at an escape, begins
// with, or 0: parameters, intermediate bytes and a final one.
func sequence(b []byte) int {
	if len(b) < 3 || b[1] != '[' {
		return 0
	}
	i := 2
	for i < len(b) && b[i] >= '0' && b[i] <= '?' {
		i++
	}
	for i < len(b) && b[i] >= ' ' && b[i] <= '/' {
		i++
	}
	if i == len(b) || b[i] < '@' || b[i] > '~' {
		return 0
	}
	return i + 1
}

func parted(a, b byte) bool {
	return isDigit(a) && isLetter(b) || isLetter(a) && isDigit(b)
}
