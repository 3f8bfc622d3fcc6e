package report

import (
	"testing"

	"fettler/shared/jsonedit"
)

// A diff shows what goes in and out, and nothing of the rest of the line.
func TestDiff(t *testing.T) {
	raw := []byte(`{"token":"SECRET","a":"old"}`)
	got := Diff(raw, []jsonedit.Splice{{Start: 22, End: 27, Text: `"new"`}, {Start: 27, End: 27, Text: ",\r\n  \"b\": 1\r\n"}})
	if want := "@@ line 1, column 23 @@\n-\"old\"\n+\"new\"\n@@ line 1, column 28 @@\n+,\n+  \"b\": 1\n"; got != want {
		t.Errorf("%q", got)
	}
}
