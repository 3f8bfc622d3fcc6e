package plan

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"fettler/fettle-setup/internal/report"
	"fettler/shared/clients"
	"fettler/shared/config"
	"fettler/shared/level"
	"fettler/shared/outcome"
)

var update = flag.Bool("update", false, "write the golden files")

// world is a home, a project and an installation of a test's own.
type world struct {
	t                           *testing.T
	top, home, project, install string
	onPath                      bool
	env                         map[string]string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, top: top, home: filepath.Join(top, "home"), project: filepath.Join(top, "work"), install: filepath.Join(top, "bin"), onPath: true, env: map[string]string{}}
	for _, dir := range []string{w.home, w.project, w.install} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"fettle", "fettle-doctor"} {
		if err := os.WriteFile(filepath.Join(w.install, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w *world) request(l level.Level, client string, reach clients.Reach) Request {
	r := Request{Level: l, Reach: reach, ReachOf: true, Dir: w.project, Siblings: w.install,
		Env: config.Env{GOOS: "linux", Home: w.home, UID: -1, Getenv: func(n string) string { return w.env[n] }},
		LookPath: func(name string) (string, error) {
			p := filepath.Join(w.install, name)
			if _, err := os.Stat(p); err != nil || !w.onPath {
				return "", errors.New("not on PATH")
			}
			return p, nil
		}}
	if client != "" {
		r.Clients = []string{client}
	}
	return r
}

func (w *world) write(path, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) read(path string) string {
	w.t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(b)
}

// files are everything below top: contents, modes, link targets and times.
func (w *world) files() map[string]string {
	out := map[string]string{}
	filepath.WalkDir(w.top, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			w.t.Fatal(err)
		}
		info, err := e.Info()
		switch {
		case err != nil || e.IsDir():
		case info.Mode()&fs.ModeSymlink != 0:
			out[p], _ = os.Readlink(p)
		default:
			out[p] = fmt.Sprintf("%v %v %s", info.Mode(), info.ModTime().UnixNano(), w.read(p))
		}
		return nil
	})
	return out
}

// state is what a file holds before.
type state struct {
	name string
	json string // with KEY for the holder of servers
	lax  bool   // only where comments are read
	text string
	toml string
	mode fs.FileMode
	link bool
}

var states = []state{
	{name: "absent"},
	{name: "empty", json: "", text: "", toml: "", mode: 0o600},
	{name: "others", json: "{\n    \"zzz\": 12345678901234567890,\n    \"KEY\": {\n        \"x\": {\n            \"command\": \"a && b > c \\u00e9 /\",\n            \"args\": [\"1.0\"]\n        }\n    },\n    \"aaa\": 1.0\n}",
		text: "# Rules\n\nBe kind.", toml: "model = \"x\" # mine\n\n[mcp_servers.x]\ncommand = 'y'\n", mode: 0o640},
	{name: "comments", json: "// mine\n{\n\t\"KEY\": {\n\t\t\"x\": {}, // the last one\n\t},\n\t/* and */\n}\n", lax: true, text: "<!-- a comment -->\n", toml: "# only a comment", mode: 0o644},
	{name: "crlf", json: "{\r\n  \"KEY\": {},\r\n  \"a\": 1\r\n}\r\n", text: "# Rules\r\n\r\nBe kind.\r\n", toml: "model = \"x\"\r\n", mode: 0o644},
	{name: "mark", json: "\ufeff{\"KEY\":{}}", text: "\ufeff# Rules\n", toml: "a = 1\n", mode: 0o644},
	{name: "broken", json: "{\n  \"KEY\": {\n", text: blockBegin + "\n", toml: "a = \n", mode: 0o644},
	{name: "array", json: "{\n  \"KEY\": []\n}\n", text: "x\n", toml: "mcp_servers = 1\n", mode: 0o644},
	{name: "read-only", json: "{}\n", text: "x\n", toml: "a = 1\n", mode: 0o444},
	{name: "link", json: "{\n  \"a\": true\n}\n", text: "x\n", toml: "a = 1\n", mode: 0o600, link: true},
}

