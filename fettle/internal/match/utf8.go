package match

import "unicode/utf8"

// byteRange is a range of bytes.
type byteRange struct{ lo, hi byte }

// eachSequence calls fn with the byte ranges, one a byte, whose products are
// together the UTF-8 encodings of the runes from lo to hi. Surrogates have none.
func eachSequence(lo, hi rune, fn func(seq []byteRange)) {
	if lo > hi {
		return
	}
	if lo <= 0xDFFF && hi >= 0xD800 {
		eachSequence(lo, 0xD7FF, fn)
		eachSequence(0xE000, hi, fn)
		return
	}
	// Pieces of one length each.
	for _, last := range []rune{0x7F, 0x7FF, 0xFFFF} {
		if lo <= last && last < hi {
			eachSequence(lo, last, fn)
			eachSequence(last+1, hi, fn)
			return
		}
	}
	if hi < utf8.RuneSelf {
		fn([]byteRange{{byte(lo), byte(hi)}})
		return
	}
	// Pieces in which only the last bytes vary, and over their whole range.
	for n := 1; n < utf8.UTFMax; n++ {
		m := rune(1)<<(6*n) - 1
		if lo&^m == hi&^m {
			continue
		}
		if lo&m != 0 {
			eachSequence(lo, lo|m, fn)
			eachSequence((lo|m)+1, hi, fn)
			return
		}
		if hi&m != m {
			eachSequence(lo, hi&^m-1, fn)
			eachSequence(hi&^m, hi, fn)
			return
		}
	}
	var a, b [utf8.UTFMax]byte
	n := utf8.EncodeRune(a[:], lo)
	utf8.EncodeRune(b[:], hi)
	seq := make([]byteRange, n)
	for i := range seq {
		seq[i] = byteRange{a[i], b[i]}
	}
	fn(seq)
}
