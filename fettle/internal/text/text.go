// Package text turns a file's bytes into text and back without changing one of
// them: which encoding, which line endings, which lines, which hash.
//
// Call Decode for a file that fits in memory and Encode to go back; NewScanner
// and Tail give the lines of a file of any size in constant memory. A
// byte-order mark decides the encoding and without one only valid UTF-8 is
// text. The package never guesses a legacy code page and opens no file.
package text

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Encoding is how text lies in a file, in the word answers and flags use.
type Encoding string

// The encodings. Each but UTF8 begins with its byte-order mark.
const (
	UTF8    Encoding = "utf-8"
	UTF8BOM Encoding = "utf-8-bom"
	UTF16LE Encoding = "utf-16le"
	UTF16BE Encoding = "utf-16be"
	UTF32LE Encoding = "utf-32le"
	UTF32BE Encoding = "utf-32be"
)

// Encodings lists all of them, for messages and schemas.
func Encodings() []Encoding {
	return []Encoding{UTF8, UTF8BOM, UTF16LE, UTF16BE, UTF32LE, UTF32BE}
}

// ParseEncoding knows the six words.
func ParseEncoding(word string) (Encoding, bool) {
	for _, e := range Encodings() {
		if string(e) == word {
			return e, true
		}
	}
	return "", false
}

// Mark is the byte-order mark a file of this encoding begins with.
func (e Encoding) Mark() string {
	switch e {
	case UTF8BOM:
		return "\xef\xbb\xbf"
	case UTF16LE:
		return "\xff\xfe"
	case UTF16BE:
		return "\xfe\xff"
	case UTF32LE:
		return "\xff\xfe\x00\x00"
	case UTF32BE:
		return "\x00\x00\xfe\xff"
	}
	return ""
}

// unit is how many bytes a code unit takes.
func (e Encoding) unit() int {
	switch e {
	case UTF16LE, UTF16BE:
		return 2
	case UTF32LE, UTF32BE:
		return 4
	}
	return 1
}

// ErrBinary says that bytes are not text in any encoding that is read here: a
// NUL, or something that is not valid for the encoding its mark names.
var ErrBinary = errors.New("not text: it is binary, or in an encoding that no byte-order mark names")

// Sniff reads a byte-order mark: the encoding it names and its length. Without
// one the answer is UTF8 and 0, which Decode has yet to confirm.
func Sniff(head []byte) (Encoding, int) {
	h := string(head[:min(len(head), 4)])
	// UTF-32LE before UTF-16LE, whose mark it begins with: text that starts
	// with a NUL is none, so the longer reading is the only one that can hold.
	for _, e := range []Encoding{UTF32LE, UTF32BE, UTF8BOM, UTF16LE, UTF16BE} {
		if strings.HasPrefix(h, e.Mark()) {
			return e, len(e.Mark())
		}
	}
	return UTF8, 0
}

// Content is a decoded file.
type Content struct {
	Text         string // UTF-8, the mark removed, endings as they are in the file
	Encoding     Encoding
	Ending       Ending // the dominant one
	Mixed        bool   // the file has more than one kind of ending
	FinalNewline bool
}

// Decode reads a whole file. It gives ErrBinary when raw is not text.
func Decode(raw []byte) (Content, error) {
	if e, _ := Sniff(raw); e.unit() == 1 {
		raw = bytes.Clone(raw)
	}
	return DecodeOwned(raw)
}

// Check gives Decode's error, and keeps nothing of raw.
func Check(raw []byte) error {
	_, err := DecodeOwned(raw)
	return err
}

// DecodeOwned is Decode for bytes that nobody writes to any more: the text of a
// UTF-8 file is raw's own memory and not a copy of it.
func DecodeOwned(raw []byte) (Content, error) {
	e, n := Sniff(raw)
	c := Content{Encoding: e}
	switch e {
	case UTF8, UTF8BOM:
		body := raw[n:]
		if !utf8.Valid(body) {
			return Content{}, ErrBinary
		}
		c.Text = unsafe.String(unsafe.SliceData(body), len(body))
	default:
		var d decoder
		d.enc = e
		out, err := d.append(nil, raw[n:])
		if err == nil {
			err = d.finish()
		}
		if err != nil {
			return Content{}, err
		}
		c.Text = string(out)
	}
	if strings.IndexByte(c.Text, 0) >= 0 {
		return Content{}, ErrBinary
	}
	c.Ending, c.Mixed = Endings(c.Text)
	c.FinalNewline = endsLine(c.Text)
	return c, nil
}

// Encode writes s in the encoding, with its mark. s must be valid UTF-8. For
// every raw that Decode takes, encoding its Text in its Encoding gives raw.
func Encode(s string, e Encoding) ([]byte, error) {
	raw, err := EncodeShared(s, e)
	if err == nil && e == UTF8 {
		raw = bytes.Clone(raw)
	}
	return raw, err
}

// EncodeShared is Encode for bytes that are only read: in plain UTF-8 they are
// s's own memory and not a copy of it.
func EncodeShared(s string, e Encoding) ([]byte, error) {
	if !utf8.ValidString(s) {
		return nil, ErrBinary
	}
	if e == UTF8 {
		return unsafe.Slice(unsafe.StringData(s), len(s)), nil
	}
	out := make([]byte, 0, len(e.Mark())+len(s)*e.unit())
	out = append(out, e.Mark()...)
	if e.unit() == 1 {
		return append(out, s...), nil
	}
	for _, r := range s {
		out = appendRune(out, r, e)
	}
	return out, nil
}

// Hash is the SHA-256 of a file's bytes in lower-case hex: what an answer
// carries and what expect compares.
func Hash(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// Chars counts characters the way every cap does: Unicode code points.
func Chars(s string) int { return utf8.RuneCountInString(s) }

// Head is the first n characters of s.
func Head(s string, n int) string {
	if n <= 0 {
		return ""
	}
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// Last is the last n characters of s.
func Last(s string, n int) string {
	i := len(s)
	for ; n > 0 && i > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return s[i:]
}
