package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The build constraints decide what the page lists, by name or by line.
func TestBuiltFor(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]string{
		"a.go": "macOS Windows other Unixes here", "a_windows.go": "Windows", "a_darwin.go": "macOS", "a_linux.go": "here",
		"b.go //go:build unix && !linux": "macOS other Unixes", "c.go //go:build !unix": "Windows", "d.go //go:build ignore": "",
	} {
		file, constraint, _ := strings.Cut(name, " ")
		p := filepath.Join(dir, file)
		if err := os.WriteFile(p, []byte(constraint+"\n\npackage a\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		got, here, err := builtFor(p)
		if here {
			got = append(got, "here")
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %q %v, want %q", name, got, err, want)
		}
	}
}

// A file for another system that the table does not explain fails, and so does
// a row without a file.
func TestPlatformsPageIsWhole(t *testing.T) {
	page, err := platformsPage("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for file, what := range elsewhere {
		if !strings.Contains(page, "| `"+file+"` | ") || !strings.Contains(page, "| "+what+" |\n") {
			t.Errorf("the page lacks %s", file)
		}
	}
	elsewhere["fettle/gone_windows.go"] = "nothing"
	defer delete(elsewhere, "fettle/gone_windows.go")
	if _, err := platformsPage("../../.."); err == nil || !strings.Contains(err.Error(), "fettle/gone_windows.go") {
		t.Errorf("a row without a file: %v", err)
	}
	delete(elsewhere, "fettle/gone_windows.go")
	top := t.TempDir()
	for _, m := range append(slices.Clone(shipped), "fettle") {
		if err := os.MkdirAll(filepath.Join(top, m), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(top, "fettle", "new_darwin.go"), []byte("package a\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := platformsPage(top); err == nil || !strings.Contains(err.Error(), "fettle/new_darwin.go") {
		t.Errorf("a file without a row: %v", err)
	}
}
