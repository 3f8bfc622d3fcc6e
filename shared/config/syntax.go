package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"fettler/shared/jsonc"
	"fettler/shared/outcome"
)

const (
	// maxBytes bounds a configuration file.
	maxBytes = 1 << 20
	// maxDepth bounds nesting. The grammar needs seven.
	maxDepth = 32
)

// source is one file's text and where things are in it.
type source struct {
	file string
	text []byte
}

// node is a JSON value with its place.
type node struct {
	off     int
	kind    hujson.Kind
	str     string
	members []member
	elems   []*node
	value   hujson.Value
}

type member struct {
	key   string
	off   int
	value *node
}

// place writes a position as compilers do, so that editors can jump to it.
func (s *source) place(off int) string {
	line, column := s.lineColumn(off)
	return fmt.Sprintf("%s:%d:%d", s.file, line, column)
}

// lineColumn counts from one, and columns in characters.
func (s *source) lineColumn(off int) (line, column int) {
	before := s.text[:min(off, len(s.text))]
	line = 1 + bytes.Count(before, []byte{'\n'})
	return line, 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
}

// refuse makes a refusal that is a sentence of its own.
func (s *source) refuse(off int, format string, args ...any) error {
	return outcome.New(outcome.Invalid, "%s: %s", s.place(off), fmt.Sprintf(format, args...))
}

// says makes a refusal whose subject is the file: "FILE:1:2 has …".
func (s *source) says(off int, format string, args ...any) error {
	return outcome.New(outcome.Invalid, "%s %s", s.place(off), fmt.Sprintf(format, args...))
}

// because puts a place before a refusal that another function worded.
func (s *source) because(off int, subject string, err error) error {
	if subject != "" {
		subject += ": "
	}
	return outcome.New(outcome.Invalid, "%s: %s%s", s.place(off), subject, err.Error()).Because(err)
}

// parse reads JSON with comments and trailing commas, and refuses what two
// readers could read as two things.
func parse(file string, text []byte) (*source, *node, error) {
	s := &source{file: file}
	if len(text) > maxBytes {
		return nil, nil, outcome.New(outcome.Invalid, "%s holds more than %d bytes, which no configuration needs. Make it smaller", file, maxBytes)
	}
	s.text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(s.text)) == 0 {
		return nil, nil, s.refuse(0, "the file is empty. Write {} or one of the sections: tools, guardrails, screenings")
	}
	v, fault := jsonc.Parse(s.text, maxDepth)
	if fault != nil {
		return nil, nil, s.unparsed(fault)
	}
	n, err := s.node(v)
	if err != nil {
		return nil, nil, err
	}
	return s, n, nil
}

// unparsed words what keeps a text from being read.
func (s *source) unparsed(e *jsonc.Error) error {
	switch e.Fault {
	case jsonc.Encoding:
		return s.refuse(e.Offset, "a configuration is UTF-8 text, and this byte is not. Save the file as UTF-8")
	case jsonc.Depth:
		return s.refuse(e.Offset, "brackets nest more than %d deep, which no configuration needs", maxDepth)
	default:
		return s.refuse(e.Offset, "the file is not JSON: %v", e.Cause)
	}
}

func (s *source) node(v hujson.Value) (*node, error) {
	n := &node{off: v.StartOffset, kind: v.Value.Kind(), value: v}
	switch t := v.Value.(type) {
	case *hujson.Object:
		seen := make(map[string]int, len(t.Members))
		for _, m := range t.Members {
			key, err := s.text1(m.Name)
			if err != nil {
				return nil, err
			}
			if first, twice := seen[key]; twice {
				line, _ := s.lineColumn(first)
				return nil, s.refuse(m.Name.StartOffset, "the key %q is given twice; the first is on line %d. Two readers would read that as two things: keep one", key, line)
			}
			seen[key] = m.Name.StartOffset
			value, err := s.node(m.Value)
			if err != nil {
				return nil, err
			}
			n.members = append(n.members, member{key, m.Name.StartOffset, value})
		}
	case *hujson.Array:
		for _, e := range t.Elements {
			elem, err := s.node(e)
			if err != nil {
				return nil, err
			}
			n.elems = append(n.elems, elem)
		}
	case hujson.Literal:
		if n.kind == '"' {
			var err error
			if n.str, err = s.text1(v); err != nil {
				return nil, err
			}
		}
	}
	return n, nil
}

