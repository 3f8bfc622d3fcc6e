package change

import (
	"bytes"
	"encoding/json"
)

// A script of many edits is many small objects, and a decoder for each would
// cost more than the edits. What is known to be valid JSON is cut apart here
// instead; whatever is not goes to encoding/json, which says what is wrong.

// element is one part of a valid JSON array, or one field of a valid object.
type element struct {
	name []byte // of a field, as it is written, with its quotes
	raw  json.RawMessage
}

// elements cuts a valid JSON object or array into its parts. ok is false for
// anything else.
func elements(raw []byte) (list []element, ok bool) {
	raw = bytes.Trim(raw, " \t\r\n")
	if len(raw) == 0 || raw[0] != '{' && raw[0] != '[' {
		return nil, false
	}
	object := raw[0] == '{'
	for i := 1; ; i++ { // behind the opening bracket, then behind each comma
		i = space(raw, i)
		if c := raw[i]; c == '}' || c == ']' {
			return list, true
		}
		var e element
		if object {
			end := valueEnd(raw, i)
			e.name = raw[i:end]
			i = space(raw, space(raw, end)+1) // over the colon
		}
		end := valueEnd(raw, i)
		e.raw = raw[i:end:end]
		list = append(list, e)
		if i = space(raw, end); raw[i] != ',' {
			return list, true
		}
	}
}

func space(raw []byte, i int) int {
	for raw[i] == ' ' || raw[i] == '\t' || raw[i] == '\r' || raw[i] == '\n' {
		i++
	}
	return i
}

// valueEnd gives the end of the value that begins at i.
func valueEnd(raw []byte, i int) int {
	depth := 0
	for ; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			for i++; raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		default: // a number or a word goes on to what ends it
			if depth == 0 {
				for i++; i < len(raw) && bytes.IndexByte([]byte(" \t\r\n,:]}"), raw[i]) < 0; i++ {
				}
				return i
			}
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
	return i
}

// plainString gives a JSON string that holds no escape.
func plainString(raw []byte) (string, bool) {
	if len(raw) < 2 || raw[0] != '"' || bytes.IndexByte(raw, '\\') >= 0 {
		return "", false
	}
	return string(raw[1 : len(raw)-1]), true
}
