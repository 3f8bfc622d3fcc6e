package verb

import (
	"encoding/json"
	"testing"
)

// Decoding a small call's arguments costs a few allocations, not one for each
// thing a tool could be asked.
func TestDecodeAllocatesLittle(t *testing.T) {
	for _, c := range []struct {
		tool, arguments string
		most            float64
	}{
		{"read", `{"paths":["README.md"]}`, 30},
		{"search", `{"patterns":["unmarshal"],"literal":true,"glob":"**/*.go"}`, 66},
		{"find", `{"pattern":"**/*.go"}`, 28},
	} {
		v := Lookup(c.tool)
		raw := json.RawMessage(c.arguments)
		if _, err := v.Decode(raw); err != nil {
			t.Fatal(err)
		}
		n := testing.AllocsPerRun(100, func() { _, _ = v.Decode(raw) })
		t.Logf("%s: %v allocations", c.tool, n)
		if n > c.most {
			t.Errorf("%s: %v allocations, not %v", c.tool, n, c.most)
		}
	}
}
