package jsonedit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// NotAnObject says that what should hold the entry is something else.
type NotAnObject struct {
	Path []string
	Line int
	Want string
}

func (e *NotAnObject) Error() string {
	if len(e.Path) == 0 {
		return fmt.Sprintf("line %d: the file holds something that is not %s", e.Line, e.Want)
	}
	return fmt.Sprintf("line %d: %s is not %s", e.Line, strings.Join(e.Path, "."), e.Want)
}

// Add puts a member at the end of the object at path, making the objects of the
// path that are not there. The caller has looked that the name is not taken.
func (d *Doc) Add(path []string, name string, value any) ([]Splice, error) {
	n := d.Root()
	for i, p := range path {
		if !n.There() {
			break
		}
		if !n.IsObject() {
			return nil, &NotAnObject{path[:i], n.Line(), "an object"}
		}
		next := n.Get(p)
		if !next.There() {
			for _, q := range reversed(path[i+1:]) {
				name, value = q, Object{{name, value}}
			}
			return d.insert(n, p, Object{{name, value}}), nil
		}
		n = next
	}
	if !n.There() {
		for _, q := range reversed(path) {
			name, value = q, Object{{name, value}}
		}
		return d.fresh(Object{{name, value}}), nil
	}
	if !n.IsObject() {
		return nil, &NotAnObject{path, n.Line(), "an object"}
	}
	return d.insert(n, name, value), nil
}

// Append puts elements at the end of the array at path, making what is not there.
func (d *Doc) Append(path []string, items []any) ([]Splice, error) {
	last := len(path) - 1
	holder := d.Root().At(path[:last]...)
	arr := holder.Get(path[last])
	if !arr.There() {
		return d.Add(path[:last], path[last], items)
	}
	if !arr.IsArray() {
		return nil, &NotAnObject{path, arr.Line(), "a list"}
	}
	return d.insertAt(arr, func(s style, indent string) []string {
		var out []string
		for _, item := range items {
			out = append(out, s.value(item, indent))
		}
		return out
	}), nil
}

// Replace puts a value in the place of the one that is there.
func (d *Doc) Replace(n Node, value any) []Splice {
	s := d.style()
	s.compact = s.compact || bytes.IndexByte(d.raw[n.Offset():n.end()], '\n') < 0 && short(value)
	return []Splice{{n.Offset(), n.end(), s.value(value, d.lineIndent(n.Offset()))}}
}

// fresh writes a whole document, in place of nothing but blank space.
func (d *Doc) fresh(value any) []Splice {
	s := style{unit: "  ", eol: "\n"}
	if bytes.Contains(d.raw, []byte("\r\n")) {
		s.eol = "\r\n"
	}
	return []Splice{{d.base, len(d.raw), s.value(value, "") + s.eol}}
}

func (d *Doc) insert(n Node, name string, value any) []Splice {
	return d.insertAt(n, func(s style, indent string) []string {
		return []string{quote(name) + s.colon() + s.value(value, indent)}
	})
}

// insertAt adds rendered values before the bracket that closes n.
func (d *Doc) insertAt(n Node, render func(s style, indent string) []string) []Splice {
	s := d.style()
	open, shut := n.Offset(), n.end()-1
	inside := d.raw[open+1 : shut]
	// The place is after the last comment, so that a comment that belongs to the
	// member before it stays with that member.
	at := open + 1 + len(bytes.TrimRight(inside, " \t\r\n"))

	// The parser keeps something after the last value, if only an empty slice, when a
	// comma follows it, and nil when none does.
	var lastEnd, first int
	trailing := false
	switch v := n.v.Value.(type) {
	case *hujson.Object:
		if k := len(v.Members); k > 0 {
			last := v.Members[k-1].Value
			first, lastEnd, trailing = v.Members[0].Name.StartOffset+d.base, last.EndOffset+d.base, last.AfterExtra != nil
		}
	case *hujson.Array:
		if k := len(v.Elements); k > 0 {
			last := v.Elements[k-1]
			first, lastEnd, trailing = v.Elements[0].StartOffset+d.base, last.EndOffset+d.base, last.AfterExtra != nil
		}
	}

	base := d.lineIndent(open)
	indent := base + s.unit
	switch {
	case bytes.IndexByte(inside, '\n') < 0 && lastEnd > 0: // members in one line stay in one line
		s.compact = true
	case lastEnd > 0:
		if in, alone := d.ownLine(first); alone {
			indent = in
		}
	}
	parts := render(s, indent)

	var out []Splice
	gap := s.eol + indent
	if s.compact {
		gap = strings.TrimPrefix(s.comma(), ",")
	}
	text := strings.Join(parts, ","+gap)
	switch {
	case lastEnd == 0 && s.compact:
	case lastEnd == 0:
		text = gap + text
		if bytes.IndexByte(d.raw[at:shut], '\n') < 0 {
			text += s.eol + base
		}
	case trailing:
		text = gap + text + ","
	case at == lastEnd:
		text = "," + gap + text
	default:
		text = gap + text
		out = append(out, Splice{lastEnd, lastEnd, ","})
	}
	return append(out, Splice{at, at, text})
}

