package glob

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"fettler/shared/outcome"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern string
		yes, no []string
	}{
		{"**", []string{"a", "a/b/c", ".env"}, []string{""}},
		{"*.go", []string{"a.go", ".go", "A.GO"}, []string{"a/b.go", "a.gox"}},
		{"**/*.go", []string{"a.go", "a/b.go", "a/b/c.Go"}, []string{"a/b", "a.go/b"}},
		{"src/**/*.cs", []string{"src/a.cs", "SRC/x/y/a.CS"}, []string{"a.cs", "src/a.c", "osrc/a.cs"}},
		{"src/**", []string{"src/a", "src/a/b"}, []string{"src", "srcs/a"}},
		{"scripts/", []string{"scripts/a.py", "scripts/x/y"}, []string{"scripts", "a/scripts/b"}}, // K33
		{"./a/./b", []string{"a/b"}, []string{"b"}},
		{"a/**/b/**/c", []string{"a/b/c", "a/x/b/y/z/c", "a/b/b/c"}, []string{"a/c", "a/b", "a/b/c/d"}},
		{"**/x/**", []string{"x/a", "a/x/b", "x/x/x"}, []string{"x", "a/x"}},
		{"?.t", []string{"a.t", "é.t", "日.t"}, []string{".t", "ab.t", "/.t"}},
		{"a*b*c", []string{"abc", "axxbyyc", "abcbc"}, []string{"ab", "acb", "a/bc"}},
		{`app/\[id\]/*`, []string{"app/[id]/page.tsx"}, []string{"app/i/page.tsx"}}, // K37
		{`\!x`, []string{"!x"}, []string{"x"}},
		{`\{rule\} a.md`, []string{"{rule} a.md"}, nil},
		{"app/(g)/p.ts", []string{"app/(g)/p.ts"}, nil},
		{"É*", []string{"été", "ÉTÉ", "E\u0301te\u0301"}, []string{"ete"}},
		{"straße", []string{"STRAẞE", "straße"}, nil},
		{"bad*", []string{"bad\xff", "bad\xff\xfe"}, nil}, // K41
		{"bad?", []string{"bad\xff"}, []string{"bad\xff\xfe"}},
		{"a\nb.txt", []string{"a\nb.txt"}, []string{"a"}},
	} {
		g, err := Compile(c.pattern)
		if err != nil {
			t.Errorf("%q: %v", c.pattern, err)
			continue
		}
		for _, p := range c.yes {
			if !g.Match(p) {
				t.Errorf("%q does not match %q", c.pattern, p)
			}
		}
		for _, p := range c.no {
			if g.Match(p) {
				t.Errorf("%q matches %q", c.pattern, p)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, p := range []string{"", "!a", "a[b", "a]", "{a,b}", "a}", "/a", "../a", "a/../b", "**.go", "a**", `src\*.cs`, `src\a`, `a\`, "a\x00", strings.Repeat("a", MaxLength+1)} {
		_, err := Compile(p)
		var e *outcome.Error
		if !errors.As(err, &e) || e.Kind != outcome.Invalid {
			t.Errorf("%q is not refused as invalid: %v", p, err)
		}
	}
}

func TestBelowAndCovers(t *testing.T) {
	g, err := Compile("src/*/lib/**/x.go")
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]bool{"": true, "src": true, "Src/a": true, "src/a/lib": true, "src/a/lib/q/r": true, "docs": false, "src/a/bin": false} {
		if g.Below(dir) != want {
			t.Errorf("Below(%q) is not %v", dir, want)
		}
	}
	top, _ := Compile("*.go")
	if top.Below("a") {
		t.Error("*.go walks into folders")
	}
	ex, _ := Compile("**/vendor")
	if !ex.Covers("a/vendor/b/c.go") || ex.Covers("a/vendors/b") {
		t.Error("Covers")
	}
}

// The worst patterns take no longer than the product of the lengths.
func TestManyStarsEnd(t *testing.T) {
	g, err := Compile(strings.Repeat("*a", 500) + "b")
	if err != nil {
		t.Fatal(err)
	}
	if g.Match(strings.Repeat("a", 20000)) {
		t.Error("matched")
	}
	g, err = Compile(strings.Repeat("**/a/", 300) + "b")
	if err != nil {
		t.Fatal(err)
	}
	if g.Match(strings.Repeat("a/", 3000) + "a") {
		t.Error("matched")
	}
}

// oracle is the plain twin: the pattern as a regular expression.
func oracle(p string) *regexp.Regexp {
	var sb strings.Builder
	sb.WriteString(`(?is)\A`)
	segs := strings.Split(p, "/")
	for i, s := range segs {
		last := i == len(segs)-1
		switch {
		case s == "**" && last:
			sb.WriteString(`.+`)
		case s == "**":
			sb.WriteString(`(?:[^/]+/)*`)
		default:
			for _, r := range s {
				switch r {
				case '*':
					sb.WriteString(`[^/]*`)
				case '?':
					sb.WriteString(`[^/]`)
				default:
					sb.WriteString(regexp.QuoteMeta(string(r)))
				}
			}
			if !last {
				sb.WriteString("/")
			}
		}
	}
	sb.WriteString(`\z`)
	return regexp.MustCompile(sb.String())
}

func FuzzMatch(f *testing.F) {
	for _, s := range [][2]string{{"**/*.go", "a/b.go"}, {"a/**/b/**", "a/b/b/c"}, {"*a?", "aab"}, {"**/**/x", "x/x"}, {"a/**/**", "a/b"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		g, err := Compile(pattern)
		if err != nil || len(path) > 200 {
			return
		}
		got := g.Match(path)
		if !plainPath(path) || !plainPath(pattern) {
			return
		}
		p := regexp.MustCompile(`\*\*(/\*\*)+`).ReplaceAllString(pattern, "**")
		if want := oracle(p).MatchString(path); got != want {
			t.Fatalf("%q against %q: %v, want %v", pattern, path, got, want)
		}
		for i := range path {
			if path[i] == '/' && got && !g.Below(path[:i]) {
				t.Fatalf("%q matches %q and is said to name nothing below %q", pattern, path, path[:i])
			}
		}
	})
}

// plainPath keeps the oracle to what it can say: ASCII without empty or dotted segments.
func plainPath(p string) bool {
	if p == "" || !ascii(p) || strings.ContainsAny(p, "\\\x00") {
		return false
	}
	for s := range strings.SplitSeq(p, "/") {
		if s == "" || s == "." || s == ".." {
			return false
		}
	}
	return true
}

func BenchmarkMatch(b *testing.B) {
	g, _ := Compile("src/**/*.go")
	b.ReportAllocs()
	for b.Loop() {
		g.Match("src/cmd/compile/internal/ssa/rewriteAMD64.go")
	}
}
