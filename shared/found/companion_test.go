package found

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettler/shared/config"
)

func (m *machine) register(text string) {
	m.t.Helper()
	file := filepath.Join(m.project, ".mcp.json")
	m.write(file, text)
	m.in.Sources = []Source{{Client: "claude-code", File: file, Shape: MCPServers}}
}

func (m *machine) notOpened(name, why string) {
	m.t.Helper()
	r := m.look()
	if got := r.tree(name); got.Name != "" {
		m.t.Errorf("%s was opened on %s", name, got.Path)
	}
	if why == "" {
		if len(r.Notes) != 0 {
			m.t.Errorf("%s: %q", name, r.Notes)
		}
		return
	}
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], why) || !strings.Contains(r.Notes[0], "the server "+name) {
		m.t.Errorf("%s: %q, wanted %q", name, r.Notes, why)
	}
}

func quote(path string) string { return filepath.ToSlash(path) }

func TestCompanion(t *testing.T) {
	m := newMachine(t)
	side := filepath.Join(m.top, "side")
	m.mkdir(side)
	for _, args := range []string{
		`["--root","` + quote(side) + `"]`,
		`["-y","sparky-mcp","--root=` + quote(side) + `","--fast"]`,
		`["--root","../../../side"]`, // relative to the registration's folder
	} {
		m.register(`{"mcpServers":{"sparky":{"command":"npx","args":` + args + `}}}`)
		m.expect("sparky", side, "the root of the server sparky, registered in "+filepath.Join(m.project, ".mcp.json"))
		if got := m.look().tree("sparky"); got.Can != config.Work {
			t.Errorf("%v", got.Can)
		}
	}
	// Not there yet: no tree, and no finding.
	m.register(`{"mcpServers":{"sparky":{"command":"npx","args":["--root","../nowhere"]}}}`)
	m.notOpened("sparky", "")
	// Comments do no harm, and a broken file registers nothing.
	m.register("{\"mcpServers\":{\"sparky\":{\"args\":[\"--root\",\"" + quote(side) + "\"],},}} // c")
	m.expect("sparky", side, "")
	m.register(`{"mcpServers":{"sparky":{"args":["--root"`)
	m.notOpened("sparky", "")
	// Keys count in their exact case, as the client reads them.
	m.register(`{"McpServers":{"sparky":{"command":"x","args":["--root","` + quote(side) + `"]}}}`)
	m.notOpened("sparky", "")
}

func TestCompanionRefused(t *testing.T) {
	m := newMachine(t)
	m.mkdir(filepath.Join(m.home, ".ssh"), filepath.Join(m.home, "side"), filepath.Join(m.project, "inner"))
	link := filepath.Join(m.top, "link")
	linked := os.Symlink(m.home, link) == nil
	for _, c := range []struct{ name, root, why string }{
		{"sparky", "/", "the root of a volume"},
		{"sparky", quote(m.home), "the home folder"},
		{"sparky", quote(m.top), "a folder above the home folder"},
		{"sparky", quote(m.project), "holds the project"},
		{"sparky", ".", "holds the project"},
		{"sparky", quote(filepath.Dir(m.project)), "holds the project"},
		{"sparky", quote(m.home) + "/.ssh", "dot-folder"},
		{"sparky", quote(m.home) + "/.ssh/keys", "dot-folder"},
		{"sparky", quote(m.home) + "/side/../.ssh", "dot-folder"},
		{"sparky", "${HOME}/side", "holds a variable"},
		{"sparky", "", "names no folder"},
		{"work", quote(m.home) + "/side", "a tree of its own"},
		{"Scratch", quote(m.home) + "/side", "a tree of its own"},
		{"memory", quote(m.home) + "/side", "a tree of its own"},
		{"my server", quote(m.home) + "/side", "cannot name a tree"},
		{"x", quote(m.home) + "/side", "cannot name a tree"},
	} {
		m.register(`{"mcpServers":{"` + c.name + `":{"command":"sparky","args":["--root","` + c.root + `"]}}}`)
		m.notOpened(c.name, c.why)
	}
	if linked {
		m.register(`{"mcpServers":{"sparky":{"command":"sparky","args":["--root","` + quote(link) + `"]}}}`)
		m.notOpened("sparky", "home folder")
	}
	m.register(`{"mcpServers":{"sparky":{"command":"s","args":["--root","inner","--root=` + quote(m.home) + `/side"]}}}`)
	m.notOpened("sparky", "more than once")

	m.register(`{"mcpServers":{"sparky":{"command":"s","args":["--root","inner"]}}}`)
	m.expect("sparky", filepath.Join(m.project, "inner"), "") // below the project is finding 2.19, not a refusal
}

// A file of a repository may be made to use up the parser's stack, which nothing recovers from.
func TestRegistrationsTooDeep(t *testing.T) {
	for _, text := range []string{"//--root\n" + strings.Repeat("[", 1_048_000), `/* " --root */` + strings.Repeat(`{"a":`, 200_000)} {
		if got := Parse(Source{File: "/x/.mcp.json", Shape: MCPServers}, []byte(text), nil, "linux"); len(got) != 0 {
			t.Errorf("%v", got)
		}
	}
	text := `{"mcpServers": {"a": {"command": "c", "args": ["--root", "/r"]}}, /* " */ }`
	if got := Parse(Source{File: "/x/.mcp.json", Shape: MCPServers}, []byte(text), nil, "linux"); len(got) != 1 {
		t.Errorf("with a comment and a trailing comma: %v", got)
	}
}

