package entity

import (
	"reflect"
	"testing"

	"fettler/burler-bridge/internal/wordpiece"
)

func TestDecode(t *testing.T) {
	bio := []string{"O", "B-NAME", "I-NAME", "B-DATE", "I-DATE", "S-DATE"}
	plain := []string{"NAME", "O", "DATE"}
	// Five words of two characters with a space between; the letter f marks a piece.
	text := func(follows string) (tokens []wordpiece.Token) {
		at := 0
		for _, f := range follows {
			if f != 'f' && at > 0 {
				at++
			}
			tokens = append(tokens, wordpiece.Token{Start: at, End: at + 2, Follows: f == 'f'})
			at += 2
		}
		return tokens
	}
	for _, c := range []struct {
		name    string
		labels  []string
		follows string
		class   []int
		want    [][2]int
	}{
		{"nothing", bio, "...", []int{0, 0, 0}, nil},
		{"one of two words", bio, "...", []int{1, 2, 0}, [][2]int{{0, 5}}},
		{"two beside each other", bio, "...", []int{1, 1, 2}, [][2]int{{0, 2}, {3, 8}}},
		{"two kinds", bio, "...", []int{1, 2, 3}, [][2]int{{0, 5}, {6, 8}}},
		{"inside without a beginning", bio, "...", []int{0, 2, 2}, [][2]int{{3, 8}}},
		{"inside another kind", bio, "..", []int{1, 4}, [][2]int{{0, 2}, {3, 5}}},
		{"single", bio, "..", []int{5, 5}, [][2]int{{0, 2}, {3, 5}}},
		{"pieces follow their word", bio, ".f.", []int{1, 0, 0}, [][2]int{{0, 4}}},
		{"a piece that begins again", bio, ".ff", []int{1, 1, 0}, [][2]int{{0, 6}}},
		{"only a later piece", bio, ".ff.", []int{0, 3, 0, 0}, [][2]int{{2, 6}}},
		{"plain", plain, "....", []int{0, 0, 1, 2}, [][2]int{{0, 5}, {9, 11}}},
	} {
		s, err := NewScheme(c.labels)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Decode(text(c.follows), c.class); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if _, err := NewScheme([]string{"A", "B"}); err == nil || err.Error() != `has no "O", the label of text that is nothing` {
		t.Error(err)
	}
}
