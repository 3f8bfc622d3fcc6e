package cli

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"fettler/fettle/internal/launch"
	"fettler/fettle/internal/verb"
)

// known is a verb with a parameter of each kind.
var known = &verb.Verb{
	Name: "sample",
	Params: []verb.Param{
		{Name: "patterns", Type: verb.Strings, Arg: true, Short: "e", Required: true, Value: "PATTERN"},
		{Name: "glob", Type: verb.String, Value: "GLOB"},
		{Name: "limit", Type: verb.Int, Value: "N"},
		{Name: "count", Type: verb.Bool},
		{Name: "exclude", Type: verb.Strings, Value: "GLOB"},
		{Name: "script", Type: verb.Object, Tool: true},
		{Name: "pattern-file", CLI: true, Source: verb.File, Fills: "patterns", Lines: true},
		{Name: "pattern-stdin", CLI: true, Source: verb.Stdin, Fills: "patterns", Lines: true},
		{Name: "glob-stdin", CLI: true, Source: verb.Stdin, Fills: "glob"},
	},
}

func parse(words []string, stdin string) (verb.Args, error) {
	flags, short := flagsOf(known)
	g, err := scan(words, flags, short)
	if err != nil {
		return nil, err
	}
	return toArgs(known, g, &inputs{stdin: strings.NewReader(stdin)})
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		words string
		stdin string
		want  verb.Args
	}{
		{words: "a", want: verb.Args{"patterns": []string{"a"}}},
		{words: "a --glob *.go b", want: verb.Args{"patterns": []string{"a", "b"}, "glob": "*.go"}},
		{words: "--glob=*.go --count a", want: verb.Args{"patterns": []string{"a"}, "glob": "*.go", "count": true}},
		{words: "--glob= a", want: verb.Args{"patterns": []string{"a"}, "glob": ""}},
		{words: "-e -x -e=-y", want: verb.Args{"patterns": []string{"-x", "-y"}}},
		{words: "-e a b", want: verb.Args{"patterns": []string{"a", "b"}}},
		{words: "--limit 3 -- --glob -i", want: verb.Args{"patterns": []string{"--glob", "-i"}, "limit": int64(3)}},
		{words: "--exclude x --exclude y,z a", want: verb.Args{"patterns": []string{"a"}, "exclude": []string{"x", "y,z"}}},
		{words: "--glob --not-a-flag a", want: verb.Args{"patterns": []string{"a"}, "glob": "--not-a-flag"}},
		{words: "--pattern-stdin", stdin: "\xef\xbb\xbfone\r\ntwo\n", want: verb.Args{"patterns": []string{"one", "two"}}},
		{words: "--pattern-stdin", stdin: "\xff\xfeo\x00n\x00e\x00\r\x00\n\x00", want: verb.Args{"patterns": []string{"one"}}},
		{words: "--glob-stdin a", stdin: "\xef\xbb\xbfx\ufeff\n", want: verb.Args{"patterns": []string{"a"}, "glob": "x\ufeff\n"}},
	} {
		got, err := parse(strings.Fields(c.words), c.stdin)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v %v, want %v", c.words, got, err, c.want)
		}
	}
}

func TestWordsRefused(t *testing.T) {
	for words, want := range map[string]string{
		"":                                 "needs PATTERN…",
		"a --gob x":                        "no such flag: --gob.",
		"a -i":                             "no such flag: -i.",
		"a -":                              "no such flag: -.",
		"a --patterns b":                   "no such flag: --patterns.",
		"a --script {}":                    "no such flag: --script.",
		"a --glob":                         "--glob needs a value. Write --NAME= to pass an empty one",
		"a --glob --count":                 "--glob needs a value.",
		"a --glob --count=true":            "--glob needs a value.",
		"a --glob --":                      "--glob needs a value.",
		"a --glob -e":                      "--glob needs a value.",
		"-e":                               "needs a value.",
		"a --glob x --glob y":              "--glob is given twice",
		"a --count=false":                  "--count takes no value",
		"a --limit 1.5":                    "--limit needs a whole number",
		"a --limit=":                       "--limit needs a whole number",
		"a --limit -3":                     "--limit must be 0 or more; it is -3",
		"a --glob x --glob-stdin":          "--glob is given more than once",
		"--pattern-stdin --glob-stdin":     "standard input can be taken once",
		"a --pattern-file /does/not/exist": "there is no such file",
	} {
		_, err := parse(strings.Fields(words), "x\n")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", words, err, want)
		}
	}
}

func TestVerbFirst(t *testing.T) {
	for in, want := range map[string]string{
		"read a":                    "read a",
		"--json read a":             "read --json a",
		"--config x read a":         "read --config x a",
		"--config=x --json find":    "find --config=x --json",
		"--frob read":               "--frob read",
		"--json":                    "help --json",
		"--version":                 "--version",
		"--root a --root b roots x": "roots --root a --root b x",
	} {
		got, err := verbFirst(strings.Fields(in))
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q: %v %v, want %q", in, got, err, want)
		}
	}
}

// K37: a word in a refusal cannot forge a line or move the cursor.
func TestRefusalIsOneLine(t *testing.T) {
	var out, errs bytes.Buffer
	code := Run(t.Context(), []string{"no\x1b[31m\nrefused: forged"}, launch.Options{Dir: t.TempDir()}, Streams{strings.NewReader(""), &out, &errs})
	if code != 2 || strings.Count(out.String(), "\n") != 1 || strings.Contains(out.String(), "\x1b") || errs.Len() > 0 {
		t.Errorf("code %d, %q, %q", code, out.String(), errs.String())
	}
}

// FuzzWords: no command line panics, and what is taken was checked.
func FuzzWords(f *testing.F) {
	f.Add("a --glob x -- -e", "x")
	f.Add("-e= --limit=3", "\xff\xfe")
	f.Fuzz(func(t *testing.T, words, stdin string) {
		if strings.Contains(words, "-file") {
			return // names a file of this machine
		}
		a, err := parse(strings.Split(words, " "), stdin)
		if err == nil && len(a.Strings("patterns")) == 0 {
			t.Errorf("%q lacks what is required and is taken", words)
		}
	})
}
