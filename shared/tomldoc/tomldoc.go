// Package tomldoc reads a client's TOML file within bounds. The library takes time
// that grows with the square of the keys of one table, and dotted keys nest as deep
// as a file is long, deeper than what later compares or encodes the values may
// recurse.
//
// Call Parse, whose error is a *jsonedit.SyntaxError that quotes nothing of the file.
//
// What it does not do: it writes nothing, and keeps neither order nor comments.
package tomldoc

import (
	"bytes"
	"errors"

	"github.com/pelletier/go-toml/v2"

	"fettler/shared/jsonc"
	"fettler/shared/jsonedit"
)

// maxBytes is some 8,000 entries; so many keys in one table take seconds.
const maxBytes = 512 << 10

// Parse reads a file, with or without a byte-order mark.
func Parse(raw []byte) (map[string]any, error) {
	if len(raw) > maxBytes {
		return nil, &jsonedit.SyntaxError{Line: 1, Column: 1, What: "the file is larger than any client's"}
	}
	doc := map[string]any{}
	err := toml.Unmarshal(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")), &doc)
	var de *toml.DecodeError
	switch {
	case errors.As(err, &de):
		line, column := de.Position()
		return nil, &jsonedit.SyntaxError{Line: line, Column: column, What: "is not TOML"}
	case err != nil:
		return nil, &jsonedit.SyntaxError{Line: 1, Column: 1, What: "is not TOML"}
	case !within(doc, jsonc.Most):
		return nil, &jsonedit.SyntaxError{Line: 1, Column: 1, What: "its tables nest deeper than any client's file needs"}
	}
	return doc, nil
}

// within reports whether a value nests at most left deep.
func within(v any, left int) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			if left == 0 || !within(e, left-1) {
				return false
			}
		}
	case []any:
		for _, e := range v {
			if left == 0 || !within(e, left-1) {
				return false
			}
		}
	}
	return true
}
