// Package kills holds the tests that kill fettle at random moments and look at
// what the next start makes of it: every file whole, a change of many files
// done or not done, nothing of fettle's own left over. Disks that fail belong
// here too: a full one, a limit on a file's size, one that cannot be written.
// They run the built programs. FETTLER_KILLS sets the kills for each verb.
package kills

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"fettler/testdata/client"
	"fettler/testdata/laid"
	"fettler/testdata/programs"
)

var bin string

func TestMain(m *testing.M) { os.Exit(programs.Main(m, &bin)) }

// few are the kills that replace, extract and setup get in a usual run.
const few = 7

// kills is what FETTLER_KILLS says, or else this many.
func kills(otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv("FETTLER_KILLS")); err == nil {
		return n
	}
	return otherwise
}

// place is a project with a home and a temporary folder of its own beside it.
type place struct {
	t         *testing.T
	base, dir string
}

func build(t *testing.T, files map[string]string) *place {
	t.Helper()
	base := laid.Base(t)
	p := &place{t, base, filepath.Join(base, "project")}
	p.fill(files)
	return p
}

// fill makes the project anew with these files and nothing else.
func (p *place) fill(files map[string]string) {
	p.t.Helper()
	entries, _ := os.ReadDir(p.dir)
	for _, e := range entries {
		if err := os.RemoveAll(filepath.Join(p.dir, e.Name())); err != nil {
			p.t.Fatal(err)
		}
	}
	laid.Files(p.t, p.dir, files)
}

// now is every file below the project with its content.
func (p *place) now() map[string]string {
	p.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(p.dir, func(f string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(p.dir, f)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

// command is fettle with these words. Setup is started by its own name: fettle
// hands it to a process beside itself, which outlives fettle's own death.
func (p *place) command(args ...string) *exec.Cmd {
	name := "fettle"
	if args != nil && args[0] == "setup" {
		name, args = "fettle-setup", args[1:]
	}
	cmd := exec.Command(filepath.Join(bin, name), args...)
	cmd.Dir, cmd.Env = p.dir, client.Env(p.base)
	return cmd
}

// run runs fettle to its end and gives its exit code and what it said.
func (p *place) run(args ...string) (int, string) {
	p.t.Helper()
	out, err := p.command(args...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	if exit != nil {
		return exit.ExitCode(), string(out)
	}
	return 0, string(out)
}

// once measures one undisturbed run.
func (p *place) once(args ...string) time.Duration {
	p.t.Helper()
	began := time.Now()
	if code, out := p.run(args...); code != 0 {
		p.t.Fatalf("%d %s", code, out)
	}
	return time.Since(began)
}

// killed starts fettle and kills it at a random moment of the usual time.
func (p *place) killed(rng *rand.Rand, usual time.Duration, args ...string) {
	p.t.Helper()
	cmd := p.command(args...)
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	time.Sleep(time.Duration(rng.Int64N(int64(usual))))
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// manyKills kills a command over and over. After the next start the project
// is as it was, or as the command leaves it: nothing torn, mixed or left over.
func manyKills(t *testing.T, before map[string]string, next []string, args ...string) {
	p := build(t, before)
	usual := p.once(args...) * 5 / 4
	after := p.now()
	if maps.Equal(before, after) {
		t.Fatal("the command changes nothing, so killing it shows nothing")
	}
	rng := rand.New(rand.NewPCG(uint64(len(args)), 9))
	done, rounds := 0, kills(few)
	for range rounds {
		p.fill(before)
		p.killed(rng, usual, args...)
		if code, out := p.run(next...); code != 0 {
			t.Fatalf("the next start: %d %s", code, out)
		}
		switch got := p.now(); {
		case maps.Equal(got, after):
			done++
		case maps.Equal(got, before):
		default:
			t.Fatalf("neither as before nor as after: %s", differences(before, after, got))
		}
	}
	t.Logf("%d kills, %d came too late or were finished by the next start", rounds, done)
}

func differences(before, after, got map[string]string) string {
	var sb strings.Builder
	for name, content := range got {
		switch content {
		case before[name]:
			fmt.Fprintf(&sb, "\nold   %s", name)
		case after[name]:
			fmt.Fprintf(&sb, "\nnew   %s", name)
		default:
			fmt.Fprintf(&sb, "\nother %s (%d bytes)", name, len(content))
		}
	}
	for name := range before {
		if _, ok := got[name]; !ok {
			fmt.Fprintf(&sb, "\ngone  %s", name)
		}
	}
	return sb.String()
}

// several files with an old word in each.
func several() map[string]string {
	files := map[string]string{}
	for i := range 60 {
		files[fmt.Sprintf("d%d/f%d.txt", i%7, i)] = strings.Repeat(fmt.Sprintf("%d old\n", i), 200)
	}
	return files
}

func TestReplace(t *testing.T) {
	manyKills(t, several(), []string{"roots"}, "replace", "old", "new")
}

// Into a folder that holds some of what comes, so that files are replaced too.
func TestExtract(t *testing.T) {
	files := several()
	before := map[string]string{"a.zip": laid.Zip(t, files), "out/d1/f1.txt": "old", "out/kept.txt": "kept"}
	manyKills(t, before, []string{"roots"}, "extract", "a.zip", "--into", "out", "--overwrite")
}

// Setup writes several files, each whole. The next start is setup's own, and
// leaves what a run that nobody disturbed leaves, backups included.
func TestSetup(t *testing.T) {
	before := map[string]string{
		".mcp.json": "{\n  \"mcpServers\": {\"other\": {\"command\": \"other\"}}\n}\n", "CLAUDE.md": "# Mine\n",
		".claude/settings.json": "{\"permissions\": {\"deny\": [\"Read(./x)\"]}}\n",
	}
	args := []string{"setup", "guardrails", "claude-code", "--local", "--hooks"}
	p := build(t, before)
	usual := p.once(args...) * 5 / 4
	after := p.now()
	rng := rand.New(rand.NewPCG(4, 9))
	for range kills(few) {
		p.fill(before)
		p.killed(rng, usual, args...)
		for name, content := range p.now() {
			if _, mine := after[name]; mine && content != before[name] && content != after[name] {
				t.Fatalf("%s is torn: %q", name, content)
			}
		}
		if code, out := p.run(args...); code != 0 {
			t.Fatalf("the next start: %d %s", code, out)
		}
		if got := p.now(); !maps.Equal(got, after) {
			t.Fatalf("not as a run that nobody disturbed: %s", differences(before, after, got))
		}
	}
}
