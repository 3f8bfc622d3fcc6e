package match

import "testing"

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
				m.Searcher()
			}
		})
	}
}
