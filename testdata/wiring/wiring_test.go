// Package wiring holds what is true of the built fettle-setup and fettle-doctor
// together: which files they look at, and that no value of one leaves them.
package wiring

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"fettler/shared/clients"
	"fettler/shared/config"
	"fettler/testdata/programs"
)

var bin string

func TestMain(m *testing.M) { os.Exit(programs.Main(m, &bin)) }

// machine is a home and a project of a test's own.
type machine struct {
	t                  *testing.T
	top, home, project string
	places             []clients.Place
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{t: t, top: top, home: filepath.Join(top, "home"), project: filepath.Join(top, "work", "project")}
	for _, dir := range []string{m.home, m.project, filepath.Join(top, "tmp")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	m.places = clients.Places(m.envOf(), m.project)
	return m
}

func (m *machine) envOf() config.Env {
	vars := m.vars()
	return config.Env{GOOS: runtime.GOOS, Home: m.home, Temp: filepath.Join(m.top, "tmp"), UID: os.Getuid(), Getenv: func(name string) string {
		for _, v := range vars {
			if k, value, _ := strings.Cut(v, "="); k == name {
				return value
			}
		}
		return ""
	}}
}

func (m *machine) vars() []string {
	return []string{"HOME=" + m.home, "USERPROFILE=" + m.home, "APPDATA=" + filepath.Join(m.home, "AppData", "Roaming"), "AppData=" + filepath.Join(m.home, "AppData", "Roaming"),
		"LOCALAPPDATA=" + filepath.Join(m.home, "AppData", "Local"), "TMPDIR=" + filepath.Join(m.top, "tmp"), "TEMP=" + filepath.Join(m.top, "tmp"), "PATH=" + os.Getenv("PATH")}
}

func (m *machine) write(path, text string) {
	m.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		m.t.Fatal(err)
	}
}

func (m *machine) run(words ...string) string {
	m.t.Helper()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Env = m.project, m.vars()
	out, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		m.t.Fatal(err)
	}
	return string(out)
}

// furnish puts one file at every place of the table, each holding a secret
// wherever its syntax has room for one.
func (m *machine) furnish(broken bool) {
	end := "}"
	if broken {
		end = " SECRETtail"
	}
	for _, p := range m.places {
		if p.Reach == clients.Managed {
			continue
		}
		text := "# SECRETpage\n"
		switch {
		case p.Syntax == clients.TOML:
			text = "token = \"SECRETtoml\"\n[" + p.Shape.Key + ".other]\ncommand = \"/bin/sh\"\nargs = [\"SECRETarg\"]\n[" + p.Shape.Key + ".other.env]\nKEY = \"SECRETenv\"\n"
			if broken {
				text += "x = \"SECRETopen\n"
			}
		case p.Purpose == clients.Register:
			text = `{"apiKey": "SECRETkey", "` + p.Shape.Key + `": {"other": {"command": "/opt/SECRETcommand", "args": ["--token", "SECRETarg", "--root", "its-root"], "env": {"T": "SECRETenv"}},
				"net": {"url": "https://u:SECRETurl@x", "headers": {"Authorization": "SECRETheader"}},
				"fettler": {"command": "/bin/sh", "args": ["SECRETarg"], "env": {"T": "SECRETenv"}}}` + end
			if p.Shape.OneList {
				text = strings.Replace(text, `"command": "/bin/sh", "args": ["SECRETarg"]`, `"command": ["/bin/sh", "SECRETarg"]`, 1)
			}
		case p.Syntax != clients.Text:
			text = `{"env": {"T": "SECRETenv"}, "permissions": {"allow": ["Bash(curl -H SECRETrule:*)", "Read(SECRETpath)", "Bash(TOKEN=SECRETassign rm x)", "sk-SECRETtool", "mcp__other__SECRETmcp"],
				"deny": ["Read(SECRETpath)", "Write(SECRETpath)"], "additionalDirectories": ["/srv/SECRETdir"], "defaultMode": "SECRETmode"}, "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "curl SECREThook"}]}]},
				"chat.tools.terminal.autoApprove": {"SECRETcommand": true}, "chat.permissions.default": "SECRETdefault"` + end
		}
		m.write(p.Path, text)
	}
	m.write(filepath.Join(m.project, config.ProjectName), `{"guardrails": {"trees": {"work": {"path": "."}}}}`)
}

// No value of a file that may hold a secret leaves either program.
func TestNothingLeaks(t *testing.T) {
	for _, broken := range []bool{false, true} {
		m := newMachine(t)
		m.furnish(broken)
		var runs [][]string
		for _, flags := range [][]string{{}, {"--json"}, {"--quiet"}, {"--hook"}} {
			runs = append(runs, append([]string{filepath.Join(bin, "fettle-doctor")}, flags...))
		}
		for _, c := range clients.Names() {
			for _, reach := range []string{"--local", "--global"} {
				for _, more := range []string{"--dry-run", "--json"} {
					runs = append(runs, []string{filepath.Join(bin, "fettle-setup"), "guardrails", c, reach, "--hooks", "--deny", more, "--dry-run"})
				}
			}
		}
		for _, words := range runs {
			out := m.run(words...)
			if i := strings.Index(out, "SECRET"); i >= 0 {
				t.Errorf("%v: …%s", words[1:], out[max(0, i-200):min(len(out), i+40)])
			}
			if !broken && strings.Contains(words[0], "doctor") && len(words) == 1 && !strings.Contains(out, "2.6") {
				t.Errorf("the fixture raises nothing: %s", out)
			}
		}
	}
}

