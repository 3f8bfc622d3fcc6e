package config

import (
	"strings"

	"fettler/shared/outcome"
)

// Permissions is a set of the seven permissions. One permission is a set of one.
type Permissions uint8

// Permission is a set that holds one member.
type Permission = Permissions

// The seven, in the order they are displayed.
const (
	List    Permissions = 1 << iota // appears in find and search; absent means hidden
	Read                            // content may be read
	Create                          // something that is not there may be made
	Update                          // an existing file's content may be changed
	Rename                          // may be renamed, or moved within its scope
	Delete                          // may be removed, or moved out of its scope
	Execute                         // a declared task may run here
)

const (
	// Nothing grants nothing: hidden.
	Nothing Permissions = 0
	// Look is the default of every tree that does not hold the configuration file.
	Look = List | Read
	// Work is the default of the tree that holds the file: everything but Execute,
	// which is never a default because the file that declares tasks lies there.
	Work = List | Read | Create | Update | Rename | Delete
)

var permissionWords = [...]string{"list", "read", "create", "update", "rename", "delete", "execute"}

// Has reports whether the set holds every permission of need.
func (p Permissions) Has(need Permissions) bool { return p&need == need }

// Words lists the set's words in the order of display.
func (p Permissions) Words() []string {
	words := make([]string, 0, len(permissionWords))
	for i, w := range permissionWords {
		if p&(1<<i) != 0 {
			words = append(words, w)
		}
	}
	return words
}

// String is the words with a space between, or "nothing".
func (p Permissions) String() string {
	if p == Nothing {
		return "nothing"
	}
	return strings.Join(p.Words(), " ")
}

// ParsePermissions reads a list of words. An unknown one is refused with the
// seven named; case counts.
func ParsePermissions(words []string) (Permissions, error) {
	var p Permissions
next:
	for _, w := range words {
		for i, known := range permissionWords {
			if w == known {
				p |= 1 << i
				continue next
			}
		}
		return 0, outcome.New(outcome.Invalid, "%q is not a permission. The seven are: %s", w, strings.Join(permissionWords[:], ", "))
	}
	return p, nil
}
