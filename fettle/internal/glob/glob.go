// Package glob decides which paths of a tree a caller's pattern names.
//
// The dialect is small. * stands for anything within one segment, ? for one
// character, ** for any number of whole segments (at the end of a pattern for
// one at least), and nothing else is special. A pattern is held against the
// whole path from the tree's top, so *.go names files at the top and **/*.go
// files at any depth; one that ends in a slash names everything below. Case
// never counts, on any platform, and neither does the way an accented letter
// is composed. [ ] { } and a leading ! mean something in other dialects, so
// they are refused rather than taken for themselves; a backslash before one
// of them takes it for itself.
//
// Call Compile, then Match with paths and Below with folders. Matching never
// backtracks further than the last star, so its time is bounded by the product
// of two short lengths. Nothing here touches a disk.
package glob

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"fettler/shared/outcome"
)

// MaxLength bounds a pattern in bytes.
const MaxLength = 4096

// Glob is a compiled pattern. It may be used by several goroutines.
type Glob struct {
	text string
	segs []segment
	any  bool // it names everything
}

// segment is one segment of the pattern, folded.
type segment struct {
	deep    bool   // **
	literal string // without a wildcard, when runes is nil
	runes   []rune // with wildcards
	suffix  string // for *SUFFIX in ASCII, the common case
}

// The wildcards within a segment, as runes no name can hold.
const (
	star rune = -1
	one  rune = -2
)

// Compile checks and compiles a pattern. Its refusals are outcome invalid.
func Compile(pattern string) (*Glob, error) {
	if err := check(pattern); err != nil {
		return nil, err
	}
	p := pattern
	for strings.HasPrefix(p, "./") {
		p = strings.TrimLeft(p[2:], "/")
	}
	if p == "" || p == "." {
		p = "**"
	}
	if strings.HasSuffix(p, "/") {
		p = strings.TrimRight(p, "/") + "/**"
	}
	g := &Glob{text: pattern}
	for s := range strings.SplitSeq(p, "/") {
		switch {
		case s == "" || s == ".":
			continue
		case s == "..":
			return nil, refuse(pattern, "climbs out of the tree. A glob is held against paths from the tree's top")
		case s == "**":
			if n := len(g.segs); n == 0 || !g.segs[n-1].deep {
				g.segs = append(g.segs, segment{deep: true})
			}
			continue
		case strings.Contains(s, "**") && !strings.Contains(s, `\`):
			return nil, refuse(pattern, "has ** beside other characters. ** stands for whole segments: write **/*.go, not **.go")
		}
		seg, err := compileSegment(pattern, s)
		if err != nil {
			return nil, err
		}
		g.segs = append(g.segs, seg)
	}
	g.any = len(g.segs) == 1 && g.segs[0].deep
	return g, nil
}

// check refuses what can be told from the text alone.
func check(p string) error {
	switch {
	case p == "":
		return outcome.New(outcome.Invalid, "the glob is empty. Write ** for every file")
	case len(p) > MaxLength:
		return outcome.New(outcome.Invalid, "the glob is over %d bytes long", MaxLength)
	case strings.IndexByte(p, 0) >= 0:
		return outcome.New(outcome.Invalid, "the glob holds a NUL character")
	case p[0] == '!':
		return refuse(p, "begins with !, which means nothing here. Pass --exclude GLOB to leave files out; a file whose name begins with ! is \\!name")
	case p[0] == '/':
		return refuse(p, "begins with a slash. A glob is held against paths from the tree's top: write src/**/*.go")
	}
	return nil
}

func refuse(pattern, why string) error {
	return outcome.New(outcome.Invalid, "the glob '%s' %s", pattern, why)
}

func compileSegment(pattern, s string) (segment, error) {
	var rs []rune
	wild := false
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			r = odd(s[i])
		}
		switch r {
		case '*':
			r, wild = star, true
			if len(rs) > 0 && rs[len(rs)-1] == star {
				i++
				continue
			}
		case '?':
			r, wild = one, true
		case '[', ']', '{', '}':
			return segment{}, refuse(pattern, "holds "+string(r)+", which means nothing here. The wildcards are *, ** and ?; a "+string(r)+" in a name is \\"+string(r))
		case '\\':
			if i+1 >= len(s) || !strings.ContainsRune(`[]{}!\`, rune(s[i+1])) {
				return segment{}, refuse(pattern, `holds a backslash. Write / between folders; a backslash stands only before [ ] { } ! and itself, to take them as they are`)
			}
			r = rune(s[i+1])
			n = 2
		}
		rs = append(rs, r)
		i += n
	}
	if !wild {
		lit := make([]byte, 0, len(s))
		for _, r := range rs {
			lit = appendRune(lit, r)
		}
		return segment{literal: fold(string(lit))}, nil
	}
	rs = foldRunes(rs)
	seg := segment{runes: rs}
	if rs[0] == star {
		seg.suffix = asciiTail(rs[1:])
	}
	return seg, nil
}

// asciiTail gives rs as a string when it is plain ASCII, else "".
func asciiTail(rs []rune) string {
	var sb strings.Builder
	for _, r := range rs {
		if r < 0 || r >= utf8.RuneSelf {
			return ""
		}
		sb.WriteByte(byte(r))
	}
	return sb.String()
}

// odd is the rune that stands for a byte which is not UTF-8: below the wildcards.
func odd(b byte) rune { return -1000 - rune(b) }

func appendRune(b []byte, r rune) []byte {
	if r <= odd(0) {
		return append(b, byte(odd(0)-r))
	}
	return utf8.AppendRune(b, r)
}

// fold gives the form in which two names compare equal: composed, and each
// character the least of those that differ from it only by case.
func fold(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			var b []byte
			s = norm.NFC.String(s)
			for i := 0; i < len(s); {
				r, n := utf8.DecodeRuneInString(s[i:])
				if r == utf8.RuneError && n == 1 {
					b = append(b, s[i])
				} else {
					b = utf8.AppendRune(b, foldRune(r))
				}
				i += n
			}
			return string(b)
		}
	}
	return strings.ToLower(s)
}

// foldRunes folds a pattern's runes; what stands between two wildcards is
// composed on its own.
func foldRunes(rs []rune) []rune {
	var out []rune
	var lit []byte
	flush := func() {
		out = append(out, runesOf(fold(string(lit)))...)
		lit = lit[:0]
	}
	for _, r := range rs {
		if r == star || r == one {
			flush()
			out = append(out, r)
			continue
		}
		lit = appendRune(lit, r)
	}
	flush()
	return out
}

func runesOf(s string) []rune {
	out := make([]rune, 0, len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			r = odd(s[i])
		}
		out = append(out, r)
		i += n
	}
	return out
}

func foldRune(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	if least < utf8.RuneSelf {
		return foldRune(least)
	}
	return least
}

// String is the pattern as it was written.
func (g *Glob) String() string { return g.text }
