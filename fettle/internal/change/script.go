package change

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"fettler/fettle/internal/text"
	"fettler/shared/outcome"
)

// File is one file of a script.
type File struct {
	Path   string // "" in a script that is given with a path
	Expect string
	Edits  []Edit
}

// Most a script may hold.
const (
	mostEdits = 100_000
	mostFiles = 10_000
)

const editShapes = `{"replace","with","from","to","all"}, {"insertAfter","text"} or {"deleteFrom","deleteTo"}; ` +
	`replaceFile, withFile and textFile name a tree path instead`

// DecodeScript reads an edit script: {"edits":[…]} for one file, or
// {"files":[{"path","expect","edits"}…]}. A field it does not know is refused,
// and so is one in another case, since a script that means two things to two
// readers changes files in a way nobody asked for.
func DecodeScript(raw []byte) ([]File, error) {
	o, err := DecodeObject(raw, "the script", "edits", "files")
	if err != nil {
		return nil, err
	}
	edits, hasEdits := o["edits"]
	files, hasFiles := o["files"]
	switch {
	case hasEdits && hasFiles:
		return nil, outcome.New(outcome.Invalid, `the script holds both "edits" and "files". One file's edits go in "edits", several files in "files"`)
	case hasEdits:
		list, err := decodeEdits(edits, "")
		return []File{{Edits: list}}, err
	case !hasFiles:
		return nil, outcome.New(outcome.Invalid, `the script holds no edits. Write {"edits":[…]} with a path, or {"files":[{"path","edits"}…]}`)
	}
	items, err := decodeArray(files, "files", `[{"path":"a.txt","edits":[…]}]`, mostFiles)
	if err != nil {
		return nil, err
	}
	var out []File
	for i, item := range items {
		what := fmt.Sprintf("file %d", i+1)
		o, err := DecodeObject(item, what, "path", "expect", "edits")
		if err != nil {
			return nil, err
		}
		var f File
		if err := first(o.text("path", what, &f.Path), o.text("expect", what, &f.Expect)); err != nil {
			return nil, err
		}
		if f.Path == "" {
			return nil, outcome.New(outcome.Invalid, `%s has no "path"`, what)
		}
		if o["edits"] == nil {
			return nil, outcome.New(outcome.Invalid, `%s (%s) has no "edits"`, what, f.Path)
		}
		if f.Edits, err = decodeEdits(o["edits"], f.Path+": "); err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

func decodeEdits(raw json.RawMessage, where string) ([]Edit, error) {
	items, err := decodeArray(raw, where+"edits", `[{"replace":"old","with":"new"}]`, mostEdits)
	if err != nil {
		return nil, err
	}
	out := make([]Edit, len(items))
	for i, item := range items {
		if out[i], err = decodeEdit(item, fmt.Sprintf("%sedit %d", where, i+1)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func decodeEdit(raw json.RawMessage, what string) (Edit, error) {
	var e Edit
	o, err := DecodeObject(raw, what, "replace", "replaceFile", "with", "withFile", "from", "to", "all",
		"insertAfter", "text", "textFile", "deleteFrom", "deleteTo")
	if err != nil {
		return e, err
	}
	shape := func(op Op, fields ...string) error {
		e.Op = op
		for name := range o {
			known := false
			for _, f := range fields {
				known = known || f == name
			}
			if !known {
				return outcome.New(outcome.Invalid, `%s mixes two kinds of edit: "%s" does not go with "%s". An edit is one of %s`, what, name, fields[0], editShapes)
			}
		}
		return nil
	}
	switch {
	case o.has("insertAfter"):
		err = first(shape(Insert, "insertAfter", "text", "textFile"), o.number("insertAfter", what, &e.After),
			o.text("text", what, &e.New), o.text("textFile", what, &e.NewFile), o.either(what, "text", "textFile"))
	case o.has("deleteFrom") || o.has("deleteTo"):
		err = first(shape(Delete, "deleteFrom", "deleteTo"), o.number("deleteFrom", what, &e.From), o.number("deleteTo", what, &e.To))
		if err == nil && !(o.has("deleteFrom") && o.has("deleteTo")) {
			err = outcome.New(outcome.Invalid, `%s needs both "deleteFrom" and "deleteTo"; they are the same for one line`, what)
		}
	case o.has("replace") || o.has("replaceFile"):
		err = first(shape(Replace, "replace", "replaceFile", "with", "withFile", "from", "to", "all"),
			o.text("replace", what, &e.Old), o.text("replaceFile", what, &e.OldFile), o.either(what, "replace", "replaceFile"),
			o.text("with", what, &e.New), o.text("withFile", what, &e.NewFile), o.either(what, "with", "withFile"),
			o.number("from", what, &e.From), o.number("to", what, &e.To), o.flag("all", what, &e.All))
		if err == nil && o.has("from") != o.has("to") {
			err = outcome.New(outcome.Invalid, `%s needs both "from" and "to" to look in some lines only`, what)
		}
		if err == nil && o.has("from") && e.From < 1 {
			err = outcome.New(outcome.Invalid, `%s: "from" counts lines from 1`, what)
		}
	default:
		err = outcome.New(outcome.Invalid, `%s says nothing to do. An edit is one of %s`, what, editShapes)
	}
	return e, err
}

// Object is a decoded JSON object whose fields are known.
type Object map[string]json.RawMessage

// DecodeObject reads one JSON object, exactly: a field not in known, a field in
// another case, a field given twice and anything after the object are refused.
func DecodeObject(raw []byte, what string, known ...string) (Object, error) {
	if !utf8.Valid(raw) {
		return nil, outcome.New(outcome.Invalid, "%s is not valid UTF-8", what)
	}
	if json.Valid(raw) {
		if list, ok := elements(raw); ok && raw[space(raw, 0)] == '{' {
			o := make(Object, len(list))
			for _, e := range list {
				name, plain := plainString(e.name)
				if !plain && json.Unmarshal(e.name, &name) != nil {
					return nil, badJSON(what, raw, io.ErrUnexpectedEOF)
				}
				if err := o.enter(name, e.raw, what, known); err != nil {
					return nil, err
				}
			}
			return o, nil
		}
	}
	return decodeObject(raw, what, known)
}

// enter adds a field that must be known and new.
func (o Object) enter(name string, val json.RawMessage, what string, known []string) error {
	if !slices.Contains(known, name) {
		sorted := slices.Sorted(slices.Values(known))
		return outcome.New(outcome.Invalid, `%s has no field called "%s". Its fields are: %s`, what, name, strings.Join(sorted, ", "))
	}
	if o.has(name) {
		return outcome.New(outcome.Invalid, `%s has the field "%s" twice`, what, name)
	}
	o[name] = val
	return nil
}

// decodeObject is DecodeObject by the standard library, token by token.
func decodeObject(raw []byte, what string, known []string) (Object, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	open, err := d.Token()
	if err != nil || open != json.Delim('{') {
		return nil, outcome.New(outcome.Invalid, "%s must be a JSON object%s", what, arrivedAs(raw))
	}
	o := Object{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, badJSON(what, raw, err)
		}
		name, _ := t.(string)
		var val json.RawMessage
		if err := d.Decode(&val); err != nil {
			return nil, badJSON(what, raw, err)
		}
		if err := o.enter(name, val, what, known); err != nil {
			return nil, err
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, badJSON(what, raw, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, outcome.New(outcome.Invalid, "%s goes on after its closing brace", what)
	}
	return o, nil
}

func badJSON(what string, raw []byte, err error) error {
	at := len(raw)
	var whole json.RawMessage
	var syntax *json.SyntaxError
	if e := json.Unmarshal(raw, &whole); errors.As(e, &syntax) {
		err, at = e, int(min(syntax.Offset, int64(len(raw))))
	}
	return outcome.New(outcome.Invalid, "%s is not valid JSON near line %d: %v", what, 1+bytes.Count(raw[:at], []byte("\n")), err)
}

// decodeArray gives an array's elements.
func decodeArray(raw json.RawMessage, what, shape string, most int) ([]json.RawMessage, error) {
	items, ok := decodeItems(raw)
	if !ok {
		return nil, outcome.New(outcome.Invalid, "%s must be an array, such as %s%s", what, shape, arrivedAs(raw))
	}
	switch {
	case len(items) == 0:
		return nil, outcome.New(outcome.Invalid, "%s is empty", what)
	case len(items) > most:
		return nil, outcome.New(outcome.Invalid, "%s holds %d elements, and %d is the most", what, len(items), most)
	}
	return items, nil
}

func decodeItems(raw json.RawMessage) (items []json.RawMessage, ok bool) {
	if len(raw) == 0 || raw[0] != '[' || !json.Valid(raw) {
		return nil, false
	}
	list, ok := elements(raw)
	for _, e := range list {
		items = append(items, e.raw)
	}
	return items, ok
}

// DecodeArray is decodeArray for other scripts, such as a batch's.
func DecodeArray(raw json.RawMessage, what, shape string) ([]json.RawMessage, error) {
	return decodeArray(raw, what, shape, mostFiles)
}

func (o Object) has(name string) bool { _, ok := o[name]; return ok }

// Has reports whether the field is there.
func (o Object) Has(name string) bool { return o.has(name) }

// Text reads a string field into dst, leaving it when absent.
func (o Object) Text(name, what string, dst *string) error { return o.text(name, what, dst) }

// Flag reads a true-or-false field into dst, leaving it when absent.
func (o Object) Flag(name, what string, dst *bool) error { return o.flag(name, what, dst) }

func (o Object) text(name, what string, dst *string) error {
	raw, ok := o[name]
	if !ok {
		return nil
	}
	if plain, ok := plainString(raw); ok {
		*dst = plain
		return nil
	}
	if raw[0] != '"' || json.Unmarshal(raw, dst) != nil {
		return outcome.New(outcome.Invalid, `%s: "%s" must be a string%s`, what, name, arrivedAs(raw))
	}
	if text.HalfPair(raw) {
		return outcome.New(outcome.Invalid, `%s: "%s" holds half of a surrogate pair`, what, name)
	}
	return nil
}

func (o Object) number(name, what string, dst *int) error {
	raw, ok := o[name]
	if !ok {
		return nil
	}
	var f float64
	if raw[0] == '"' || raw[0] == 'n' || json.Unmarshal(raw, &f) != nil || f != math.Trunc(f) || f < 0 || f > 1<<31-1 {
		return outcome.New(outcome.Invalid, `%s: "%s" must be a line number, such as 12, without quotes%s`, what, name, arrivedAs(raw))
	}
	*dst = int(f)
	return nil
}

func (o Object) flag(name, what string, dst *bool) error {
	raw, ok := o[name]
	if !ok {
		return nil
	}
	if raw[0] == 'n' || json.Unmarshal(raw, dst) != nil {
		return outcome.New(outcome.Invalid, `%s: "%s" must be true or false, without quotes%s`, what, name, arrivedAs(raw))
	}
	return nil
}

// either wants one of the two fields, and not both.
func (o Object) either(what, name, file string) error {
	switch {
	case o.has(name) && o.has(file):
		return outcome.New(outcome.Invalid, `%s has both "%s" and "%s"`, what, name, file)
	case !o.has(name) && !o.has(file):
		return outcome.New(outcome.Invalid, `%s needs "%s". Write "" for an empty one`, what, name)
	}
	return nil
}

func arrivedAs(raw []byte) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return ""
	}
	kind := ""
	switch raw[0] {
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		kind = "a number"
	case '"':
		kind = "text"
	case '[':
		kind = "an array"
	case '{':
		kind = "an object"
	case 't', 'f':
		kind = "true or false"
	case 'n':
		kind = "null"
	}
	if kind == "" {
		return ", which this is not"
	}
	return "; it arrived as " + kind
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
