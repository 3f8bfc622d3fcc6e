// Package transcripts holds what the programs answer, as transcripts of real
// runs: one folder an area, one file a behaviour. They run against the built
// programs, so run this package with -count=1.
//
// A transcript starts in its own folder with a home folder of its own, no
// configuration, and the programs first on PATH. Besides testscript's commands
// there are: code N CMD… (run, and want exit code N), mcp FILE (send the lines
// of FILE to `fettle serve` and keep its output), unchanged DIR (the folder is
// as it was at the last snapshot DIR), snapshot DIR.
package transcripts

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"fettler/testdata/programs"
)

var (
	update = flag.Bool("update", false, "rewrite the files that cmp compares with")
	bin    string
)

func TestMain(m *testing.M) { os.Exit(programs.Main(m, &bin)) }

func TestTranscripts(t *testing.T) {
	areas, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, a := range areas {
		if !a.IsDir() {
			continue
		}
		if files, _ := filepath.Glob(filepath.Join(a.Name(), "*.txtar")); len(files) == 0 {
			continue
		}
		ran++
		t.Run(a.Name(), func(t *testing.T) {
			testscript.Run(t, testscript.Params{
				Dir: a.Name(), Setup: setup, UpdateScripts: *update, RequireExplicitExec: true, RequireUniqueNames: true,
				Cmds: map[string]func(*testscript.TestScript, bool, []string){"code": code, "mcp": mcp, "snapshot": snapshot, "unchanged": unchanged, "mkfifo": mkfifo, "pack": pack},
			})
		})
	}
	if ran == 0 {
		t.Fatal("there are no transcripts")
	}
}

func setup(e *testscript.Env) error {
	home := filepath.Join(e.WorkDir, ".home")
	if err := os.Mkdir(home, 0o755); err != nil {
		return err
	}
	tmp := filepath.Join(e.WorkDir, ".tmp")
	if err := os.MkdirAll(tmp, 0o755); err != nil {
		return err
	}
	e.Vars = append(e.Vars, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+home, "USERPROFILE="+home,
		"TMPDIR="+tmp, "TEMP="+tmp, "XDG_CONFIG_HOME=", "AppData="+filepath.Join(home, "AppData"), "BIN="+bin)
	return nil
}

// code runs a command and wants its exit code.
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N CMD [ARG…]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%s: %v", args[1], err)
	}
	if got != want {
		ts.Fatalf("%s exited with %d, want %d\n%s%s", strings.Join(args[1:], " "), got, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// mcp sends a file's lines to the server, in the folder that is current.
func mcp(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: mcp FILE [SERVE-FLAG…]")
	}
	lines := ts.ReadFile(args[0])
	cmd := exec.Command(filepath.Join(bin, "fettle"), append([]string{"serve"}, args[1:]...)...)
	cmd.Dir = ts.Getenv("PWD")
	if cmd.Dir == "" {
		cmd.Dir = ts.MkAbs(".")
	}
	for _, key := range []string{"PATH", "HOME", "USERPROFILE", "TMPDIR", "TEMP", "XDG_CONFIG_HOME", "AppData", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CONFIG_DIR"} {
		cmd.Env = append(cmd.Env, key+"="+ts.Getenv(key))
	}
	cmd.Dir = ts.MkAbs(".")
	cmd.Stdin = strings.NewReader(lines)
	out, err := cmd.Output()
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("mcp.out"), out, 0o644))
	fmt.Fprint(ts.Stdout(), string(out))
}

func mkfifo(ts *testscript.TestScript, neg bool, args []string) {
	if runtime.GOOS == "windows" {
		ts.Fatalf("no FIFOs here")
	}
	ts.Check(exec.Command("mkfifo", ts.MkAbs(args[0])).Run())
}

// snapshot remembers every byte below a folder.
func snapshot(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("TMPDIR"), "snapshot-"+filepath.Base(args[0])), []byte(picture(ts, args[0])), 0o644))
}

func unchanged(ts *testscript.TestScript, neg bool, args []string) {
	was, err := os.ReadFile(filepath.Join(ts.Getenv("TMPDIR"), "snapshot-"+filepath.Base(args[0])))
	ts.Check(err)
	now := picture(ts, args[0])
	if (string(was) == now) == neg {
		ts.Fatalf("%s was\n%s\nand is\n%s", args[0], was, now)
	}
}

func picture(ts *testscript.TestScript, dir string) string {
	var sb strings.Builder
	top := ts.MkAbs(dir)
	err := filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(top, p)
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&sb, "%s %s", rel, info.Mode())
		if d.Type().IsRegular() {
			b, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			fmt.Fprintf(&sb, " %x", sha256.Sum256(b))
		}
		sb.WriteByte('\n')
		return nil
	})
	ts.Check(err)
	return sb.String()
}
