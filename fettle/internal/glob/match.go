package glob

import (
	"strings"
	"unicode/utf8"
)

// Match reports whether the pattern names the path: relative to the tree's
// top, with forward slashes.
func (g *Glob) Match(path string) bool {
	if g.any {
		return path != ""
	}
	if n := len(g.segs); n == 2 && g.segs[0].deep { // **/NAME
		return g.segs[1].match(path[strings.LastIndexByte(path, '/')+1:])
	}
	return g.match(path, len(g.segs))
}

// match holds the first n segments of the pattern against path. Only the last
// ** met can need to take more, so one place to return to is enough.
func (g *Glob) match(path string, n int) bool {
	i, rest := 0, path // segments of the pattern and of the path still to be matched
	retry, from := -1, ""
	for {
		switch {
		case rest == "" && i == n:
			return true
		case i < n && g.segs[i].deep:
			if i == n-1 {
				if rest != "" {
					return true
				}
				break
			}
			retry, from = i+1, rest
			i++
			continue
		case rest != "" && i < n:
			seg, tail := cut(rest)
			if g.segs[i].match(seg) {
				i, rest = i+1, tail
				continue
			}
		}
		if retry < 0 || from == "" {
			return false
		}
		_, from = cut(from)
		i, rest = retry, from
	}
}

func cut(path string) (seg, rest string) {
	if i := strings.IndexByte(path, '/'); i >= 0 {
		return path[:i], path[i+1:]
	}
	return path, ""
}

// Below reports whether the pattern could name something below the folder.
func (g *Glob) Below(folder string) bool {
	rest := folder
	for i := 0; rest != ""; i++ {
		if i >= len(g.segs) {
			return false
		}
		if g.segs[i].deep {
			return true
		}
		var seg string
		seg, rest = cut(rest)
		if !g.segs[i].match(seg) || i == len(g.segs)-1 {
			return false
		}
	}
	return true
}

// Covers reports whether the pattern names path or a folder above it: what
// leaving out means.
func (g *Glob) Covers(path string) bool {
	for i := 0; i < len(path); i++ {
		if path[i] == '/' && g.Match(path[:i]) {
			return true
		}
	}
	return g.Match(path)
}

// Shallow reports whether the pattern is a single segment with a wildcard,
// which names things at the tree's top only: worth a hint when it finds nothing.
func (g *Glob) Shallow() bool { return len(g.segs) == 1 && g.segs[0].runes != nil }

func (s *segment) match(name string) bool {
	if s.runes == nil {
		if ascii(name) {
			return len(name) == len(s.literal) && equalFold(name, s.literal)
		}
		return fold(name) == s.literal
	}
	if s.suffix != "" && ascii(name) {
		return len(name) >= len(s.suffix) && equalFold(name[len(name)-len(s.suffix):], s.suffix)
	}
	if ascii(name) {
		return wild(s.runes, name)
	}
	return wild(s.runes, fold(name))
}

// equalFold compares ASCII name with the folded want of the same length.
func equalFold(name, want string) bool {
	for i := 0; i < len(want); i++ {
		c := name[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != want[i] {
			return false
		}
	}
	return true
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// wild matches a name that is folded, or ASCII; only the last star met can need to take more.
func wild(p []rune, name string) bool {
	i, at := 0, 0
	retry, from := -1, 0
	for at < len(name) {
		r, n := utf8.DecodeRuneInString(name[at:])
		switch {
		case r == utf8.RuneError && n == 1:
			r = odd(name[at])
		case 'A' <= r && r <= 'Z':
			r |= 0x20
		}
		switch {
		case i < len(p) && p[i] == star:
			i++
			retry, from = i, at
		case i < len(p) && (p[i] == one || p[i] == r):
			i, at = i+1, at+n
		case retry >= 0:
			_, n := utf8.DecodeRuneInString(name[from:])
			from += n
			i, at = retry, from
		default:
			return false
		}
	}
	for i < len(p) && p[i] == star {
		i++
	}
	return i == len(p)
}
