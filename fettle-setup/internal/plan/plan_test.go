package plan

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fettler/fettle-setup/internal/file"
	"fettler/fettle-setup/internal/report"
	"fettler/shared/clients"
	"fettler/shared/config"
	"fettler/shared/level"
	"fettler/shared/outcome"
)

func (w *world) mustRun(r Request) *report.Report {
	w.t.Helper()
	rep, err := Run(r)
	if err != nil {
		w.t.Fatal(err)
	}
	return rep
}

func (w *world) refused(r Request, kind outcome.Kind, says string) {
	w.t.Helper()
	before := w.files()
	_, err := Run(r)
	if err == nil || outcome.Of(err).Kind != kind || !strings.Contains(err.Error(), says) {
		w.t.Errorf("%v, wanted %s: %s", err, kind.Word(), says)
	}
	if !same(before, w.files()) {
		w.t.Error("a refusal wrote something")
	}
}

func notes(r *report.Report) string { return strings.Join(r.Notes, "\n") }

func TestDifferentEntry(t *testing.T) {
	for _, c := range []struct{ client, file, before, after string }{
		{clients.ClaudeCode, ".mcp.json", `{"mcpServers":{"fettler":{"command":"old","args":["x"],"env":{"A":"b"}}}}`, `{"mcpServers":{"fettler":{"command":"fettle","args":["serve"],"env":{"A":"b"}}}}`},
		{clients.ClaudeCode, ".mcp.json", `{"mcpServers":{"fettler":{"command":"fettle"}}}`, `{"mcpServers":{"fettler":{"command":"fettle","args":["serve"]}}}`},
		{clients.ClaudeCode, ".mcp.json", `{"mcpServers":{"fettler":1}}`, `{"mcpServers":{"fettler":{"command":"fettle","args":["serve"]}}}`},
		{clients.OpenCode, "opencode.json", `{"mcp":{"fettler":{"type":"local","command":["old"]}}}`, `{"mcp":{"fettler":{"type":"local","command":["fettle","serve"]}}}`},
		{clients.Codex, ".codex/config.toml", "[mcp_servers.fettler] # mine\ncommand = 'old'\nargs = [\"x\"] \n[other]\nargs = 1\n", "[mcp_servers.fettler] # mine\ncommand = \"fettle\"\nargs = [\"serve\"] \n[other]\nargs = 1\n"},
	} {
		w := newWorld(t)
		file := filepath.Join(w.project, c.file)
		w.write(file, c.before)
		r := w.request(level.Tools, c.client, clients.Repo)
		w.refused(r, outcome.TargetExists, "--force")
		r.Force = true
		w.mustRun(r)
		if got := w.read(file); got != c.after {
			t.Errorf("%s", got)
		}
	}
	// Setup cannot rewrite every TOML by hand; then it says so.
	w := newWorld(t)
	w.write(filepath.Join(w.project, ".codex/config.toml"), "mcp_servers = { fettler = { command = 'old' } }\n")
	r := w.request(level.Tools, clients.Codex, clients.Repo)
	r.Force = true
	w.refused(r, outcome.Refused, "with an editor")
	w.write(filepath.Join(w.project, ".codex/config.toml"), "mcp_servers = { x = { command = 'y' } }\n")
	w.refused(r, outcome.Refused, "with an editor")
}

// An entry that starts this very fettle is the same, however it is written.
func TestSameEntry(t *testing.T) {
	w := newWorld(t)
	link := filepath.Join(w.top, "link")
	for _, command := range []string{"fettle", filepath.Join(w.install, "fettle"), link} {
		if command == link && os.Symlink(filepath.Join(w.install, "fettle"), link) != nil {
			continue
		}
		w.write(filepath.Join(w.project, ".mcp.json"), `{"mcpServers":{"fettler":{"type":"stdio","command":"`+command+`","args":["serve"],"env":{}}}}`)
		if rep := w.mustRun(w.request(level.Tools, clients.ClaudeCode, clients.Repo)); len(rep.Changes) != 0 {
			t.Errorf("%s: %+v", command, rep.Changes)
		}
	}
}

