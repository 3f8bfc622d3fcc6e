package pdf

import (
	"context"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/conformance"
)

func FuzzLexer(f *testing.F) {
	for _, s := range []string{"BT /F#20x 1.5 Tf [(a\\)b) -3 <4a>] TJ ET", "BI /W 1 ID xx EI Q", "--5 .5 5-3 1.2.3 + . <</A[1]>>", "(((", "<4", "% x", "\\\r\n(\\\r\n\\777)"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		l := &lexer{data: b}
		for n := 0; ; n++ {
			before := l.pos
			tok := l.next()
			if tok.kind == tokEnd {
				if l.pos < len(b) {
					t.Fatalf("ended at %d of %d", l.pos, len(b))
				}
				return
			}
			if l.pos <= before || l.pos > len(b) {
				t.Fatalf("stands at %d after %d", l.pos, before)
			}
			if tok.num != tok.num {
				t.Fatal("a number that is none")
			}
			if tok.text == "BI" {
				l.skipImage()
			}
		}
	})
}

func FuzzCMap(f *testing.F) {
	f.Add([]byte(upToUnicode), "\x01\x02\x03")
	f.Add([]byte(wide), "\x00\x10\x00\x30")
	f.Add([]byte("1 begincidrange <8140> <fefe> 7 endcidrange /WMode 1 def"), "\x81\x40")
	f.Add([]byte("begincodespacerange <00> <80> <8140> <9ffc> endcodespacerange beginbfrange <00> <ffffffff> [<41>"), "a\x81\x40")
	f.Fuzz(func(t *testing.T, b []byte, s string) {
		m := parseCMap(b)
		for len(s) > 0 {
			c := m.split(s)
			if c.size < 1 || c.size > len(s) {
				t.Fatalf("a code of %d bytes out of %d", c.size, len(s))
			}
			m.cid(c)
			if text, ok := m.lookup(c); ok && len(text) > 4*maxTarget {
				t.Fatalf("a code of %d bytes of text", len(text))
			}
			s = s[c.size:]
		}
	})
}

func FuzzRender(f *testing.F) {
	f.Add(onePage("(text) Tj [(a) -400 (b)] TJ"))
	f.Add(withFont("<010203040506> Tj", "<</Type/Font/Subtype/Type1/BaseFont/X/ToUnicode 4 0 R>>", upToUnicode))
	m := newMaker()
	m.page("BT /F 10 Tf 50 700 Td (one) Tj ET /X Do", "/XObject<</X 4 0 R>>", "/Annots[<</Subtype/Widget/FT/Tx/V(v)/Rect[1 2 3 4]>>]")
	f.Add(m.bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		var r document.Rendering
		if err := document.Guard(ctx, alone, conformance.Source(b), &r); err != nil {
			return
		}
		if ctx.Err() != nil {
			t.Fatal("it took too long")
		}
		for _, l := range r.Lines {
			if strings.ContainsAny(l, "\r\n") || !utf8.ValidString(l) {
				t.Fatalf("no line: %q", l)
			}
		}
	})
}
