package clients

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettler/shared/config"
	"fettler/shared/found"
	"fettler/shared/jsonedit"
)

var update = flag.Bool("update", false, "write the golden files")

func env(goos, home string, vars ...string) config.Env {
	return config.Env{GOOS: goos, Home: home, Getenv: func(name string) string {
		for _, v := range vars {
			if k, value, _ := strings.Cut(v, "="); k == name {
				return value
			}
		}
		return ""
	}}
}

// The whole table, on each platform, as a person would review it.
func TestPlaces(t *testing.T) {
	for name, c := range map[string]struct {
		env     config.Env
		project string
	}{
		"linux":   {env("linux", "/home/u"), "/w/p"},
		"darwin":  {env("darwin", "/Users/u"), "/w/p"},
		"windows": {env("windows", `C:\Users\u`, `APPDATA=C:\Users\u\AppData\Roaming`, `LOCALAPPDATA=C:\Users\u\AppData\Local`), `C:\w\p`},
		"moved": {env("linux", "/home/u", "CLAUDE_CONFIG_DIR=/c/claude", "COPILOT_HOME=/c/copilot", "CODEX_HOME=/c/codex",
			"XDG_CONFIG_HOME=/c/xdg"), "/w/p"},
		"relative": {env("linux", "/home/u", "CLAUDE_CONFIG_DIR=claude", "COPILOT_HOME=copilot", "CODEX_HOME=~/codex", "XDG_CONFIG_HOME=xdg"), "/w/p"},
	} {
		var sb strings.Builder
		for _, p := range Places(c.env, c.project) {
			fmt.Fprintf(&sb, "%-14s %-7s %-12s %-5s %-15s shared=%-5v %s\n", p.Client, p.Reach, p.Purpose, p.Syntax, p.Shape.Key, p.Shared, p.Path)
		}
		file := filepath.Join("testdata", name+".golden")
		if *update {
			if err := os.WriteFile(file, []byte(sb.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || string(want) != sb.String() {
			t.Errorf("%s differs (run with -update): %v\n%s", name, err, sb.String())
		}
	}
}

func TestPlacesWithoutHome(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for _, p := range Places(env(goos, ""), "/w/p") {
			if p.Reach == Global {
				t.Errorf("%s: %+v", goos, p)
			}
			if !absolute(strings.ReplaceAll(p.Path, `/w/p\`, `C:\`), goos) && !strings.HasPrefix(p.Path, "/w/p") {
				t.Errorf("%s: %s is not absolute", goos, p.Path)
			}
		}
	}
}

func TestProtected(t *testing.T) {
	got := Protected(Places(env("linux", "/home/u"), "/w/p"))
	for _, want := range []string{"/home/u/.claude.json", "/home/u/.claude/settings.json", "/w/p/.mcp.json", "/w/p/.github/mcp.json", "/w/p/.codex/config.toml",
		"/w/p/.claude/settings.local.json", "/home/u/.config/Code/User/settings.json"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not protected", want)
		}
	}
	for _, not := range []string{"/w/p/CLAUDE.md", "/w/p/.vscode/settings.json", "/w/p/.github/copilot-instructions.md"} {
		if slices.Contains(got, not) {
			t.Errorf("%s is protected", not)
		}
	}
}

func TestEveryClientHasARegistration(t *testing.T) {
	all := Places(env("linux", "/home/u"), "/w/p")
	for _, c := range All() {
		if len(Of(all, c.Name, Global, Register)) == 0 {
			t.Errorf("%s has no global registration", c.Name)
		}
		if got := len(Of(all, c.Name, Repo, Register)) > 0; got != c.Project {
			t.Errorf("%s: a project's registration %v, the table says %v", c.Name, got, c.Project)
		}
		if len(Installed(all, c.Name)) == 0 {
			t.Errorf("%s can never be installed", c.Name)
		}
	}
	for _, p := range Installed(all, ClaudeCode) {
		if p == "/home/u" {
			t.Error("the home folder itself would mean Claude Code is installed")
		}
	}
}

func TestServers(t *testing.T) {
	doc, err := jsonedit.Parse([]byte(`{"mcpServers":{"old":{"command":"x"}},
		"projects":{"/w/p":{"mcpServers":{"filed":{"command":"f","args":["--root","/r"]}}}},
		"mcpServers":{"a":{"command":"c","args":["1"],"env":{"TOKEN":"t"}},"net":{"url":"https://x"},"off":{"command":"o","disabled":true},
		"none":{},"odd":{"command":"c","args":[1]},"text":"x","a":{"command":"again"}}}`), true)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range Servers(Shape{Key: "mcpServers", ByProject: true}, doc) {
		got = append(got, fmt.Sprintf("%s|%s|%v|%v|%s|%s", s.Name, s.Command, s.Args, s.Disabled, s.Project, s.Broken))
	}
	want := []string{"net||[]|false||", "off|o|[]|true||", "none||[]|false||the entry has no command", "odd|c|[]|false||the entry's args are not a list of words",
		"text||[]|false||the entry is not an object", "a|again|[]|false||", "filed|f|[--root /r]|false|/w/p|"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwanted\n%q", got, want)
	}
}

func TestEntry(t *testing.T) {
	for _, c := range []struct{ client, want string }{
		{ClaudeCode, `{"command": "fettle", "args": ["serve"]}`},
		{VSCode, `{"type": "stdio", "command": "fettle", "args": ["serve"]}`},
		{Copilot, `{"type": "local", "command": "fettle", "args": ["serve"], "tools": ["*"]}`},
		{OpenCode, `{"type": "local", "command": ["fettle", "serve"], "enabled": true}`},
	} {
		p := Of(Places(env("linux", "/home/u"), "/w/p"), c.client, Global, Register)[0]
		raw, _ := Entry(p.Shape, "fettle", []string{"serve"}).MarshalJSON()
		if string(raw) != c.want {
			t.Errorf("%s: %s", c.client, raw)
		}
	}
}

func TestInventory(t *testing.T) {
	if got := strings.Join(DenyList(), " "); got != "Read Write Edit NotebookEdit Grep Glob Bash PowerShell Monitor BashOutput TaskOutput" {
		t.Error(got)
	}
	if GroupOf("LSP") != Reads || GroupOf("Nothing") != "" {
		t.Error("groups")
	}
	seen := map[string]bool{}
	for _, g := range inventory {
		for _, n := range g.names {
			if seen[n] {
				t.Errorf("%s is there twice", n)
			}
			seen[n] = true
		}
	}
}

func TestSources(t *testing.T) {
	var shapes []string
	for _, s := range Sources(Places(env("linux", "/home/u"), "/w/p")) {
		if s.Client == ClaudeCode {
			shapes = append(shapes, string(s.Shape)+" "+s.File)
		}
	}
	for _, want := range []string{string(found.Projects) + " /home/u/.claude.json", string(found.MCPServers) + " /w/p/.mcp.json", string(found.Settings) + " /w/p/.claude/settings.local.json"} {
		if !slices.Contains(shapes, want) {
			t.Errorf("%s is missing from %q", want, shapes)
		}
	}
}

// K87
func TestFolded(t *testing.T) {
	for _, c := range [][2]string{{"C:/w/p", `c:\w\P\`}, {"/w/p", "/w/p/"}, {"/", "/"}} {
		if Folded(c[0]) != Folded(c[1]) {
			t.Errorf("%q", c)
		}
	}
	if Folded("/w/p") == Folded("/w/pp") {
		t.Error("two folders are one")
	}
}
