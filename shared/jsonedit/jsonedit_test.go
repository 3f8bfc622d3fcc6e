package jsonedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

var entry = Object{{"command", "fettle"}, {"args", []string{"serve"}}}

func add(t *testing.T, in string, strict bool) string {
	t.Helper()
	d, err := Parse([]byte(in), strict)
	if err != nil {
		t.Fatalf("%q: %v", in, err)
	}
	s, err := d.Add([]string{"mcpServers"}, "fettler", entry)
	if err != nil {
		t.Fatalf("%q: %v", in, err)
	}
	return string(Apply([]byte(in), s))
}

// K83
func TestAdd(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", "{\n  \"mcpServers\": {\n    \"fettler\": {\n      \"command\": \"fettle\",\n      \"args\": [\"serve\"]\n    }\n  }\n}\n"},
		{"blank", " \r\n", "{\r\n  \"mcpServers\": {\r\n    \"fettler\": {\r\n      \"command\": \"fettle\",\r\n      \"args\": [\"serve\"]\r\n    }\r\n  }\r\n}\r\n"},
		{"braces", "{}", `{"mcpServers":{"fettler":{"command":"fettle","args":["serve"]}}}`},
		{"one line", `{"mcpServers":{}}`, `{"mcpServers":{"fettler":{"command":"fettle","args":["serve"]}}}`},
		{"one line, spaced", `{"a": 1, "mcpServers": {"x": {"command": "y"}}}` + "\n",
			`{"a": 1, "mcpServers": {"x": {"command": "y"}, "fettler": {"command": "fettle", "args": ["serve"]}}}` + "\n"},
		{"four spaces", "{\n    \"zzz\": 1,\n    \"mcpServers\": {\n        \"x\": {}\n    },\n    \"aaa\": \"a && b > c \\u00e9 /\"\n}",
			"{\n    \"zzz\": 1,\n    \"mcpServers\": {\n        \"x\": {},\n        \"fettler\": {\n            \"command\": \"fettle\",\n            \"args\": [\"serve\"]\n        }\n    },\n    \"aaa\": \"a && b > c \\u00e9 /\"\n}"},
		{"tab", "{\n\t\"n\": 12345678901234567890,\n\t\"f\": 1.0\n}\n",
			"{\n\t\"n\": 12345678901234567890,\n\t\"f\": 1.0,\n\t\"mcpServers\": {\n\t\t\"fettler\": {\n\t\t\t\"command\": \"fettle\",\n\t\t\t\"args\": [\"serve\"]\n\t\t}\n\t}\n}\n"},
		{"CRLF and mark", "\ufeff{\r\n  \"mcpServers\": {}\r\n}\r\n",
			"\ufeff{\r\n  \"mcpServers\": {\r\n    \"fettler\": {\r\n      \"command\": \"fettle\",\r\n      \"args\": [\"serve\"]\r\n    }\r\n  }\r\n}\r\n"},
		{"two holders", "{\n  \"mcpServers\": {},\n  \"mcpServers\": {\"x\": {}}\n}", "{\n  \"mcpServers\": {},\n  \"mcpServers\": {\"x\": {}, \"fettler\": {\"command\": \"fettle\", \"args\": [\"serve\"]}}\n}"},
	} {
		if got := add(t, c.in, true); got != c.want {
			t.Errorf("%s:\n%s\nwanted\n%s", c.name, got, c.want)
		}
	}
}

