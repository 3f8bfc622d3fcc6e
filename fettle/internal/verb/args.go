package verb

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"
	"strings"

	"fettler/fettle/internal/text"
	"fettler/shared/outcome"
)

// Args holds a call's arguments by parameter name, each of its parameter's
// type: string, []string, bool, int64 or json.RawMessage. An argument that was
// not given is absent.
type Args map[string]any

// Has reports whether the argument was given.
func (a Args) Has(name string) bool { _, ok := a[name]; return ok }

// String gives a String argument, "" when absent.
func (a Args) String(name string) string { s, _ := a[name].(string); return s }

// Strings gives a Strings argument.
func (a Args) Strings(name string) []string { s, _ := a[name].([]string); return s }

// Bool gives a Bool argument.
func (a Args) Bool(name string) bool { b, _ := a[name].(bool); return b }

// Int gives an Int argument, 0 when absent.
func (a Args) Int(name string) int64 { n, _ := a[name].(int64); return n }

// IntOr gives an Int argument, or fallback when it is absent.
func (a Args) IntOr(name string, fallback int64) int64 {
	if n, ok := a[name].(int64); ok {
		return n
	}
	return fallback
}

// Object gives an Object argument, nil when absent.
func (a Args) Object(name string) json.RawMessage { o, _ := a[name].(json.RawMessage); return o }

// Check refuses a call that lacks a required argument or holds one out of range.
func (v *Verb) Check(a Args, spell func(*Param) string) error {
	for i := range v.Params {
		p := &v.Params[i]
		val, ok := a[p.Name]
		if !ok {
			if p.Required {
				if terminal := spell(p) != p.ToolName(); terminal {
					return outcome.New(outcome.Invalid, "%s needs %s. Run fettle help %s", v.Name, spell(p), v.Name)
				}
				return outcome.New(outcome.Invalid, "%s needs the argument %s: %s", v.Name, spell(p), p.Help)
			}
			continue
		}
		if n, isInt := val.(int64); isInt && n < p.Min {
			return outcome.New(outcome.Invalid, "%s must be %d or more; it is %d", spell(p), p.Min, n)
		}
		if s, isString := val.(string); isString && len(p.Enum) > 0 && !contains(p.Enum, s) {
			return outcome.New(outcome.Invalid, "%s is one of: %s; it is '%s'", spell(p), strings.Join(p.Enum, ", "), s)
		}
		if l, isList := val.([]string); isList && p.Required && len(l) == 0 {
			return outcome.New(outcome.Invalid, "%s needs at least one value in %s", v.Name, spell(p))
		}
	}
	return nil
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// maxArgDepth bounds the nesting of an MCP call's arguments.
const maxArgDepth = 64

// Decode checks the arguments of an MCP call against the declaration. Every
// refusal names the argument and shows the shape that is expected: a model
// reads it and calls again.
func (v *Verb) Decode(raw json.RawMessage) (Args, error) {
	a := Args{}
	if len(bytes.TrimSpace(raw)) == 0 || bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		return a, v.Check(a, (*Param).ToolName)
	}
	fields, err := objectFields(raw)
	if err != nil {
		return nil, outcome.New(outcome.Invalid, "the arguments of %s %v", v.Name, err)
	}
	for _, f := range fields {
		p := v.toolParam(f.key)
		if p == nil {
			return nil, outcome.New(outcome.Invalid, "%s has no argument called '%s'. It takes: %s", v.Name, f.key, v.toolNames())
		}
		if a.Has(p.Name) {
			return nil, outcome.New(outcome.Invalid, "the argument %s is given twice", f.key)
		}
		if bytes.Equal(f.value, []byte("null")) {
			continue
		}
		val, err := p.decode(f.value)
		if err != nil {
			return nil, err
		}
		a[p.Name] = val
	}
	return a, v.Check(a, (*Param).ToolName)
}

func (v *Verb) toolParam(name string) *Param {
	for i := range v.Params {
		if p := &v.Params[i]; !p.CLI && p.ToolName() == name {
			return p
		}
	}
	return nil
}

func (v *Verb) toolNames() string {
	var names []string
	for i := range v.Params {
		if p := &v.Params[i]; !p.CLI {
			names = append(names, p.ToolName())
		}
	}
	if len(names) == 0 {
		return "nothing"
	}
	sort.Strings(names)
	return strings.Join(names, ", ")
}