// Both programs look at the table's files, at fettle's own, and at nothing else
// of a home or a project.
func TestFileAccesses(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not here to watch with")
	}
	m := newMachine(t)
	m.furnish(false)
	for _, name := range []string{"home/.ssh/id_ed25519", "home/.netrc", "work/project/.env", "work/project/src/main.go", "home/.claude/history.jsonl", "work/neighbour/x"} {
		m.write(filepath.Join(m.top, name), "x")
	}
	probe := exec.Command(strace, "-f", "-o", filepath.Join(m.top, "probe"), "/bin/true")
	if err := probe.Run(); err != nil {
		t.Skipf("strace may not watch here: %v", err)
	}
	allowed := map[string]bool{}
	folder := func(p string) { // a folder on the way may be looked at, and made
		for ; strings.HasPrefix(p, m.top); p = filepath.Dir(p) {
			allowed[p] = true
		}
	}
	for _, p := range m.places {
		allowed[p.Path], allowed[p.Path+clients.BackupSuffix] = true, true
		folder(filepath.Dir(p.Path))
	}
	for dir := m.project; strings.HasPrefix(dir, m.top); dir = filepath.Dir(dir) {
		allowed[filepath.Join(dir, config.ProjectName)] = true
	}
	allowed[filepath.Join(m.project, config.OverlayName)] = true
	allowed[filepath.Join(m.project, config.ProjectName+clients.BackupSuffix)] = true
	allowed[config.MachineFile(m.envOf())] = true
	folder(m.project)
	// The folders that fettle finds, and the roots of the companions.
	found := regexp.MustCompile(`^` + regexp.QuoteMeta(m.top) + `/(tmp/claude.*|home/\.claude/projects.*|.*/its-root)$`)
	// What is written beside a file before it takes its place.
	temp := regexp.MustCompile(`/\.[^/]*\.fettler-[0-9a-f]{12}$`)
	system := regexp.MustCompile(`^(/proc|/sys|/dev/null|/etc/(ld\.so|localtime|claude-code)|/usr/share/zoneinfo|/lib|/usr/lib|/bin/sh|/usr/bin/(sh|dash)|/opt/SECRETcommand|/run/systemd)`)
	search := map[string]bool{}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		search[filepath.Join(dir, "fettle")] = true
	}

	runs := [][]string{{"fettle-doctor"}, {"fettle-doctor", "--hook"}, {"fettle-doctor", "--json"}}
	for _, c := range clients.Names() {
		for _, reach := range []string{"--local", "--global"} {
			for _, l := range []string{"guardrails", "screenings"} {
				words := []string{"fettle-setup", l, c, reach, "--force"}
				if l == "guardrails" {
					words = append(words, "--hooks", "--deny")
				}
				runs = append(runs, words)
			}
		}
	}
	quoted := regexp.MustCompile(`^\d+ +(\w+)\((?:AT_FDCWD, |\d+, )?"((?:[^"\\]|\\.)*)"(?:, (?:AT_FDCWD, |\d+, )?"((?:[^"\\]|\\.)*)")?`)
	for _, words := range runs {
		log := filepath.Join(t.TempDir(), "trace")
		m.run(append([]string{strace, "-f", "-qq", "-s", "4096", "-e", "trace=%file", "-o", log, filepath.Join(bin, words[0])}, words[1:]...)...)
		raw, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for _, line := range strings.Split(string(raw), "\n") {
			call := quoted.FindStringSubmatch(line)
			if call == nil {
				continue
			}
			seen++
			for _, p := range call[2:] {
				if p == "" || call[1] == "execve" && strings.HasPrefix(p, bin) {
					continue
				}
				if !filepath.IsAbs(p) {
					p = filepath.Join(m.project, p)
				}
				if strings.HasPrefix(p, m.top+"/") || p == m.top {
					if !allowed[p] && !found.MatchString(p) && !(temp.MatchString(p) && allowed[filepath.Dir(p)]) {
						t.Errorf("%v: %s", words, line)
					}
				} else if !system.MatchString(p) && !strings.HasPrefix(p, bin) && !strings.HasPrefix(bin, p+"/") && !search[p] && !strings.HasPrefix(m.top, p) && !strings.HasPrefix(p, filepath.Join(filepath.Dir(m.top), config.ProjectName)) && filepath.Base(p) != config.ProjectName {
					t.Errorf("%v: %s", words, line)
				}
			}
		}
		if seen < 10 {
			t.Fatalf("%v: the trace shows only %d calls", words, seen)
		}
	}
}
