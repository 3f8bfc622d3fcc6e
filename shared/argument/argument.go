// Package argument takes a command line apart the strict way: a flag that is not
// known is refused, a flag without its value is refused, and nothing is guessed.
//
// Describe the flags, then call Parse. It is for the small programs beside
// fettle; fettle's own command line comes from its table of verbs.
package argument

import (
	"slices"
	"strings"

	"fettler/shared/outcome"
)

// Flags says which flags there are. Each is named without its dashes.
type Flags struct {
	Switches []string // take no value
	Values   []string // take one
}

// Line is a command line taken apart.
type Line struct {
	Words  []string
	on     map[string]bool
	values map[string]string
}

// On reports whether a switch was given.
func (l *Line) On(name string) bool { return l.on[name] }

// Value gives a flag's value, and whether it was given.
func (l *Line) Value(name string) (string, bool) {
	v, ok := l.values[name]
	return v, ok
}

// Parse takes the words apart. What follows -- is words only.
func Parse(words []string, f Flags) (*Line, error) {
	l := &Line{on: map[string]bool{}, values: map[string]string{}}
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w == "--" {
			l.Words = append(l.Words, words[i+1:]...)
			break
		}
		if !strings.HasPrefix(w, "-") || w == "-" {
			l.Words = append(l.Words, w)
			continue
		}
		name, value, given := strings.Cut(strings.TrimPrefix(w, "--"), "=")
		switch {
		case !strings.HasPrefix(w, "--"):
			return nil, unknown(w)
		case slices.Contains(f.Switches, name):
			if given && value != "true" && value != "false" {
				return nil, outcome.New(outcome.Invalid, "--%s takes no value", name)
			}
			l.on[name] = value != "false"
		case slices.Contains(f.Values, name):
			if _, twice := l.values[name]; twice {
				return nil, outcome.New(outcome.Invalid, "--%s is given twice", name)
			}
			if !given {
				if i++; i >= len(words) || strings.HasPrefix(words[i], "--") {
					return nil, outcome.New(outcome.Invalid, "--%s needs a value. Write --NAME= to pass an empty one", name)
				}
				value = words[i]
			}
			l.values[name] = value
		default:
			return nil, unknown("--" + name)
		}
	}
	return l, nil
}

func unknown(flag string) error {
	return outcome.New(outcome.Invalid, "no such flag: %s. Run fettle help for the list", flag)
}

// Has looks for a switch before anything is understood, so that a command line
// that makes no sense is refused in the form that was asked for.
func Has(words []string, name string) bool {
	for _, w := range words {
		switch w {
		case "--":
			return false
		case "--" + name, "--" + name + "=true":
			return true
		}
	}
	return false
}
