package examine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettler/fettle-doctor/internal/report"
)

func (w *world) row(client, reach string) report.Row {
	w.t.Helper()
	for _, r := range w.run().Clients {
		if r.Client == client && r.Reach == reach {
			return r
		}
	}
	w.t.Fatalf("no row for %s %s", client, reach)
	return report.Row{}
}

func TestVerdicts(t *testing.T) {
	fettle := func(w *world) string { return filepath.ToSlash(filepath.Join(w.install, "fettle")) }
	for _, c := range []struct {
		name    string
		text    string // FETTLE is this installation's
		verdict report.Verdict
		detail  string
		code    int
	}{
		{"healthy", `{"mcpServers":{"fettler":{"command":"FETTLE","args":["serve"]}}}`, report.Healthy, "starts and lists 18 tools", 0},
		{"on PATH", `{"mcpServers":{"fettler":{"command":"fettle","args":["serve"]}}}`, report.Healthy, "lists 18 tools", 0},
		{"absent", `{"mcpServers":{"x":{"command":"y"}}}`, report.Absent, "fettle setup tools claude-code --local", 1},
		{"gone", `{"mcpServers":{"fettler":{"command":"/nowhere/fettle","args":["serve"]}}}`, report.Broken, "resolves to nothing", 2},
		{"not on PATH", `{"mcpServers":{"fettler":{"command":"fettle-old","args":["serve"]}}}`, report.Broken, "not on PATH", 2},
		{"tilde", `{"mcpServers":{"fettler":{"command":"~/bin/fettle","args":["serve"]}}}`, report.Broken, "begins with ~", 2},
		{"variable", `{"mcpServers":{"fettler":{"command":"${BIN}/fettle","args":["serve"]}}}`, report.Healthy, "lists 18 tools", 0},
		{"default", `{"mcpServers":{"fettler":{"command":"${NOT_SET:-INSTALL}/fettle","args":["serve"]}}}`, report.Healthy, "lists 18 tools", 0},
		{"unset", `{"mcpServers":{"fettler":{"command":"${NOT_SET}/fettle","args":["serve"]}}}`, report.Broken, "variable", 2},
		{"another's", `{"mcpServers":{"fettler":{"command":"/bin/sh","args":["serve"]}}}`, report.Healthy, "not started: the command is not this installation's", 0},
		{"a task", `{"mcpServers":{"fettler":{"command":"FETTLE","args":["run","deploy"]}}}`, report.Broken, "first argument is not serve", 2},
		{"more arguments", `{"mcpServers":{"fettler":{"command":"FETTLE","args":["serve","--root","/"]}}}`, report.Healthy, "arguments are not those", 0},
		{"cannot start", `{"mcpServers":{"fettler":{"command":"PLAIN","args":["serve"]}}}`, report.Broken, "cannot be started", 2},
		{"not an object", `{"mcpServers":{"fettler":"x"}}`, report.Broken, "not an object", 2},
		{"disabled", `{"mcpServers":{"fettler":{"command":"FETTLE","args":["serve"],"disabled":true}}}`, report.Absent, "disabled in the entry", 1},
		{"comment", "{\n  // c\n  \"mcpServers\":{}}", report.Broken, "this client will ignore the whole file: line 2, a comment", 2}, // K81
		{"broken", "{\n  \"mcpServers\":{", report.Broken, "does not parse", 2},
		{"twice", `{"mcpServers":{"fettler":{}},"mcpServers":{"fettler":{"command":"FETTLE","args":["serve"]}}}`, report.Healthy, "more than once", 0}, // K87
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			os.Remove(w.path(".fettler.json"))
			w.env["BIN"] = filepath.ToSlash(w.install)
			w.write("plain", "text")
			text := strings.NewReplacer("FETTLE", fettle(w), "INSTALL", filepath.ToSlash(w.install), "PLAIN", filepath.ToSlash(w.path("plain"))).Replace(c.text)
			w.write(".mcp.json", text)
			w.write("~/.claude.json", `{}`)
			reach := "repo"
			if c.verdict == report.Absent && c.name == "absent" {
				reach = "global" // said once, where it is for every project
				c.detail = "--global"
			}
			row := w.row("claude-code", reach)
			if row.Verdict != c.verdict || !strings.Contains(row.Detail, c.detail) {
				t.Errorf("%+v", row)
			}
			if code := w.run().Code(); code != c.code {
				t.Errorf("code %d", code)
			}
		})
	}
}

