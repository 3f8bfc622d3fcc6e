package notebook

import (
	"fmt"
	"io"
	"strconv"
)

// text reads a string, or a list of them end to end, into w. Another value is
// passed over.
func (s *scanner) text(w io.Writer) error { return s.strings(w, "") }

// lines is text with every string of a list on its own lines.
func (s *scanner) lines(w io.Writer) error { return s.strings(w, "\n") }

func (s *scanner) strings(w io.Writer, after string) error {
	kind, err := s.peek()
	switch {
	case err != nil:
		return err
	case kind == '"':
		return s.str(w)
	case kind != '[':
		return s.skip()
	}
	return s.array(func() error {
		kind, err := s.peek()
		if err != nil || kind != '"' {
			return orSkip(s, err)
		}
		if err := s.str(w); err != nil {
			return err
		}
		_, err = io.WriteString(w, after)
		return err
	})
}

// short reads a short string.
func (s *scanner) short(to *string) error {
	kind, err := s.peek()
	if err != nil || kind != '"' {
		return orSkip(s, err)
	}
	e := excerpt{bytes: maxShort}
	err = s.str(&e)
	*to = clean(e.String())
	return err
}

// number reads a whole number; another value is 0.
func (s *scanner) number() (int, error) {
	word, err := s.scalar()
	if err != nil || word == "" {
		return 0, err
	}
	n, _ := strconv.Atoi(word)
	return n, nil
}

// scalar reads a number or a name; of another value it is "".
func (s *scanner) scalar() (string, error) {
	kind, err := s.peek()
	if err != nil {
		return "", err
	}
	if kind == '{' || kind == '[' || kind == '"' {
		return "", s.skip()
	}
	var word []byte
	for {
		if s.pos == s.end && !s.fill() {
			if s.err != nil {
				return "", s.err
			}
			break
		}
		c := s.buf[s.pos]
		if c == ',' || c == '}' || c == ']' || c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			break
		}
		if len(word) > 64 {
			return "", s.wrong("a number is longer than 64 digits")
		}
		word = append(word, c)
		s.pos++
	}
	switch w := string(word); w {
	case "true", "false", "null", "NaN", "Infinity", "-Infinity": // Python writes the last three
		return w, nil
	default:
		if _, err := strconv.ParseFloat(w, 64); err != nil && !isRange(err) {
			return "", s.wrong("%q is no value", clip(w))
		}
		return w, nil
	}
}

func isRange(err error) bool {
	n, ok := err.(*strconv.NumError)
	return ok && n.Err == strconv.ErrRange
}

// skip passes over the next value.
func (s *scanner) skip() error {
	kind, err := s.peek()
	if err != nil {
		return err
	}
	switch kind {
	case '{':
		return s.object(func(string) error { return s.skip() })
	case '[':
		return s.array(s.skip)
	case '"':
		return s.str(io.Discard)
	}
	_, err = s.scalar()
	return err
}

// tally counts what base64 text stands for.
type tally struct {
	digits, other int
}

func (t *tally) Write(p []byte) (int, error) {
	for _, c := range p {
		switch {
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '+', c == '/':
			t.digits++
		case c == '=', c == '\n', c == '\r', c == ' ':
		default:
			t.other++
		}
	}
	return len(p), nil
}

// measure passes over a value and says how large it is: text that is base64
// by what it stands for, anything else by its bytes in the file.
func (s *scanner) measure() (string, error) {
	kind, err := s.peek()
	if err != nil {
		return "", err
	}
	from := s.off + int64(s.pos)
	if kind != '"' && kind != '[' {
		err := s.skip()
		return fmt.Sprintf("%d bytes", s.off+int64(s.pos)-from), err
	}
	var t tally
	err = s.text(&t)
	if t.other > 0 {
		return fmt.Sprintf("%d bytes", s.off+int64(s.pos)-from), err
	}
	return fmt.Sprintf("%d bytes", t.digits*3/4), err
}