// K89
func TestCommand(t *testing.T) {
	w := newWorld(t)
	own := filepath.Join(w.install, "fettle")
	entry := func(r *report.Report) string { return w.read(filepath.Join(w.project, ".mcp.json")) }
	w.onPath = false
	rep := w.mustRun(w.request(level.Tools, clients.ClaudeCode, clients.Repo))
	if !strings.Contains(entry(rep), `"`+own+`"`) || !strings.Contains(notes(rep), "not on PATH, so its absolute path is registered") {
		t.Errorf("%s %q", entry(rep), rep.Notes)
	}

	other := filepath.Join(w.top, "a folder", "fettle")
	w.write(other, "#!/bin/sh\n")
	r := w.request(level.Tools, clients.ClaudeCode, clients.Repo)
	r.LookPath = func(string) (string, error) { return other, nil }
	os.Remove(filepath.Join(w.project, ".mcp.json"))
	rep = w.mustRun(r)
	if !strings.Contains(entry(rep), own) || !strings.Contains(notes(rep), "another one") {
		t.Errorf("%s %q", entry(rep), rep.Notes)
	}

	r = w.request(level.Tools, clients.ClaudeCode, clients.Repo)
	r.Force = true
	for command, says := range map[string]string{"~/fettle": "replaces ~", "${HOME}/fettle": "replaces ${…}", "nothing": "on PATH", "./nothing": "no such file", other: "can be started"} {
		r.Command = command
		kind := outcome.NotFound
		switch {
		case strings.Contains(says, "replaces"):
			kind = outcome.Invalid
		case strings.Contains(says, "started"):
			kind = outcome.Refused
		}
		w.refused(r, kind, says)
	}
	os.Chmod(other, 0o755)
	r.Command = "../a folder/fettle" // relative, with a space
	if rep = w.mustRun(r); !strings.Contains(entry(rep), `"command": "`+other+`"`) {
		t.Error(entry(rep))
	}
	os.Remove(own)
	w.refused(w.request(level.Tools, clients.ClaudeCode, clients.Repo), outcome.NotFound, "--command PATH")
}

// K85
func TestLinks(t *testing.T) {
	w := newWorld(t)
	mcp := filepath.Join(w.project, ".mcp.json")
	outside := filepath.Join(w.top, "outside.json")
	w.write(outside, `{}`)
	if os.Symlink(outside, mcp) != nil {
		t.Skip("links cannot be made here")
	}
	r := w.request(level.Tools, clients.ClaudeCode, clients.Repo)
	w.refused(r, outcome.Refused, "leaves the project")
	os.Remove(mcp)
	os.Symlink(filepath.Join(w.project, "nothing"), mcp)
	w.refused(r, outcome.Refused, "target is not there")
	os.Remove(mcp)
	os.Mkdir(mcp, 0o755)
	w.refused(r, outcome.Refused, "not an ordinary file")
	os.Remove(mcp)

	// A folder that leads out is no better.
	os.Mkdir(filepath.Join(w.top, "elsewhere"), 0o755)
	os.Symlink(filepath.Join(w.top, "elsewhere"), filepath.Join(w.project, ".vscode"))
	w.refused(w.request(level.Tools, clients.VSCode, clients.Repo), outcome.Refused, "leaves the project")

	// At the home a link may lead anywhere: dotfiles live that way.
	real := filepath.Join(w.top, "dot", "real", "s.json")
	w.write(real, `{}`)
	os.Chmod(real, 0o600)
	hop := filepath.Join(w.top, "dot", "hop.json")
	os.Symlink("real/s.json", hop)
	own := filepath.Join(w.home, ".claude.json")
	os.Symlink(hop, own)
	w.mustRun(w.request(level.Tools, clients.ClaudeCode, clients.Global))
	info, _ := os.Stat(real)
	if !strings.Contains(w.read(real), "fettler") || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %s", info.Mode(), w.read(real))
	}
	for _, l := range []string{own, hop} {
		if _, err := os.Readlink(l); err != nil {
			t.Errorf("%s is no link any more", l)
		}
	}

	// A backup place that is a link is not written through.
	victim := filepath.Join(w.top, "victim")
	w.write(victim, "mine")
	w.write(mcp, `{}`)
	os.Symlink(victim, mcp+clients.BackupSuffix)
	if _, err := Run(r); err == nil || w.read(victim) != "mine" || w.read(mcp) != `{}` {
		t.Errorf("%v %s", err, w.read(victim))
	}
}

func TestInstructionBlock(t *testing.T) {
	w := newWorld(t)
	page := filepath.Join(w.project, "CLAUDE.md")
	old := "# Mine\n\n" + blockBegin + "\nwhat an older setup wrote\n" + blockEnd + "\n\nMore of mine."
	w.write(page, old)
	w.mustRun(w.request(level.Guardrails, clients.ClaudeCode, clients.Repo))
	got := w.read(page)
	if !strings.HasPrefix(got, "# Mine\n\n"+blockBegin) || !strings.HasSuffix(got, blockEnd+"\n\nMore of mine.") || strings.Contains(got, "what an older") || !strings.Contains(got, "are denied") {
		t.Error(got)
	}
	// Where the deny list is not written the block does not say that it is.
	w.mustRun(w.request(level.Guardrails, clients.ClaudeCode, clients.Global))
	if got := w.read(filepath.Join(w.home, ".claude", "CLAUDE.md")); strings.Contains(got, "denied") {
		t.Error(got)
	}
	if _, err := os.Stat(filepath.Join(w.home, ".claude", "settings.json")); err == nil {
		t.Error("--global wrote a deny list without --deny")
	}
}

