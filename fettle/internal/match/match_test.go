package match

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"fettler/shared/outcome"
)

func compile(t *testing.T, o Options, patterns ...string) *Matcher {
	t.Helper()
	m, err := Compile(patterns, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// hits gives "line-start:match" of every hit.
func hits(s *Searcher, buf string) []string {
	var out []string
	s.Begin()
	s.Start([]byte(buf))
	for from := 0; ; {
		h, ok := s.Next(from)
		if !ok {
			return out
		}
		out = append(out, fmt.Sprintf("%s@%d", buf[h.Start:h.End], h.At-h.Start))
		_, from = lineEnd([]byte(buf), h.Start)
	}
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		patterns []string
		o        Options
		buf      string
		want     string
	}{
		{[]string{"b"}, Options{}, "abc\nxyz\nB", "abc@1|B@0"},
		{[]string{"b"}, Options{CaseSensitive: true}, "abc\nxyz\nB", "abc@1"},
		{[]string{"a.c"}, Options{Literal: true}, "abc\na.c\nxA.C", "a.c@0|xA.C@1"},
		{[]string{"^$"}, Options{}, "a\n\nb\r\n\r\nc\n", "@0|@0"},
		{[]string{"c$"}, Options{}, "abc\r\nabc \nc", "abc@2|c@0"},
		{[]string{"x", "b"}, Options{}, "abx\nb\nq", "abx@1|b@0"},
		{[]string{"foo"}, Options{Word: true}, "foobar\nfoo_\na foo.\nfoo\nxfoo foo", "a foo.@2|foo@0|xfoo foo@5"},
		{[]string{"né"}, Options{Word: true}, "né\nnée\nle né “né”", "né@0|le né “né”@3"},
		{[]string{"-foo"}, Options{Word: true}, "a -foo\nx-foo\n-foo", "a -foo@2|-foo@0"},
		{[]string{`(a)(b)`}, Options{Word: true}, "ab\nabc", "ab@0"},
		{[]string{`a(?=b)`}, Options{}, "ac\nxAB\n", "xAB@1"},
		{[]string{`(\w)\1`}, Options{}, "abc\nxxa\né dd", "xxa@0|é dd@3"},
		{[]string{`(?<!x)y`, "q"}, Options{}, "xy\nzy\nq", "zy@1|q@0"},
		{[]string{`(?<=a)b`}, Options{Word: true}, "ab\na", ""},
		{[]string{"поиск"}, Options{}, "ПОИСК\nпо", "ПОИСК@0"},
		{[]string{"k"}, Options{}, "\u212A", "\u212A@0"},
		{[]string{"abcdef|cd"}, Options{}, "xabcdef\nxcd", "xabcdef@1|xcd@1"},
		{[]string{`\bfoo\b`}, Options{}, "foo\nfoobar\nxfoo foo", "foo@0|xfoo foo@5"},
		{[]string{`caf.`}, Options{}, "caf\xe9\ncaf", "caf\xe9@0"},
		{[]string{`\S+z`}, Options{}, "\xff\xfez z", "\xff\xfez z@0"},
		{[]string{"(?s:a.b)"}, Options{}, "a\nb\naxb", "axb@0"},
		{[]string{`\r?$`}, Options{}, "a\n", "a@1"},
	} {
		m, err := Compile(c.patterns, c.o)
		if err != nil {
			if strings.Contains(c.patterns[0], `\r`) {
				continue
			}
			t.Errorf("%q: %v", c.patterns, err)
			continue
		}
		for _, plain := range []bool{true, false} {
			s := m.Searcher(nil)
			s.plain = plain
			if got := strings.Join(hits(s, c.buf), "|"); got != c.want {
				t.Errorf("%q %+v plain=%v in %q: %q, want %q", c.patterns, c.o, plain, c.buf, got, c.want)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	many := make([]string, MaxPatterns+1)
	for i := range many {
		many[i] = "x"
	}
	for _, ps := range [][]string{nil, {""}, {"a\nb"}, {`a\nb`}, {"("}, {"a**b("}, {"[z-a]"}, {`\8`}, {"\xff"}, many, {strings.Repeat("a", MaxPattern+1)}, {"(?<n"}} {
		_, err := Compile(ps, Options{})
		var e *outcome.Error
		if !errors.As(err, &e) || e.Kind != outcome.Invalid {
			t.Errorf("%.40q is not refused as invalid: %v", ps, err)
		}
	}
	if _, err := Compile([]string{"(?<n"}, Options{Literal: true}); err != nil {
		t.Error(err)
	}
}

// A pattern that backtracks without end is stopped after its second, and the file is named.
func TestTimedOut(t *testing.T) {
	m := compile(t, Options{}, `(a+)+(?=b)c`)
	s := m.Searcher(nil)
	start := time.Now()
	if got := hits(s, strings.Repeat("a", 5000)+"\nx\n"); len(got) != 0 || !s.TimedOut() {
		t.Errorf("%v, timed out %v", got, s.TimedOut())
	}
	if d := time.Since(start); d > 20*FileTime {
		t.Errorf("took %v", d)
	}
	s.Begin()
	if s.TimedOut() {
		t.Error("the next file has no second of its own")
	}
}
