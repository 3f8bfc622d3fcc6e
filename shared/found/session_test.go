package found

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fettler/shared/config"
)

// machine is a home, a temporary folder and a project, as a client leaves them.
type machine struct {
	t                             *testing.T
	top, home, temp, project      string
	clientProject, scratchProject string
	in                            Input
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{t: t, top: top, home: filepath.Join(top, "home"), temp: filepath.Join(top, "tmp"), project: filepath.Join(top, "home", "src", "my_app")}
	m.mkdir(m.home, m.temp, m.project)
	uid := os.Getuid()
	name := "claude"
	if uid >= 0 {
		name = "claude-" + strconv.Itoa(uid)
	}
	m.clientProject = filepath.Join(m.home, ".claude", "projects", clientSlug(m.project))
	m.scratchProject = filepath.Join(m.temp, name, clientSlug(m.project))
	m.in = Input{Launch: m.project, Disk: OS(nil), Env: config.Env{
		GOOS: runtime.GOOS, Home: m.home, Temp: m.temp, UID: uid, Getenv: func(string) string { return "" },
	}}
	return m
}

func (m *machine) mkdir(dirs ...string) {
	m.t.Helper()
	for _, d := range dirs {
		if err := os.MkdirAll(d, 0o755); err != nil {
			m.t.Fatal(err)
		}
	}
}

func (m *machine) write(file, text string) {
	m.t.Helper()
	m.mkdir(filepath.Dir(file))
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
}

// sessionAt makes a session's folders, last changed some minutes ago.
func (m *machine) sessionAt(id string, minutes int) {
	m.t.Helper()
	m.mkdir(filepath.Join(m.clientProject, id, "tool-results"), filepath.Join(m.scratchProject, id, "scratchpad"))
	m.write(filepath.Join(m.clientProject, id+".jsonl"), "{}")
	at := time.Now().Add(-time.Duration(minutes) * time.Minute)
	for _, d := range []string{filepath.Join(m.clientProject, id), filepath.Join(m.scratchProject, id)} {
		if err := os.Chtimes(d, at, at); err != nil {
			m.t.Fatal(err)
		}
	}
}

func (m *machine) env(kv ...string) {
	m.in.Env.Environ = kv
	m.in.Env.Getenv = func(name string) string {
		for _, e := range kv {
			if v, ok := strings.CutPrefix(e, name+"="); ok {
				return v
			}
		}
		return ""
	}
}

func (m *machine) look() *Result {
	m.t.Helper()
	r, err := Look(m.in)
	if err != nil {
		m.t.Fatal(err)
	}
	return r
}

func (r *Result) tree(name string) Tree {
	for _, t := range r.Trees {
		if t.Name == name {
			return t
		}
	}
	return Tree{}
}

func (m *machine) expect(name, path, how string) {
	m.t.Helper()
	got := m.look().tree(name)
	if got.Path != path || !strings.Contains(got.How, how) {
		m.t.Errorf("%s: %q, found: %q\nwanted %q, %q", name, got.Path, got.How, path, how)
	}
}

func TestSessionByEnvironment(t *testing.T) {
	m := newMachine(t)
	m.sessionAt("1f0c-old", 60)
	m.sessionAt("2a7b-new", 1)
	m.mkdir(filepath.Join(m.clientProject, "memory"))
	m.env("TERM=xterm", "CLAUDE_CODE_SESSION_ID=1f0c-old")

	r := m.look()
	if len(r.Trees) != 3 || len(r.Notes) != 0 {
		t.Fatalf("%+v", r)
	}
	m.expect("scratch", filepath.Join(m.scratchProject, "1f0c-old", "scratchpad"), "this session's folder, named by the environment variable CLAUDE_CODE_SESSION_ID")
	m.expect("tool-results", filepath.Join(m.clientProject, "1f0c-old", "tool-results"), "in the client's folder for this project, in this session's folder; ")
	m.expect("memory", filepath.Join(m.clientProject, "memory"), "in the client's folder for this project")
	if r.tree("scratch").Can != config.Work || r.tree("tool-results").Can != config.Look || r.tree("memory").Can != config.Work {
		t.Errorf("%+v", r.Trees)
	}

	// Any variable may carry it; the client's own wins a tie.
	m.env("A=2a7b-new", "CLAUDE_CODE_SESSION_ID=1f0c-old")
	m.expect("scratch", filepath.Join(m.scratchProject, "1f0c-old", "scratchpad"), "CLAUDE_CODE_SESSION_ID")
	m.env("OTHER=2a7b-new")
	m.expect("scratch", filepath.Join(m.scratchProject, "2a7b-new", "scratchpad"), "the environment variable OTHER")
}

