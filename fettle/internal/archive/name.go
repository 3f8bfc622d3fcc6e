package archive

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"fettler/fettle/internal/boundary"
)

// Fault is what is wrong with a member's name.
type Fault int

// The faults. Escapes is decided by where the archive goes: out of the
// destination, or out of every tree.
const (
	Fine Fault = iota
	Escapes
	Bad
)

// No system takes a longer name, and no archive that people make nests deeper;
// collisions are looked for at every folder of every name.
const (
	maxName    = 4096
	maxFolders = 256
)

// Flaw judges one name by the rules of every platform at once, so that an
// archive means the same wherever it is unpacked. rel is the cleaned path
// relative to the destination ("." is the destination itself); for Escapes it
// is absolute or begins with "..".
func Flaw(name string) (rel string, f Fault, why string) {
	switch {
	case name == "":
		return "", Bad, "its name is empty"
	case len(name) > maxName:
		return "", Bad, fmt.Sprintf("its name is longer than %d bytes", maxName)
	case strings.Count(name, "/") > maxFolders:
		return "", Bad, fmt.Sprintf("its name passes more than %d folders", maxFolders)
	case !utf8.ValidString(name):
		return "", Bad, "its name is not valid UTF-8"
	case strings.ContainsRune(name, '\\'):
		return "", Bad, "its name holds a backslash, which separates folders on Windows"
	case strings.HasPrefix(name, "/"):
		return path.Clean(name), Escapes, "its name is absolute"
	}
	climbs := false
	for seg := range strings.SplitSeq(name, "/") {
		switch {
		case seg == "" || seg == ".":
			continue
		case seg == "..":
			climbs = true
			continue
		case strings.IndexFunc(seg, func(r rune) bool { return r < 0x20 || r == 0x7f }) >= 0:
			return "", Bad, "its name holds a control character"
		case strings.IndexByte(seg, ':') >= 0:
			return "", Bad, "its name holds a colon, which names a drive or a stream on Windows"
		case strings.TrimRight(seg, ". ") != seg:
			return "", Bad, "its name ends in a dot or a space, which Windows drops"
		case boundary.DeviceName(seg):
			return "", Bad, "its name is that of a device on Windows"
		}
	}
	rel = path.Clean(name)
	if climbs {
		return rel, Escapes, "its name climbs with .."
	}
	return rel, Fine, ""
}

// Names finds collisions among the paths an archive unpacks to: two files in
// one place, a file where another member needs a folder, and names that one
// file system or another takes for the same.
type Names struct{ seen map[string]spelled }

type spelled struct {
	rel string
	dir bool
}

// Add takes a clean path and says with which earlier one it collides, or "".
func (n *Names) Add(rel string, dir bool) (other string) {
	if n.seen == nil {
		n.seen = map[string]spelled{}
	}
	folded := boundary.Fold(rel) // which keeps every slash and makes none
	for i, k := 0, 0; i < len(rel); i++ {
		if rel[i] == '/' {
			k += strings.IndexByte(folded[k:], '/') + 1
			if other := n.add(rel[:i], folded[:k-1], true); other != "" {
				return other
			}
		}
	}
	return n.add(rel, folded, dir)
}

func (n *Names) add(rel, key string, dir bool) string {
	old, ok := n.seen[key]
	if !ok {
		n.seen[key] = spelled{rel, dir}
		return ""
	}
	if old.rel == rel && old.dir && dir {
		return "" // the same folder again
	}
	return old.rel
}
