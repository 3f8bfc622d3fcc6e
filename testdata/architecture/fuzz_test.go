package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fuzzed are the parsers of what strangers write, and the target of each.
var fuzzed = []struct{ what, dir, target string }{
	{"configuration", "shared/config", "FuzzParse"},
	{"task grammar", "shared/config", "FuzzSplitCommand"},
	{"task arguments", "shared/config", "FuzzFill"},
	{"edits of clients' JSON", "shared/jsonedit", "FuzzAdd"},
	{"edits of clients' TOML", "fettle-setup/internal/plan", "FuzzTOML"},
	{"paths", "fettle/internal/boundary", "FuzzParse"},
	{"path resolution", "fettle/internal/boundary", "FuzzLocate"},
	{"folder entries", "fettle/internal/boundary", "FuzzDirent"},
	{"glob", "fettle/internal/glob", "FuzzMatch"},
	{"edit script", "fettle/internal/change", "FuzzDecodeScript"},
	{"edits against text", "fettle/internal/change", "FuzzResolve"},
	{"MCP arguments", "fettle/internal/verb", "FuzzDecode"},
	{"command line", "fettle/internal/cli", "FuzzWords"},
	{"MCP loop", "fettle/internal/mcp", "FuzzLoop"},
	{"text decoding", "fettle/internal/text", "FuzzRoundTrip"},
	{"kinds of documents", "fettle/internal/render", "FuzzSniff"},
	{"images", "fettle/internal/image", "FuzzParse"},
	{"archives", "fettle/internal/archive", "FuzzOpen"},
	{"the reader's wire", "shared/wire", "FuzzReadFrame"},
	{"the bridge's wire and manifests", "shared/wire", "FuzzSidecarLines"},
	{"WordPiece", "burler-bridge/internal/wordpiece", "FuzzTokens"},
	{"a model's files", "burler-bridge/internal/bridge", "FuzzModelFiles"},
	{"the bridge's loop", "burler-bridge/internal/bridge", "FuzzServe"},
	{"companions", "shared/found", "FuzzParse"},
	{"checkouts", "fettle/internal/checkout", "FuzzParse"},
	{"the credential net", "fettle/internal/credential", "FuzzJudge"},
	{"identifiers", "fettle/internal/screen/identifiers", "FuzzCount"},
	{"notebooks", "fettle/internal/document/notebook", "FuzzRender"},
	{"Word", "fettle/internal/document/word", "FuzzRender"},
	{"workbooks", "fettle/internal/document/workbook", "FuzzRender"},
	{"PDF", "fettle/internal/document/pdf", "FuzzRender"},
	{"packages of Office", "fettle/internal/document/ooxml", "FuzzScanner"},
}

// TestEveryParserIsFuzzed: what reads input of others has a fuzz target that
// begins with seeds, and so has every document reader there is.
func TestEveryParserIsFuzzed(t *testing.T) {
	targets := map[string]bool{} // folder and function; true when it adds seeds
	for _, module := range []string{"fettle", "shared", "fettle-setup", "fettle-doctor", "burler-bridge"} {
		eachPath(t, module, func(rel string) {
			if !strings.HasSuffix(rel, "_test.go") {
				return
			}
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(top, rel), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Fuzz") {
					continue
				}
				seeds := false
				ast.Inspect(fn.Body, func(n ast.Node) bool {
					sel, ok := n.(*ast.SelectorExpr)
					seeds = seeds || ok && sel.Sel.Name == "Add"
					return true
				})
				targets[filepath.ToSlash(filepath.Dir(rel))+" "+fn.Name.Name] = seeds
			}
		})
	}
	listed := map[string]bool{}
	for _, p := range fuzzed {
		listed[p.dir] = true
		seeds, ok := targets[p.dir+" "+p.target]
		if !ok || !seeds {
			t.Errorf("%s: no target %s with seeds in %s", p.what, p.target, p.dir)
		}
	}
	readers, err := os.ReadDir(filepath.Join(top, "fettle/internal/document"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range readers {
		if dir := "fettle/internal/document/" + r.Name(); r.IsDir() && r.Name() != "conformance" && !listed[dir] {
			t.Errorf("%s reads documents and is not fuzzed", dir)
		}
	}
}

// bounded are the parsers that recurse, or take long, by what a stranger writes,
// and the one package that calls each, within bounds.
var bounded = map[string]string{
	"github.com/tailscale/hujson":     "shared/jsonc",
	"github.com/pelletier/go-toml/v2": "shared/tomldoc",
}

// TestParsersAreBounded: a call beside the package that bounds its parser would
// let a file use up the stack, which ends a program whatever it defers.
func TestParsersAreBounded(t *testing.T) {
	met := map[string]bool{}
	for _, module := range []string{"fettle", "shared", "fettle-setup", "fettle-doctor", "burler-bridge"} {
		eachPath(t, module, func(rel string) {
			if strings.HasSuffix(rel, "_test.go") {
				return
			}
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(top, rel), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range f.Imports {
				name := strings.Trim(i.Path.Value, `"`)
				home, is := bounded[name]
				if !is {
					continue
				}
				as := map[string]string{"shared/jsonc": "hujson", "shared/tomldoc": "toml"}[home]
				if i.Name != nil {
					as = i.Name.Name
				}
				ast.Inspect(f, func(n ast.Node) bool {
					s, ok := n.(*ast.SelectorExpr)
					if !ok {
						return true
					}
					if x, ok := s.X.(*ast.Ident); ok && x.Name == as && parses[s.Sel.Name] {
						met[name] = true
						if filepath.ToSlash(filepath.Dir(rel)) != home {
							t.Errorf("%s calls %s.%s, and only %s does, within bounds", rel, as, s.Sel.Name, home)
						}
					}
					return true
				})
			}
		})
	}
	for name, home := range bounded {
		if !met[name] {
			t.Errorf("%s does not call %s, so this shows nothing", home, name)
		}
	}
}

// parses are the functions of those libraries that take a text.
var parses = map[string]bool{"Parse": true, "Standardize": true, "Minimize": true, "Format": true, "Unmarshal": true, "NewDecoder": true}
