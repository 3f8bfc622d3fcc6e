package mcp

import (
	"fmt"
	"strings"
	"testing"

	"fettler/fettle/internal/verb"
)

// K31: what arrives in the wrong shape is refused with the shape that is wanted.
func TestArguments(t *testing.T) {
	s, _ := start(t, map[string]string{"a.txt": "x\n"})
	for args, want := range map[string]string{
		`{"paths":"a.txt"}`:                     `an array of strings, such as ["a","b"]`,
		`{"paths":"[\"a.txt\"]"}`:               `an array of strings`,
		`{"paths":[1]}`:                         `an array of strings`,
		`{"paths":["a.txt"],"from":"10"}`:       `a whole number without quotes`,
		`{"paths":["a.txt"],"from":1.5}`:        `a whole number`,
		`{"paths":["a.txt"],"from":0}`:          `1 or more`,
		`{"paths":["a.txt"],"numbered":"yes"}`:  `true or false`,
		`{"paths":["a.txt"],"oldStr":"x"}`:      `no argument called 'oldStr'. It takes: `,
		`{"paths":["a.txt"],"From":1}`:          `no argument called 'From'`,
		`{"paths":["a.txt"],"paths":["b"]}`:     `twice`,
		`{"paths":["a.txt"],"root":"/"}`:        `no argument called 'root'`,
		`{"paths":["a\ud83d.txt"]}`:             `paths holds half of a surrogate pair`,
		`{"paths":["a.txt"],"member":"\ude00"}`: `member holds half of a surrogate pair`,
		`{"paths":["a.txt"],"config":"x"}`:      `no argument called 'config'`,
		`{"paths":[]}`:                          `at least one value`,
		`{}`:                                    `needs the argument paths`,
		`[]`:                                    `must be a JSON object`,
		`"x"`:                                   `must be a JSON object`,
	} {
		doc := text(t, byID(exchange(t, s, call("1", "read", args)), "1"))
		if doc["outcome"] != "invalid" || !strings.Contains(doc["message"].(string), want) {
			t.Errorf("%s: %v %v; want %q", args, doc["outcome"], doc["message"], want)
		}
	}
}

// A refusal tells a model what it can do: it has no command line to run, and
// its arguments have no dashes.
func TestRefusalsSpeakToAModel(t *testing.T) {
	s, _ := start(t, map[string]string{"a.txt": "a\n"})
	calls := [][2]string{{"edit", `{"path":"a.txt"}`}, {"edit", `{"path":"a.txt","script":{"edits":[{"replace":"a","with":"b"}]},"script_path":"x"}`},
		{"batch", `{"script":{"operations":[]},"script_path":"x"}`}, {"extract", `{"archive":"a.txt"}`}, {"extract", `{"archive":"a.txt","into":""}`},
		{"write", `{"path":"a.txt","text":""}`}, {"write", `{"path":"a.txt","text":"","expect":"` + strings.Repeat("0", 64) + `"}`},
		{"delete", `{"path":"."}`}, {"exec", `{"path":"a.txt"}`},
		{"read", `{"paths":["a.txt"],"tail":1,"from":1}`}, {"read", `{"paths":["a.txt"],"from":3,"to":2}`}, {"read", `{"paths":["a.txt"],"from":3}`},
		{"read", `{"paths":["a.txt","a.txt"],"member":"x"}`}, {"find", `{"limit":1000000000}`}, {"find", `{"since":"soon"}`},
		{"find", `{"glob":"work:a","in":"other"}`}, {"search", `{"patterns":["a"],"context":1000}`},
		{"search", `{"patterns":["a"],"count":true,"files_only":true}`}}
	for _, v := range verb.All() {
		if v.Model && v.Sibling == "" {
			calls = append(calls, [2]string{v.Name, `{}`})
		}
	}
	input := hello
	for i, c := range calls {
		input += call(fmt.Sprint(i+1), c[0], c[1])
	}
	rs := exchange(t, s, input)
	for i, c := range calls {
		doc := text(t, byID(rs, fmt.Sprint(i+1)))
		msg, _ := doc["message"].(string)
		if strings.Contains(msg, "fettle help") || strings.Contains(msg, "--") {
			t.Errorf("%s %s: %s", c[0], c[1], msg)
		}
		if c[1] != `{}` && msg == "" {
			t.Errorf("%s %s is not refused: %v", c[0], c[1], doc)
		}
	}
}