func TestAddKeepsComments(t *testing.T) {
	in := "{\n  // servers\n  \"mcpServers\": {\n    \"x\": {}, // the last one\n    // and nothing more\n  }, /* end */\n}\n// bye"
	want := "{\n  // servers\n  \"mcpServers\": {\n    \"x\": {}, // the last one\n    // and nothing more\n    \"fettler\": {\n      \"command\": \"fettle\",\n      \"args\": [\"serve\"]\n    },\n  }, /* end */\n}\n// bye"
	if got := add(t, in, false); got != want {
		t.Errorf("%s", got)
	}
	// A comma inside a comment ends nothing, and "/*/" does not end a comment.
	for _, comment := range []string{"/*,*/", "/*/ , */", "/*/,/*/", "/***/", "// ,\n"} {
		in := `{"mcpServers":{"x":1 ` + comment + `}}`
		want := `{"mcpServers":{"x":1, ` + comment
		if got := add(t, in, false); !strings.HasPrefix(got, want) {
			t.Errorf("%q became %q", in, got)
		}
		in = `{"mcpServers":{"x":1 ` + comment + `, ` + comment + `}}`
		if got := add(t, in, false); !strings.HasPrefix(got, strings.TrimSuffix(in, "}}")) || !strings.Contains(got, "},") {
			t.Errorf("%q became %q", in, got)
		}
	}
	in = "{\n  \"mcpServers\": {\n    \"x\": {} // the last, with a // slash\n  }\n}"
	want = "{\n  \"mcpServers\": {\n    \"x\": {}, // the last, with a // slash\n    \"fettler\": {\n      \"command\": \"fettle\",\n      \"args\": [\"serve\"]\n    }\n  }\n}"
	if got := add(t, in, false); got != want {
		t.Errorf("%s", got)
	}
}

// K81
func TestStrict(t *testing.T) {
	for _, c := range []struct {
		in   string
		line int
		lax  bool
		what string
	}{
		{"{\n  \"a\": 1,\n}", 2, true, "a trailing comma"},
		{"{\n  // c\n  \"a\": 1\n}", 2, true, "a comment"},
		{"{\"a\": 1} // c", 1, true, "a comment"},
		{"{\n\"a\" 1}", 2, false, "is not JSON"},
		{"{\"a\":1,}}", 1, false, ""},
		{"\xff\xfe{\x00}\x00", 1, false, "not UTF-8"},
		{"{\n\xff}", 2, false, "not UTF-8"},
		{"{\n" + strings.Repeat("[", 20_000), 2, false, "more brackets"},
	} {
		_, err := Parse([]byte(c.in), true)
		var se *SyntaxError
		if !errors.As(err, &se) || se.Line != c.line || se.Lax != c.lax || !strings.Contains(se.What, c.what) {
			t.Errorf("%q: %v, wanted line %d, %v, %s", c.in, err, c.line, c.lax, c.what)
		}
	}
	if _, err := Parse([]byte(strings.Repeat("[", 1<<20)), false); err == nil {
		t.Error("a million brackets were parsed")
	}
}

// A syntax error speaks of places, never of the text, which may be a secret.
func TestErrorQuotesNothing(t *testing.T) {
	for _, in := range []string{`{"k": SECRETVALUE}`, `{"SECRETVALUE" "x"}`, `{"k": "SECRETVALUE`, "{SECRETVALUE}"} {
		for _, strict := range []bool{true, false} {
			if _, err := Parse([]byte(in), strict); err == nil || strings.Contains(err.Error(), "SECRET") {
				t.Errorf("%q: %v", in, err)
			}
		}
	}
}

func TestAppend(t *testing.T) {
	items := []any{"Read", "Write"}
	for _, c := range []struct{ in, want string }{
		{`{}`, `{"permissions":{"deny":["Read","Write"]}}`},
		{`{"permissions": {"deny": ["X"]}}`, `{"permissions": {"deny": ["X", "Read", "Write"]}}`},
		{"{\n  \"permissions\": {\n    \"deny\": [\n      \"X\"\n    ]\n  }\n}", "{\n  \"permissions\": {\n    \"deny\": [\n      \"X\",\n      \"Read\",\n      \"Write\"\n    ]\n  }\n}"},
		{"{\n  \"permissions\": {\n    \"deny\": [],\n    \"allow\": []\n  }\n}", "{\n  \"permissions\": {\n    \"deny\": [\n      \"Read\",\n      \"Write\"\n    ],\n    \"allow\": []\n  }\n}"},
	} {
		d, err := Parse([]byte(c.in), true)
		if err != nil {
			t.Fatal(err)
		}
		s, err := d.Append([]string{"permissions", "deny"}, items)
		if got := string(Apply([]byte(c.in), s)); err != nil || got != c.want {
			t.Errorf("%s\nwanted\n%s %v", got, c.want, err)
		}
	}
}

