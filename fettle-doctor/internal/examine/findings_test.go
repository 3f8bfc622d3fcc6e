package examine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettler/fettle-doctor/internal/report"
	"fettler/shared/clients"
	"fettler/shared/config"
	"fettler/shared/level"
)

// world is a home and a project of a test's own.
type world struct {
	t                      *testing.T
	home, project, install string
	env                    map[string]string
	start                  func(context.Context, string, string, []string) (int, error)
	client                 string
	hook                   bool
	goos                   string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, home: filepath.Join(top, "home"), project: filepath.Join(top, "work", "project"), install: filepath.Join(top, "bin"),
		env: map[string]string{}, goos: "linux", start: func(context.Context, string, string, []string) (int, error) { return 18, nil }}
	for _, dir := range []string{w.home, w.project, w.install} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.program("fettle")
	w.write("~/.claude.json", `{}`)
	w.write(".mcp.json", w.entry("fettler", `"serve"`))
	w.write(".fettler.json", guarded)
	w.write(".claude/settings.json", w.settings(``))
	return w
}

const guarded = `{"guardrails":{"trees":{"work":{"path":"."}}}}`

func (w *world) program(name string) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.install, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
		w.t.Fatal(err)
	}
}

// path gives a place: ~/x is in the home, the rest in the project.
func (w *world) path(name string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		return filepath.Join(w.home, rest)
	}
	return filepath.Join(w.project, name)
}

