package task

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary is the program that the tests launch.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], "act-") {
		act(os.Args[1], os.Args[2:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func act(what string, args []string) {
	switch what {
	case "act-args":
		fmt.Printf("%q\n", args)
	case "act-exit":
		n, _ := strconv.Atoi(args[0])
		fmt.Println("to stdout")
		fmt.Fprintln(os.Stderr, "to stderr")
		os.Exit(n)
	case "act-stdin":
		b, err := io.ReadAll(os.Stdin)
		fmt.Println(len(b), err)
	case "act-where":
		dir, _ := os.Getwd()
		fmt.Println(dir)
	case "act-flood":
		line := strings.Repeat("x", 99) + "\n"
		fmt.Print("first line\n")
		for range 20000 {
			fmt.Print(line)
			fmt.Fprint(os.Stderr, line)
		}
		fmt.Print("last line\n")
		os.Exit(3)
	case "act-sleep":
		fmt.Println("sleeping")
		time.Sleep(time.Minute)
	case "act-stubborn":
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		fmt.Println("sleeping, and not asked")
		time.Sleep(time.Minute)
	case "act-polite":
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGTERM)
		fmt.Println("waiting")
		<-c
		fmt.Println("tidied up")
	case "act-fork": // args: a file for the child's number, how it leaves, what it does
		child := exec.Command(os.Args[0], args[2])
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		child.SysProcAttr = leaves(args[1])
		if err := child.Start(); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.WriteFile(args[0], []byte(strconv.Itoa(child.Process.Pid)), 0o644)
		fmt.Println("forked")
		if len(args) > 3 {
			time.Sleep(time.Minute)
		}
	}
}

func command(t *testing.T, words ...string) Command {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Command{Argv: append([]string{self}, words...), Dir: t.TempDir()}
}

func run(t *testing.T, c Command) *Result {
	t.Helper()
	r, err := Run(context.Background(), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// K99: the words arrive as they are; there is no shell to act on them.
func TestArguments(t *testing.T) {
	words := []string{"", "a b", `"`, `\`, `c:\x\`, "; rm -rf x", "$(id)", "--flag", "a\nb", "%PATH%", "*", "é\u0301 \U0001F600", "&&", "|"}
	r := run(t, command(t, append([]string{"act-args"}, words...)...))
	if want := fmt.Sprintf("%q\n", words); r.Stdout.Text != want {
		t.Errorf("%s\nwanted %s", r.Stdout.Text, want)
	}
}

func TestExitAndStreams(t *testing.T) {
	r := run(t, command(t, "act-exit", "7"))
	if r.ExitCode != 7 || r.Stdout.Text != "to stdout\n" || r.Stderr.Text != "to stderr\n" || r.TimedOut {
		t.Errorf("%+v", r)
	}
}

// K95: a child has no standard input of this process's.
func TestStdinIsClosed(t *testing.T) {
	if r := run(t, command(t, "act-stdin")); r.Stdout.Text != "0 <nil>\n" {
		t.Errorf("%q", r.Stdout.Text)
	}
}

func TestFolder(t *testing.T) {
	c := command(t, "act-where")
	real, err := filepath.EvalSymlinks(c.Dir)
	if err != nil {
		t.Fatal(err)
	}
	c.Dir = real
	if r := run(t, c); strings.TrimSpace(r.Stdout.Text) != real {
		t.Errorf("%q, wanted %s", r.Stdout.Text, real)
	}
}

// A flood is read to its end, keeps both ends, and its exit code.
func TestFlood(t *testing.T) {
	r := run(t, command(t, "act-flood"))
	if r.ExitCode != 3 || !strings.HasPrefix(r.Stdout.Text, "first line\n") || !strings.HasSuffix(r.Stdout.Text, "last line\n") {
		t.Errorf("%d %.30q … %q", r.ExitCode, r.Stdout.Text, r.Stdout.Text[len(r.Stdout.Text)-20:])
	}
	for _, o := range []Output{r.Stdout, r.Stderr} {
		if len(o.Text) > Bound+100 || o.Cut < 1_900_000 || !strings.Contains(o.Text, fmt.Sprintf("\n[%d bytes left out here]\n", o.Cut)) {
			t.Errorf("%d kept, %d cut", len(o.Text), o.Cut)
		}
	}
}

func quick(t *testing.T) {
	t.Helper()
	g, d := grace, drain
	grace, drain = 300*time.Millisecond, 2*time.Second
	t.Cleanup(func() { grace, drain = g, d })
}

func TestTimeout(t *testing.T) {
	quick(t)
	for _, what := range []string{"act-sleep", "act-stubborn"} {
		c := command(t, what)
		c.Timeout = 700 * time.Millisecond
		r := run(t, c)
		if !r.TimedOut || r.Elapsed > 30*time.Second || !strings.Contains(r.Stdout.Text, "sleeping") {
			t.Errorf("%s: %+v", what, r)
		}
	}
}

func TestCancelled(t *testing.T) {
	quick(t)
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	r, err := Run(ctx, command(t, "act-stubborn"), nil)
	if !errors.Is(err, context.DeadlineExceeded) || r != nil {
		t.Errorf("%+v %v", r, err)
	}
	if _, err := Run(ctx, command(t, "act-sleep"), nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a call that is over started a program: %v", err)
	}
}

func TestProgress(t *testing.T) {
	quick(t)
	p := pulse
	pulse = 50 * time.Millisecond
	defer func() { pulse = p }()
	c := command(t, "act-sleep")
	c.Timeout = 600 * time.Millisecond
	var last time.Duration
	var written int64
	if _, err := Run(context.Background(), c, func(elapsed time.Duration, n int64) {
		if elapsed < last {
			t.Error("time went back")
		}
		last, written = elapsed, n
	}); err != nil {
		t.Fatal(err)
	}
	if last == 0 || written == 0 {
		t.Errorf("%v %d", last, written)
	}
}

func TestFind(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	name := "tool"
	if onWindows {
		name = "tool.exe"
	}
	if err := os.WriteFile(filepath.Join(dir, name), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	path := func(dirs ...string) []string {
		return []string{"PATH=" + strings.Join(dirs, string(os.PathListSeparator))}
	}
	if got, err := Find("tool", other, path(other, dir)); err != nil || got != filepath.Join(dir, name) {
		t.Errorf("%q %v", got, err)
	}
	// A bare name is never looked for in the folder of the task, whatever PATH says.
	for _, env := range [][]string{path(), path(""), path("."), path("", other), nil} {
		if got, err := Find("tool", dir, env); err == nil {
			t.Errorf("%q: %s", env, got)
		}
	}
	if got, err := Find("./tool", dir, path()); err != nil || got != filepath.Join(dir, name) {
		t.Errorf("%q %v", got, err)
	}
	if _, err := Find("sub/tool", dir, path(dir)); err == nil {
		t.Error("a path was looked for on PATH")
	}
	if !onWindows {
		if err := os.WriteFile(filepath.Join(dir, "plain"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"plain", "./plain"} {
			if _, err := Find(name, dir, path(dir)); !errors.Is(err, fs.ErrPermission) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	var missing *ErrNotFound
	if _, err := Run(context.Background(), Command{Argv: []string{"no-such-program-anywhere"}, Dir: dir}, nil); !errors.As(err, &missing) {
		t.Errorf("%v", err)
	}
}

func TestExtensions(t *testing.T) {
	for _, c := range []struct {
		name, pathext string
		want          string
	}{
		{"npm", ".COM;.EXE;;CMD", ".com .exe .cmd"},
		{"npm.CMD", ".COM;.EXE;.CMD", ""},
		{"a.b", "", ".com .exe .bat .cmd"},
	} {
		if got := strings.Join(extensions(c.name, c.pathext), " "); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestCapture(t *testing.T) {
	// Every way of writing the same bytes keeps the same of them.
	whole := strings.Repeat("0123456789é\n", 5000)
	for _, total := range []int{0, 1, head, Bound - 1, Bound, Bound + 1, Bound + 7, Bound + head, 2 * Bound, len(whole)} {
		text := whole[:total]
		var want Output
		for _, step := range []int{total + 1, 1, 7, 4096, Bound - head, Bound} {
			var c capture
			for b := []byte(text); len(b) > 0; {
				n := min(step, len(b))
				c.add(b[:n])
				b = b[n:]
			}
			got := c.output()
			if step == total+1 {
				want = got
			}
			if got != want {
				t.Fatalf("%d bytes by %d: %d kept, %d cut; at once %d and %d", total, step, len(got.Text), got.Cut, len(want.Text), want.Cut)
			}
			begin, end, cut := strings.Cut(got.Text, fmt.Sprintf("\n[%d bytes left out here]\n", got.Cut))
			if cut != (total > Bound) || !strings.HasPrefix(text, begin) && total <= Bound-1 || !strings.HasSuffix(strings.ToValidUTF8(text, "\ufffd"), end) {
				t.Fatalf("%d bytes by %d: kept %d, %v", total, step, len(got.Text), cut)
			}
		}
	}
}
