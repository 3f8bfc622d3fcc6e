package kills

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettler/testdata/laid"
)

// many are the kills that write, edit and move get in a usual run.
func many() int {
	if testing.Short() {
		return kills(8)
	}
	return kills(40)
}

// next is the next start; then nothing of fettle's own may be left.
func (p *place) next(tops ...string) {
	p.t.Helper()
	if code, out := p.run("roots"); code != 0 {
		p.t.Fatalf("%d %s", code, out)
	}
	for _, top := range tops {
		_ = filepath.WalkDir(top, func(f string, _ fs.DirEntry, err error) error {
			if err == nil && strings.HasPrefix(filepath.Base(f), ".fettler-tmp~") {
				p.t.Errorf("left over: %s", f)
			}
			return nil
		})
	}
}

func TestWrite(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	old, fresh := strings.Repeat("old line\n", 200_000), strings.Repeat("fresh line\n", 200_000)
	before := map[string]string{"sub/f": old}
	p := build(t, before)
	laid.Files(t, p.base, map[string]string{"staged": fresh})
	args := []string{"write", "sub/f", "--text-file", filepath.Join(p.base, "staged"), "--overwrite"}
	usual := p.once(args...) * 3 / 2
	done, rounds := 0, many()
	for range rounds {
		laid.Files(t, p.dir, before)
		p.killed(rng, usual, args...)
		p.next(p.dir)
		got, err := os.ReadFile(filepath.Join(p.dir, "sub", "f"))
		if err != nil || string(got) != old && string(got) != fresh {
			t.Fatalf("torn: %d bytes, %v", len(got), err)
		}
		if string(got) == fresh {
			done++
		}
	}
	t.Logf("%d of %d were written", done, rounds)
}

func TestEditManyFiles(t *testing.T) {
	const n = 80
	rng := rand.New(rand.NewPCG(2, 2))
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
	before := map[string]string{}
	for i := range n {
		name := fmt.Sprintf("d%d/f%d", i%7, i)
		before[name] = fmt.Sprintf("%d old %d\n", i, i)
		script.Files = append(script.Files, file{name, []edit{{"old", "new"}}})
	}
	raw, err := json.Marshal(script)
	if err != nil {
		t.Fatal(err)
	}
	p := build(t, before)
	laid.Files(t, p.base, map[string]string{"script.json": string(raw)})
	args := []string{"edit", "--script", filepath.Join(p.base, "script.json")}
	usual := p.once(args...) * 3 / 2
	outcomes := map[int]int{}
	for range many() {
		laid.Files(t, p.dir, before)
		p.killed(rng, usual, args...)
		p.next(p.dir)
		fresh := 0
		for i, f := range script.Files {
			got, err := os.ReadFile(filepath.Join(p.dir, f.Path))
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
	config := fmt.Sprintf(`{"guardrails":{"trees":{"work":{"path":"."},"far":{"path":%q,"can":["list","read","create","update","rename","delete"]}}}}`, far)
	p := build(t, map[string]string{".fettler.json": config})
	const n = 12
	before := map[string]string{}
	for i := range n {
		before[fmt.Sprintf("s%d/f%d", i%3, i)] = strings.Repeat(fmt.Sprintf("content %d\n", i), 20_000)
	}
	whole := func(top string) bool {
		have := 0
		for name, content := range before {
			got, err := os.ReadFile(filepath.Join(top, name))
			if err == nil && string(got) != content {
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
	src, dst := filepath.Join(p.dir, "folder"), filepath.Join(far, "folder")
	reset := func() {
		os.RemoveAll(src)
		os.RemoveAll(dst)
		laid.Files(t, src, before)
	}
	reset()
	usual := p.once("move", "folder", "far:folder") * 3 / 2
	arrived, rounds := 0, many()
	for range rounds {
		reset()
		p.killed(rng, usual, "move", "folder", "far:folder")
		p.next(p.dir, far)
		here, there := whole(src), whole(dst)
		if here == there {
			t.Fatalf("at its source: %v, at its destination: %v", here, there)
		}
		if there {
			arrived++
		}
	}
	t.Logf("%d of %d arrived", arrived, rounds)
}
