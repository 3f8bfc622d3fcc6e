package jsonc

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tailscale/hujson"
)

func TestParse(t *testing.T) {
	for _, in := range []string{`{}`, "{\"a\": [1, 2,], // c\n}", `[[]]`, `/* [[[[ " */ []`, "// [[[[\n[]", `["[[[[", "\"[[[["]`, "[] // [[[[", `[/*/ [[[ */]`} {
		if _, err := Parse([]byte(in), 2); err != nil {
			t.Errorf("%q: %v", in, err)
		}
	}
	for _, c := range []struct {
		in  string
		off int
	}{
		{`[[[`, 2}, {`{"a":{"b":{`, 10}, {`/* " */[[[`, 9}, {"// \"\n[[[", 7}, {`["\"",[[`, 7}, {`/*/ */[[[`, 8}, {`[/**/[/*"*/[`, 11},
	} {
		_, err := Parse([]byte(c.in), 2)
		if err == nil || err.Fault != Depth || err.Offset != c.off {
			t.Errorf("%q: %+v, wanted one too deep at %d", c.in, err, c.off)
		}
	}
	for _, c := range []struct {
		in  string
		off int
	}{{"", 0}, {"{\n\"é\" 1}", 7}, {"[1 2]", 3}, {"[1", 3}, {"/*", 0}, {"[/", 1}} {
		_, err := Parse([]byte(c.in), 2)
		if err == nil || err.Fault != Syntax || min(err.Offset, len(c.in)) != min(c.off, len(c.in)) || err.Cause == nil {
			t.Errorf("%q: %+v, wanted a fault at %d", c.in, err, c.off)
		}
	}
	if _, err := Parse([]byte("[\"a\xff\"]"), 2); err == nil || err.Fault != Encoding || err.Offset != 3 {
		t.Errorf("%+v", err)
	}
}

// A stack that is used up is no panic: it would end the program. Twenty million
// brackets behind each thing that hides a quote or a bracket.
func TestNothingReachesTheParserTooDeep(t *testing.T) {
	many := strings.Repeat("[", 20<<20)
	for _, before := range []string{"", `/* " */`, "// \"\n", `/*/ " */`, `["\\",`, `["/*",`, `["//",`} {
		_, err := Parse([]byte(before+many), 200)
		if err == nil || err.Fault != Depth {
			t.Errorf("%q: %v", before, err)
		}
	}
}

// What was parsed is no deeper than was asked for, is JSON once its comments are
// taken out, and errors quote nothing and point into the text.
func FuzzParse(f *testing.F) {
	for _, s := range []string{``, `{}`, `{"a":[1,{"b":null}],}`, "[/*/ c\n */1]", "// x\n[]", `["\ud800"]`, "{\"x\":1 /*/ c\n} c\n} w,:1 /*/ // w\n}", `[[[[[[[[[]]]]]]]]]`, "[\xff]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		const most = 6
		v, err := Parse(in, most)
		if err != nil {
			if err.Offset < 0 || err.Offset > len(in) {
				t.Fatalf("%q: offset %d", in, err.Offset)
			}
			return
		}
		if n := nests(v); n > most {
			t.Fatalf("%q nests %d deep", in, n)
		}
		v.Minimize()
		if out := v.Pack(); !json.Valid(out) {
			t.Fatalf("%q became %q", in, out)
		}
	})
}

func nests(v hujson.Value) int {
	most := 0
	switch t := v.Value.(type) {
	case *hujson.Object:
		for _, m := range t.Members {
			most = max(most, nests(m.Value))
		}
	case *hujson.Array:
		for _, e := range t.Elements {
			most = max(most, nests(e))
		}
	default:
		return 0
	}
	return most + 1
}
