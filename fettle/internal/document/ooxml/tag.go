package ooxml

import (
	"bytes"

	"fettler/fettle/internal/document"
)

// startTag takes an element's start with its attributes. It reads on until
// the whole tag is in the window, because attributes are slices of it.
func (s *Scanner) startTag() (Event, error) {
	size, err := s.tagSize()
	if err != nil {
		return 0, err
	}
	tag := s.buf[s.pos+1 : s.pos+size-1]
	s.pos += size
	empty := len(tag) > 0 && tag[len(tag)-1] == '/'
	if empty {
		tag = tag[:len(tag)-1]
	}
	n := 0
	for n < len(tag) && !blank(tag[n]) {
		n++
	}
	name := tag[:n]
	if !validName(name) {
		return 0, damaged("<%s> is no element", clip(name))
	}
	if len(s.marks) == 0 && s.seen {
		return 0, damaged("there is a second root element")
	}
	if len(s.marks) >= MaxDepth {
		return 0, document.Errorf(document.TooLarge, "its XML nests deeper than %d elements", MaxDepth)
	}
	s.seen = true
	s.marks = append(s.marks, len(s.open))
	s.open = append(s.open, name...)
	if err := s.attributes(tag[n:]); err != nil {
		return 0, err
	}
	prefix, local := split(name)
	s.Space = s.spaces.resolve(prefix)
	s.Name = local
	s.pending = empty
	return Start, nil
}

// tagSize is the length of the tag at pos, its brackets included.
func (s *Scanner) tagSize() (int, error) {
	// An attribute without '>' in it is the rule, so look for '>' first and
	// mind quotes only when they do not balance before it.
	i, quote := 1, byte(0)
	for {
		b := s.buf[s.pos:s.end]
		for i < len(b) {
			if quote != 0 {
				at := bytes.IndexByte(b[i:], quote)
				if at < 0 {
					i = len(b)
					break
				}
				i += at + 1
				quote = 0
				continue
			}
			switch b[i] {
			case '>':
				return i + 1, nil
			case '"', '\'':
				quote = b[i]
			case '<':
				return 0, damaged("a tag begins inside a tag")
			}
			i++
		}
		if !s.fill() {
			return 0, s.cause()
		}
	}
}

func (s *Scanner) attributes(b []byte) error {
	s.attrs = s.attrs[:0]
	s.scratch = s.scratch[:0]
	for {
		i := 0
		for i < len(b) && blank(b[i]) {
			i++
		}
		if i == len(b) {
			return nil
		}
		if i == 0 {
			return damaged("an attribute follows another without a blank")
		}
		b = b[i:]
		eq := bytes.IndexByte(b, '=')
		if eq < 0 {
			return damaged("an attribute has no value")
		}
		name := bytes.TrimRight(b[:eq], " \t\r\n")
		if !validName(name) {
			return damaged("%q is no attribute", clip(name))
		}
		b = bytes.TrimLeft(b[eq+1:], " \t\r\n")
		if len(b) == 0 || b[0] != '"' && b[0] != '\'' {
			return damaged("an attribute has no quoted value")
		}
		end := bytes.IndexByte(b[1:], b[0])
		if end < 0 {
			return damaged("an attribute's value does not end")
		}
		value := b[1 : 1+end]
		b = b[end+2:]
		if bytes.IndexByte(value, '&') >= 0 || bytes.IndexByte(value, '\r') >= 0 {
			value = expand(value, &s.scratch)
		}
		prefix, local := split(name)
		if len(s.attrs) >= maxAttrs {
			return document.Errorf(document.TooLarge, "an element has more than %d attributes", maxAttrs)
		}
		s.attrs = append(s.attrs, attr{prefix, local, value})
		if len(prefix) == 0 && string(local) == "xmlns" {
			s.spaces.declare(nil, value, len(s.marks))
		} else if string(prefix) == "xmlns" {
			s.spaces.declare(local, value, len(s.marks))
		}
	}
}

// Attr is the value of an attribute of the element's own vocabulary: one
// without prefix, or with a prefix of the element's own namespace.
func (s *Scanner) Attr(local string) ([]byte, bool) {
	for i := range s.attrs {
		a := &s.attrs[i]
		if string(a.local) == local && (len(a.prefix) == 0 || s.spaces.resolve(a.prefix) == s.Space) {
			return a.value, true
		}
	}
	return nil, false
}

// AttrIn is the value of an attribute of another namespace, such as r:id.
func (s *Scanner) AttrIn(space Space, local string) ([]byte, bool) {
	for i := range s.attrs {
		a := &s.attrs[i]
		if len(a.prefix) > 0 && string(a.local) == local && s.spaces.resolve(a.prefix) == space {
			return a.value, true
		}
	}
	return nil, false
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func split(name []byte) (prefix, local []byte) {
	if at := bytes.IndexByte(name, ':'); at > 0 && at < len(name)-1 {
		return name[:at], name[at+1:]
	}
	return nil, name
}

// validName is loose about letters and strict about what would end a name.
func validName(name []byte) bool {
	if len(name) == 0 {
		return false
	}
	switch c := name[0]; {
	case c >= '0' && c <= '9', c == '-', c == '.':
		return false
	}
	for _, c := range name {
		if c <= ' ' || c == '<' || c == '>' || c == '&' || c == '"' || c == '\'' || c == '=' || c == '/' || c == 0x7f {
			return false
		}
	}
	return true
}
