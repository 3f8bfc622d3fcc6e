package front

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettler/shared/config"
)

func run(t *testing.T, words ...string) (int, string, string) {
	t.Helper()
	top := t.TempDir()
	os.WriteFile(filepath.Join(top, "fettle"), []byte("#!/bin/sh\n"), 0o755)
	os.Mkdir(filepath.Join(top, "p"), 0o755)
	var out, faults strings.Builder
	code := Run(words, Surroundings{Env: config.Env{GOOS: "linux", Home: filepath.Join(top, "home"), UID: -1, Getenv: func(string) string { return "" }},
		Dir: filepath.Join(top, "p"), Siblings: top, LookPath: func(string) (string, error) { return "", errors.New("no") }, Out: &out, Faults: &faults})
	return code, out.String(), faults.String()
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"claude-code", "--local"}, "refused: setup takes the level first, then the client. Run: fettle setup tools claude-code, fettle setup guardrails claude-code or fettle setup screenings claude-code\n"},
		{[]string{"cursor", "tools"}, "refused: setup takes the level first, then the client. Run: fettle setup tools cursor, fettle setup guardrails cursor or fettle setup screenings cursor\n"},
		{[]string{"tools", "claude-code", "--gob"}, "refused: no such flag: --gob. Run fettle help for the list\n"},
		{[]string{"tools", "claude-code", "-l"}, "refused: no such flag: -l. Run fettle help for the list\n"},
		{[]string{"tools", "claude-code", "--command"}, "refused: --command needs a value. Write --NAME= to pass an empty one\n"},
		{[]string{"tools", "claude-code", "--command="}, "refused: --command names no program\n"},
		{[]string{"tools", "claude-code", "--local", "--global"}, "refused: --local and --global say opposite things. Give one of them\n"},
		{[]string{"tools", "claude-code", "--hooks"}, "refused: --hooks belongs to setup guardrails\n"},
		{[]string{"tools", "claude-code", "cursor"}, "refused: setup takes one client; 'cursor' is extra\n"},
		{[]string{"tools", "--all", "cursor"}, "refused: --all stands in place of a client, and 'cursor' is given too. Give one of them\n"},
		{[]string{"rails", "claude-code"}, "refused: there is no level 'rails'. The levels are tools, guardrails, screenings\n"},
		{[]string{"tools", "emacs"}, "refused: there is no client 'emacs'. The clients are claude-code, claude-desktop, vscode-copilot, github-copilot, cursor, codex, gemini, windsurf, zed, opencode\n"},
	} {
		code, out, faults := run(t, c.words...)
		if code != 2 || out != c.want || faults != "" {
			t.Errorf("%q: %d %q %q", c.words, code, out, faults)
		}
	}
	code, out, _ := run(t, "claude-code", "--json")
	var m map[string]any
	if code != 2 || json.Unmarshal([]byte(out), &m) != nil || m["ok"] != false || m["outcome"] != "invalid" {
		t.Errorf("%d %s", code, out)
	}
}

func TestAnswer(t *testing.T) {
	code, out, _ := run(t, "tools", "claude-code", "--json", "--dry-run")
	var m struct {
		OK      bool   `json:"ok"`
		Outcome string `json:"outcome"`
		DryRun  bool   `json:"dry_run"`
		Changes []struct {
			Path, What string
			Applied    bool
		} `json:"changes"`
		Notes []string `json:"notes"`
	}
	if err := json.Unmarshal([]byte(out), &m); err != nil || code != 0 || !m.OK || m.Outcome != "ok" || !m.DryRun || len(m.Changes) != 1 || m.Changes[0].Applied || len(m.Notes) == 0 {
		t.Errorf("%d %v %s", code, err, out)
	}
	if code, out, _ = run(t, "--help"); code != 0 || !strings.Contains(out, "LEVEL CLIENT") {
		t.Error(out)
	}
}
