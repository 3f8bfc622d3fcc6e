package notebook

import (
	"context"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	maxDepth = 200
	maxShort = 256 // bytes kept of a key or a word
)

// syntaxError is JSON that is none.
type syntaxError struct {
	at  int64
	why string
}

func (e *syntaxError) Error() string { return fmt.Sprintf("at byte %d, %s", e.at, e.why) }

// scanner reads JSON value by value, holding no more than a window of it. Its
// caller asks what is next and takes it: object, array, text, short, number,
// measure or skip.
type scanner struct {
	ctx      context.Context
	r        io.Reader
	buf      []byte
	pos, end int
	off      int64 // of buf[0] in the file
	eof      bool
	err      error
	depth    int
}

func newScanner(ctx context.Context, r io.Reader) *scanner {
	return &scanner{ctx: ctx, r: r, buf: make([]byte, 64<<10)}
}

func (s *scanner) wrong(format string, args ...any) error {
	return &syntaxError{s.off + int64(s.pos), fmt.Sprintf(format, args...)}
}

// fill reads the next window; the last must be used up.
func (s *scanner) fill() bool {
	if s.eof || s.err != nil {
		return false
	}
	if s.err = s.ctx.Err(); s.err != nil {
		return false
	}
	s.off += int64(s.end)
	s.pos, s.end = 0, 0
	for range 100 {
		n, err := s.r.Read(s.buf)
		s.end = n
		if err != nil {
			s.eof = true
			if err != io.EOF {
				s.err = s.wrong("the file could not be read: %v", err)
			}
		}
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	s.err = io.ErrNoProgress
	return false
}

// byte is the next byte; it stays.
func (s *scanner) byte() (byte, error) {
	if s.pos == s.end && !s.fill() {
		if s.err != nil {
			return 0, s.err
		}
		return 0, s.wrong("it ends too early")
	}
	return s.buf[s.pos], nil
}

// peek is the first byte of the next value: one of { [ " or another's.
func (s *scanner) peek() (byte, error) {
	if s.off == 0 && s.pos == 0 {
		// A byte-order mark at the very beginning is passed over.
		if _, err := s.byte(); err != nil {
			return 0, err
		}
		if s.end >= 3 && string(s.buf[:3]) == "\xef\xbb\xbf" {
			s.pos = 3
		}
	}
	for {
		c, err := s.byte()
		if err != nil {
			return 0, err
		}
		switch c {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return c, nil
		}
	}
}

func (s *scanner) take(want byte) error {
	c, err := s.peek()
	if err != nil {
		return err
	}
	if c != want {
		return s.wrong("there is %q in place of %q", c, want)
	}
	s.pos++
	return nil
}

// finish checks that nothing follows.
func (s *scanner) finish() error {
	for {
		if s.pos == s.end && !s.fill() {
			return s.err
		}
		switch s.buf[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return s.wrong("something follows the end")
		}
	}
}

func (s *scanner) enter() error {
	if s.depth++; s.depth > maxDepth {
		return s.wrong("it nests deeper than %d", maxDepth)
	}
	return nil
}

// object reads an object; fn takes each key's value.
func (s *scanner) object(fn func(key string) error) error {
	if err := s.enter(); err != nil {
		return err
	}
	if err := s.take('{'); err != nil {
		return err
	}
	for first := true; ; first = false {
		c, err := s.peek()
		if err != nil {
			return err
		}
		if c == '}' && first {
			break
		}
		if !first {
			if c == '}' {
				break
			}
			if err := s.take(','); err != nil {
				return err
			}
		}
		e := excerpt{bytes: maxShort}
		if err := s.str(&e); err != nil {
			return err
		}
		if err := s.take(':'); err != nil {
			return err
		}
		if err := fn(e.String()); err != nil {
			return err
		}
	}
	s.pos++
	s.depth--
	return nil
}

// array reads an array; fn takes each value.
func (s *scanner) array(fn func() error) error {
	if err := s.enter(); err != nil {
		return err
	}
	if err := s.take('['); err != nil {
		return err
	}
	for first := true; ; first = false {
		c, err := s.peek()
		if err != nil {
			return err
		}
		if c == ']' {
			break
		}
		if !first {
			if err := s.take(','); err != nil {
				return err
			}
		}
		if err := fn(); err != nil {
			return err
		}
	}
	s.pos++
	s.depth--
	return nil
}

// str reads a string into w, which may keep as little as it likes.
func (s *scanner) str(w io.Writer) error {
	if err := s.take('"'); err != nil {
		return err
	}
	for {
		c, err := s.byte()
		if err != nil {
			return err
		}
		n := s.pos
		for n < s.end && s.buf[n] != '"' && s.buf[n] != '\\' && s.buf[n] >= ' ' {
			n++
		}
		if n > s.pos {
			if _, err := w.Write(s.buf[s.pos:n]); err != nil {
				return err
			}
			s.pos = n
			continue
		}
		switch {
		case c == '"':
			s.pos++
			return nil
		case c < ' ':
			return s.wrong("a string holds a control character")
		}
		s.pos++
		r, err := s.escape()
		if err != nil {
			return err
		}
		var b [utf8.UTFMax]byte
		if _, err := w.Write(utf8.AppendRune(b[:0], r)); err != nil {
			return err
		}
	}
}

func (s *scanner) escape() (rune, error) {
	c, err := s.byte()
	if err != nil {
		return 0, err
	}
	s.pos++
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		r, err := s.hex()
		if err != nil || !utf16.IsSurrogate(r) {
			return r, err
		}
		return s.pair(r)
	}
	return 0, s.wrong("a string holds the escape \\%c", c)
}

// pair reads the second half of a pair; a half alone is U+FFFD.
func (s *scanner) pair(high rune) (rune, error) {
	if c, err := s.byte(); err != nil || c != '\\' {
		return utf8.RuneError, err
	}
	s.pos++
	if c, err := s.byte(); err != nil || c != 'u' {
		if err != nil {
			return 0, err
		}
		return s.escape() // the half is dropped, what follows it stays
	}
	s.pos++
	low, err := s.hex()
	if err != nil {
		return 0, err
	}
	return utf16.DecodeRune(high, low), nil
}

func (s *scanner) hex() (rune, error) {
	var r rune
	for range 4 {
		c, err := s.byte()
		if err != nil {
			return 0, err
		}
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, s.wrong("a string holds a broken \\u")
		}
		s.pos++
	}
	return r, nil
}
