package match

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// twins holds the fast path against the plain one.
func twins(t *testing.T, m *Matcher, bufs ...string) {
	t.Helper()
	fast, plain := m.Searcher(nil), m.Searcher(nil)
	plain.plain = true
	for _, buf := range bufs {
		got, want := hits(fast, buf), hits(plain, buf)
		if !slices.Equal(got, want) {
			t.Fatalf("%v %+v in %q:\nfast  %q\nplain %q", m.linear, m.opt, buf, got, want)
		}
	}
}

var patternSeeds = []string{
	"needle", "a|b", "^$", "", "^a.*z$", `\bfoo\b`, `\Bo`, "(a|b).{3}z", "[a-z]{3,}\\d", "x*", "(?i)straße", "k", "ſ", "[^a]", ".", "é.",
	"[α-ω]+x", `\w+@\w+`, "func (", `func \(`, `^\s*//`, "(?:ab)+c?d", "a{2,4}b{0,3}", `\x{FFFD}`, "[[:upper:]]x", `\pL\d`, "foo|bar|bazz|quux", `err(or)?`,
	`(^|,)x($|,)`, `\b`, "a$|^b", `(?s:.)b`, "😀|日本", `[\x80-\xff]`, "(a*)*b", `\z`, "a?b?c?", `[^\n]x`, `(?m:^x$)`, "sk", "[k-s]{2}z",
}

// pieces makes text that the seeds' patterns find something in.
var pieces = []string{
	"needle", "NEEDLE", "a", "b", "z", "foo", "bar", "bazz", "quux", "error", "err", "x", "é", "É", "ſ", "\u212A", "k", "K", "S", "ß", "ẞ", "日本", "😀",
	"α", "Ω", "\xff", "\xc3", "\xe2\x84", "\xc3\xa9", "func (", "//", " ", "\t", "1", "@", ",", "_", "\n", "\r\n", "\n\n", "\x00", "aaaa", "abcabd", "straße",
}

func randomTexts(r *rand.Rand, n int) (out []string) {
	for range n {
		out = append(out, randomText(r))
	}
	return out
}

func randomText(r *rand.Rand) string {
	var sb strings.Builder
	for range r.IntN(40) {
		sb.WriteString(pieces[r.IntN(len(pieces))])
	}
	return sb.String()
}

func TestTwins(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, p := range patternSeeds {
		if p == "" {
			continue
		}
		for _, o := range []Options{{}, {CaseSensitive: true}, {Word: true}, {Literal: true}} {
			m, err := Compile([]string{p}, o)
			if err != nil {
				t.Log(p, err)
				continue
			}
			twins(t, m, randomTexts(r, 60)...)
		}
	}
	for range 60 {
		var ps []string
		for range 1 + r.IntN(12) {
			if p := patternSeeds[r.IntN(len(patternSeeds))]; p != "" {
				ps = append(ps, p)
			}
		}
		m, err := Compile(ps, Options{Literal: r.IntN(2) == 0, CaseSensitive: r.IntN(2) == 0})
		if err != nil {
			continue
		}
		twins(t, m, randomTexts(r, 50)...)
	}
}

// Long buffers, so that every finder's loops and ends are met.
func TestTwinsLong(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, ps := range [][]string{
		{"unmarshal"}, {"needle"}, {`^func \(`}, {`\berr(or)?\b`}, {`[a-z]{12,}\d`}, {"(a|b).{20}z"}, {`\w+\s+\w+\s+\w+`}, {"alpha", "beta", "gamma", "delta", "omega"},
		{"sks"}, {`[aeiou]{5}`}, {`\d\d-\d\d`}, {"qu", "zz"}, {"z"}, {`("[^"]*")`}, {`a[bcd]e[fgh]i`},
	} {
		m := compile(t, Options{}, ps...)
		for range 4 {
			var sb strings.Builder
			for sb.Len() < 20_000 {
				switch r.IntN(30) {
				case 0:
					sb.WriteString([]string{"unmarshal", "needle", "func (", "err", "error", "abcdefghijklmno7", "alpha", "Omega", "ſKs", "aeiou", "12-34", "a" + strings.Repeat("é", 20) + "z", "acegi"}[r.IntN(13)])
				case 1:
					sb.WriteString("\n")
				default:
					for range r.IntN(9) {
						sb.WriteByte("etaoin shrdlucmfwypvbgkqjxz  ,.\"{}()0123456789ETAOIN"[r.IntN(52)])
					}
				}
			}
			twins(t, m, sb.String())
		}
	}
}

