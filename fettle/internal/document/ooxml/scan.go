package ooxml

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"fettler/fettle/internal/document"
)

// Limits of one part. They bound what a hostile part can make a reader hold;
// no part that an office program writes comes near them.
const (
	MaxToken = 256 << 10 // bytes of one tag, comment or entity
	MaxDepth = 1000      // elements inside each other
	maxAttrs = 512       // attributes of one element
	window   = 64 << 10  // bytes read ahead
	minRoom  = 64        // bytes kept for an entity at a chunk's end
)

// Event is what Next stands on.
type Event uint8

// The events. A comment, a processing instruction and a document type
// declaration are passed over.
const (
	Start Event = iota + 1 // an element begins: Space, Name, Attr
	End                    // an element ends: Space, Name
	Text                   // text: Bytes. A long text comes in several events.
)

// Scanner reads XML from a part as a row of events. It was written because
// encoding/xml takes four times as long over a worksheet and holds a token
// of any size; its events are fuzzed against encoding/xml.RawToken. It knows
// no document type, no entity beyond the five of XML, and no resolver.
//
// Slices it hands out are good until the next call of Next.
type Scanner struct {
	Space Space  // of the element an event is about
	Name  []byte // its local name
	Bytes []byte // of a Text event

	// Declared is set when the part carries a document type declaration,
	// which is passed over: the entities it declares stay as written.
	Declared bool

	r        io.Reader
	buf      []byte
	pos, end int
	eof      bool
	err      error
	read     int64 // bytes taken from r

	attrs   []attr
	pending bool // an empty element's end is still to come
	cdata   bool
	spaces  spaces
	open    []byte // names of the open elements, end to end
	marks   []int  // where each begins
	seen    bool   // a root element was seen
	scratch []byte
}

type attr struct {
	prefix, local, value []byte
}

// NewScanner reads from r.
func NewScanner(r io.Reader) *Scanner {
	return &Scanner{r: decodeUTF16(r), buf: make([]byte, window)}
}

func damaged(format string, args ...any) error {
	return document.Errorf(document.Damaged, format, args...)
}

// Depth is how many elements are open, the one of a Start event included.
func (s *Scanner) Depth() int { return len(s.marks) }

