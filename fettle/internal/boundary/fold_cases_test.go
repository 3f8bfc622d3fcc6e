package boundary

import (
	"testing"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Two characters fold alike exactly when they do under the full case folding
// of golang.org/x/text/cases. Cherokee is left to the test below: that package
// keeps its small letters apart from its capitals, and Unicode does not.
func TestFoldIsFullCaseFolding(t *testing.T) {
	full := cases.Fold()
	theirs, ours := map[string]string{}, map[string]string{}
	n := 0
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		if !unicode.IsGraphic(r) || ignorable(r) || unicode.Is(unicode.Cherokee, r) {
			continue
		}
		s := string(r)
		want := norm.NFC.String(full.String(norm.NFD.String(s)))
		got := Fold(s)
		if old, ok := theirs[want]; ok && old != got {
			t.Errorf("U+%04X folds to %q; what folds alike folds to %q", r, got, old)
		}
		if old, ok := ours[got]; ok && old != want {
			t.Errorf("U+%04X folds to %q, as does what full folding sets apart: %q and %q", r, got, want, old)
		}
		if again := Fold(got); again != got {
			t.Errorf("U+%04X folds to %q, and that to %q", r, got, again)
		}
		if of := Fold(want); of != got {
			t.Errorf("U+%04X folds to %q, its folding %q to %q", r, got, want, of)
		}
		theirs[want], ours[got] = got, want
		n++
	}
	if n < 140_000 {
		t.Fatalf("only %d characters were compared", n)
	}
}

func TestFoldTakesCherokeeForOne(t *testing.T) {
	for capital, small := range map[string]string{"\u13A0": "\uAB70", "\u13EF": "\uABBF", "\u13F0": "\u13F8", "\u13F5": "\u13FD"} {
		if Fold(capital) != Fold(small) {
			t.Errorf("%q and %q fold apart", capital, small)
		}
	}
}
