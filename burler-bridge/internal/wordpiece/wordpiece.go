// Package wordpiece splits text into BERT's tokens and keeps where each one
// stands in the text.
//
// Parse reads a vocab.txt, Tokens splits a text. It does what BERT's basic and
// WordPiece tokenisers do: control characters dropped, Chinese characters and
// punctuation on their own, and, when the vocabulary is uncased, lower case
// with accents stripped. It adds no special tokens; windows do.
package wordpiece

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Token is one piece of a word. Start and End count characters of the text.
type Token struct {
	ID         int64
	Start, End int
	Follows    bool // it continues the word of the token before it
}

// Vocab is a vocabulary and what it says about its tokeniser.
type Vocab struct {
	ids           map[string]int64
	unknown       int64
	cls, sep, pad int64
	uncased       bool
	longest       int // bytes of the longest piece
}

// maxWord is the longest word that is looked up; a longer one is unknown.
const maxWord = 100

// Parse reads vocab.txt: one token a line, its number the line's. The error
// continues a sentence that begins with the file's name.
func Parse(raw []byte) (*Vocab, error) {
	if !utf8.Valid(raw) {
		return nil, errors.New("is not UTF-8 text")
	}
	v := &Vocab{ids: map[string]int64{}, uncased: true}
	text := strings.TrimPrefix(string(raw), "\ufeff")
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if _, twice := v.ids[line]; !twice {
			v.ids[line] = int64(i)
		}
		if special(line) {
			continue
		}
		v.longest = max(v.longest, len(line))
		if v.uncased && strings.IndexFunc(line, unicode.IsUpper) >= 0 {
			v.uncased = false
		}
	}
	for _, need := range []struct {
		token string
		into  *int64
	}{{"[UNK]", &v.unknown}, {"[CLS]", &v.cls}, {"[SEP]", &v.sep}, {"[PAD]", &v.pad}} {
		id, ok := v.ids[need.token]
		if !ok {
			return nil, fmt.Errorf("has no %s, so it is no WordPiece vocabulary", need.token)
		}
		*need.into = id
	}
	return v, nil
}

// special reports a token in brackets, such as [CLS] or [unused7]: capitals
// there say nothing about the vocabulary.
func special(token string) bool {
	return strings.HasPrefix(token, "[") && strings.HasSuffix(token, "]") && len(token) > 2
}

// Uncased reports that no piece holds a capital: text is folded to lower case
// and accents are stripped.
func (v *Vocab) Uncased() bool { return v.uncased }

// CLS, SEP and PAD are the special tokens' numbers.
func (v *Vocab) CLS() int64 { return v.cls }
func (v *Vocab) SEP() int64 { return v.sep }
func (v *Vocab) PAD() int64 { return v.pad }

// Size is one more than the largest number.
func (v *Vocab) Size() int {
	most := int64(0)
	for _, id := range v.ids {
		most = max(most, id)
	}
	return int(most) + 1
}

// Tokens splits the text.
func (v *Vocab) Tokens(text string) []Token {
	var tokens []Token
	var w word
	flush := func() {
		if len(w.runes) > 0 {
			tokens = v.pieces(tokens, &w)
			w.runes, w.at = w.runes[:0], w.at[:0]
		}
	}
	at := 0
	for _, r := range text {
		switch {
		case r == 0 || r == utf8.RuneError || control(r):
			// dropped, and no boundary: so does BERT
		case unicode.IsSpace(r):
			flush()
		case punctuation(r) || chinese(r):
			flush()
			w.add(r, at)
			flush()
		default:
			v.fold(&w, r, at)
		}
		at++
	}
	flush()
	return tokens
}

// word is the word being gathered, each character with its place in the text.
type word struct {
	runes []rune
	at    []int
}

func (w *word) add(r rune, at int) { w.runes, w.at = append(w.runes, r), append(w.at, at) }

// fold adds a character as the vocabulary spells it.
func (v *Vocab) fold(w *word, r rune, at int) {
	if !v.uncased {
		w.add(r, at)
		return
	}
	if r < utf8.RuneSelf {
		w.add(unicode.ToLower(r), at)
		return
	}
	// Lower case first, as BERT does; it may make several characters, and so
	// may taking an accent apart.
	for _, d := range norm.NFD.String(strings.ToLower(string(r))) {
		if !unicode.Is(unicode.Mn, d) {
			w.add(d, at)
		}
	}
}

// pieces appends the word's pieces, the longest first, or one unknown token
// when some part of it is in no piece.
func (v *Vocab) pieces(tokens []Token, w *word) []Token {
	first, last := w.at[0], w.at[len(w.at)-1]+1
	unknown := Token{ID: v.unknown, Start: first, End: last}
	if len(w.runes) > maxWord {
		return append(tokens, unknown)
	}
	begin := len(tokens)
	for i := 0; i < len(w.runes); {
		id, j := v.longestPiece(w.runes[i:], i > 0)
		if j == 0 {
			return append(tokens[:begin], unknown)
		}
		tokens = append(tokens, Token{ID: id, Start: w.at[i], End: w.at[i+j-1] + 1, Follows: i > 0})
		i += j
	}
	return tokens
}

// longestPiece is the longest piece that begins runes, and how many it takes.
func (v *Vocab) longestPiece(runes []rune, follows bool) (int64, int) {
	var b []byte
	if follows {
		b = append(b, "##"...)
	}
	head := len(b)
	b = append(b, string(runes)...)
	ends := make([]int, 0, len(runes))
	for i := head; i < len(b); {
		_, n := utf8.DecodeRune(b[i:])
		i += n
		ends = append(ends, i)
	}
	for j := len(ends); j > 0; j-- {
		if ends[j-1] > v.longest {
			continue
		}
		if id, ok := v.ids[string(b[:ends[j-1]])]; ok {
			return id, j
		}
	}
	return 0, 0
}

// control reports what BERT's cleaning drops.
func control(r rune) bool {
	return r != '\t' && r != '\n' && r != '\r' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs)
}

// punctuation is every ASCII character that is no letter, digit or space, and
// what Unicode calls punctuation.
func punctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 33 && r <= 47 || r >= 58 && r <= 64 || r >= 91 && r <= 96 || r >= 123 && r <= 126
	}
	return unicode.IsPunct(r)
}

// chinese reports the ideographs that BERT takes one by one.
func chinese(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r >= 0x20000 && r <= 0x2CEAF ||
		r >= 0xF900 && r <= 0xFAFF || r >= 0x2F800 && r <= 0x2FA1F
}
