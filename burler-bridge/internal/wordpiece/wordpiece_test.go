package wordpiece

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

const uncased = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nun\n##aff\n##able\nthe\nresume\n,\n中\nhello\n##s\nstrasse\nis\n"
const cased = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nThe\nthe\nrésumé\nresume\n"

func parse(t testing.TB, text string) *Vocab {
	t.Helper()
	v, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestTokens(t *testing.T) {
	for _, c := range []struct {
		vocab, text string
		want        []Token
	}{
		{uncased, "unaffable", []Token{{4, 0, 2, false}, {5, 2, 5, true}, {6, 5, 9, true}}},
		{uncased, " The,Hellos", []Token{{7, 1, 4, false}, {9, 4, 5, false}, {11, 5, 10, false}, {12, 10, 11, true}}},
		{uncased, "Résumé", []Token{{8, 0, 6, false}}},
		{uncased, "re\u0301sume\u0301", []Token{{8, 0, 7, false}}},
		{uncased, "the中the", []Token{{7, 0, 3, false}, {10, 3, 4, false}, {7, 4, 7, false}}},
		{uncased, "unxyz the", []Token{{1, 0, 5, false}, {7, 6, 9, false}}},
		{uncased, "t\u00adhe\u200b the\x00", []Token{{7, 0, 4, false}, {7, 6, 9, false}}},
		{uncased, "İs", []Token{{14, 0, 2, false}}}, // one capital that lower case makes two
		{uncased, strings.Repeat("un", 51), []Token{{1, 0, 102, false}}},
		{uncased, "", nil},
		{uncased, " \t\n\u00a0", nil},
		{cased, "The the résumé resume", []Token{{4, 0, 3, false}, {5, 4, 7, false}, {6, 8, 14, false}, {7, 15, 21, false}}},
		{cased, "THE", []Token{{1, 0, 3, false}}},
	} {
		if got := parse(t, c.vocab).Tokens(c.text); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %v, want %v", c.text, got, c.want)
		}
	}
}

func TestParse(t *testing.T) {
	if !parse(t, uncased).Uncased() || parse(t, cased).Uncased() {
		t.Error("cased and uncased told apart wrongly")
	}
	v := parse(t, strings.ReplaceAll(uncased, "\n", "\r\n"))
	if v.CLS() != 2 || v.SEP() != 3 || v.PAD() != 0 || v.Size() != 15 {
		t.Errorf("%d %d %d %d", v.CLS(), v.SEP(), v.PAD(), v.Size())
	}
	for text, want := range map[string]string{
		"":                      "has no [UNK], so it is no WordPiece vocabulary",
		"[PAD]\n[UNK]\n[CLS]\n": "has no [SEP], so it is no WordPiece vocabulary",
		"\xff\n":                "is not UTF-8 text",
	} {
		if _, err := Parse([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"unaffable", "Résumé", "中the", "\xff\xfe", "a\u0301", "İ", "\u200b", strings.Repeat("x", 200)} {
		f.Add(uncased, s)
		f.Add(cased, s)
	}
	f.Fuzz(func(t *testing.T, vocab, text string) {
		v, err := Parse([]byte(vocab))
		if err != nil {
			v = parse(t, uncased)
		}
		end, size := 0, utf8.RuneCountInString(text)
		for _, tok := range v.Tokens(text) {
			if tok.Start < 0 || tok.End <= tok.Start || tok.End > size || tok.Start+1 < end && !tok.Follows || tok.ID < 0 || tok.ID >= int64(v.Size()) {
				t.Fatalf("token %+v of %d characters after %d", tok, size, end)
			}
			end = tok.End
		}
	})
}
