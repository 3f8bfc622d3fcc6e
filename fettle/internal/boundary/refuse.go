package boundary

import (
	"errors"
	"io/fs"
	"strings"

	"fettler/shared/config"
	"fettler/shared/outcome"
)

// ErrHidden is what a walk meets where a scope grants no list. A walker
// leaves such an entry out without a count or a word.
var ErrHidden = errors.New("hidden")

// ErrNotRegular is a FIFO, a socket, a device or a folder where a file is wanted.
var ErrNotRegular = errors.New("not a regular file")

// ErrLarge is a file beyond the limit that Dir.Read was given.
var ErrLarge = errors.New("larger than the limit")

// Outside is the one refusal for everything outside the open trees, hidden or
// fettle's own: scripts match its words, and nothing in it tells which it was.
const Outside = "the path is outside every declared tree. Run roots to see the trees"

func errOutside() error { return outcome.New(outcome.OutsideRoot, Outside) }

func errNotFound(path string) error {
	return outcome.New(outcome.NotFound, "there is nothing at %s", path).At(path)
}

func errNotRegular(path string, m fs.FileMode) error {
	return outcome.New(outcome.Refused, "%s is %s, not a regular file, and fettle opens regular files only", path, KindOf(m)).At(path).Because(ErrNotRegular)
}

// KindOf names a file type with its article.
func KindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeSymlink != 0:
		return "a link"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	case m.IsRegular():
		return "a file"
	}
	return "something special"
}

// lacks refuses for a missing permission, naming the words to add and where.
func lacks(t *Tree, path string, missing config.Permissions) error {
	words := missing.Words()
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = `"` + w + `"`
	}
	fix := "Add " + strings.Join(quoted, " and ") + ` to that tree's or scope's "can" under "guardrails" in .fettler.json`
	if t.Found != "" {
		fix = "fettle opened this tree itself, and nothing widens it"
	}
	if t.Fixed != "" {
		fix = t.Fixed
	}
	return outcome.New(outcome.Refused, "'%s' is in a tree or scope that does not allow %s. %s", path, strings.Join(words, " or "), fix).At(path)
}

// ErrGoverned refuses a change to one of the nine files in reference words.
func ErrGoverned(which, abs string) error {
	return outcome.New(outcome.Governed, "%s is a file that says what this tool and the assistant may do. "+
		"Fettler does not write those files. Change it with an editor. The files are: %s (%s)",
		which, strings.Join(GovernedFiles(), ", "), abs)
}

// sysCause strips the machine's path off a system error.
func sysCause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
