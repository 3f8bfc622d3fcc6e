package config

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"unicode"
)

// Declared paths are written with forward slashes on every platform: a
// backslash is an ordinary character of a name on some, so converting it would
// make a file called a\b unreachable there. Absolute paths name one machine
// either way and may be written as that machine writes them.

// spelled checks how a path is written and reports whether it is absolute on
// the kind of machine it is written for. It is pure and knows no platform.
func spelled(p string) (absolute, windows bool, err error) {
	for _, r := range p {
		if r < 0x20 || r == 0x7f {
			return false, false, fmt.Errorf("the path %q holds a control character", p)
		}
	}
	switch {
	case p == "":
		return false, false, fmt.Errorf(`the path is empty. Write "." for the folder of this file`)
	case strings.HasPrefix(p, `\\`) && len(p) > 2 && p[2] != '\\': // a share
		return true, true, nil
	case drive(p):
		if len(p) < 3 || p[2] != '/' && p[2] != '\\' {
			return false, false, fmt.Errorf("the path %q names a drive and no folder of it. Write %s:/ and the path", p, p[:1])
		}
		return true, true, nil
	case strings.Contains(p, `\`):
		return false, false, fmt.Errorf(`the path %q holds a backslash, which is a character of a name on other platforms. Write %q`, p, strings.ReplaceAll(p, `\`, "/"))
	case p == "~" || strings.HasPrefix(p, "~/"):
		return false, false, fmt.Errorf("the path %q begins with ~, which is not expanded. Write the path relative to this file, or the absolute path", p)
	case strings.HasPrefix(p, "/"):
		return true, false, nil
	}
	return false, false, nil
}

func drive(p string) bool {
	return len(p) >= 2 && p[1] == ':' && p[0] < unicode.MaxASCII && unicode.IsLetter(rune(p[0]))
}

// resolve makes a declared path absolute against dir, the folder of the file
// that names it. goos says what machine this is.
func resolve(p, dir, goos string) (string, error) {
	absolute, windows, err := spelled(p)
	switch {
	case err != nil:
		return "", err
	case windows && goos != "windows":
		return "", fmt.Errorf("the path %q is a Windows one, and this machine has no drives. Write it relative to this file, or put this machine's path into %s", p, OverlayName)
	case windows:
		return filepath.Clean(filepath.FromSlash(p)), nil
	case absolute && goos == "windows":
		return filepath.Clean(filepath.VolumeName(dir) + filepath.FromSlash(p)), nil
	case absolute:
		return filepath.Clean(p), nil
	}
	return filepath.Join(dir, filepath.FromSlash(p)), nil
}

// inside cleans a path that must stay inside the tree it is written for: a
// scope key, or what follows the tree's name in a screen key.
func inside(p string) (string, error) {
	absolute, _, err := spelled(p)
	if err != nil {
		return "", err
	}
	clean := path.Clean(p)
	switch {
	case absolute:
		return "", fmt.Errorf("%q is absolute. Write the path relative to the tree", p)
	case strings.ContainsAny(p, "*?"):
		return "", fmt.Errorf("%q holds a wildcard, and a scope is one path. Name the folder; the scope covers all below it", p)
	case clean == ".":
		return "", fmt.Errorf(`%q is the tree itself. Put its "can" on the tree`, p)
	case clean == ".." || strings.HasPrefix(clean, "../"):
		return "", fmt.Errorf("%q leaves the tree. A scope lies inside its tree", p)
	}
	return clean, nil
}