// An automaton whose table is far too small fills it again and again, and in
// the end gives up; the hits are the same.
func TestTwinsWhenTheTableIsFull(t *testing.T) {
	m := compile(t, Options{}, "(a|b).{14}z")
	r := rand.New(rand.NewPCG(7, 8))
	var sb strings.Builder
	for range 30_000 {
		sb.WriteByte("abxz\n"[r.IntN(5)*r.IntN(2)])
	}
	s := m.Searcher(nil)
	s.run.whole, s.run.finder = true, nil
	s.run.ahead = newDFA(m.fast.forwards())
	s.run.ahead.limit, s.run.back.limit = 64*s.run.ahead.stride, 64*s.run.back.stride
	plain := m.Searcher(nil)
	plain.plain = true
	if got, want := hits(s, sb.String()), hits(plain, sb.String()); !slices.Equal(got, want) || len(want) == 0 {
		t.Fatalf("%d hits, want %d", len(got), len(want))
	}
	if !s.run.noAhead {
		t.Error("the automaton did not give up")
	}
}

func FuzzTwins(f *testing.F) {
	for i, p := range patternSeeds {
		f.Add(p, pieces[i%len(pieces)]+pieces[(7*i)%len(pieces)], i%8)
	}
	f.Fuzz(func(t *testing.T, pattern, buf string, how int) {
		if len(pattern) > 60 || len(buf) > 2000 {
			return
		}
		m, err := Compile([]string{pattern}, Options{Literal: how&1 > 0, CaseSensitive: how&2 > 0, Word: how&4 > 0})
		if err != nil || m.backward != nil {
			return
		}
		buf = regexp.MustCompile(`\r([^\n]|\z)`).ReplaceAllString(buf, "$1")
		buf = regexp.MustCompile(`\r([^\n]|\z)`).ReplaceAllString(buf, "$1")
		if strings.Contains(strings.ReplaceAll(buf, "\r\n", ""), "\r") {
			return
		}
		twins(t, m, buf)
		if m.fast == nil {
			return
		}
		m.fast = &program{re: m.fast.re, back: m.fast.back}
		twins(t, m, buf)
	})
}

// Every finder gives the lines its plain twin gives.
func TestFinders(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, p := range []string{"unmarshal", "func", "foo|bar|bazz|quux|needle", "[a-f]{6}", "[a-z]{8}[0-9]", "ſk", "x[0-9][a-z][0-9]y|a[0-9][a-z][0-9]b", "ab", "q"} {
		m := compile(t, Options{}, p)
		fs, odd := m.fast.factors, m.fast.odd
		k := newFinder(fs, odd)
		if k == nil {
			t.Errorf("%s has no finder", p)
			continue
		}
		for range 300 {
			var sb strings.Builder
			for range r.IntN(60) {
				if r.IntN(3) == 0 {
					sb.WriteString(pieces[r.IntN(len(pieces))])
				}
				sb.WriteByte("abcdefx019yq \n"[r.IntN(14)])
			}
			buf := []byte(sb.String())
			if a, ok := k.(*alongside); ok {
				a.start()
			}
			lines := func(find func(from int) int) (out []string) {
				for from := 0; from < len(buf); {
					i := find(from)
					if i < 0 {
						break
					}
					out = append(out, fmt.Sprint(strings.Count(string(buf[:i]), "\n")))
					_, from = lineEnd(buf, i)
				}
				return out
			}
			got := lines(func(from int) int { return k.find(buf, from) })
			want := lines(func(from int) int { return findPlainly(fs, odd, buf, from) })
			if !slices.Equal(got, want) {
				t.Fatalf("%s (%T) in %q: %v, want %v", p, k, buf, got, want)
			}
		}
	}
}

// The vectors, the words of eight bytes and the plain twin find the same
// places, at every alignment and at the ends of a buffer.
func TestPairsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for p, sample := range map[string]string{"unmarshal": "unmarshal", "func": "func", "ab": "ab", "q": "q", "a[xyz]{3}b": "axzyb",
		"x.{40}zz": "x" + strings.Repeat(".", 40) + "zz"} {
		for _, o := range []Options{{}, {CaseSensitive: true}} {
			fs := compile(t, o, p).fast.factors
			if len(fs) != 1 {
				t.Fatalf("%s has %d factors", p, len(fs))
			}
			words := newPairs(fs[0])
			if words == nil {
				t.Fatalf("%s has no pairs", p)
			}
			vector := *words
			words.vector, vector.vector = false, vectors
			found := 0
			for range 400 {
				whole := make([]byte, 200+r.IntN(200))
				for i := range whole {
					whole[i] = "abqxzQ fun\x80\xff"[r.IntN(12)]
				}
				for range r.IntN(3) {
					copy(whole[r.IntN(len(whole)):], sample)
				}
				// What lies outside the buffer must not be seen.
				from := r.IntN(40)
				buf := whole[from : from+r.IntN(len(whole)-from) : len(whole)]
				at := r.IntN(len(buf) + 1)
				want := findPlainly(fs, nil, buf, at)
				if a, b := words.find(buf, at), vector.find(buf, at); a != want || b != want {
					t.Fatalf("%s from %d in %q: words %d, vectors %d, plainly %d", p, at, buf, a, b, want)
				}
				if want >= 0 {
					found++
				}
			}
			if found < 20 {
				t.Errorf("%s was found %d times only", p, found)
			}
		}
	}
	if !vectors {
		t.Skip("the vectors are not on this processor")
	}
}
