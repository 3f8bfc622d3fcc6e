package boundary

import "strings"

// The nine files fettle never writes: they say what this tool and the
// assistant may do, so whoever could write them could widen the boundary.
var (
	governedNames = []string{".fettler.json", ".fettler.local.json", ".mcp.json", ".picker.json", ".picker.local.json"}
	governedPairs = [][2]string{{".claude", "settings.json"}, {".claude", "settings.local.json"}, {".vscode", "mcp.json"}, {"fettler", "fettler.json"}}
)

// GovernedFiles lists the nine as the refusal names them.
func GovernedFiles() []string {
	out := append([]string(nil), governedNames...)
	for _, p := range governedPairs {
		out = append(out, p[0]+"/"+p[1])
	}
	return out
}

// Governed reports whether the absolute path names one of the nine files,
// and which. It is pure: the path is the file's real place, with links
// resolved; case never counts, and with windows the other spellings of a
// name that Windows accepts are taken off first. Both separators split a
// path with windows, the slash alone elsewhere.
func Governed(abs string, windows bool) (string, bool) {
	if windows {
		abs = strings.ReplaceAll(abs, `\`, "/")
	}
	dir, name := "", abs
	if i := strings.LastIndexByte(abs, '/'); i >= 0 {
		dir, name = abs[:i], abs[i+1:]
		if j := strings.LastIndexByte(dir, '/'); j >= 0 {
			dir = dir[j+1:]
		}
	}
	for _, g := range governedNames {
		if sameName(name, g, windows) {
			return g, true
		}
	}
	for _, p := range governedPairs {
		if sameName(name, p[1], windows) && sameName(dir, p[0], windows) {
			return p[0] + "/" + p[1], true
		}
	}
	return "", false
}

// sameName compares one written segment with a known name.
func sameName(written, known string, windows bool) bool {
	if windows {
		written = windowsName(written)
		if shortNameOf(written, known) {
			return true
		}
	}
	return Fold(written) == Fold(known)
}

// windowsName takes off what Windows ignores at the end of a segment: a
// stream suffix, then trailing dots and spaces.
func windowsName(seg string) string {
	if i := strings.IndexByte(seg, ':'); i >= 0 {
		seg = seg[:i]
	}
	return strings.TrimRight(seg, ". ")
}

// shortNameOf reports whether written can be the 8.3 alias of known: FETTLE~1.JSO
// for .fettler.json. It errs on the safe side, since which number a name got is
// the disk's secret.
func shortNameOf(written, known string) bool {
	tilde := strings.IndexByte(written, '~')
	if tilde < 1 {
		return false
	}
	tail, ext, _ := strings.Cut(written[tilde+1:], ".")
	if tail == "" || strings.Trim(tail, "0123456789") != "" {
		return false
	}
	base, wantExt := known, ""
	if i := strings.LastIndexByte(known, '.'); i > 0 {
		base, wantExt = known[:i], known[i+1:]
	}
	base = strings.NewReplacer(".", "", " ", "").Replace(base)
	if len(wantExt) > 3 {
		wantExt = wantExt[:3]
	}
	stem := Fold(written[:tilde])
	// After four clashes Windows keeps two characters and adds a checksum, so two that agree are enough.
	n := min(2, len(stem))
	return strings.EqualFold(ext, wantExt) && strings.HasPrefix(Fold(base), stem[:n])
}

// ReservedPrefix begins every name fettle keeps for its own journals and
// staged files inside a tree. Such a name is outside for every verb.
const ReservedPrefix = ".fettler-tmp~"

// Reserved reports whether a segment is one of fettle's own names.
func Reserved(seg string) bool {
	if len(seg) < len(ReservedPrefix) {
		return false
	}
	if ascii(seg) {
		return strings.EqualFold(seg[:len(ReservedPrefix)], ReservedPrefix)
	}
	return strings.HasPrefix(Fold(seg), ReservedPrefix)
}