// text1 decodes a string literal. Half a surrogate pair would be decoded to a
// replacement character, and so name something else than it was written for.
func (s *source) text1(v hujson.Value) (string, error) {
	lit := []byte(v.Value.(hujson.Literal))
	if loneSurrogate(lit) {
		return "", s.refuse(v.StartOffset, "%s holds half a surrogate pair, which is no character", lit)
	}
	var out string
	if err := json.Unmarshal(lit, &out); err != nil {
		return "", s.refuse(v.StartOffset, "%s is not a JSON string: %v", lit, err)
	}
	if strings.ContainsRune(out, 0) {
		return "", s.refuse(v.StartOffset, "%s holds a NUL character, which no name, path or argument can", lit)
	}
	return out, nil
}

func loneSurrogate(lit []byte) bool {
	unit := func(i int) (rune, bool) {
		if i+6 > len(lit) || lit[i] != '\\' || lit[i+1] != 'u' {
			return 0, false
		}
		var r rune
		if _, err := fmt.Sscanf(string(lit[i+2:i+6]), "%04x", &r); err != nil {
			return 0, false
		}
		return r, true
	}
	for i := 0; i < len(lit); i++ {
		if lit[i] != '\\' {
			continue
		}
		r, ok := unit(i)
		switch {
		case !ok:
			i++ // a two-character escape
		case r >= 0xDC00 && r <= 0xDFFF:
			return true
		case r >= 0xD800 && r <= 0xDBFF:
			if low, ok := unit(i + 6); !ok || low < 0xDC00 || low > 0xDFFF {
				return true
			}
			i += 11
		default:
			i += 5
		}
	}
	return false
}

// get finds a member.
func (n *node) get(key string) *node {
	for _, m := range n.members {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// compact is the value as one line of strict JSON, as the file writes it.
func (n *node) compact() string {
	v := n.value.Clone()
	v.Minimize()
	return string(v.Pack())
}

func (n *node) kindName() string {
	switch n.kind {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return n.value.String()
}

// object requires an object whose keys are all among known, in exact case.
// Without known any key is a name.
func (s *source) object(n *node, what string, known ...string) error {
	if n.kind != '{' {
		return s.refuse(n.off, "%s is %s and must be an object: {…}", what, n.kindName())
	}
	if len(known) == 0 {
		return nil
	}
next:
	for _, m := range n.members {
		hint := ""
		for _, k := range known {
			if m.key == k {
				continue next
			}
			if strings.EqualFold(m.key, k) {
				hint = fmt.Sprintf(". Keys count in their exact case: write %q", k)
			}
		}
		return s.refuse(m.off, "%s has %q, which is no key of it. It holds: %s%s", what, m.key, strings.Join(known, ", "), hint)
	}
	return nil
}

func (s *source) string(n *node, what string) (string, error) {
	if n.kind != '"' {
		return "", s.refuse(n.off, "%s is %s and must be a string", what, n.kindName())
	}
	return n.str, nil
}

func (s *source) strings(n *node, what string) ([]string, error) {
	if n.kind != '[' {
		return nil, s.refuse(n.off, "%s is %s and must be a list of strings", what, n.kindName())
	}
	out := make([]string, 0, len(n.elems))
	for _, e := range n.elems {
		if e.kind != '"' {
			return nil, s.refuse(e.off, "%s holds %s and must be a list of strings", what, e.kindName())
		}
		out = append(out, e.str)
	}
	return out, nil
}
