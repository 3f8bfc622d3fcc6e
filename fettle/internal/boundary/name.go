package boundary

import (
	"path"
	"strings"

	"fettler/shared/outcome"
)

// maxPath bounds a path as a caller may write it, in bytes.
const maxPath = 32 << 10

// written is a path as a caller wrote it, split but not resolved: absolute,
// or relative to the top of tree (nil: of the tree the call works in).
type written struct {
	tree     *Tree
	absolute bool
	path     string // forward-slashed and cleaned; may begin with ".." when relative
}

// slashed has / for every separator.
func slashed(raw string, windows bool) string {
	if windows {
		return strings.ReplaceAll(raw, `\`, "/")
	}
	return raw
}

// parse splits what a caller wrote. It makes no system call. A name: prefix
// counts only when it names an open tree; with windows both separators do.
func parse(raw string, find func(string) *Tree, windows bool) (written, error) {
	switch {
	case raw == "":
		return written{}, outcome.New(outcome.Invalid, "the path is empty. Write . for the top of the tree")
	case len(raw) > maxPath:
		return written{}, outcome.New(outcome.Invalid, "the path is over %d bytes long", maxPath)
	case strings.IndexByte(raw, 0) >= 0:
		return written{}, outcome.New(outcome.Invalid, "the path holds a NUL character")
	}
	var w written
	if i := strings.IndexByte(raw, ':'); i >= 2 {
		if t := find(raw[:i]); t != nil {
			w.tree, raw = t, raw[i+1:]
		}
	}
	raw = slashed(raw, windows)
	w.absolute = strings.HasPrefix(raw, "/") || windows && hasDrive(raw)
	if w.absolute && w.tree != nil {
		// work:/etc/passwd is neither a path of the tree nor an absolute one.
		return written{}, errOutside()
	}
	if windows {
		if err := windowsRefuses(raw); err != nil {
			return written{}, err
		}
	}
	if raw == "" {
		raw = "."
	}
	w.path = path.Clean(raw)
	return w, nil
}

func hasDrive(s string) bool {
	return len(s) >= 2 && s[1] == ':' && (s[0]|0x20) >= 'a' && (s[0]|0x20) <= 'z'
}

// windowsRefuses rejects the spellings by which Windows reaches something
// other than the file a path seems to name: device and UNC namespaces, a
// drive without a root, streams, device names, and trailing dots and spaces.
func windowsRefuses(p string) error {
	if strings.HasPrefix(p, "//") {
		return errOutside()
	}
	if hasDrive(p) {
		p = p[2:]
		if !strings.HasPrefix(p, "/") {
			return errOutside()
		}
	}
	for seg := range strings.SplitSeq(p, "/") {
		if seg == "" || seg == "." || seg == ".." {
			continue
		}
		if strings.IndexByte(seg, ':') >= 0 {
			return outcome.New(outcome.Invalid, "a name may not hold a colon on Windows, where it would name a stream")
		}
		if strings.TrimRight(seg, ". ") != seg {
			return outcome.New(outcome.Invalid, "a name may not end in a dot or a space on Windows, where they are dropped")
		}
		if DeviceName(seg) {
			return outcome.New(outcome.Invalid, "'%s' is the name of a device on Windows", seg)
		}
	}
	return nil
}

// DeviceName reports whether Windows would open a device under this name,
// whatever its extension.
func DeviceName(seg string) bool {
	if i := strings.IndexAny(seg, ".:"); i >= 0 {
		seg = seg[:i]
	}
	seg = strings.ToUpper(strings.TrimRight(seg, " "))
	switch seg {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$":
		return true
	}
	if rest, ok := strings.CutPrefix(seg, "COM"); ok {
		return oneDigit(rest)
	}
	if rest, ok := strings.CutPrefix(seg, "LPT"); ok {
		return oneDigit(rest)
	}
	return false
}

// oneDigit also knows the superscripts, which Windows takes for digits here.
func oneDigit(s string) bool {
	return len(s) == 1 && s[0] >= '0' && s[0] <= '9' || s == "¹" || s == "²" || s == "³"
}

// split gives the segments of a cleaned relative path; "." has none.
func split(rel string) []string {
	if rel == "." || rel == "" {
		return nil
	}
	return strings.Split(rel, "/")
}

// below gives the segments of abs below top, both cleaned and absolute.
// fold compares without regard to case, as some platforms' disks do.
func below(top, abs string, fold bool) ([]string, bool) {
	if fold {
		// Folding may change lengths, so segments are compared, not bytes.
		ts, as := split(strings.Trim(top, "/")), split(strings.Trim(abs, "/"))
		if len(as) < len(ts) {
			return nil, false
		}
		for i, t := range ts {
			if Fold(t) != Fold(as[i]) {
				return nil, false
			}
		}
		return as[len(ts):], true
	}
	if abs == top {
		return nil, true
	}
	if top != "/" {
		top += "/"
	}
	rest, ok := strings.CutPrefix(abs, top)
	return split(rest), ok
}
