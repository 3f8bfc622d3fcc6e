package change

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"fettler/shared/outcome"
)

func TestDecodeScript(t *testing.T) {
	got, err := DecodeScript([]byte(` {"files":[{"path":"a","expect":"h","edits":[
		{"replace":"x","with":"","from":1,"to":2,"all":true},
		{"replaceFile":"t:r","withFile":"w"},
		{"insertAfter":0,"text":"q"}, {"insertAfter":3,"textFile":"t"},
		{"deleteFrom":4,"deleteTo":5}]}]} `))
	want := []File{{Path: "a", Expect: "h", Edits: []Edit{
		{Op: Replace, Old: "x", All: true, From: 1, To: 2}, {Op: Replace, OldFile: "t:r", NewFile: "w"},
		{Op: Insert, New: "q"}, {Op: Insert, After: 3, NewFile: "t"}, {Op: Delete, From: 4, To: 5}}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v %v", got, err)
	}
}

// K31: what arrives in another shape is refused with the shape that is expected.
func TestScriptRefusals(t *testing.T) {
	for raw, want := range map[string]string{
		``:                                      "must be a JSON object",
		`[]`:                                    "it arrived as an array",
		`{}`:                                    "holds no edits",
		`{"edits":[]}`:                          "edits is empty",
		`{"edits":"[{\"replace\":\"a\"}]"}`:     `edits must be an array, such as [{"replace":"old","with":"new"}]; it arrived as text`,
		`{"edits":["{\"replace\":\"a\"}"]}`:     "edit 1 must be a JSON object; it arrived as text",
		`{"edits":[{"oldStr":"a"}]}`:            `edit 1 has no field called "oldStr"`,
		`{"edits":[{"Replace":"a","with":""}]}`: `no field called "Replace"`,
		`{"Edits":[]}`:                          `no field called "Edits"`,
		`{"edits":[{"replace":"a","with":"b","all":"true"}]}`:                `"all" must be true or false, without quotes; it arrived as text`,
		`{"edits":[{"insertAfter":"3","text":"b"}]}`:                         `"insertAfter" must be a line number, such as 12, without quotes; it arrived as text`,
		`{"edits":[{"insertAfter":1.5,"text":"b"}]}`:                         "must be a line number",
		`{"edits":[{"insertAfter":-1,"text":"b"}]}`:                          "must be a line number",
		`{"edits":[{"insertAfter":1}]}`:                                      `needs "text"`,
		`{"edits":[{"insertAfter":1,"text":"a","textFile":"b"}]}`:            `both "text" and "textFile"`,
		`{"edits":[{"replace":"a"}]}`:                                        `needs "with"`,
		`{"edits":[{"replace":null,"with":""}]}`:                             `"replace" must be a string; it arrived as null`,
		`{"edits":[{"replace":"a","with":"b","from":1}]}`:                    `both "from" and "to"`,
		`{"edits":[{"replace":"a","with":"b","from":0,"to":0}]}`:             "counts lines from 1",
		`{"edits":[{"deleteFrom":1}]}`:                                       `both "deleteFrom" and "deleteTo"`,
		`{"edits":[{"replace":"a","with":"b","deleteFrom":1,"deleteTo":1}]}`: "mixes two kinds of edit",
		`{"edits":[{"text":"a"}]}`:                                           "says nothing to do",
		`{"edits":[{"replace":"a","with":"b","replace":"c"}]}`:               `"replace" twice`,
		`{"edits":[{"replace":"a","with":"\ud800"}]}`:                        "half of a surrogate pair",
		`{"edits":[{"replace":"a","with":"b"}]} x`:                           "goes on after",
		`{"files":[{"edits":[]}]}`:                                           `file 1 has no "path"`,
		`{"files":[{"path":"a"}]}`:                                           `has no "edits"`,
		`{"files":[{"path":"a","edits":[]}],"edits":[]}`:                     "holds both",
		"{\"edits\":\n[{]}":                                                  "not valid JSON near line 2",
		"{\"edits\":[{\"replace\":\"\xff\",\"with\":\"\"}]}":                 "not valid UTF-8",
	} {
		_, err := DecodeScript([]byte(raw))
		if kind(err) != outcome.Invalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", raw, err, want)
		}
	}
}

func FuzzDecodeScript(f *testing.F) {
	f.Add([]byte(`{"edits":[{"replace":"a","with":"b"}]}`))
	f.Add([]byte(`{"files":[{"path":"a","expect":"h","edits":[{"deleteFrom":1,"deleteTo":2}]}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		files, err := DecodeScript(raw)
		if err == nil && len(files) == 0 {
			t.Error("a script of nothing")
		}
		if err != nil && outcome.Of(err).Kind != outcome.Invalid {
			t.Errorf("outcome of %v", err)
		}
	})
}

// FuzzElements: what is cut apart by hand is what encoding/json makes of it.
func FuzzElements(f *testing.F) {
	for _, s := range []string{`{}`, `[]`, ` { "a" : 1 , "b":"x\"}", "\u0061": [1,{"c":null}] } `, `[1, true,"]",[],{} ,-1.5e3]`, `"x"`, `{"a":1,"a":2}`, `{"a`, "{\"\":\"\\\\\"}"} {
		f.Add([]byte(s))
	}
	known := []string{"a", "b", "", "c"}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var items []json.RawMessage
		want := len(raw) > 0 && raw[0] == '[' && json.Unmarshal(raw, &items) == nil
		if got, ok := decodeItems(raw); ok != want || len(got) != len(items) {
			t.Fatalf("%q: %q %v, want %q %v", raw, got, ok, items, want)
		} else {
			for i := range got {
				if !bytes.Equal(got[i], items[i]) {
					t.Fatalf("%q: part %d is %q, want %q", raw, i, got[i], items[i])
				}
			}
		}
		if !utf8.Valid(raw) {
			return
		}
		got, err := DecodeObject(raw, "it", known...)
		exact, wantErr := decodeObject(raw, "it", known)
		if !reflect.DeepEqual(got, exact) || (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
			t.Fatalf("%q: %q %v, want %q %v", raw, got, err, exact, wantErr)
		}
		for name, val := range got {
			var a, b string
			if val[0] != '"' {
				continue
			}
			if err := got.text(name, "it", &a); err == nil && (json.Unmarshal(val, &b) != nil || a != b) {
				t.Fatalf("%q is %q, want %q", val, a, b)
			}
		}
	})
}
