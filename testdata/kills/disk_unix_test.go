//go:build unix

package kills

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fettler/testdata/laid"
)

// changes are calls that need more room than there is, or any at all.
var changes = [][]string{
	{"write", "big.txt", "--text-file", "STAGED"}, {"write", "kept.txt", "--text-file", "STAGED", "--overwrite"}, {"write", "kept.txt", "--text-file", "STAGED", "--append"},
	{"edit", "kept.txt", "--replace", "old", "--with-file", "STAGED"}, {"replace", "old", "--with-file", "STAGED"},
	{"copy", "half.bin", "again.bin"}, {"copy", "d", "e", "--recursive"}, {"extract", "a.zip", "--into", "unpacked"}, {"move", "far:big", "near"},
}

// disk mounts a small disk at a project's place, or skips where nobody may.
func disk(t *testing.T, p *place, options string) {
	t.Helper()
	mount, err := exec.LookPath("mount")
	if err != nil {
		t.Skip("there is no mount here")
	}
	if out, err := exec.Command(mount, "-t", "tmpfs", "-o", options, "tmpfs", p.dir).CombinedOutput(); err != nil {
		t.Skipf("no small disk can be mounted here: %s", out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", p.dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %s", out)
		}
	})
}

// furnish fills the project for the changes above, and what lies beside it.
func furnish(t *testing.T, p *place) (staged string) {
	t.Helper()
	big := strings.Repeat("a line of text that fills the disk\n", 40_000)
	laid.Files(t, p.base, map[string]string{"staged": big, "far/big/big.txt": big})
	p.fill(map[string]string{
		".fettler.json": fmt.Sprintf(`{"guardrails":{"trees":{"work":{"path":"."},"far":{"path":%q,"can":["list","read","create","update","rename","delete"]}}}}`, filepath.Join(p.base, "far")),
		"kept.txt":      "old\n", "half.bin": strings.Repeat("x", 400_000), "d/one.bin": strings.Repeat("y", 180_000), "d/two.bin": strings.Repeat("z", 180_000),
		"a.zip": laid.Zip(t, map[string]string{"one.txt": big, "two.txt": big}),
	})
	return filepath.Join(p.base, "staged")
}

func words(change []string, staged string) []string {
	return strings.Split(strings.ReplaceAll(strings.Join(change, "\x00"), "STAGED", staged), "\x00")
}

// A full disk refuses a change, exit 9, and leaves every byte as it was.
func TestFullDisk(t *testing.T) {
	p := build(t, nil)
	disk(t, p, "size=1m")
	staged := furnish(t, p)
	before := p.now()
	for _, change := range changes {
		code, out := p.run(words(change, staged)...)
		if code != 9 {
			t.Errorf("%v: exit %d: %s", change, code, out)
		}
		if got := p.now(); !maps.Equal(got, before) {
			t.Errorf("%v: %s", change, differences(before, before, got))
		}
		if _, err := os.Stat(filepath.Join(p.base, "far", "big", "big.txt")); err != nil {
			t.Errorf("%v: what was to be moved is gone: %v", change, err)
		}
	}
	if code, out := p.run("delete", "half.bin"); code != 0 {
		t.Errorf("room cannot be made: %d %s", code, out)
	}
}

// A disk that cannot be written refuses every change, and is read all the same.
func TestReadOnlyDisk(t *testing.T) {
	p := build(t, nil)
	disk(t, p, "size=8m")
	staged := furnish(t, p)
	if out, err := exec.Command("mount", "-o", "remount,ro", p.dir).CombinedOutput(); err != nil {
		t.Skipf("%s", out)
	}
	before := p.now()
	for _, change := range append(changes, []string{"delete", "kept.txt"}, []string{"delete", "d", "--recursive"}, []string{"mkdir", "new"}, []string{"exec", "kept.txt", "--on"}, []string{"move", "kept.txt", "moved.txt"}, []string{"new", "empty.txt"}) {
		code, out := p.run(words(change, staged)...)
		if code != 9 {
			t.Errorf("%v: exit %d: %s", change, code, out)
		}
	}
	if got := p.now(); !maps.Equal(got, before) {
		t.Error(differences(before, before, got))
	}
	for _, look := range [][]string{{"read", "kept.txt"}, {"find"}, {"search", "old"}, {"roots"}} {
		if code, out := p.run(look...); code != 0 {
			t.Errorf("%v: exit %d: %s", look, code, out)
		}
	}
}

// A limit on a file's size ends the program in the middle of a write: after
// the next start nothing is torn or left over.
func TestFileSizeLimit(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh here")
	}
	p := build(t, nil)
	staged := furnish(t, p)
	before := p.now()
	for _, change := range changes[:4] {
		cmd := exec.Command(sh, append([]string{"-c", `ulimit -f 200 && exec "$@"`, "sh", filepath.Join(bin, "fettle")}, words(change, staged)...)...)
		cmd.Dir, cmd.Env = p.dir, append(p.command().Env, "GOTRACEBACK=none")
		if out, err := cmd.CombinedOutput(); err == nil {
			t.Errorf("%v went past the limit: %s", change, out)
		}
		if code, out := p.run("roots"); code != 0 {
			t.Fatalf("%d %s", code, out)
		}
		if got := p.now(); !maps.Equal(got, before) {
			t.Errorf("%v: %s", change, differences(before, before, got))
		}
	}
}
