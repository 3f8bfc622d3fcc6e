// Package architecture holds what is true of the source tree as a whole. It
// reads files above its package, so run it with -count=1.
package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const top = "../.."

// doors are the calls that open, make, rename or remove files by a path.
var doors = map[string]bool{
	"Open": true, "OpenFile": true, "Create": true, "ReadFile": true, "WriteFile": true, "Rename": true, "Remove": true,
	"RemoveAll": true, "ReadDir": true, "Mkdir": true, "MkdirAll": true, "MkdirTemp": true, "CreateTemp": true, "Symlink": true,
	"Link": true, "Truncate": true, "Chmod": true, "Chtimes": true, "OpenRoot": true, "DirFS": true, "CopyFS": true,
}

// mayOpen are the places besides boundary that open something by a path, and why.
var mayOpen = map[string]string{
	"fettle/internal/boundary/":             "the one door to a tree",
	"fettle/internal/cli/inputs.go":         "a caller's own file, such as --text-file",
	"fettle/internal/checkout/":             ".git/HEAD of a tree, also above it, bounded and read only",
	"fettle/internal/render/":               "the reader's empty folder, and what the system says of its memory",
	"fettle/internal/screen/":               "the sidecar's empty folder, and the models a person named",
	"fettle/internal/task/":                 "what the system says of a task's processes",
	"fettle/internal/document/conformance/": "test support: what a reader uses at its peak",
	"fettle/internal/docgen/":               "writes documentation, no part of a release",
}

// TestOneDoor: in fettle, only boundary opens, makes, renames or removes
// anything in a tree.
func TestOneDoor(t *testing.T) {
	seen := map[string]bool{}
	eachFile(t, "fettle", func(rel string, f *ast.File) {
		osName := importName(f, "os")
		if osName == "" {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || !doors[sel.Sel.Name] {
				return true
			}
			if id, ok := sel.X.(*ast.Ident); !ok || id.Name != osName {
				return true
			}
			for allowed := range mayOpen {
				if strings.HasPrefix(rel, allowed) {
					seen[allowed] = true
					return true
				}
			}
			t.Errorf("%s uses os.%s: only boundary opens or changes files", rel, sel.Sel.Name)
			return true
		})
	})
	for allowed := range mayOpen {
		if !seen[allowed] && strings.HasSuffix(allowed, ".go") {
			t.Errorf("%s needs its exception no more", allowed)
		}
	}
}

// TestOneExit: only a program's main exits, and the reader's worker, which is one.
func TestOneExit(t *testing.T) {
	for _, module := range []string{"fettle", "shared", "fettle-setup", "fettle-doctor", "burler-bridge"} {
		eachFile(t, module, func(rel string, f *ast.File) {
			osName := importName(f, "os")
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
					if id, ok := sel.X.(*ast.Ident); ok && osName != "" && id.Name == osName && sel.Sel.Name == "Exit" && f.Name.Name != "main" && !strings.HasPrefix(rel, "fettle/internal/render/worker/") && !strings.HasPrefix(rel, "fettle/internal/document/conformance/") {
						t.Errorf("%s exits; only main does", rel)
					}
				}
				return true
			})
		})
	}
}

// TestFilesAreShort: a file that has grown past its subject is split.
func TestFilesAreShort(t *testing.T) {
	for _, module := range []string{"fettle", "shared", "fettle-setup", "fettle-doctor", "burler-bridge", "testdata"} {
		eachPath(t, module, func(rel string) {
			if strings.HasSuffix(rel, "_test.go") {
				return
			}
			src, err := os.ReadFile(filepath.Join(top, rel))
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(src), "\n"); n > 450 {
				t.Errorf("%s has %d lines", rel, n)
			}
		})
	}
}

// TestPackagesSayWhatTheyAreFor: every package has a comment that says more than its name.
func TestPackagesSayWhatTheyAreFor(t *testing.T) {
	said, seen := map[string]bool{}, map[string]bool{}
	for _, module := range []string{"fettle", "shared", "fettle-setup", "fettle-doctor", "burler-bridge", "testdata"} {
		eachFile(t, module, func(rel string, f *ast.File) {
			dir := filepath.Dir(rel)
			seen[dir] = true
			if f.Doc != nil && len(f.Doc.Text()) > 60 {
				said[dir] = true
			}
		})
	}
	for dir := range seen {
		if !said[dir] {
			t.Errorf("package %s does not say what it is for", dir)
		}
	}
}

// TestTopLevel: the top holds what it should and nothing else.
func TestTopLevel(t *testing.T) {
	allowed := map[string]bool{
		"fettle": true, "fettle-setup": true, "fettle-doctor": true, "burler-bridge": true, "shared": true, "magefiles": true, "testdata": true,
		"go.work": true, "go.work.sum": true, "README.md": true, "LICENSE": true, "docs": true, "CHANGELOG.md": true, "SECURITY.md": true,
		"THIRD-PARTY-NOTICES": true, "bin": true, "dist": true, // the last two are built, and ignored by git
	}
	entries, err := os.ReadDir(top)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !allowed[e.Name()] {
			t.Errorf("%s does not belong at the top", e.Name())
		}
	}
}

func importName(f *ast.File, path string) string {
	for _, im := range f.Imports {
		if p, err := strconv.Unquote(im.Path.Value); err == nil && p == path {
			if im.Name != nil {
				return im.Name.Name
			}
			return filepath.Base(path)
		}
	}
	return ""
}

func eachPath(t *testing.T, module string, fn func(rel string)) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(top, module), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") {
			return err
		}
		rel, err := filepath.Rel(top, p)
		if err != nil {
			return err
		}
		fn(filepath.ToSlash(rel))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// eachFile parses the product's own files, without tests.
func eachFile(t *testing.T, module string, fn func(rel string, f *ast.File)) {
	t.Helper()
	fset := token.NewFileSet()
	eachPath(t, module, func(rel string) {
		if module != "testdata" && strings.HasSuffix(rel, "_test.go") {
			return
		}
		f, err := parser.ParseFile(fset, filepath.Join(top, rel), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		fn(rel, f)
	})
}
