package tomldoc

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"fettler/shared/jsonc"
	"fettler/shared/jsonedit"
)

func TestParse(t *testing.T) {
	doc, err := Parse([]byte("\ufeffa = 1\r\n[b.\"c d\"]\r\ne = ['x', {f = true}]\r\n"))
	want := map[string]any{"a": int64(1), "b": map[string]any{"c d": map[string]any{"e": []any{"x", map[string]any{"f": true}}}}}
	if err != nil || !reflect.DeepEqual(doc, want) {
		t.Errorf("%v %v", doc, err)
	}
	for _, c := range []struct {
		name, in, what string
		line           int
	}{
		{"syntax", "a = 1\nb = SECRET\n", "is not TOML", 2},
		{"a key twice", "SECRET = 1\nSECRET = 2\n", "is not TOML", 0},
		{"large", strings.Repeat("#", maxBytes+1), "larger than any client's", 1},
		{"brackets", "a = " + strings.Repeat("[", maxBytes/2), "is not TOML", 1},
		{"lists", "a = " + strings.Repeat("[", 300) + strings.Repeat("]", 300), "nest deeper", 1},
		{"a dotted key", "a" + strings.Repeat(".a", maxBytes/2-10) + " = 1", "nest deeper", 1},
		{"a dotted header", "[a" + strings.Repeat(".a", maxBytes/2-10) + "]", "nest deeper", 1},
		{"a dotted key in a value", "a = {a" + strings.Repeat(".a", maxBytes/2-10) + " = 1}", "nest deeper", 1},
	} {
		_, err := Parse([]byte(c.in))
		var se *jsonedit.SyntaxError
		if !errors.As(err, &se) || !strings.Contains(se.What, c.what) || c.line > 0 && se.Line != c.line || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := Parse([]byte("a" + strings.Repeat(".a", jsonc.Most-1) + " = 1")); err != nil {
		t.Errorf("the deepest that is taken: %v", err)
	}
}

// Whatever a file holds, what is parsed can be written as JSON or holds a value
// that JSON has no word for, and is no deeper than the bound.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "a = 1", "[[a]]\nb = {c = [1, 2.5]}\n", "a.b.c = 1979-05-27T07:32:00Z", "a = nan", "a = '''\nx'''", "[a]\n[a.b]\nc=1\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		doc, err := Parse(in)
		if err != nil {
			var se *jsonedit.SyntaxError
			if !errors.As(err, &se) || se.Line < 1 || se.Column < 1 {
				t.Fatalf("%q: %v", in, err)
			}
			return
		}
		raw, err := json.Marshal(doc)
		if err != nil {
			return // not a number, infinity
		}
		if _, err := jsonedit.Parse(raw, true); err != nil && !strings.Contains(err.Error(), "UTF-8") {
			t.Fatalf("%q became %q: %v", in, raw, err)
		}
	})
}