// fill reads more, moving what is kept to the front. It grows the window for
// a long token up to MaxToken. It reports whether there is more.
func (s *Scanner) fill() bool {
	if s.eof {
		return false
	}
	if s.pos > 0 {
		copy(s.buf, s.buf[s.pos:s.end])
		s.end -= s.pos
		s.pos = 0
	}
	if s.end == len(s.buf) {
		if len(s.buf) >= MaxToken {
			s.err = document.Errorf(document.TooLarge, "one tag is longer than %d bytes", MaxToken)
			return false
		}
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	for range 100 {
		n, err := s.r.Read(s.buf[s.end:])
		s.end += n
		s.read += int64(n)
		if err != nil {
			s.eof = true
			if err != io.EOF {
				s.err = err
			}
			return n > 0
		}
		if n > 0 {
			return true
		}
	}
	s.eof, s.err = true, io.ErrNoProgress
	return false
}

// cause is the error when the input ended where it should not.
func (s *Scanner) cause() error {
	if s.err != nil {
		return s.err
	}
	return damaged("the XML ends too early")
}

// Next returns the next event, or io.EOF after the root element.
func (s *Scanner) Next() (Event, error) {
	if s.pending {
		s.pending = false
		s.spaces.leave(len(s.marks))
		s.pop()
		return End, nil
	}
	for {
		if s.cdata {
			ev, err := s.nextCDATA()
			if ev != 0 || err != nil {
				return ev, err
			}
			continue
		}
		if s.pos == s.end && !s.fill() {
			if s.err != nil {
				return 0, s.err
			}
			if len(s.marks) > 0 {
				return 0, damaged("the XML ends inside <%s>", s.top())
			}
			if !s.seen {
				return 0, damaged("the part holds no XML")
			}
			return 0, io.EOF
		}
		if s.buf[s.pos] != '<' {
			ev, err := s.text()
			if ev != 0 || err != nil {
				return ev, err
			}
			continue
		}
		if !s.need(2) {
			return 0, s.cause()
		}
		switch s.buf[s.pos+1] {
		case '/':
			return s.endTag()
		case '?':
			if err := s.skipTo("?>", 2); err != nil {
				return 0, err
			}
		case '!':
			if err := s.declaration(); err != nil {
				return 0, err
			}
		default:
			return s.startTag()
		}
	}
}

// need makes n bytes available at pos.
func (s *Scanner) need(n int) bool {
	for s.end-s.pos < n {
		if !s.fill() {
			return false
		}
	}
	return true
}

// text takes character data up to the next tag or the window's end.
func (s *Scanner) text() (Event, error) {
	stop := bytes.IndexByte(s.buf[s.pos:s.end], '<')
	n := stop
	if stop < 0 {
		n = s.end - s.pos
		if !s.eof && n < minRoom {
			if s.fill() {
				return 0, nil // try again with more
			}
			if s.err != nil {
				return 0, s.err
			}
			n = s.end - s.pos
		}
		if !s.eof {
			n -= splitTail(s.buf[s.pos : s.pos+n])
		}
		if n == 0 { // an entity that does not end within the window
			n = s.end - s.pos
		}
	}
	raw := s.buf[s.pos : s.pos+n]
	s.pos += n
	if len(s.marks) == 0 {
		raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
		if len(bytes.TrimSpace(raw)) > 0 {
			return 0, damaged("there is text outside the root element")
		}
		return 0, nil
	}
	s.scratch = s.scratch[:0]
	s.Bytes = expand(raw, &s.scratch)
	return Text, nil
}

func (s *Scanner) nextCDATA() (Event, error) {
	at := bytes.Index(s.buf[s.pos:s.end], []byte("]]>"))
	if at == 0 {
		s.pos += 3
		s.cdata = false
		return 0, nil
	}
	n := at
	if at < 0 {
		n = s.end - s.pos - 2
		if n <= 0 {
			if s.fill() {
				return 0, nil
			}
			return 0, s.cause()
		}
		for n > 1 && s.buf[s.pos+n]&0xc0 == 0x80 { // do not cut a character
			n--
		}
	}
	s.Bytes = newlines(s.buf[s.pos:s.pos+n], &s.scratch)
	s.pos += n
	return Text, nil
}

// skipTo moves past mark, holding nothing.
func (s *Scanner) skipTo(mark string, from int) error {
	s.pos += from
	for {
		if at := bytes.Index(s.buf[s.pos:s.end], []byte(mark)); at >= 0 {
			s.pos += at + len(mark)
			return nil
		}
		if keep := s.end - s.pos - len(mark) + 1; keep > 0 {
			s.pos += keep
		}
		if !s.fill() {
			return s.cause()
		}
	}
}

func (s *Scanner) declaration() error {
	if s.need(4) && string(s.buf[s.pos:s.pos+4]) == "<!--" {
		return s.skipTo("-->", 4)
	}
	if s.need(9) {
		switch string(s.buf[s.pos : s.pos+9]) {
		case "<![CDATA[":
			if len(s.marks) == 0 {
				return damaged("there is text outside the root element")
			}
			s.pos += 9
			s.cdata = true
			return nil
		case "<!DOCTYPE":
			s.Declared = true
			return s.skipDoctype()
		}
	}
	if s.err != nil {
		return s.err
	}
	return damaged("the XML holds a declaration that does not belong there")
}

// skipDoctype passes over a document type declaration with what it declares,
// one byte at a time, minding quotes, comments and the inner subset.
func (s *Scanner) skipDoctype() error {
	s.pos += 9
	depth, quote := 1, byte(0)
	for {
		if !s.need(1) {
			return s.cause()
		}
		c := s.buf[s.pos]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '<':
			if s.need(4) && string(s.buf[s.pos:s.pos+4]) == "<!--" {
				if err := s.skipTo("-->", 4); err != nil {
					return err
				}
				continue
			}
			depth++
		case c == '>':
			depth--
		}
		s.pos++
		if depth == 0 {
			return nil
		}
	}
}

func (s *Scanner) endTag() (Event, error) {
	at := bytes.IndexByte(s.buf[s.pos:s.end], '>')
	for at < 0 {
		if !s.fill() {
			return 0, s.cause()
		}
		at = bytes.IndexByte(s.buf[s.pos:s.end], '>')
	}
	name := bytes.TrimRight(s.buf[s.pos+2:s.pos+at], " \t\r\n")
	s.pos += at + 1
	if len(s.marks) == 0 || !bytes.Equal(name, s.top()) {
		return 0, damaged("</%s> ends nothing that is open", clip(name))
	}
	prefix, local := split(name)
	s.Space = s.spaces.resolve(prefix)
	s.Name = local
	s.spaces.leave(len(s.marks))
	s.pop()
	return End, nil
}

func (s *Scanner) top() []byte { return s.open[s.marks[len(s.marks)-1]:] }

func (s *Scanner) pop() {
	last := len(s.marks) - 1
	s.open = s.open[:s.marks[last]]
	s.marks = s.marks[:last]
}

func clip(b []byte) []byte {
	if len(b) > 40 {
		return append(bytes.ToValidUTF8(b[:40], nil), "..."...)
	}
	return b
}

// Skip passes over the element that just began, to its end.
func (s *Scanner) Skip() error {
	depth := s.Depth() - 1
	for {
		ev, err := s.Next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return damaged("the XML ends too early")
			}
			return err
		}
		if ev == End && s.Depth() <= depth {
			return nil
		}
	}
}

// Drain reads what is left, so that the archive's checksum is compared.
func (s *Scanner) Drain() error {
	s.pos, s.end = 0, 0
	for !s.eof {
		s.pos, s.end = 0, 0
		s.fill()
	}
	return s.err
}

// String is for messages.
func (e Event) String() string {
	switch e {
	case Start:
		return "start"
	case End:
		return "end"
	case Text:
		return "text"
	}
	return fmt.Sprint(uint8(e))
}
