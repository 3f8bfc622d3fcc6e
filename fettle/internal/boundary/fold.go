package boundary

import (
	"strings"
	"unicode"

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
	var folded strings.Builder
	for _, r := range name {
		if long := longFold(r); long != "" {
			folded.WriteString(long)
			continue
		}
		folded.WriteRune(foldRune(r))
	}
	// Folding may undo a normalisation (U+1E9E, U+0345), so it comes between two.
	return norm.NFC.String(folded.String())
}

// longFold gives what a character folds to that folds to several and has no
// canonical decomposition, which NFD would have taken apart before. A test
// compares with golang.org/x/text/cases, whose tables cost every start of the
// program more than this costs a name that is not ASCII.
func longFold(r rune) string {
	switch r {
	case 0x00DF, 0x1E9E:
		return "ss"
	case 0x0149:
		return "\u02BCn"
	case 0x0587:
		return "\u0565\u0582"
	case 0x1E9A:
		return "a\u02BE"
	case 0xFB00:
		return "ff"
	case 0xFB01:
		return "fi"
	case 0xFB02:
		return "fl"
	case 0xFB03:
		return "ffi"
	case 0xFB04:
		return "ffl"
	case 0xFB05, 0xFB06:
		return "st"
	case 0xFB13:
		return "\u0574\u0576"
	case 0xFB14:
		return "\u0574\u0565"
	case 0xFB15:
		return "\u0574\u056B"
	case 0xFB16:
		return "\u057E\u0576"
	case 0xFB17:
		return "\u0574\u056D"
	}
	return ""
}

// foldRune gives one representative of the characters that differ in case
// only; for ASCII it is the small letter.
func foldRune(r rune) rune {
	first := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		first = min(first, next)
	}
	return unicode.ToLower(first)
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
