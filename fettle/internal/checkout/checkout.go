// Package checkout tells what a folder has checked out, from .git/HEAD alone.
//
// Call Read with a folder. It looks for .git there and in the folders above,
// follows the one gitdir: pointer that a worktree or a submodule uses, and
// opens nothing else: no ref, index, object or configuration file. What it
// reads is bounded, and only what is a branch's name or a commit's hash by
// git's own rules is given back: the file may be anybody's.
//
// It says what this machine has checked out, never what a remote holds. A
// .git that cannot be read, or that leads nowhere, answers as none.
package checkout

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"
)

// Head is what is checked out: a Branch, or a Detached commit.
type Head struct {
	Branch   string
	Detached string
	// Above is the folder that holds .git when it is not the folder asked about.
	Above string
}

// maxHead bounds both files that are read. A path may be long; a ref is not.
const maxHead = 4 << 10

// Read tells the head of the checkout that dir lies in.
func Read(dir string) (Head, bool) {
	for at := filepath.Clean(dir); ; {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			h, ok := read(filepath.Join(at, ".git"))
			if ok && at != filepath.Clean(dir) {
				h.Above = at
			}
			return h, ok
		}
		up := filepath.Dir(at)
		if up == at {
			return Head{}, false
		}
		at = up
	}
}

func read(git string) (Head, bool) {
	info, err := os.Stat(git)
	if err != nil {
		return Head{}, false
	}
	if !info.IsDir() {
		line, ok := firstLine(git)
		if !ok {
			return Head{}, false
		}
		if git, ok = pointer(line, filepath.Dir(git), runtime.GOOS); !ok {
			return Head{}, false
		}
	}
	line, ok := firstLine(filepath.Join(git, "HEAD"))
	if !ok {
		return Head{}, false
	}
	return parse(line)
}

// firstLine reads a small regular file's one line. A link is not followed: an
// old repository's HEAD may be one, and it leads to a ref.
func firstLine(file string) (string, bool) {
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxHead {
		return "", false
	}
	f, err := os.Open(file)
	if err != nil {
		return "", false
	}
	defer f.Close()
	if now, err := f.Stat(); err != nil || !os.SameFile(info, now) {
		return "", false
	}
	b, err := io.ReadAll(io.LimitReader(f, maxHead+1))
	if err != nil || len(b) > maxHead {
		return "", false
	}
	line := strings.TrimRight(string(b), "\r\n")
	return line, !strings.ContainsAny(line, "\r\n\x00")
}

// pointer is where a .git file says that the repository is.
func pointer(line, dir, goos string) (string, bool) {
	p, ok := strings.CutPrefix(line, "gitdir:")
	p = strings.TrimSpace(p)
	if !ok || p == "" {
		return "", false
	}
	slashed := strings.ReplaceAll(p, `\`, "/")
	if goos == "windows" && strings.HasPrefix(slashed, "//") {
		return "", false // a share: looking at it would log in to a server somebody chose
	}
	if !filepath.IsAbs(p) {
		p = filepath.Join(dir, filepath.FromSlash(p))
	}
	return filepath.Clean(p), true
}

// parse reads HEAD's line.
func parse(line string) (Head, bool) {
	if ref, ok := strings.CutPrefix(line, "ref:"); ok {
		ref = strings.TrimSpace(ref)
		if !validRef(ref) {
			return Head{}, false
		}
		return Head{Branch: strings.TrimPrefix(ref, "refs/heads/")}, true
	}
	if isHash(line) {
		return Head{Detached: line}, true
	}
	return Head{}, false
}

// isHash knows the two lengths that git uses.
func isHash(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// validRef applies the rules of git check-ref-format, and takes nothing that
// does not print.
func validRef(ref string) bool {
	if !strings.HasPrefix(ref, "refs/") || strings.Contains(ref, "..") || strings.Contains(ref, "@{") ||
		strings.HasSuffix(ref, ".") || len(ref) > 300 {
		return false
	}
	for _, part := range strings.Split(ref, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	for _, r := range ref {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) || strings.ContainsRune(" ~^:?*[\\", r) {
			return false
		}
	}
	return true
}