func TestSessionNewest(t *testing.T) {
	m := newMachine(t)
	m.sessionAt("zz-old", 60)
	m.sessionAt("aa-new", 1)
	// Values are compared, never joined into a path.
	for _, value := range []string{"", "zz", "zz-old/", "./zz-old", "../" + clientSlug(m.project) + "/zz-old", "memory", "."} {
		m.env("CLAUDE_CODE_SESSION_ID="+value, "OTHER="+value)
		m.expect("scratch", filepath.Join(m.scratchProject, "aa-new", "scratchpad"), "this session's folder, the newest")
		m.expect("tool-results", filepath.Join(m.clientProject, "aa-new", "tool-results"), "the newest")
	}
}

// A session whose folder is not there yet is not stood in for by an older one.
func TestSessionWithoutFolders(t *testing.T) {
	m := newMachine(t)
	m.sessionAt("old", 60)
	m.write(filepath.Join(m.clientProject, "now.jsonl"), "{}")
	m.env("CLAUDE_CODE_SESSION_ID=now")
	if r := m.look(); len(r.Trees) != 0 {
		t.Errorf("%+v", r.Trees)
	}
	m.sessionAt("now", 0)
	m.expect("scratch", filepath.Join(m.scratchProject, "now", "scratchpad"), "CLAUDE_CODE_SESSION_ID")

	// One root may have the session before the other does.
	if err := os.RemoveAll(filepath.Join(m.scratchProject, "now")); err != nil {
		t.Fatal(err)
	}
	m.expect("scratch", "", "")
	m.expect("tool-results", filepath.Join(m.clientProject, "now", "tool-results"), "")
}

func TestNothingThere(t *testing.T) {
	m := newMachine(t)
	if r := m.look(); len(r.Trees) != 0 || len(r.Closed) != 0 || len(r.Notes) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestClosed(t *testing.T) {
	m := newMachine(t)
	m.sessionAt("now", 0)
	r := m.look()
	want := []string{filepath.Dir(m.clientProject), filepath.Dir(m.scratchProject)}
	if !slices.Equal(r.Closed, want) {
		t.Errorf("%q, wanted %q", r.Closed, want)
	}
	// A root that holds a declared tree is closed for this project's folder alone.
	declared := filepath.Join(filepath.Dir(m.clientProject), "notes")
	m.mkdir(declared)
	m.in.Declared = []config.Tree{{Name: "notes", Path: declared}}
	r = m.look()
	if !slices.Equal(r.Closed, []string{m.clientProject, filepath.Dir(m.scratchProject)}) {
		t.Errorf("%q", r.Closed)
	}
}

func TestSettings(t *testing.T) {
	m := newMachine(t)
	m.sessionAt("now", 0)
	by := filepath.Join(m.top, "by-hand")
	m.in.Tools = config.Tools{Scratch: by, From: map[string]string{"scratch": "/etc/one", "client-root": "/etc/two"}}
	m.expect("scratch", "", "") // not there yet
	m.mkdir(by)
	m.expect("scratch", by, "named by hand; scratch is set in /etc/one")

	// Roots of one's own, with the folder named by the reference's rule.
	m.in.Tools.Scratch = ""
	m.in.Tools.ScratchRoot, m.in.Tools.ClientRoot = filepath.Join(m.top, "s"), filepath.Join(m.top, "c")
	plain := slug(m.project, runtime.GOOS)
	m.mkdir(filepath.Join(m.top, "s", plain, "id", "scratchpad"), filepath.Join(m.top, "c", plain, "memory"))
	m.expect("scratch", filepath.Join(m.top, "s", plain, "id", "scratchpad"), "the newest")
	m.expect("memory", filepath.Join(m.top, "c", plain, "memory"), "; client-root is set in /etc/two")
	m.expect("tool-results", "", "")
}

func TestConfigFolderOfTheClient(t *testing.T) {
	m := newMachine(t)
	dir := filepath.Join(m.top, "elsewhere")
	m.mkdir(filepath.Join(dir, "projects", clientSlug(m.project), "memory"))
	m.env("CLAUDE_CONFIG_DIR=" + dir)
	m.expect("memory", filepath.Join(dir, "projects", clientSlug(m.project), "memory"), "")
	m.env("CLAUDE_CONFIG_DIR=relative")
	m.expect("memory", "", "")
}

// A found folder that is a link is opened only where it has the same role.
func TestLinksOut(t *testing.T) {
	m := newMachine(t)
	m.sessionAt("old", 60)
	m.sessionAt("now", 0)
	m.env("CLAUDE_CODE_SESSION_ID=now")
	outside := filepath.Join(m.top, "outside")
	other := filepath.Join(filepath.Dir(m.clientProject), "-other-project")
	m.mkdir(outside, filepath.Join(other, "memory"), filepath.Join(other, "s", "tool-results"))
	link := func(from, to string) {
		t.Helper()
		if err := os.RemoveAll(from); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, from); err != nil {
			t.Skip("no links here")
		}
	}
	memory := filepath.Join(m.clientProject, "memory")
	for _, to := range []string{outside, m.clientProject, filepath.Join(m.clientProject, "old"), filepath.Join(m.clientProject, "old", "tool-results"), other, m.home, filepath.Join(m.top, "gone")} {
		link(memory, to)
		m.expect("memory", "", "")
	}
	link(memory, filepath.Join(other, "memory"))
	m.expect("memory", filepath.Join(other, "memory"), "")

	results := filepath.Join(m.clientProject, "now", "tool-results")
	for _, to := range []string{filepath.Join(m.clientProject, "old", "tool-results"), filepath.Join(other, "s", "tool-results"), outside} {
		link(results, to)
		m.expect("tool-results", "", "")
	}
	link(filepath.Join(m.scratchProject, "now"), filepath.Join(m.scratchProject, "old"))
	m.expect("scratch", "", "")
}