func TestConflictingAllowsAreNamed(t *testing.T) {
	w := newWorld(t)
	settings := filepath.Join(w.project, ".claude", "settings.json")
	w.write(settings, `{"permissions":{"allow":["Bash(curl -H SECRET:*)","Read","WebFetch"],"deny":["Read"]}}`)
	rep := w.mustRun(w.request(level.Guardrails, clients.ClaudeCode, clients.Repo))
	if !strings.Contains(notes(rep), "allow entries for Bash, Read.") || strings.Contains(notes(rep), "SECRET") {
		t.Error(notes(rep))
	}
	if got := w.read(settings); !strings.Contains(got, "SECRET") || strings.Count(got, `"Read"`) != 2 || !strings.Contains(got, `"TaskOutput"`) {
		t.Error(got)
	}
	if _, err := os.Stat(filepath.Join(w.project, ".claude", "settings.local.json")); err == nil {
		t.Error("setup wrote one person's settings")
	}
}

func TestHook(t *testing.T) {
	w := newWorld(t)
	settings := filepath.Join(w.project, ".claude", "settings.json")
	w.write(settings, `{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"echo hello"}]}]}}`)
	r := w.request(level.Guardrails, clients.ClaudeCode, clients.Repo)
	r.Hooks = true
	w.mustRun(r)
	if got := w.read(settings); !strings.Contains(got, "echo hello") || !strings.Contains(got, `"`+filepath.Join(w.install, "fettle-doctor")+` --hook"`) || !strings.Contains(got, `"timeout"`) {
		t.Error(got)
	}
	// Another installation's doctor is left unless --force names this one.
	w.write(settings, strings.ReplaceAll(w.read(settings), w.install, "/old"))
	if rep := w.mustRun(r); len(rep.Changes) != 0 || !strings.Contains(notes(rep), "another fettle-doctor") {
		t.Errorf("%+v", rep)
	}
	r.Force = true
	w.mustRun(r)
	if got := w.read(settings); strings.Contains(got, "/old") || strings.Count(got, "--hook") != 1 {
		t.Error(got)
	}
}

