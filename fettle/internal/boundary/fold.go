package boundary

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold gives the form in which two names that some file system would take
// for one compare equal: Unicode full case folding, NFC, and the characters
// dropped that HFS+ and others ignore. It is used where no file exists to
// compare by identity, and for the governed names on every platform.
func Fold(name string) string {
	if ascii(name) {
		return strings.ToLower(name)
	}
	name = strings.Map(func(r rune) rune {
		if ignorable(r) {
			return -1
		}
		return r
	}, norm.NFD.String(name))
	// Folding may undo a normalisation (U+1E9E, U+0345), so it comes between two.
	return norm.NFC.String(cases.Fold().String(name))
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// ignorable reports the default-ignorable characters a name can hide behind.
func ignorable(r rune) bool {
	switch {
	case r == 0x00AD, r == 0x034F, r == 0x061C, r == 0xFEFF,
		r >= 0x115F && r <= 0x1160, r >= 0x17B4 && r <= 0x17B5,
		r >= 0x180B && r <= 0x180F, r >= 0x200B && r <= 0x200F,
		r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F,
		r == 0x3164, r >= 0xFE00 && r <= 0xFE0F, r == 0xFFA0,
		r >= 0xFFF0 && r <= 0xFFF8, r >= 0x1BCA0 && r <= 0x1BCA3,
		r >= 0x1D173 && r <= 0x1D17A, r >= 0xE0000 && r <= 0xE0FFF:
		return true
	}
	return unicode.Is(unicode.Cf, r)
}
