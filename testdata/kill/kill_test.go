// Package kill holds the tests that kill fettle at random moments and look at
// what the next start makes of it: every file whole, a batch done or not done,
// nothing of fettle's own left over. They run the built programs.
// FETTLER_KILLS sets the kills for each verb.
package kill

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"fettler/testdata/programs"
)

var bin string

func TestMain(m *testing.M) { os.Exit(programs.Main(m, &bin)) }

func rounds() int {
	if n, err := strconv.Atoi(os.Getenv("FETTLER_KILLS")); err == nil {
		return n
	}
	if testing.Short() {
		return 8
	}
	return 40
}

func command(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(filepath.Join(bin, "fettle"), args...)
	cmd.Dir = dir
	home := filepath.Join(t.TempDir(), "home")
	cmd.Env = append(os.Environ(), "HOME="+home, "USERPROFILE="+home, "XDG_CONFIG_HOME="+home)
	return cmd
}

// killed runs fettle and kills it at a random moment of the time it usually takes.
func killed(t *testing.T, rng *rand.Rand, usual time.Duration, dir string, args ...string) {
	t.Helper()
	cmd := command(t, dir, args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Duration(rng.Int64N(int64(usual))))
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

// next is the next start; then nothing of fettle's own may be left.
func next(t *testing.T, dir string, tops ...string) {
	t.Helper()
	if out, err := command(t, dir, "roots").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, top := range tops {
		_ = filepath.WalkDir(top, func(p string, _ fs.DirEntry, err error) error {
			if err == nil && strings.HasPrefix(filepath.Base(p), ".fettler-tmp~") {
				t.Errorf("left over: %s", p)
			}
			return nil
		})
	}
}

// usual measures one undisturbed run.
func usual(t *testing.T, dir string, args ...string) time.Duration {
	t.Helper()
	start := time.Now()
	if out, err := command(t, dir, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return time.Since(start) * 3 / 2
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestWrite(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	dir := t.TempDir()
	staged, target := filepath.Join(t.TempDir(), "staged"), filepath.Join(dir, "sub", "f")
	old, fresh := bytes.Repeat([]byte("old line\n"), 200_000), bytes.Repeat([]byte("fresh line\n"), 200_000)
	write(t, staged, fresh)
	write(t, target, old)
	args := []string{"write", "sub/f", "--text-file", staged, "--overwrite"}
	long := usual(t, dir, args...)
	done := 0
	for range rounds() {
		write(t, target, old)
		killed(t, rng, long, dir, args...)
		next(t, dir, dir)
		got, err := os.ReadFile(target)
		if err != nil || !bytes.Equal(got, old) && !bytes.Equal(got, fresh) {
			t.Fatalf("torn: %d bytes, %v", len(got), err)
		}
		if bytes.Equal(got, fresh) {
			done++
		}
	}
	t.Logf("%d of %d were written", done, rounds())
}

func TestEditManyFiles(t *testing.T) {
	const n = 80
	rng := rand.New(rand.NewPCG(2, 2))
	dir := t.TempDir()
	type edit struct {
		Replace string `json:"replace"`
		With    string `json:"with"`
	}
	type file struct {
		Path  string `json:"path"`
		Edits []edit `json:"edits"`
	}
	var script struct {
		Files []file `json:"files"`
	}
	for i := range n {
		script.Files = append(script.Files, file{fmt.Sprintf("d%d/f%d", i%7, i), []edit{{"old", "new"}}})
	}
	raw, err := json.Marshal(script)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "script.json")
	write(t, path, raw)
	reset := func() {
		for i, f := range script.Files {
			write(t, filepath.Join(dir, f.Path), fmt.Appendf(nil, "%d old %d\n", i, i))
		}
	}
	reset()
	long := usual(t, dir, "edit", "--script", path)
	outcomes := map[int]int{}
	for range rounds() {
		reset()
		killed(t, rng, long, dir, "edit", "--script", path)
		next(t, dir, dir)
		fresh := 0
		for i, f := range script.Files {
			got, err := os.ReadFile(filepath.Join(dir, f.Path))
			switch string(got) {
			case fmt.Sprintf("%d new %d\n", i, i):
				fresh++
			case fmt.Sprintf("%d old %d\n", i, i):
			default:
				t.Fatalf("torn: %q %v", got, err)
			}
		}
		if fresh != 0 && fresh != n {
			t.Fatalf("mixed: %d of %d are new", fresh, n)
		}
		outcomes[fresh]++
	}
	t.Logf("%v", outcomes)
}

func TestMoveBetweenDisks(t *testing.T) {
	far, err := os.MkdirTemp("/dev/shm", "fettle-kill")
	if err != nil {
		t.Skip("no second disk to move to:", err)
	}
	defer os.RemoveAll(far)
	rng := rand.New(rand.NewPCG(3, 3))
	dir := t.TempDir()
	config := fmt.Sprintf(`{"guardrails":{"trees":{"work":{"path":"."},"far":{"path":%q,"can":["list","read","create","update","rename","delete"]}}}}`, far)
	write(t, filepath.Join(dir, ".fettler.json"), []byte(config))
	content := func(i int) []byte { return bytes.Repeat(fmt.Appendf(nil, "content %d\n", i), 20_000) }
	const n = 12
	whole := func(top string) bool {
		have := 0
		for i := range n {
			got, err := os.ReadFile(filepath.Join(top, fmt.Sprintf("s%d/f%d", i%3, i)))
			if err == nil && !bytes.Equal(got, content(i)) {
				t.Fatalf("torn: %s", top)
			}
			if err == nil {
				have++
			}
		}
		if have != 0 && have != n {
			t.Fatalf("%s holds %d of %d files", top, have, n)
		}
		return have == n
	}
	src, dst := filepath.Join(dir, "folder"), filepath.Join(far, "folder")
	reset := func() {
		os.RemoveAll(src)
		os.RemoveAll(dst)
		for i := range n {
			write(t, filepath.Join(src, fmt.Sprintf("s%d/f%d", i%3, i)), content(i))
		}
	}
	reset()
	long := usual(t, dir, "move", "folder", "far:folder")
	arrived := 0
	for range rounds() {
		reset()
		killed(t, rng, long, dir, "move", "folder", "far:folder")
		next(t, dir, dir, far)
		here, there := whole(src), whole(dst)
		if here == there {
			t.Fatalf("at its source: %v, at its destination: %v", here, there)
		}
		if there {
			arrived++
		}
	}
	t.Logf("%d of %d arrived", arrived, rounds())
}
