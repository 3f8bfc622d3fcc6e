package mcp

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the schema snapshots")

// TestSchemas compares each tool with its snapshot: what a model is offered
// changes on purpose or not at all. -update rewrites them.
func TestSchemas(t *testing.T) {
	dir := filepath.Join("testdata", "schemas")
	seen := map[string]bool{}
	total := 0
	for _, st := range tools(true) {
		raw, err := json.Marshal(st.Tool)
		if err != nil {
			t.Fatal(err)
		}
		total += len(raw)
		var got bytes.Buffer
		if err := json.Indent(&got, raw, "", "  "); err != nil {
			t.Fatal(err)
		}
		got.WriteByte('\n')
		file := filepath.Join(dir, st.Tool.Name+".json")
		seen[st.Tool.Name+".json"] = true
		if *update {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%s has no snapshot; look at the tool, then run this test with -update", st.Tool.Name)
			continue
		}
		if !bytes.Equal(bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n")), got.Bytes()) {
			t.Errorf("%s is not as its snapshot; look at the difference, then run this test with -update\n%s", st.Tool.Name, got.Bytes())
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !seen[f.Name()] {
			if *update {
				os.Remove(filepath.Join(dir, f.Name()))
				continue
			}
			t.Errorf("%s is the snapshot of no tool", f.Name())
		}
	}
	// Models pay for every byte of this list in every session.
	if total > 13_000 {
		t.Errorf("the tools take %d bytes, more than 13000", total)
	}
}
