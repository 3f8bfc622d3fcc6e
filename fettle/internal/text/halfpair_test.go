package text

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestHalfPair(t *testing.T) {
	for raw, want := range map[string]bool{
		`"plain"`: false, `"\ud83d\ude00"`: false, `"\uD83D\uDE00x\\ud83d"`: false, `"\ufffd"`: false, `"\\\ud83d"`: true,
		`"\ud83d"`: true, `"\ude00"`: true, `"\ude00\ud83d"`: true, `"\ud83dx"`: true, `"\ud83d\n"`: true, `"\ud83d\ud83d\ude00"`: true,
		`["a","\udfff"]`: true, `"\ud83d\u0041"`: true, `"\`: false, `"\ud8`: false,
	} {
		if got := HalfPair([]byte(raw)); got != want {
			t.Errorf("%s: %v", raw, got)
		}
	}
}

// A half pair is what the decoder replaces, and nothing else is.
func FuzzHalfPair(f *testing.F) {
	f.Add(`a\ud83d\ude00`)
	f.Add(`\ud83d\\ude00`)
	f.Fuzz(func(t *testing.T, body string) {
		raw, decoded := []byte(`"`+body+`"`), ""
		if strings.Contains(body, "\ufffd") || strings.Contains(strings.ToLower(body), `\ufffd`) || strings.ToValidUTF8(body, "") != body || json.Unmarshal(raw, &decoded) != nil {
			HalfPair(raw) // must not panic
			return
		}
		if got := HalfPair(raw); got != strings.Contains(decoded, "\ufffd") {
			t.Errorf("%s: %v", raw, got)
		}
	})
}
