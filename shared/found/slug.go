package found

import (
	"strings"
	"unicode/utf16"
)

// longest is where the client cuts a project's name and adds a hash.
const longest = 200

// slug is the folder name of a project: the launch path with its separators
// and the drive's colon replaced by hyphens.
func slug(path, goos string) string {
	seps := "/"
	if goos == "windows" {
		seps = `/\:`
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(seps, r) {
			return '-'
		}
		return r
	}, path)
}

// clientSlug is the client's own rule: every character outside A-Z, a-z and
// 0-9 becomes a hyphen. The client counts as JavaScript does, in UTF-16, so a
// character beyond the first plane becomes two.
func clientSlug(path string) string {
	units := utf16.Encode([]rune(path))
	out := make([]byte, len(units))
	for i, u := range units {
		switch {
		case u >= 'a' && u <= 'z', u >= 'A' && u <= 'Z', u >= '0' && u <= '9':
			out[i] = byte(u)
		default:
			out[i] = '-'
		}
	}
	return string(out)
}

// slugs are the names to try, in order, without repeats.
func slugs(paths []string, goos string) []string {
	var out []string
	seen := map[string]bool{"": true, ".": true, "..": true}
	add := func(s string) {
		if !seen[s] && !strings.ContainsAny(s, "/\x00") {
			seen[s] = true
			out = append(out, s)
		}
	}
	for _, p := range paths {
		add(slug(p, goos))
		add(clientSlug(p))
	}
	return out
}
