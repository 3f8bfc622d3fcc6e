// Package hostile holds one table of paths that try to leave the boundary or
// to learn what lies outside it, and sends every one of them through every
// verb on both front ends. Run it with -count=1: it needs the built programs.
package hostile

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fettler/testdata/client"
	"fettler/testdata/laid"
	"fettler/testdata/programs"
)

var bin string

func TestMain(m *testing.M) { os.Exit(programs.Main(m, &bin)) }

// secret is what no answer may hold.
const secret = "OUTSIDE-CONTENT"

// outside are paths that name, or try to name, a place outside: OUT is the
// folder outside, TREE the tree. Each is answered as outside, there or not.
var outside = []string{
	"../out/secret.txt", "../out/absent.txt", "../out", "..", "../", "./..", "sub/../../out/secret.txt", "sub/./../.././out/secret.txt",
	"OUT/secret.txt", "OUT/absent.txt", "OUT", "/etc/passwd", "/etc/absent", "/", "//etc/passwd", "/proc/self/environ", "/dev/null",
	"TREE-sibling/secret.txt", "../tree-sibling/secret.txt", "../tree-sibling/absent.txt", "TREE/../out/secret.txt",
	"work:../out/secret.txt", "work:/etc/passwd", "work:..", "WORK:../out/secret.txt", "work:sub/../../out/secret.txt",
	"link-out/secret.txt", "link-out/absent.txt", "link-file", "link-dangling", "link-chain/secret.txt", "link-up/out/secret.txt", "link-abs",
	"hidden", "hidden/plan.txt", "hidden/absent.txt", "hidden/deep/absent.txt", "sub/../hidden/plan.txt", "work:hidden/plan.txt",
	"TREE/hidden/plan.txt", "TREE/hidden/absent.txt", "link-hidden/plan.txt", "link-hidden/absent.txt", "alias.txt",
	".fettler-tmp~1", ".FETTLER-TMP~journal/x", "sub/.fettler-tmp~2",
	"sub/../../tree/../out/secret.txt", "../tree/../out/secret.txt", strings.Repeat("../", 40) + "etc/passwd",
}

// odd are paths that are no way out, but have confused tools: what counts is
// that both front ends answer alike and nothing leaks.
var odd = []string{
	"a.txt/..", "a.txt/../../out/secret.txt/..", "./a.txt", "sub//b.txt", "a.txt/", "a.txt/x", "absent", "absent/x", "ABSENT",
	"a\nb", "a\tb", "a\x01b", "\u202etxt.a", "a\u200db", "e\u0301", "\u00e9", "NUL", "con.txt", "a.txt.", "a.txt ", "a.txt::$DATA", "C:a.txt", `C:\a.txt`,
	`..\out\secret.txt`, `\\server\share\x`, `\\?\C:\x`, "file:///etc/passwd", "~/x", "~root", "$HOME/x", "%2e%2e/out/secret.txt", "..%2fout", "nowhere:a.txt",
	"a.txt#x", "-n.txt", "*.txt", "[a].txt", "{a,b}", strings.Repeat("x", 300), strings.Repeat("d/", 2000) + "x", strings.Repeat("x", 40000), " ", ".", "",
	"....//....//out/secret.txt/../../../../out/secret.txt", "FETTLE~1.JSO", "self", "self/self/a.txt", "fifo", `bad\xff`,
}

