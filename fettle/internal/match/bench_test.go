package match

import (
	"strings"
	"testing"
)

func BenchmarkCompile(b *testing.B) {
	for _, c := range []struct {
		name string
		p    string
		o    Options
	}{{"literal", "unmarshal", Options{}}, {"class", `[^a]\w+`, Options{}}, {"word", "needle", Options{Word: true}}, {"letters", `\pL+x`, Options{}}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				m, err := Compile([]string{c.p}, c.o)
				if err != nil {
					b.Fatal(err)
				}
				m.Searcher(nil)
			}
		})
	}
}

// BenchmarkPairs shows what vectors buy over words of eight places, and those over one.
func BenchmarkPairs(b *testing.B) {
	m, err := Compile([]string{"unmarshal"}, Options{})
	if err != nil {
		b.Fatal(err)
	}
	fs, odd := m.fast.factors, m.fast.odd
	buf := []byte(strings.Repeat("\tif err := decode(value, other); err != nil { return nil, err }\n", 4000))
	vector, words := newPairs(fs[0]), newPairs(fs[0])
	words.vector = false
	for _, c := range []struct {
		name string
		find func() int
	}{
		{"vectors", func() int { return vector.find(buf, 0) }},
		{"words", func() int { return words.find(buf, 0) }},
		{"plain", func() int { return findPlainly(fs, odd, buf, 0) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(buf)))
			for b.Loop() {
				if c.find() >= 0 {
					b.Fatal("found")
				}
			}
		})
	}
}