// prepare puts a state into one file.
func (w *world) prepare(p clients.Place, s state) {
	w.t.Helper()
	if s.name == "absent" {
		return
	}
	text := strings.ReplaceAll(s.json, "KEY", p.Shape.Key)
	switch {
	case p.Syntax == clients.Text:
		text = s.text
	case p.Syntax == clients.TOML:
		text = s.toml
	case p.Shape.Key == "":
		text = strings.ReplaceAll(s.json, "KEY", "permissions")
		text = strings.ReplaceAll(text, `"permissions": []`, `"permissions": {"deny": {}}`)
	}
	at := p.Path
	if s.link { // link to link to file, in a folder of its own
		dir := filepath.Join(filepath.Dir(p.Path), "real")
		at = filepath.Join(dir, filepath.Base(p.Path))
		w.write(at, text)
		for _, l := range [][2]string{{at, at + ".hop"}, {at + ".hop", p.Path}} {
			if err := os.Symlink(l[0], l[1]); err != nil {
				w.t.Skip("links cannot be made here")
			}
		}
	} else {
		w.write(at, text)
	}
	if err := os.Chmod(at, s.mode); err != nil {
		w.t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	os.Chtimes(at, old, old)
}

// touched are the places that a level writes.
func (w *world) touched(l level.Level, client string, reach clients.Reach) []clients.Place {
	all := clients.Places(w.request(l, client, reach).Env, w.project)
	var out []clients.Place
	for _, p := range clients.Of(all, client, reach, clients.Register) {
		if !p.Shared {
			out = append(out, p)
		}
	}
	if l == level.Guardrails {
		out = append(out, clients.Of(all, client, reach, clients.Instructions)...)
		if client == clients.ClaudeCode {
			out = append(out, clients.Of(all, client, reach, clients.Settings)...)
		}
	}
	return out
}

// Every client, reach, level and prior state, with what has to hold of each.
func TestMatrix(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the golden files hold this platform's modes and paths")
	}
	for _, c := range clients.All() {
		for _, l := range level.All() {
			t.Run(c.Name+"-"+string(l), func(t *testing.T) {
				t.Parallel()
				var sb strings.Builder
				for _, reach := range []clients.Reach{clients.Repo, clients.Global} {
					for _, s := range states {
						fmt.Fprintf(&sb, "=== %s, %s\n%s\n", reach, s.name, one(t, c, l, reach, s))
					}
				}
				file := filepath.Join("testdata", c.Name+"-"+string(l)+".golden")
				if *update {
					if err := os.WriteFile(file, []byte(sb.String()), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil || string(want) != sb.String() {
					t.Errorf("%s differs (run with -update): %v\n%s", file, err, sb.String())
				}
			})
		}
	}
}

func one(t *testing.T, c clients.Client, l level.Level, reach clients.Reach, s state) string {
	w := newWorld(t)
	before := map[string]string{}
	for _, p := range w.touched(l, c.Name, reach) {
		if s.lax && p.Syntax == clients.Strict && p.Purpose == clients.Settings {
			continue // the registration shows the refusal
		}
		w.prepare(p, s)
		if s.name != "absent" {
			before[p.Path] = w.read(p.Path)
		}
	}
	name := strings.NewReplacer(w.top, "TOP", "\r", "<CR>", "\ufeff", "<BOM>").Replace
	start := w.files()

	r := w.request(l, c.Name, reach)
	r.Hooks, r.Deny = l == level.Guardrails, l == level.Guardrails
	r.DryRun = true
	dry, err := Run(r)
	if now := w.files(); !same(start, now) {
		t.Fatalf("%s %s: a dry run wrote something", reach, s.name)
	}
	r.DryRun = false
	if err != nil {
		if _, again := Run(r); again == nil || again.Error() != err.Error() {
			t.Fatalf("%s %s: the dry run refused %v, the run %v", reach, s.name, err, again)
		}
		if now := w.files(); !same(start, now) {
			t.Fatalf("%s %s: a refused run wrote something", reach, s.name)
		}
		return name(fmt.Sprintf("refused (%d): %v\n", outcome.Of(err).Kind.Code(), err))
	}
	rep, err := Run(r)
	if err != nil {
		t.Fatalf("%s %s: %v after a good dry run", reach, s.name, err)
	}
	alike(t, dry, rep)

	for path, was := range before {
		changed := slices.ContainsFunc(rep.Changes, func(c report.Change) bool { return c.Path == path })
		now := w.read(path)
		if !subsequence(was, now) || !changed && was != now {
			t.Errorf("%s %s: %s lost something of\n%s\n%s", reach, s.name, path, was, now)
		}
		real, _ := filepath.EvalSymlinks(path)
		info, _ := os.Stat(real)
		if info.Mode().Perm() != s.mode {
			t.Errorf("%s %s: %s has mode %v, not %v", reach, s.name, path, info.Mode(), s.mode)
		}
		if link, err := os.Readlink(path); s.link && (err != nil || !strings.HasSuffix(link, ".hop")) {
			t.Errorf("%s is no link any more", path) // K85
		}
		if !changed {
			continue
		}
		backup := real + clients.BackupSuffix
		if info, err := os.Stat(backup); err != nil || info.Mode().Perm() != 0o600 || w.read(backup) != was { // K93
			t.Errorf("%s %s: the backup of %s: %v", reach, s.name, path, err)
		}
	}
	second := w.files()
	for p := range second {
		if strings.Contains(filepath.Base(p), ".fettler-") && !strings.HasSuffix(p, clients.BackupSuffix) {
			t.Errorf("%s was left behind", p)
		}
	}
	again, err := Run(r)
	if err != nil || len(again.Changes) != 0 || !same(second, w.files()) {
		t.Errorf("%s %s: the second run changed %+v %v", reach, s.name, again, err)
	}

	var sb strings.Builder
	for _, c := range dry.Changes {
		fmt.Fprintf(&sb, "%s: %s\n", c.Path, c.What)
		if l == level.Tools || c.What != "register fettler" {
			sb.WriteString(c.Diff)
		}
	}
	for _, n := range dry.Notes {
		fmt.Fprintf(&sb, "note: %s\n", n)
	}
	return name(sb.String())
}

func same(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if b[k] != v {
			return false
		}
	}
	return true
}

// alike asserts that a dry run says what the run does.
func alike(t *testing.T, dry, did *report.Report) {
	t.Helper()
	if len(dry.Changes) != len(did.Changes) || !slices.Equal(dry.Notes, did.Notes) {
		t.Fatalf("the dry run said %+v and the run %+v", dry, did)
	}
	for i, c := range dry.Changes {
		d := did.Changes[i]
		if c.Applied || !d.Applied || c.Path != d.Path || c.What != d.What || c.Backup != d.Backup || c.Diff == "" || d.Diff != "" {
			t.Errorf("%+v and %+v", c, d)
		}
	}
}

// subsequence reports whether every byte of a is in b, in order: only added to.
func subsequence(a, b string) bool {
	i := 0
	for j := 0; i < len(a) && j < len(b); j++ {
		if a[i] == b[j] {
			i++
		}
	}
	return i == len(a)
}

// Set up and then restored, everything is byte for byte as it was.
func TestRestore(t *testing.T) {
	w := newWorld(t)
	text := "{\n\t\"mcpServers\": {\"x\": {\"env\": {\"TOKEN\": \"t\"}}}}"
	file := filepath.Join(w.project, ".mcp.json")
	w.write(file, text)
	for range 2 {
		if _, err := Run(w.request(level.Guardrails, clients.ClaudeCode, clients.Repo)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(file+clients.BackupSuffix, file); err != nil || w.read(file) != text {
		t.Errorf("%v %s", err, w.read(file))
	}
	if !bytes.Contains([]byte(w.read(filepath.Join(w.project, ".fettler.json"))), []byte(`".git"`)) {
		t.Error("the starter section leaves .git open")
	}
}