// verbs give the words and the arguments for a path, in every place a path can stand.
var verbs = []struct {
	name string
	cli  func(p string) []string
	mcp  func(p string) map[string]any
}{
	{"read", words("read"), object("paths", true)},
	{"read --tail", func(p string) []string { return []string{"read", "--tail", "1", "--", p} }, func(p string) map[string]any { return map[string]any{"paths": []string{p}, "tail": 1} }},
	{"write", words("write", "--text", "x", "--overwrite"), with("path", map[string]any{"text": "x", "overwrite": true})},
	{"edit", words("edit", "--insert-after", "0", "--text", "x"), with("path", map[string]any{"script": map[string]any{"edits": []any{map[string]any{"insertAfter": 0, "text": "x"}}}})},
	{"new", words("new"), with("path", nil)},
	{"mkdir", words("mkdir"), with("path", nil)},
	{"move from", func(p string) []string { return []string{"move", "--", p, "moved.txt"} }, func(p string) map[string]any { return map[string]any{"from": p, "to": "moved.txt"} }},
	{"move to", func(p string) []string { return []string{"move", "--overwrite", "--", "spare.txt", p} }, func(p string) map[string]any { return map[string]any{"from": "spare.txt", "to": p, "overwrite": true} }},
	{"copy from", func(p string) []string { return []string{"copy", "--recursive", "--", p, "copied"} }, func(p string) map[string]any { return map[string]any{"from": p, "to": "copied", "recursive": true} }},
	{"copy to", func(p string) []string { return []string{"copy", "--overwrite", "--", "spare.txt", p} }, func(p string) map[string]any { return map[string]any{"from": "spare.txt", "to": p, "overwrite": true} }},
	{"delete", words("delete", "--recursive"), with("path", map[string]any{"recursive": true})},
	{"exec", words("exec", "--on"), with("path", map[string]any{"executable": true})},
	{"extract into", func(p string) []string { return []string{"extract", "--into", p, "a.zip"} }, func(p string) map[string]any { return map[string]any{"archive": "a.zip", "into": p} }},
	{"extract", func(p string) []string { return []string{"extract", "--into", "sub", "--", p} }, func(p string) map[string]any { return map[string]any{"archive": p, "into": "sub"} }},
}

func words(verb string, flags ...string) func(string) []string {
	return func(p string) []string { return append(append([]string{verb}, flags...), "--", p) }
}

func object(name string, list bool) func(string) map[string]any {
	return func(p string) map[string]any {
		if list {
			return map[string]any{name: []string{p}}
		}
		return map[string]any{name: p}
	}
}

func with(name string, rest map[string]any) func(string) map[string]any {
	return func(p string) map[string]any {
		m := map[string]any{name: p}
		for k, v := range rest {
			m[k] = v
		}
		return m
	}
}

type world struct {
	base, tree, out string
	before          string // the picture of what no call may change
}

func build(t *testing.T) *world {
	t.Helper()
	base := laid.Base(t)
	w := &world{base: base, tree: filepath.Join(base, "tree"), out: filepath.Join(base, "out")}
	w.restore(t)
	return w
}

