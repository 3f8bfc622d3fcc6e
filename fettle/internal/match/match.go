// Package match finds the lines of a buffer that hold any of a call's patterns.
//
// Call Compile once, Searcher once per goroutine, Begin at each file, Start at
// each buffer of it, and Next until it reports no more. A line ends at \n or
// \r\n; its ending is no part of what a pattern sees, so ^ and $ are the line's
// ends. A \r elsewhere ends a line too, and Hit.Break asks the caller to make it
// one: package scan does.
//
// Patterns are Go's regular expressions, matched in linear time and without
// regard to case unless asked. One that these cannot express, with lookaround
// or a backreference, runs in the .NET dialect instead, which backtracks, so it
// is bounded to a second a file. Linear can still be slow, where each byte is
// held against thousands of places of a pattern, so that has a bound as well
// (slow.go). TimedOut says when a bound was passed.
//
// How it is fast: from the patterns it takes factors, short runs of byte sets
// one of which every matching line holds (factor.go), looks for those eight
// bytes at a time or by skipping (kernel*.go), and runs an automaton of bytes
// that is built as it goes (dfa.go) on the lines that are left, or on the whole
// buffer where there is no factor. Where the automaton grows too large, Go's
// own regexp takes over. The plain twin of all that is plain.go, and the tests
// hold one against the other.
package match

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2"

	"fettler/shared/outcome"
)

// Bounds on what a caller may ask for.
const (
	MaxPatterns = 1000
	MaxPattern  = 32 << 10  // bytes of one
	maxTotal    = 256 << 10 // bytes of all
	maxSteps    = 300_000   // of all, when each repeat is written out
)

// FileTime is how long patterns of the .NET dialect may take in one file.
const FileTime = time.Second

// Options say how patterns are read.
type Options struct {
	Literal       bool // the patterns are text, not expressions
	CaseSensitive bool
	Word          bool // a match must not touch a letter, digit, mark or _ on either side
}

// Matcher is compiled patterns. It may be used by several goroutines.
type Matcher struct {
	opt      Options
	linear   *regexp.Regexp // all patterns Go can express; nil when there is none
	group    int            // the submatch of linear that is the match: 1 with Word
	steps    int            // about as many as linear has
	backward []string       // patterns of the .NET dialect, as compiled
	fast     *program       // linear's automaton and factors; nil when it is too large for one
}

// wordRune is what a word is made of, for Word.
const wordRune = `\p{L}\p{N}\p{M}_`

// Compile checks and compiles patterns; a line matches when one of them does.
// Its refusals are outcome invalid and name the pattern.
func Compile(patterns []string, o Options) (*Matcher, error) {
	if err := checkBounds(patterns); err != nil {
		return nil, err
	}
	m := &Matcher{opt: o}
	var linear []string
	for _, p := range patterns {
		if strings.ContainsAny(p, "\n\r") {
			return nil, outcome.New(outcome.Invalid, "the pattern %s holds a line break, and a search goes line by line. Give its lines as patterns of their own", show(p))
		}
		if o.Literal {
			linear = append(linear, regexp.QuoteMeta(p))
			m.steps += utf8.RuneCountInString(p)
			continue
		}
		re, err := syntax.Parse(p, syntax.Perl)
		if err == nil {
			if wantsBreak(re) {
				return nil, outcome.New(outcome.Invalid, "the pattern %s asks for a line break, and a search goes line by line", show(p))
			}
			if m.steps += steps(re); m.steps > maxSteps {
				return nil, outcome.New(outcome.Invalid, "the pattern %s is too large: with its repeats written out, the patterns have more than %d steps. Repeat fewer times, or with * or +", show(p), maxSteps)
			}
			linear = append(linear, p)
			continue
		}
		dotnet, derr := m.dotnet(p)
		if derr != nil {
			return nil, refusePattern(p, err)
		}
		m.backward = append(m.backward, dotnet)
	}
	if len(linear) == 0 {
		return m, nil
	}
	return m, m.compileLinear(linear)
}

func checkBounds(patterns []string) error {
	if len(patterns) == 0 {
		return outcome.New(outcome.Invalid, "search needs a pattern")
	}
	if len(patterns) > MaxPatterns {
		return outcome.New(outcome.Invalid, "%d patterns were given; a call takes %d", len(patterns), MaxPatterns)
	}
	total := 0
	for _, p := range patterns {
		switch {
		case p == "":
			return outcome.New(outcome.Invalid, "a pattern is empty, and would match every line")
		case len(p) > MaxPattern:
			return outcome.New(outcome.Invalid, "a pattern is %d bytes long; the bound is %d", len(p), MaxPattern)
		case !utf8.ValidString(p):
			return outcome.New(outcome.Invalid, "the pattern %s is not valid UTF-8", show(p))
		}
		total += len(p)
	}
	if total > maxTotal {
		return outcome.New(outcome.Invalid, "the patterns are %d bytes long together; the bound is %d", total, maxTotal)
	}
	return nil
}

// show quotes a pattern for a message, cut when it is long.
func show(p string) string {
	if utf8.RuneCountInString(p) > 80 {
		p = string([]rune(p)[:80]) + "…"
	}
	return "'" + strings.ToValidUTF8(p, "\uFFFD") + "'"
}

func refusePattern(p string, err error) error {
	why := err.Error()
	var se *syntax.Error
	if errors.As(err, &se) {
		why = se.Code.String()
		if se.Expr != "" && se.Expr != p {
			why += ": " + se.Expr
		}
	}
	return outcome.New(outcome.Invalid, "the pattern %s is no regular expression: %s. Pass --literal to search for it as text", show(p), why).Because(err)
}

// wantsBreak reports a literal line break in an expression: it could never match.
func wantsBreak(re *syntax.Regexp) bool {
	if re.Op == syntax.OpLiteral {
		for _, r := range re.Rune {
			if r == '\n' || r == '\r' {
				return true
			}
		}
	}
	for _, s := range re.Sub {
		if wantsBreak(s) {
			return true
		}
	}
	return false
}

// dotnet gives p as it is compiled in the .NET dialect.
func (m *Matcher) dotnet(p string) (string, error) {
	if m.opt.Word {
		p = "(?<![" + wordRune + "])(?:" + p + ")(?![" + wordRune + "])"
	}
	_, err := regexp2.Compile(p, m.dotnetOptions())
	return p, err
}

func (m *Matcher) compileLinear(patterns []string) error {
	var sb strings.Builder
	for i, p := range patterns {
		if i > 0 {
			sb.WriteByte('|')
		}
		sb.WriteString("(?:" + p + ")")
	}
	all := sb.String()
	if m.opt.Word {
		// The match itself is the one group that counts; the patterns' own
		// groups come after it.
		all = "(?:^|[^" + wordRune + "])(" + all + ")(?:$|[^" + wordRune + "])"
		m.group = 1
	}
	if !m.opt.CaseSensitive {
		all = "(?i)" + all
	}
	re, err := regexp.Compile(all)
	if err != nil {
		return outcome.New(outcome.Invalid, "the patterns are too large together: %v", err).Because(err)
	}
	m.linear = re
	m.fast = compileProgram(all)
	return nil
}

// Kind is the word an answer carries for how patterns were read.
func (m *Matcher) Kind() string {
	if m.opt.Literal {
		return "literal"
	}
	return "regex"
}

// Hit is a line that matches: its bytes without the ending, and where the
// first match in it begins.
type Hit struct {
	Start, End, At int
	// Break says that the line has a \r in it, and nothing else: where that
	// ends a line, the caller rewrites it and starts the buffer anew.
	Break bool
}