func TestCompanionIsNone(t *testing.T) {
	m := newMachine(t)
	side := filepath.Join(m.top, "side")
	m.mkdir(side)
	entry := func(name, command, rest string) string {
		return `{"mcpServers":{"` + name + `":{"command":"` + command + `","args":["--root","` + quote(side) + `"]` + rest + `}}}`
	}
	for _, text := range []string{
		entry("fettler", "other", ""),
		entry("files", "fettle", ""),
		entry("files", "/opt/fettler/fettle-mcp", ""),
		entry("files", `C:\\Tools\\Fettle.EXE`, ""),
		entry("files", "other", `,"disabled":true`),
		`{"mcpServers":{"files":{"command":"cmd","args":["/c","fettle","serve","--root","` + quote(side) + `"]}}}`,
		`{"mcpServers":{"files":{"url":"https://x"}}}`,
		`{"mcpServers":{"files":{"command":"x","args":"--root ` + quote(side) + `"}}}`,
	} {
		m.register(text)
		m.notOpened("files", "")
	}

	// One the client was told to reject is none.
	m.register(entry("files", "other", ""))
	m.expect("files", side, "")
	settings := filepath.Join(m.project, ".claude", "settings.local.json")
	m.write(settings, `{"disabledMcpjsonServers":["files"]}`)
	m.in.Sources = append(m.in.Sources, Source{Client: "claude-code", File: settings, Shape: Settings})
	m.notOpened("files", "")
}

func TestCompanionOfProject(t *testing.T) {
	m := newMachine(t)
	side, other := filepath.Join(m.top, "side"), filepath.Join(m.top, "other")
	m.mkdir(side, other)
	file := filepath.Join(m.home, ".claude.json")
	m.in.Sources = []Source{{Client: "claude-code", File: file, Shape: Projects}, {Client: "claude-code", File: file, Shape: MCPServers}}
	m.write(file, `{"mcpServers":{"sparky":{"command":"s","args":["--root","`+quote(other)+`"]}},
		"projects":{"`+quote(m.project)+`/":{"mcpServers":{"sparky":{"command":"s","args":["--root","../../../side"]}}},
		            "/elsewhere":{"mcpServers":{"far":{"command":"s","args":["--root","`+quote(other)+`"]}}}}}`)
	m.expect("sparky", side, "") // the project's own wins, resolved against the project
	m.expect("far", "", "")
	m.write(file, `{"projects":{"`+quote(m.project)+`":{"disabledMcpServers":["sparky"],"mcpServers":{"sparky":{"command":"s","args":["--root","`+quote(side)+`"]}}}}}`)
	m.notOpened("sparky", "")

	// Two clients that disagree leave it shut.
	a, b := filepath.Join(m.project, "a.json"), filepath.Join(m.project, "b.json")
	m.in.Sources = []Source{{Client: "one", File: a, Shape: MCPServers}, {Client: "two", File: b, Shape: Servers}}
	m.write(a, `{"mcpServers":{"sparky":{"command":"s","args":["--root","`+quote(side)+`"]}}}`)
	m.write(b, `{"servers":{"sparky":{"command":"s","args":["--root","`+quote(side)+`"]}}}`)
	m.expect("sparky", side, "")
	m.write(b, `{"servers":{"sparky":{"command":"s","args":["--root","`+quote(other)+`"]}}}`)
	m.notOpened("sparky", "another root")
}

func TestCompanionAndDeclared(t *testing.T) {
	m := newMachine(t)
	side, other := filepath.Join(m.top, "side"), filepath.Join(m.top, "other")
	m.mkdir(side, other)
	m.register(`{"mcpServers":{"sparky":{"command":"s","args":["--root","` + quote(side) + `"]}}}`)
	m.in.Declared = []config.Tree{{Name: "Sparky", Path: side, File: "/p/.fettler.json"}}
	m.notOpened("sparky", "") // the declared one stands

	m.in.Declared[0].Path = other
	_, err := Look(m.in)
	want := "/p/.fettler.json: tree 'Sparky' is declared on " + other + ", and fettle also opens " + side +
		" under that name: the root of the server sparky, registered in " + filepath.Join(m.project, ".mcp.json") + ". Give the declared tree another name."
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwanted %s", err, want)
	}

	// A declared tree may be the project itself, paired by hand.
	m.in.Declared[0].Path = m.project
	m.register(`{"mcpServers":{"sparky":{"command":"s","args":["--root","."]}}}`)
	m.notOpened("sparky", "")
}

func FuzzParse(f *testing.F) {
	f.Add(`{"mcpServers":{"sparky":{"command":"npx","args":["--root","/x"]}},"projects":{"/p":{"mcpServers":{"a":{"args":["--root=/y"]}}}}}`)
	f.Add(`{"mcpServers":[1],"projects":{"/p":null}} // "--root"`)
	f.Add(`{"disabledMcpjsonServers":["a",1]}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, shape := range []Shape{MCPServers, Servers, Projects} {
			s := Source{Client: "c", File: "/p/.mcp.json", Shape: shape}
			for _, r := range Parse(s, []byte(text), []string{"/p"}, "linux") {
				if r.File != s.File || len(r.Args) == 0 || r.Folder != "/p" {
					t.Fatalf("%+v", r)
				}
			}
			Rejected(s, []byte(text), []string{"/p"}, "linux")
		}
	})
}