func (w *world) write(name, text string) {
	w.t.Helper()
	p := w.path(name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) entry(name, args string) string {
	return `{"mcpServers":{"` + name + `":{"command":"` + filepath.ToSlash(filepath.Join(w.install, "fettle")) + `","args":[` + args + `]}}}`
}

// settings is a settings file that denies what it should, with more in it.
func (w *world) settings(more string) string {
	return `{"permissions":{"disableBypassPermissionsMode":"disable","deny":["` + strings.Join(clients.DenyList(), `","`) + `"]` + more + `}}`
}

func (w *world) run() *report.Report {
	w.t.Helper()
	return Run(context.Background(), Input{Dir: w.project, Siblings: w.install, Client: w.client, Hook: w.hook, Start: w.start,
		Env: config.Env{GOOS: w.goos, Home: w.home, Temp: filepath.Join(w.home, "tmp"), UID: -1, Getenv: func(n string) string { return w.env[n] }},
		LookPath: func(name string) (string, error) {
			if p := filepath.Join(w.install, name); there(p) {
				return p, nil
			}
			return "", errors.New("not on PATH")
		}})
}

func checks(r *report.Report) []string {
	var out []string
	for _, f := range r.Findings {
		out = append(out, f.Check)
	}
	return out
}

func TestHealthy(t *testing.T) {
	w := newWorld(t)
	r := w.run()
	if len(r.Findings) != 0 || r.Code() != 0 {
		t.Errorf("%d %+v\n%+v", r.Code(), r.Findings, r.Clients)
	}
}

// Each finding is raised by one file and cleared by doing what it says.
func TestFindings(t *testing.T) {
	for _, c := range []struct {
		check    string
		severity report.Severity
		file     string
		raise    string
		clear    string // "" removes the file
		says     string
		code     int
	}{
		{"2.6", report.Serious, ".claude/settings.json", `{"permissions":{"allow":["Bash(sed -i:*)"]}}`, `{"permissions":{"allow":["Bash(git status)"]}}`, "sed -i", 1},
		{"2.7", report.Serious, ".claude/settings.json", `{"permissions":{"allow":["Read(//etc/**)"]}}`, ``, "outside every declared tree", 1},
		{"2.7", report.Serious, ".claude/settings.json", `{"permissions":{"allow":["Grep"]}}`, ``, "Grep", 1},
		{"2.8", report.Note, ".claude/settings.json", `{}`, `SETTINGS`, "not denied: Read, Write", 1},
		{"2.9", report.Note, ".claude/settings.json", `MORE,"additionalDirectories":["src","~/elsewhere"]`, `MORE,"additionalDirectories":["src"]`, "additionalDirectories[1]", 1},
		{"2.10", report.Note, "CLAUDE.md", "# Rules\n", "# Rules\nUse fettler for files.\n", "never mention", 1},
		{"2.11", report.Serious, "~/.claude.json", `{"projects":{"C:/w/p":{"mcpServers":{}},"c:/W/p/":{}}}`, `{"projects":{"C:/w/p":{}}}`, `C:/w/p, c:/W/p/`, 1},
		{"2.11", report.Serious, "~/.claude.json", `{"mcpServers":{},"mcpServers":{}}`, `{"mcpServers":{}}`, `reads the last`, 1},
		{"2.13", report.Note, ".claude/settings.local.json", `{}`, ``, "Read them", 1},
		{"2.14", report.Serious, ".vscode/settings.json", "{\n// c\n\"chat.tools.autoApprove\": true,\n}", `{"chat.tools.autoApprove": false}`, "chat.tools.autoApprove is on", 1},
		{"2.14", report.Serious, "~/.config/Code/User/settings.json", `{"chat.tools.global.autoApprove": true}`, `{}`, "every tool runs", 1},
		{"2.14", report.Serious, ".vscode/settings.json", `{"chat.tools.terminal.autoApprove": {"rm": false, "/^git/": {"approve": true}}}`, `{"chat.tools.terminal.autoApprove": {"rm": false}}`, "terminal", 1},
		{"2.14", report.Serious, ".vscode/settings.json", `{"chat.tools.edits.autoApprove": {"**/*": true}}`, `{}`, "files are changed", 1},
		{"2.14", report.Serious, ".vscode/settings.json", `{"chat.permissions.default": "autopilot"}`, `{"chat.permissions.default": "default"}`, "chat.permissions.default", 1},
		{"2.14", report.Serious, ".claude/settings.json", `MORE,"defaultMode":"acceptEdits"`, `MORE,"defaultMode":"plan"`, "acceptEdits", 1},
		{"2.14", report.Serious, ".claude/settings.json", `{"sandbox":{"autoAllowBashIfSandboxed":true}}`, `SETTINGS`, "autoAllowBash", 1},
		{"2.16", report.Note, ".fettler.json", `{"guardrails":{"trees":{"work":{"path":"."}},"replacements":{"name":"v"},"tasks":{"t":{"run":"pwsh -NoProfile -Command \"echo {name}\""}}}}`,
			`{"guardrails":{"trees":{"work":{"path":"."}},"replacements":{"name":"v"},"tasks":{"t":{"run":"pwsh -NoProfile -File x.ps1 {name}"}}}}`, "task 't'", 1},
		{"2.17", report.Note, ".mcp.json", `BESIDE`, `ALONE`, "mcp__other_s__*", 1},
		{"2.18", report.Note, ".claude/settings.json", `MORE,"allow":["Teleport"]`, `MORE,"allow":["WebFetch"]`, "names Teleport", 1},
		{"2.19", report.Serious, "~/.claude.json", `{"mcpServers":{"sparky":{"command":"npx","args":["--root","INSIDE"]}}}`, `{"mcpServers":{}}`, "inside the declared tree work", 2},
		{"B.17", report.Serious, ".claude/settings.json", `MORE,"allow":["Read(src)"]`, `MORE,"allow":["Bash(ls)"]`, "Deny wins", 1},
		{"2.x", report.Serious, ".claude/settings.local.json", "{\n\"a\": 1,\n}", `{}`, "ignore the whole file: line 2", 1},
		{"2.x", report.Serious, ".vscode/settings.json", `{"a" 1}`, `{}`, "does not parse", 1},
	} {
		t.Run(c.check, func(t *testing.T) {
			w := newWorld(t)
			os.MkdirAll(w.path("~/.config/Code/User"), 0o755)
			w.write("~/.config/Code/User/mcp.json", `{"servers":{"fettler":{"command":"`+filepath.ToSlash(w.install)+`/fettle","args":["serve"]}}}`)
			os.MkdirAll(w.path("inner"), 0o755)
			fill := func(s string) string {
				switch {
				case s == "SETTINGS":
					return w.settings("")
				case strings.HasPrefix(s, "MORE"):
					return w.settings(strings.TrimPrefix(s, "MORE"))
				case s == "BESIDE":
					return strings.Replace(w.entry("fettler", `"serve"`), `{"mcpServers":{`, `{"mcpServers":{"other s":{"command":"npx"},`, 1)
				case s == "ALONE":
					return w.entry("fettler", `"serve"`)
				}
				return strings.ReplaceAll(s, "INSIDE", filepath.ToSlash(w.path("inner")))
			}
			w.write(c.file, fill(c.raise))
			r := w.run()
			i := slices.IndexFunc(r.Findings, func(f report.Finding) bool { return f.Check == c.check && strings.Contains(f.Message, c.says) })
			if i < 0 {
				t.Fatalf("not raised: %+v", r.Findings)
			}
			f := r.Findings[i]
			want := level.Guardrails
			if c.check == "2.11" {
				want = level.Tools
			}
			if f.Severity != c.severity || f.Level != want || r.Code() != c.code {
				t.Errorf("%+v, code %d", f, r.Code())
			}
			if c.clear == "" {
				os.Remove(w.path(c.file))
			} else {
				w.write(c.file, fill(c.clear))
			}
			for _, f := range w.run().Findings {
				if f.Check == c.check {
					t.Errorf("not cleared: %+v", f)
				}
			}

			// With guardrails off nothing but 2.11 is reported.
			w.write(c.file, fill(c.raise))
			if c.file != ".fettler.json" {
				os.Remove(w.path(".fettler.json"))
				for _, f := range w.run().Findings {
					if f.Level == level.Guardrails {
						t.Errorf("reported with guardrails off: %+v", f)
					}
				}
			}
		})
	}
}

func TestDenyBeatsAllow(t *testing.T) {
	w := newWorld(t)
	w.write(".claude/settings.json", w.settings(`,"allow":["Bash(rm:*)","Bash(cp a b)"]`))
	if r := w.run(); len(r.Findings) != 0 { // 2.6 overruled, and the narrowed shell is exempt from B.17
		t.Errorf("%+v", r.Findings)
	}
	w.write(".claude/settings.json", `{"permissions":{"ask":["Bash"],"allow":["Bash(rm:*)"]}}`)
	if r := w.run(); slices.Contains(checks(r), "2.6") {
		t.Error("ask beats allow")
	}
	// A bare allow of a shell beside its deny is a contradiction.
	w.write(".claude/settings.json", w.settings(`,"allow":["Bash"]`))
	if r := w.run(); !slices.Contains(checks(r), "B.17") {
		t.Errorf("%+v", r.Findings)
	}
	// The deny may stand in another file.
	w.write(".claude/settings.json", `{"permissions":{"allow":["Bash(rm:*)"]}}`)
	w.write("~/.claude/settings.json", w.settings(``))
	if r := w.run(); slices.Contains(checks(r), "2.6") || slices.Contains(checks(r), "2.8") {
		t.Errorf("%+v", r.Findings)
	}
}

func TestDeniedServer(t *testing.T) {
	for _, deny := range []string{"mcp__sparky", "mcp__sparky__*"} {
		w := newWorld(t)
		w.write(".mcp.json", strings.Replace(w.entry("fettler", `"serve"`), `{"mcpServers":{`, `{"mcpServers":{"sparky":{"command":"npx"},`, 1))
		if r := w.run(); !slices.Contains(checks(r), "2.17") {
			t.Error("not raised")
		}
		w.write(".claude/settings.json", strings.Replace(w.settings(""), `"deny":[`, `"deny":["`+deny+`",`, 1))
		if r := w.run(); len(r.Findings) != 0 {
			t.Errorf("%s: %+v", deny, r.Findings)
		}
	}
}

func TestCompanions(t *testing.T) {
	w := newWorld(t)
	side := filepath.Join(filepath.Dir(w.project), "side")
	os.MkdirAll(side, 0o755)
	w.write(".mcp.json", strings.Replace(w.entry("fettler", `"serve"`), `{"mcpServers":{`, `{"mcpServers":{"sparky":{"command":"npx","args":["--root","`+filepath.ToSlash(side)+`"]},`, 1))
	r := w.run()
	if c := r.Levels.Tools.Companions; len(c) != 1 || c[0].Root != side || slices.Contains(checks(r), "2.19") {
		t.Errorf("%+v %v", c, checks(r))
	}
	// The same name on the same folder is the pairing written by hand.
	w.write(".fettler.json", `{"guardrails":{"trees":{"work":{"path":"."},"sparky":{"path":"../side"}}}}`)
	if r := w.run(); slices.Contains(checks(r), "2.19") || len(r.Levels.Tools.Companions) != 1 || r.Levels.Tools.Companions[0].Root != side {
		t.Errorf("%+v %+v", r.Findings, r.Levels.Tools.Companions)
	}
	// They are in one order, whether declared or not, and whatever their letters.
	alone, err := os.ReadFile(w.path(".mcp.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Alpha", "zeta"} {
		w.write(".mcp.json", strings.Replace(w.entry("fettler", `"serve"`), `{"mcpServers":{`, `{"mcpServers":{"sparky":{"command":"npx","args":["--root","`+filepath.ToSlash(side)+`"]},"`+name+`":{"command":"npx","args":["--root","`+filepath.ToSlash(side)+`"]},`, 1))
		c := w.run().Levels.Tools.Companions
		if len(c) != 2 || (c[0].Name == "sparky") != (name == "zeta") {
			t.Errorf("%+v", c)
		}
	}
	w.write(".mcp.json", string(alone))
	// Another name on it is not, and nor is the tree itself.
	w.write(".fettler.json", `{"guardrails":{"trees":{"work":{"path":"."},"other":{"path":"../side"}}}}`)
	if r := w.run(); !slices.Contains(checks(r), "2.19") || r.Code() != 2 {
		t.Errorf("%+v", r.Findings)
	}
	os.Remove(w.path(".fettler.json"))
	if r := w.run(); len(r.Findings) != 0 || r.Code() != 0 || len(r.Levels.Tools.Companions) != 1 {
		t.Errorf("with guardrails off: %+v", r.Findings)
	}
}

func TestNotes(t *testing.T) {
	w := newWorld(t)
	w.write(".claude/settings.json", strings.Replace(w.settings(""), `"deny":[`, `"deny":["Write(.env)","Read(.env)",`, 1))
	w.write(".fettler.json", `{"guardrails":{"trees":{"work":{"path":".","scopes":{"in":{"can":["create"]}}}}}}`)
	notes := strings.Join(w.run().Levels.Guardrails.Notes, "\n")
	for _, want := range []string{"permissions.deny[0]", "is dead: Write never consults a path", "the scope in of tree work grants create without list"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is missing from %s", want, notes)
		}
	}
	if strings.Contains(notes, "deny[1]") {
		t.Error("Read does consult a path")
	}
}

func TestBrokenConfiguration(t *testing.T) {
	w := newWorld(t)
	w.write(".fettler.json", `{"guardrails":{}}`)
	r := w.run()
	if !slices.Equal(checks(r), []string{"2.x"}) || !strings.Contains(r.Findings[0].Message, "declares no trees") || !r.Levels.Guardrails.Unknown {
		t.Errorf("%+v", r)
	}
}