// K89: only this installation's fettle is ever started, and what it says is passed on.
func TestStarting(t *testing.T) {
	w := newWorld(t)
	calls := 0
	w.start = func(_ context.Context, dir, command string, args []string) (int, error) {
		calls++
		if dir != w.project || filepath.Base(command) != "fettle" || strings.Join(args, " ") != "serve" {
			t.Errorf("%s %s %v", dir, command, args)
		}
		return 0, errors.New("it ended. It said: no such file")
	}
	if row := w.row("claude-code", "repo"); row.Verdict != report.Broken || !strings.Contains(row.Detail, "no such file") {
		t.Errorf("%+v", row)
	}
	if calls != 1 {
		t.Errorf("started %d times", calls)
	}
	w.start = nil
	if row := w.row("claude-code", "repo"); row.Verdict != report.Healthy || !strings.Contains(row.Detail, "starting it was skipped") {
		t.Errorf("%+v", row)
	}
}

func TestRejectedAndApproved(t *testing.T) {
	w := newWorld(t)
	if row := w.row("claude-code", "repo"); !strings.Contains(row.Detail, "nobody approved") {
		t.Errorf("%+v", row)
	}
	w.write(".claude/settings.json", `{"enabledMcpjsonServers":["fettler"]}`)
	if row := w.row("claude-code", "repo"); strings.Contains(row.Detail, "nobody approved") {
		t.Errorf("%+v", row)
	}
	w.write("~/.claude.json", `{"projects":{"`+filepath.ToSlash(w.project)+`":{"disabledMcpjsonServers":["fettler"]}}}`)
	if row := w.row("claude-code", "repo"); row.Verdict != report.Absent || !strings.Contains(row.Detail, "rejected in") {
		t.Errorf("%+v", row) // a reject wins
	}
}

func TestProjectEntryInClaudesOwnFile(t *testing.T) {
	w := newWorld(t)
	os.Remove(w.path(".mcp.json"))
	entry := strings.TrimSuffix(strings.TrimPrefix(w.entry("fettler", `"serve"`), "{"), "}")
	w.write("~/.claude.json", `{"projects":{"`+filepath.ToSlash(w.project)+`":{`+entry+`}}}`)
	if row := w.row("claude-code", "repo"); row.Verdict != report.Healthy || row.Where != w.path("~/.claude.json") {
		t.Errorf("%+v", row)
	}
	w.write("~/.claude.json", `{"projects":{"/elsewhere":{`+entry+`}}}`)
	if row := w.row("claude-code", "global"); row.Verdict != report.Absent {
		t.Errorf("%+v", row)
	}
}

// K91: the client wrote its own older copy after setup.
func TestEntryGone(t *testing.T) {
	w := newWorld(t)
	w.write("~/.config/Claude/claude_desktop_config.json", `{"mcpServers":{}}`)
	w.write("~/.config/Claude/claude_desktop_config.json.fettler-backup", `{}`)
	if row := w.row("claude-desktop", "global"); row.Verdict != report.Absent || !strings.Contains(row.Detail, "gone since setup") {
		t.Errorf("%+v", row)
	}
}

func TestNotInstalled(t *testing.T) {
	w := newWorld(t)
	for _, client := range []string{"claude-desktop", "vscode-copilot"} {
		if row := w.row(client, "global"); row.Verdict != report.NA {
			t.Errorf("%+v", row)
		}
	}
	for _, r := range w.run().Clients {
		if r.Client == "cursor" {
			t.Error("a client beyond the four is listed and not installed")
		}
	}
	os.MkdirAll(w.path("~/.cursor"), 0o755)
	if row := w.row("cursor", "global"); row.Verdict != report.Absent {
		t.Errorf("%+v", row)
	}
	w.client = "claude-code"
	for _, r := range w.run().Clients {
		if r.Client != "claude-code" {
			t.Errorf("%+v", r)
		}
	}
}

func TestTOML(t *testing.T) {
	w := newWorld(t)
	w.write("~/.codex/config.toml", "model = \"x\"\n[mcp_servers.fettler]\ncommand = \""+filepath.ToSlash(w.install)+"/fettle\"\nargs = [\"serve\"]\n")
	if row := w.row("codex", "global"); row.Verdict != report.Healthy {
		t.Errorf("%+v", row)
	}
	w.write("~/.codex/config.toml", "a = 1\nb = \"SECRET\n")
	if row := w.row("codex", "global"); row.Verdict != report.Broken || !strings.Contains(row.Detail, "line 2") || strings.Contains(row.Detail, "SECRET") {
		t.Errorf("%+v", row)
	}
}

// A file that another client owns breaks no registration in a client's own.
func TestSharedFileBroken(t *testing.T) {
	w := newWorld(t)
	entry := strings.Replace(w.entry("fettler", `"serve"`), "mcpServers", "servers", 1)
	w.write("~/.config/Code/User/settings.json", `{}`)
	w.write(".vscode/mcp.json", entry)
	w.write(".mcp.json", "{")
	if row := w.row("vscode-copilot", "repo"); row.Verdict != report.Healthy {
		t.Errorf("%+v", row)
	}
	if row := w.row("claude-code", "repo"); row.Verdict != report.Broken {
		t.Errorf("%+v", row)
	}
}