func TestNotAnObject(t *testing.T) {
	for _, in := range []string{`[]`, `1`, `{"mcpServers":[]}`, `{"mcpServers":null}`, "{\n\"mcpServers\":\n\"x\"}"} {
		d, err := Parse([]byte(in), true)
		if err != nil {
			t.Fatal(err)
		}
		var no *NotAnObject
		if _, err := d.Add([]string{"mcpServers"}, "fettler", entry); !errors.As(err, &no) {
			t.Errorf("%s: %v", in, err)
		}
	}
	d, _ := Parse([]byte(`{"permissions":{"deny":{}}}`), true)
	if _, err := d.Append([]string{"permissions", "deny"}, []any{"x"}); err == nil {
		t.Error("an object was appended to")
	}
}

func TestReplace(t *testing.T) {
	in := "{\n  \"command\": \"old\", // mine\n  \"args\": [\n    \"a\",\n    \"b\"\n  ]\n}"
	d, _ := Parse([]byte(in), false)
	s := append(d.Replace(d.Root().Get("command"), "fettle"), d.Replace(d.Root().Get("args"), []string{"serve"})...)
	if got := string(Apply([]byte(in), s)); got != "{\n  \"command\": \"fettle\", // mine\n  \"args\": [\"serve\"]\n}" {
		t.Error(got)
	}
}

// Whatever a file holds: what is added is there, nothing else changed, and taking
// the added bytes out gives the file back.
func FuzzAdd(f *testing.F) {
	for _, s := range []string{``, `{}`, `{"mcpServers":{}}`, "{\n\t\"a\": 1, // x\n}", `{"mcpServers":{"x":{"a":[1,2,{}]}},"b":"\u00e9"}`,
		"\ufeff{\r\n \"a\":1\r\n}\r\n", `{"mcpServers":{},"mcpServers":{"x":1}}`, `{"a":"//", "mcpServers" : { /* c */ } }`, "{/**/}", "{\"a\":1//\n}", "{//\n}",
		"{\"mcpServers\":{\"x\":1 /*,*/ , // c\n}}", "{\"mcpServers\":{\"x\":1 /*/ c\n} c\n} w,:1 /*/ // w\n}}", `{"mcpServers": {"fettle":{}, }}`} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, in string, strict bool) {
		raw := []byte(in)
		d, err := Parse(raw, strict)
		if err != nil {
			return
		}
		before := d.Root()
		if before.At("mcpServers", "fettler").There() {
			return
		}
		splices, err := d.Add([]string{"mcpServers"}, "fettler", entry)
		if err != nil {
			return
		}
		out := Apply(raw, splices)
		again, err := Parse(out, strict)
		if err != nil {
			t.Fatalf("%q became %q: %v", in, out, err)
		}
		got := again.Root().At("mcpServers", "fettler")
		if command, _ := got.Get("command").Text(); command != "fettle" {
			t.Fatalf("%q became %q", in, out)
		}
		if !bytes.HasPrefix(out, raw[:d.base]) {
			t.Fatalf("%q lost its mark", out)
		}
		rest := bytes.Clone(out)
		for _, s := range splices {
			if s.End != s.Start && len(bytes.TrimSpace(raw[d.base:])) > 0 {
				t.Fatalf("%q: bytes were replaced", in)
			}
			at := s.Start
			rest = append(rest[:at:at], append([]byte(in[s.Start:s.End]), rest[at+len(s.Text):]...)...)
		}
		if !bytes.Equal(rest, raw) {
			t.Fatalf("%q became %q, and without what was added %q", in, out, rest)
		}
		if strict && before.There() {
			var was, is map[string]any
			json.Unmarshal(raw[d.base:], &was)
			json.Unmarshal(out[d.base:], &is)
			delete(is["mcpServers"].(map[string]any), "fettler")
			if was["mcpServers"] == nil {
				delete(is, "mcpServers")
			}
			if len(before.Twice()) == 0 && !reflect.DeepEqual(was, is) {
				t.Fatalf("%q became %q", in, out)
			}
		}
	})
}