// restore makes the world anew in its place, below a server that runs in it.
func (w *world) restore(t *testing.T) {
	t.Helper()
	old, err := os.ReadDir(w.tree)
	if err == nil {
		for _, e := range old {
			if e.Name() == "hidden" {
				continue
			}
			if err := os.RemoveAll(filepath.Join(w.tree, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	files := map[string]string{
		"out/secret.txt": secret, "tree-sibling/secret.txt": secret, "tree/hidden/plan.txt": secret,
		"tree/a.txt": "a\n", "tree/spare.txt": "spare\n", "tree/sub/b.txt": "b\n", "tree/a.zip": laid.Zip(t, map[string]string{"x.txt": "x\n"}), "home/x": secret,
		"tree/.fettler.json": `{"guardrails":{"trees":{"work":{"path":".","scopes":{"hidden":{"can":[]}}}}}}`,
	}
	for name := range files {
		if _, err := os.Lstat(filepath.Join(w.base, name)); err == nil {
			delete(files, name) // the picture holds its time, so it is not written again
		}
	}
	laid.Files(t, w.base, files)
	for name, target := range map[string]string{
		"link-out": "../out", "link-file": "../out/secret.txt", "link-dangling": "../out/new.txt", "link-chain": "link-out",
		"link-up": "..", "link-abs": filepath.Join(w.out, "secret.txt"), "link-hidden": "hidden", "self": ".",
	} {
		if err := os.Symlink(target, filepath.Join(w.tree, name)); err != nil {
			t.Skip("no links here:", err)
		}
	}
	if err := os.Symlink("hidden/plan.txt", filepath.Join(w.tree, "alias.txt")); err != nil {
		t.Skip(err)
	}
	_ = exec.Command("mkfifo", filepath.Join(w.tree, "fifo")).Run()
	w.before = w.picture(t)
}

func (w *world) fill(p string) string {
	return strings.NewReplacer("OUT", w.out, "TREE", w.tree).Replace(p)
}

// picture is everything outside the tree, and what is hidden in it.
func (w *world) picture(t *testing.T) string {
	t.Helper()
	var sb strings.Builder
	for _, top := range []string{"out", "tree-sibling", "home", "tree/hidden"} {
		err := filepath.WalkDir(filepath.Join(w.base, top), func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			fmt.Fprintf(&sb, "%s %s %d\n", p, info.Mode(), info.ModTime().UnixNano())
			if d.Type().IsRegular() {
				b, err := os.ReadFile(p)
				if err != nil {
					return err
				}
				sb.Write(b)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return sb.String()
}

// judge looks at one answer, and puts the world back when the call changed it.
func (w *world) judge(t *testing.T, raw, tool string, outside bool, a answer, text string) {
	t.Helper()
	if strings.Contains(text, secret) {
		t.Errorf("%q: content of the outside was answered", raw)
	}
	if a.Outcome == "fault" {
		t.Errorf("%q: a fault: %s", raw, a.Message)
	}
	if now := w.picture(t); now != w.before {
		t.Errorf("%q: something outside changed", raw)
		w.before = now
	}
	// These verbs act on a link itself, which lies inside.
	entry := (tool == "delete" || tool == "move" || tool == "copy") && (strings.HasPrefix(raw, "link-") && !strings.Contains(raw, "/") || raw == "alias.txt")
	if outside && !entry && (a.Outcome != "outside-root" || a.Message != outsideWords) {
		t.Errorf("%q: %s %q, want outside", raw, a.Outcome, a.Message)
	}
	if a.Outcome == "ok" && tool != "read" {
		w.restore(t)
	}
}

type answer struct {
	Outcome string `json:"outcome"`
	Message string `json:"message"`
}

// terminal runs the verb at the command line.
func (w *world) terminal(t *testing.T, line []string) (answer, string) {
	t.Helper()
	cmd := exec.Command(filepath.Join(bin, "fettle"), append([]string{"--json"}, line...)...)
	cmd.Dir, cmd.Env = w.tree, client.Env(w.base)
	out, err := cmd.Output()
	if _, isExit := err.(*exec.ExitError); err != nil && !isExit {
		return answer{Outcome: "not-run"}, "" // the system takes no such word
	}
	var a answer
	if err := json.Unmarshal(out, &a); err != nil {
		t.Fatalf("%q: no JSON: %q", line, out)
	}
	return a, string(out)
}

// call calls a tool and gives its answer, and the whole message that came.
func call(t *testing.T, srv *client.Server, tool string, args map[string]any) (answer, string) {
	t.Helper()
	r := srv.Call(tool, args)
	if r.Text == "" || r.Outcome == "" {
		t.Fatalf("%s: %s", tool, r.Line)
	}
	return answer{r.Outcome, r.Message}, r.Line
}

const outsideWords = "the path is outside every declared tree. Run roots to see the trees"

func TestHostilePaths(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the table is unix's; Windows' rules are pure functions tested in boundary")
	}
	every := 16 // the terminal starts a process a path, so by default it gets a part of them
	if os.Getenv("FETTLER_HOSTILE") == "all" {
		every = 1
	}
	calls := 0
	for n, v := range verbs {
		t.Run(v.name, func(t *testing.T) {
			// A world for each front end, since a call may change its own.
			terminal, server := build(t), build(t)
			srv := client.Start(t, bin, server.tree)
			tool, _, _ := strings.Cut(v.name, " ")
			for i, raw := range append(append([]string{}, outside...), odd...) {
				got, text := call(t, srv, tool, v.mcp(server.fill(raw)))
				calls++
				server.judge(t, raw, tool, i < len(outside), got, text)
				if tool != "read" && (i+n)%every != 0 {
					continue
				}
				same, text := terminal.terminal(t, v.cli(terminal.fill(raw)))
				if same.Outcome == "not-run" {
					continue
				}
				calls++
				terminal.judge(t, raw, tool, i < len(outside), same, text)
				if same.Outcome != got.Outcome {
					t.Errorf("%q: %s at the terminal (%s), %s over MCP (%s)", raw, same.Outcome, same.Message, got.Outcome, got.Message)
				}
			}
		})
	}
	t.Logf("%d calls", calls)
}