func (p *Param) decode(raw json.RawMessage) (any, error) {
	wrong := func(shape string) error {
		return outcome.New(outcome.Invalid, "%s must be %s; it arrived as %s", p.ToolName(), shape, arrived(raw))
	}
	if p.Type != Object && text.HalfPair(raw) { // what is in an object is the operation's to check
		return nil, outcome.New(outcome.Invalid, `%s holds half of a surrogate pair, which is no character`, p.ToolName())
	}
	switch p.Type {
	case String:
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return nil, wrong(`a string, such as "text"`)
		}
		return s, nil
	case Strings:
		var l []*string
		if raw[0] != '[' {
			return nil, wrong(`an array of strings, such as ["a","b"]`)
		}
		if json.Unmarshal(raw, &l) != nil {
			return nil, outcome.New(outcome.Invalid, `%s must be an array of strings, such as ["a","b"]; it holds something that is no string`, p.ToolName())
		}
		out := make([]string, len(l))
		for i, s := range l {
			if s == nil {
				return nil, wrong(`an array of strings, such as ["a","b"]`)
			}
			out[i] = *s
		}
		return out, nil
	case Bool:
		var b bool
		if json.Unmarshal(raw, &b) != nil {
			return nil, wrong("true or false, without quotes")
		}
		return b, nil
	case Int:
		var f float64
		if raw[0] == '"' || json.Unmarshal(raw, &f) != nil || f != math.Trunc(f) {
			return nil, wrong("a whole number without quotes, such as 10")
		}
		if math.Abs(f) > 1<<53 {
			return nil, outcome.New(outcome.Invalid, "%s is a larger number than there is a use for", p.ToolName())
		}
		return int64(f), nil
	case Object:
		if raw[0] != '{' {
			return nil, wrong("a JSON object, not text: " + p.Value)
		}
		return p.DecodeObject(raw)
	}
	return nil, fmt.Errorf("parameter %s has no type", p.Name)
}

// DecodeObject checks that raw is one JSON object of bounded depth in which
// no key stands twice at the top. What is in it is the operation's to check.
func (p *Param) DecodeObject(raw []byte) (json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	if _, err := objectFields(raw); err != nil {
		return nil, outcome.New(outcome.Invalid, "%s %v", p.Name, err)
	}
	return bytes.Clone(raw), nil
}

// Placeholder is the parameter's word in help: PATH, or PATH… where it takes several.
func (p *Param) Placeholder() string {
	w := p.Value
	if w == "" {
		w = strings.ToUpper(p.Name)
	}
	if p.Type == Strings {
		w += "…"
	}
	return w
}

// arrived names what a value is, without repeating much of it.
func arrived(raw json.RawMessage) string {
	switch raw[0] {
	case '"':
		return "text"
	case '[':
		return "an array"
	case '{':
		return "an object"
	case 't', 'f':
		return "true or false"
	}
	return "a number"
}

type field struct {
	key   string
	value json.RawMessage
}

// objectFields gives an object's members in order, refusing a key that stands
// twice, which means two things to two readers.
func objectFields(raw json.RawMessage) ([]field, error) {
	if err := depth(raw, maxArgDepth); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	t, err := d.Token()
	if err != nil || t != json.Delim('{') {
		return nil, errors.New("must be a JSON object")
	}
	var fields []field
	seen := map[string]bool{}
	for d.More() {
		k, err := d.Token()
		if err != nil {
			return nil, errors.New("are not valid JSON")
		}
		key, ok := k.(string)
		if !ok {
			return nil, errors.New("are not valid JSON")
		}
		if seen[key] {
			return nil, fmt.Errorf("'%s' is given twice", key)
		}
		seen[key] = true
		var val json.RawMessage
		if err := d.Decode(&val); err != nil {
			return nil, errors.New("are not valid JSON")
		}
		fields = append(fields, field{key, val})
	}
	if _, err := d.Token(); err != nil {
		return nil, errors.New("are not valid JSON")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("hold more than one JSON value")
	}
	return fields, nil
}

// depth refuses nesting beyond limit without building anything.
func depth(raw []byte, limit int) error {
	n, inString, escaped := 0, false, false
	for _, c := range raw {
		switch {
		case escaped:
			escaped = false
		case inString:
			if c == '\\' {
				escaped = true
			} else if c == '"' {
				inString = false
			}
		case c == '"':
			inString = true
		case c == '{' || c == '[':
			if n++; n > limit {
				return fmt.Errorf("are nested more than %d deep", limit)
			}
		case c == '}' || c == ']':
			n--
		}
	}
	return nil
}