func TestStarterSections(t *testing.T) {
	w := newWorld(t)
	file := filepath.Join(w.project, config.ProjectName)
	load := func() *config.Config {
		c, err := config.Load(config.Options{Project: file})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	w.write(file, "{\n  // what is skipped\n  \"tools\": { \"generated\": [\"out\"] },\n}\n")
	w.mustRun(w.request(level.Guardrails, clients.ClaudeCode, clients.Repo))
	w.mustRun(w.request(level.Screenings, clients.ClaudeCode, clients.Repo))
	c := load()
	if c.Guardrails == nil || c.Guardrails.Trees[0].Name != "work" || c.Guardrails.Trees[0].Can != config.Work || c.Guardrails.Trees[0].Scopes[0].Can != config.Look ||
		c.Screenings == nil || c.Screenings.Screen[0].Tree != "work" || !strings.Contains(w.read(file), "// what is skipped") {
		t.Errorf("%s", w.read(file))
	}
	// The default tree is the one screened, whatever it is called.
	w.write(file, `{"guardrails":{"trees":{"main":{"path":"."}}}}`)
	w.mustRun(w.request(level.Screenings, clients.ClaudeCode, clients.Repo))
	if got := load().Screenings.Screen[0].Tree; got != "main" {
		t.Error(got)
	}
	// One that is there is a person's.
	rep := w.mustRun(w.request(level.Guardrails, clients.ClaudeCode, clients.Repo))
	if !strings.Contains(notes(rep), "was left as it is") {
		t.Error(notes(rep))
	}
	// A file above is the project's file.
	r := w.request(level.Guardrails, clients.ClaudeCode, clients.Repo)
	r.Dir = filepath.Join(w.project, "below")
	os.Mkdir(r.Dir, 0o755)
	w.mustRun(r)
	if _, err := os.Stat(filepath.Join(r.Dir, config.ProjectName)); err == nil {
		t.Error("a second file would hide the one above")
	}
	// One that does not load is not added to, and the old shape is explained.
	w.write(file, `{"trees":{"work":{"path":"."}}}`)
	w.refused(w.request(level.Guardrails, clients.ClaudeCode, clients.Repo), outcome.Invalid, "no longer reads")
	w.mustRun(w.request(level.Tools, clients.ClaudeCode, clients.Global)) // which needs no file
}

func TestBroadFolder(t *testing.T) {
	w := newWorld(t)
	r := w.request(level.Tools, clients.ClaudeCode, clients.Repo)
	r.Dir = w.home
	w.refused(r, outcome.Invalid, "the home folder")
}

func TestDesktopNamesTheConfiguration(t *testing.T) {
	w := newWorld(t)
	file := filepath.Join(w.project, config.ProjectName)
	w.write(file, `{}`)
	rep := w.mustRun(w.request(level.Tools, clients.ClaudeDesktop, clients.Global))
	got := w.read(filepath.Join(w.home, ".config", "Claude", "claude_desktop_config.json"))
	if !strings.Contains(got, `"--config"`) || !strings.Contains(got, `"`+file+`"`) || !strings.Contains(notes(rep), "quit Claude Desktop") { // K91
		t.Errorf("%s %s", got, notes(rep))
	}
}

// K87
func TestDuplicateHolders(t *testing.T) {
	w := newWorld(t)
	own := filepath.Join(w.home, ".claude.json")
	w.write(own, `{"projects":{"C:/w/p":{"mcpServers":{"fettle":{}}},"c:/w/p":{}},"mcpServers":{},"mcpServers":{"x":{}}}`)
	rep := w.mustRun(w.request(level.Tools, clients.ClaudeCode, clients.Global))
	if got := w.read(own); got != `{"projects":{"C:/w/p":{"mcpServers":{"fettle":{}}},"c:/w/p":{}},"mcpServers":{},"mcpServers":{"x":{},"fettler":{"command":"fettle","args":["serve"]}}}` {
		t.Error(got)
	}
	if !strings.Contains(notes(rep), "more than once") {
		t.Error(notes(rep))
	}
}

func TestAll(t *testing.T) {
	w := newWorld(t)
	r := w.request(level.Guardrails, "", clients.Repo)
	r.ReachOf = false
	w.refused(r, outcome.NotFound, "none of the clients is installed")
	for _, dir := range []string{".claude", ".copilot", ".config/Claude", ".cursor"} {
		os.MkdirAll(filepath.Join(w.home, dir), 0o755)
	}
	rep := w.mustRun(r)
	var paths []string
	for _, c := range rep.Changes {
		rel, _ := filepath.Rel(w.top, c.Path)
		paths = append(paths, rel+": "+c.What)
	}
	want := []string{
		"work/.mcp.json: register fettler", "work/.fettler.json: a starter guardrails section",
		"work/.claude/settings.json: deny the built-in tools that go round fettle", "work/CLAUDE.md: instructions for the model, between markers",
		"home/.config/Claude/claude_desktop_config.json: register fettler", "work/.github/copilot-instructions.md: instructions for the model, between markers",
		"work/.cursor/mcp.json: register fettler", "work/AGENTS.md: instructions for the model, between markers",
	}
	if !slices.Equal(paths, want) {
		t.Errorf("%q\nwanted\n%q", paths, want)
	}
	// With --local those that have no project are left out, and named.
	if rep := w.mustRun(w.request(level.Tools, "", clients.Repo)); !strings.Contains(notes(rep), "Claude Desktop reads nothing from a project") {
		t.Error(notes(rep))
	}
}

// A dry run shows what is added, and nothing that stands beside it.
func TestDryRunShowsNoSecret(t *testing.T) {
	w := newWorld(t)
	w.write(filepath.Join(w.project, ".mcp.json"), `{"mcpServers":{"x":{"env":{"TOKEN":"ghp_SECRET"}}}}`)
	r := w.request(level.Tools, clients.ClaudeCode, clients.Repo)
	r.DryRun = true
	var sb strings.Builder
	for _, asJSON := range []bool{true, false} {
		w.mustRun(r).Print(&sb, asJSON)
	}
	if strings.Contains(sb.String(), "SECRET") || !strings.Contains(sb.String(), "+") {
		t.Error(sb.String())
	}
}

// A client that writes its file between the plan and the swap loses nothing: the
// change is worked out anew on what the client wrote.
func TestClientWritesMeanwhile(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(w.project, ".mcp.json")
	w.write(path, `{"mcpServers":{}}`)
	p := &planner{Request: w.request(level.Tools, clients.ClaudeCode, clients.Repo), report: &report.Report{}, command: command{word: "fettle"}}
	p.places = clients.Places(p.Env, p.Dir)
	c, _ := clients.Find(clients.ClaudeCode)
	if err := p.register(c, clients.Repo); err != nil {
		t.Fatal(err)
	}
	target := p.targets[0]
	f, err := file.Open(path, w.project)
	if err != nil {
		t.Fatal(err)
	}
	text, changes, err := target.work(f, false)
	if err != nil {
		t.Fatal(err)
	}
	w.write(path, `{"mcpServers":{"theirs":{"command":"x"}}}`)
	if changes, err = apply(target, f, text, changes); err != nil || len(changes) != 1 {
		t.Fatalf("%v %v", changes, err)
	}
	if got := w.read(path); got != `{"mcpServers":{"theirs":{"command":"x"},"fettler":{"command":"fettle","args":["serve"]}}}` {
		t.Error(got)
	}
}