// style is how the file is written.
type style struct {
	unit, eol string
	compact   bool
	tight     bool // no space after a colon
}

func (d *Doc) style() style {
	s := style{unit: "  ", eol: "\n"}
	body := d.raw[d.base:]
	if i := bytes.IndexByte(body, '\n'); i > 0 && body[i-1] == '\r' {
		s.eol = "\r\n"
	}
	if bytes.IndexByte(bytes.TrimSpace(body), '\n') < 0 {
		s.compact, s.tight = true, !bytes.Contains(body, []byte(`": `))
		return s
	}
	// The first member that stands on a line of its own shows one step.
	if root, ok := d.root.Value.(*hujson.Object); ok && len(root.Members) > 0 {
		if in, alone := d.ownLine(root.Members[0].Name.StartOffset + d.base); alone && in != "" {
			s.unit = in
		}
	}
	return s
}

// ownLine gives the blanks before off, and whether there is nothing else on its line.
func (d *Doc) ownLine(off int) (string, bool) {
	line := d.raw[bytes.LastIndexByte(d.raw[:off], '\n')+1 : off]
	if bytes.Contains(d.raw[:off], []byte{'\n'}) && len(bytes.Trim(line, " \t")) == 0 {
		return string(line), true
	}
	return "", false
}

// lineIndent gives the blanks at the start of the line that off is on.
func (d *Doc) lineIndent(off int) string {
	line := d.raw[bytes.LastIndexByte(d.raw[:off], '\n')+1 : off]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

func (s style) colon() string {
	if s.tight {
		return ":"
	}
	return ": "
}

func (s style) comma() string {
	if s.tight {
		return ","
	}
	return ", "
}

// value renders v; indent is that of the line it starts on.
func (s style) value(v any, indent string) string {
	var parts []string
	left, right := "{", "}"
	switch v := v.(type) {
	case Object:
		for _, m := range v {
			parts = append(parts, quote(m.Name)+s.colon()+s.value(m.Value, indent+s.unit))
		}
	case []string:
		for _, e := range v {
			parts = append(parts, quote(e))
		}
		left, right = "[", "]"
	case []any:
		for _, e := range v {
			parts = append(parts, s.value(e, indent+s.unit))
		}
		left, right = "[", "]"
	case string:
		return quote(v)
	default:
		raw, err := json.Marshal(v)
		if err != nil {
			panic(fmt.Sprintf("jsonedit: %T cannot be written", v)) // a programming fault
		}
		return string(raw)
	}
	if len(parts) == 0 {
		return left + right
	}
	if s.compact || left == "[" && short(v) {
		return left + strings.Join(parts, s.comma()) + right
	}
	in := s.eol + indent + s.unit
	return left + in + strings.Join(parts, ","+in) + s.eol + indent + right
}

// short holds for lists of strings that fit a line.
func short(v any) bool {
	n := 0
	switch v := v.(type) {
	case []string:
		for _, e := range v {
			n += len(e) + 4
		}
	case []any:
		for _, e := range v {
			s, ok := e.(string)
			if !ok {
				return false
			}
			n += len(s) + 4
		}
	case string:
		return true
	default:
		return false
	}
	return n <= 72
}

// quote writes a string without the escapes that only a web page needs.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.Encode(s) // a string cannot fail
	return strings.TrimSuffix(b.String(), "\n")
}

func reversed(s []string) []string {
	out := make([]string, len(s))
	for i, e := range s {
		out[len(s)-1-i] = e
	}
	return out
}
