package change

import (
	"fmt"
	"strings"
	"testing"

	"fettler/fettle/internal/text"
)

// BenchmarkResolve is 100 edits of a file of 10,000 lines.
func BenchmarkResolve(b *testing.B) {
	var sb strings.Builder
	var edits []Edit
	for i := range 10_000 {
		fmt.Fprintf(&sb, "line %d of the file\n", i)
		if i%100 == 50 {
			edits = append(edits, Edit{Old: fmt.Sprintf("line %d of", i), New: fmt.Sprintf("row %d of", i)})
		}
	}
	raw := []byte(sb.String())
	for b.Loop() {
		c, err := text.Decode(raw)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Resolve(c, edits); err != nil {
			b.Fatal(err)
		}
	}
}
