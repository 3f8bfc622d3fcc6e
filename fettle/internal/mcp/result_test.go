package mcp

import (
	"bytes"
	"encoding/json"
	"testing"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"fettler/fettle/internal/ops"
)

// sameAsLibrary reports whether r is written as the library would write it.
func sameAsLibrary(t *testing.T, id string, r *result) {
	t.Helper()
	want := sdk.NewToolResultText(string(r.text))
	want.IsError = r.isError
	for _, i := range r.images {
		want.Content = append(want.Content, sdk.NewImageContent(i.Base64, i.MIMEType))
	}
	var out bytes.Buffer
	(&writer{out: &out}).reply(json.RawMessage(id), want)
	var a, b any
	line := r.line(nil, json.RawMessage(id))
	if err := json.Unmarshal(line, &a); err != nil {
		t.Fatalf("%v in %.300s", err, line)
	}
	if err := json.Unmarshal(out.Bytes(), &b); err != nil {
		t.Fatal(err)
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	if !bytes.Equal(x, y) {
		t.Fatalf("%s\nthe library: %s", x, y)
	}
	if bytes.IndexByte(line, '\n') >= 0 {
		t.Fatalf("a line within the line: %q", line)
	}
}

func TestResultIsTheLibrarys(t *testing.T) {
	sameAsLibrary(t, `1`, &result{text: []byte(`{"ok":true}`)})
	sameAsLibrary(t, `"a\"b"`, &result{text: []byte(`{"ok":false,"message":"a \"b\" \\ é \u2028 𝄞"}`), isError: true})
	sameAsLibrary(t, `-7`, &result{text: []byte(`{}`), images: []ops.Image{{Base64: "AAAA", MIMEType: "image/png"}, {Base64: "BBBB", MIMEType: `odd"type`}}})
}

func FuzzResult(f *testing.F) {
	f.Add("{\"a\":\"b\\n\"}\x00\x1f\x7f\n\r\t")
	f.Add("\u2028\u2029<>&\U0001D11E")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := json.Marshal(text) // what a verb writes is valid UTF-8
		if err != nil {
			t.Skip()
		}
		var valid string
		if json.Unmarshal(b, &valid) != nil {
			t.Skip()
		}
		sameAsLibrary(t, `1`, &result{text: []byte(valid)})
	})
}
