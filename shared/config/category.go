package config

import (
	"strings"

	"fettler/shared/outcome"
)

// Categories is a set of the kinds of regulated data a screen looks for.
type Categories uint8

// The four categories.
const (
	Identifiers Categories = 1 << iota // judged by patterns inside fettle
	Clinical                           // the rest are judged by models the user installs
	Legal
	Scientific
)

const (
	// None screens nothing.
	None Categories = 0
	// All is the four.
	All = Identifiers | Clinical | Legal | Scientific
	// Models are the categories that need a model.
	Models = Clinical | Legal | Scientific
)

var categoryWords = [...]string{"identifiers", "clinical", "legal", "scientific"}

// instead says what to write for what earlier versions called a category, or "".
func instead(old string) string {
	switch old {
	case "phi":
		return `"identifiers", "clinical" or both`
	case "pii":
		return `"identifiers"`
	case "sci":
		return `"scientific"`
	}
	return ""
}

// Has reports whether the set holds every category of want.
func (c Categories) Has(want Categories) bool { return c&want == want }

// Words lists the set's words in order.
func (c Categories) Words() []string {
	words := make([]string, 0, len(categoryWords))
	for i, w := range categoryWords {
		if c&(1<<i) != 0 {
			words = append(words, w)
		}
	}
	return words
}

// String is the words with a comma between, or "nothing".
func (c Categories) String() string {
	if c == None {
		return "nothing"
	}
	return strings.Join(c.Words(), ", ")
}

// ParseCategories reads a screen's list: plain words include, words with a
// leading hyphen are taken out of all four, and a list of both is refused.
func ParseCategories(words []string) (Categories, error) {
	if len(words) == 0 {
		return 0, outcome.New(outcome.Invalid, "an empty list names no category. Write true for all four, false for none, or the words: %s", strings.Join(categoryWords[:], ", "))
	}
	var named Categories
	without := strings.HasPrefix(words[0], "-")
	for _, w := range words {
		if strings.HasPrefix(w, "-") != without {
			return 0, outcome.New(outcome.Invalid, "a list names what to screen, or with a leading hyphen what to leave out, never both; %q and %q are mixed", words[0], w)
		}
		c, err := parseCategory(strings.TrimPrefix(w, "-"))
		if err != nil {
			return 0, err
		}
		named |= c
	}
	if without {
		return All &^ named, nil
	}
	return named, nil
}

func parseCategory(w string) (Categories, error) {
	for i, known := range categoryWords {
		if w == known {
			return 1 << i, nil
		}
	}
	if now := instead(w); now != "" {
		return 0, outcome.New(outcome.Invalid, "%q is not a category any more. Write %s instead", w, now)
	}
	return 0, outcome.New(outcome.Invalid, "%q is not a category. The four are: %s", w, strings.Join(categoryWords[:], ", "))
}
