package config

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// K99: whatever a line holds, it becomes these arguments and nothing else.
var commandTable = []struct {
	line string
	want []string // nil: refused
}{
	{`go test ./...`, []string{"go", "test", "./..."}},
	{"  go \t  test\t", []string{"go", "test"}},
	{`"one two"`, []string{"one two"}},
	{`a "one two"three`, []string{"a", "one twothree"}},
	{`a b"one two"c"d e"f`, []string{"a", "bone twocd ef"}},
	{`a ""`, []string{"a", ""}},
	{`a "" b`, []string{"a", "", "b"}},
	{`a """"`, []string{"a", `"`}},
	{`a "x""y"`, []string{"a", `x"y`}},
	{`a """x"""`, []string{"a", `"x"`}},
	{`a "x"""`, []string{"a", `x"`}},
	{`C:\tools\x.exe C:\a\`, []string{`C:\tools\x.exe`, `C:\a\`}},
	{`"C:\Program Files\x.exe" "C:\a\"`, []string{`C:\Program Files\x.exe`, `C:\a\`}},
	{`a \"b c\"`, []string{"a", `\b c\`}},
	{`a 'b c'`, []string{"a", "'b", "c'"}},
	{`a $HOME ${X} %PATH% $(id) * ~ && b | c > d ; rm -rf x`, []string{"a", "$HOME", "${X}", "%PATH%", "$(id)", "*", "~", "&&", "b", "|", "c", ">", "d", ";", "rm", "-rf", "x"}},
	{"a \u00a0b\u3000c", []string{"a", "\u00a0b\u3000c"}}, // only spaces and tabs separate
	{"a é\u0301 \U0001F600", []string{"a", "é\u0301", "\U0001F600"}},
	{"a \"line\nbreak\ttab\"", []string{"a", "line\nbreak\ttab"}},
	{"a\nb", nil},
	{"a\r", nil},
	{`a "b`, nil},
	{`a "`, nil},
	{`a """`, nil},
	{`a "b""`, nil},
	{``, nil},
	{" \t ", nil},
	{`""`, nil},
	{`"" a`, nil},
}

func TestSplitCommand(t *testing.T) {
	for _, c := range commandTable {
		got, err := SplitCommand(c.line)
		if (err != nil) != (c.want == nil) || !slices.Equal(got, c.want) {
			t.Errorf("%q: %q %v, wanted %q", c.line, got, err, c.want)
		}
		other, ok := otherSplit(c.line)
		if ok != (c.want != nil) || ok && !slices.Equal(other, c.want) {
			t.Errorf("%q: the independent splitter says %q %v, wanted %q", c.line, other, ok, c.want)
		}
	}
}

// otherSplit is the same grammar written another way: as two regular
// expressions and a replacement, with nothing of SplitCommand in it.
func otherSplit(line string) ([]string, bool) {
	words := regexp.MustCompile(`(?:[^ \t\r\n"]|"(?:[^"]|"")*")+`)
	span := regexp.MustCompile(`"((?:[^"]|"")*)"`)
	if strings.Count(line, `"`)%2 != 0 {
		return nil, false
	}
	if strings.Trim(words.ReplaceAllString(line, ""), " \t") != "" {
		return nil, false
	}
	var args []string
	for _, w := range words.FindAllString(line, -1) {
		args = append(args, span.ReplaceAllStringFunc(w, func(s string) string {
			return strings.ReplaceAll(s[1:len(s)-1], `""`, `"`)
		}))
	}
	return args, len(args) > 0 && args[0] != ""
}

func FuzzSplitCommand(f *testing.F) {
	for _, c := range commandTable {
		f.Add(c.line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ToValidUTF8(line, "") != line {
			t.Skip("a configuration is UTF-8")
		}
		got, err := SplitCommand(line)
		want, ok := otherSplit(line)
		if (err == nil) != ok || ok && !slices.Equal(got, want) {
			t.Fatalf("%q: %q %v, the independent splitter says %q %v", line, got, err, want, ok)
		}
		if err != nil {
			return
		}
		// Quoted whole, every argument comes back as it was.
		quoted := make([]string, len(got))
		for i, a := range got {
			quoted[i] = `"` + strings.ReplaceAll(a, `"`, `""`) + `"`
		}
		again, err := SplitCommand(strings.Join(quoted, " "))
		if err != nil || !slices.Equal(again, got) {
			t.Fatalf("%q: quoted it splits to %q %v", got, again, err)
		}
	})
}

var fillTable = []struct{ word, want string }{ // "!" is refused
	{"{note}", "a b"},
	{"--message={note}", "--message=a b"},
	{"v{release-tag}", "v1.0"},
	{"{note}{release-tag}", "a b1.0"},
	{"{quote}", `say "hi"`},
	{"{nested}", "{note}"}, // one pass
	{"{x.y_z-1}", "dotted"},
	{"{größe}", "groß"},
	{"{nope}", "!"},
	{"a{nope}b", "!"},
	{"{Note}", "!"}, // names count in their exact case
	{"{ $_.Name }", "{ $_.Name }"},
	{"{a:.b}", "{a:.b}"},
	{"{0}", "{0}"},
	{"{}", "{}"},
	{"{-x}", "{-x}"},
	{"{note", "{note"},
	{"note}", "note}"},
	{"{note }", "{note }"},
	{"{{note}", "{note}"},
	{"{{nope}", "{nope}"},
	{"{{note}}", "{note}}"},
	{"{{{note}", "{a b"},
	{"{{{nope}", "!"},
	{"{{{{note}", "{{note}"},
	{"{{.Names}}", "{{.Names}}"},
	{"{{ x }}", "{{ x }}"},
	{"${{ github.ref }}", "${{ github.ref }}"},
	{"{{", "{{"},
	{"{", "{"},
	{"{x{note}", "{xa b"},
}

func TestFill(t *testing.T) {
	values := map[string]string{"note": "a b", "release-tag": "1.0", "quote": `say "hi"`, "nested": "{note}", "x.y_z-1": "dotted", "größe": "groß"}
	for _, c := range fillTable {
		got, err := fill(c.word, func(n string) (string, bool) { v, ok := values[n]; return v, ok })
		if (err != nil) != (c.want == "!") || err == nil && got != c.want {
			t.Errorf("%q: %q %v, wanted %q", c.word, got, err, c.want)
		}
	}
}

func FuzzFill(f *testing.F) {
	for _, c := range fillTable {
		f.Add(c.word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		asked := 0
		got, err := fill(word, func(n string) (string, bool) {
			asked++
			if !isIdentifier(n) {
				t.Fatalf("%q was looked up", n)
			}
			return "{again}", true
		})
		if err != nil {
			t.Fatalf("%q: every name is declared, and %v", word, err)
		}
		if n := strings.Count(got, "{again}"); n < asked {
			t.Fatalf("%q: %d values asked for, %d in %q", word, asked, n, got)
		}
		if !strings.Contains(word, "{") && got != word {
			t.Fatalf("%q became %q", word, got)
		}
	})
}
