// Package entity turns a label a token into entities with their places in the
// text. Labels may be BIO-like (B-NAME, I-NAME, also E-, S-, L-, U-) or plain
// (NAME); the label of text that is nothing is O.
package entity

import (
	"errors"
	"strings"

	"fettler/burler-bridge/internal/wordpiece"
)

// Outside is the label of text that is nothing.
const Outside = "O"

// Scheme is a model's labels, taken apart once.
type Scheme struct {
	kind  []string // empty for outside
	opens []bool   // an entity begins at such a label whatever stands before
}

// NewScheme takes the labels in class order. The error continues a sentence
// that begins with the file's name.
func NewScheme(labels []string) (*Scheme, error) {
	s := &Scheme{}
	outside := false
	for _, l := range labels {
		kind, opens := l, false
		if len(l) > 2 && (l[1] == '-' || l[1] == '_') {
			switch l[0] {
			case 'B', 'S', 'U':
				kind, opens = l[2:], true
			case 'I', 'E', 'L':
				kind = l[2:]
			}
		}
		if strings.EqualFold(l, Outside) {
			kind, outside = "", true
		}
		s.kind, s.opens = append(s.kind, kind), append(s.opens, opens)
	}
	if !outside {
		return nil, errors.New(`has no "O", the label of text that is nothing`)
	}
	return s, nil
}

// Classes is how many labels there are.
func (s *Scheme) Classes() int { return len(s.kind) }

// Decode gives the entities as half-open ranges of the text's characters, in
// order. class holds a label's index for every token. A word that any of its
// pieces makes an entity is one from its first labelled piece to its end.
func (s *Scheme) Decode(tokens []wordpiece.Token, class []int) [][2]int {
	var spans [][2]int
	open := "" // the kind of the entity that the token before belongs to
	for i, t := range tokens {
		kind, opens := s.kind[class[i]], s.opens[class[i]]
		if open != "" && (t.Follows || kind == open && !opens) {
			last := &spans[len(spans)-1]
			last[1] = max(last[1], t.End)
			continue
		}
		open = kind
		if kind != "" {
			spans = append(spans, [2]int{t.Start, t.End})
		}
	}
	return spans
}