func TestScratchRootOfAnother(t *testing.T) {
	m := newMachine(t)
	m.sessionAt("now", 0)
	m.in.Disk.Mine = func(string) bool { return false }
	m.expect("scratch", "", "")
	m.in.Tools.ScratchRoot = filepath.Dir(m.scratchProject)
	m.expect("scratch", "", "")
	if r := m.look(); len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "belongs to another user") {
		t.Errorf("%q", r.Notes)
	}
}

func TestLongPath(t *testing.T) {
	m := newMachine(t)
	m.in.Launch = filepath.Join(m.top, strings.Repeat("long-name/", 30)+"end")
	root := filepath.Join(m.home, ".claude", "projects")
	cut := clientSlug(m.in.Launch)[:longest]
	m.mkdir(filepath.Join(root, cut+"-k3j9x", "memory"))
	m.expect("memory", filepath.Join(root, cut+"-k3j9x", "memory"), "")
	m.mkdir(filepath.Join(root, cut+"-other", "memory"))
	m.expect("memory", "", "") // two that could be it
}

func TestSlugs(t *testing.T) {
	for _, c := range []struct{ path, goos, plain, client string }{
		{`c:\github\app`, "windows", "c--github-app", "c--github-app"},
		{`C:\My Work\a.b_c`, "windows", "C--My Work-a.b_c", "C--My-Work-a-b-c"},
		{"/home/me/app", "linux", "-home-me-app", "-home-me-app"},
		{"/home/me/my_app.v2", "linux", "-home-me-my_app.v2", "-home-me-my-app-v2"},
		{"/h/ü\U0001F600x", "linux", "-h-ü\U0001F600x", "-h----x"},
		{`/h/a\b:c`, "linux", `-h-a\b:c`, "-h-a-b-c"},
	} {
		if got := slug(c.path, c.goos); got != c.plain {
			t.Errorf("%s: %q", c.path, got)
		}
		if got := clientSlug(c.path); got != c.client {
			t.Errorf("%s: %q", c.path, got)
		}
	}
	if got := slugs([]string{"/", "."}, "linux"); !slices.Equal(got, []string{"-"}) {
		t.Errorf("%q", got)
	}
}
