package checkout

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	sha1   = "0123456789abcdef0123456789abcdef01234567"
	sha256 = sha1 + "89abcdef0123456789abcdef"
)

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func expect(t *testing.T, dir string, want Head) {
	t.Helper()
	got, ok := Read(dir)
	if got != want || ok != (want != Head{}) {
		t.Errorf("%s: %+v %v, wanted %+v", dir, got, ok, want)
	}
}

func TestRead(t *testing.T) {
	top := t.TempDir()
	repo := filepath.Join(top, "repo")
	put(t, filepath.Join(repo, ".git", "HEAD"), "ref: refs/heads/feature/x\n")
	put(t, filepath.Join(repo, "a", "b", "keep"), "")
	expect(t, repo, Head{Branch: "feature/x"})
	expect(t, filepath.Join(repo, "a", "b"), Head{Branch: "feature/x", Above: repo})

	// A worktree points with an absolute path, a submodule with a relative one.
	put(t, filepath.Join(repo, ".git", "worktrees", "wt", "HEAD"), sha1+"\n")
	put(t, filepath.Join(top, "wt", ".git"), "gitdir: "+filepath.ToSlash(filepath.Join(repo, ".git", "worktrees", "wt"))+"\n")
	expect(t, filepath.Join(top, "wt"), Head{Detached: sha1})
	put(t, filepath.Join(repo, ".git", "modules", "sub", "HEAD"), "ref: refs/heads/sub\r\n")
	put(t, filepath.Join(repo, "sub", ".git"), "gitdir: ../.git/modules/sub\n")
	expect(t, filepath.Join(repo, "sub"), Head{Branch: "sub"})

	// One pointer only.
	put(t, filepath.Join(top, "second", ".git"), "gitdir: ../first\n")
	put(t, filepath.Join(top, "first"), "gitdir: repo/.git\n")
	expect(t, filepath.Join(top, "second"), Head{})
}

// A .git that cannot be read answers as none, and no folder above stands in.
func TestNone(t *testing.T) {
	top := t.TempDir()
	put(t, filepath.Join(top, ".git", "HEAD"), "ref: refs/heads/outer\n")
	for i, text := range []string{
		"", "\n", "ref:", "ref: ", "ref: heads/x", "ref: refs/heads/a b", "ref: refs/heads/a\x1b[31m", "ref: refs/heads/\u202eab",
		"ref: refs/heads/../x", "ref: refs/heads/a.lock", "ref: refs/heads/.a", "ref: refs/heads/a//b", "ref: refs/heads/a.",
		"ref: refs/heads/a@{1}", "ref: refs/heads/x\nref: refs/heads/y", "ref: refs/heads/\xff", sha1[1:], sha1 + "0", strings.ToUpper(sha1), "secret text",
		"ref: refs/heads/" + strings.Repeat("a", 400), strings.Repeat("a", maxHead+1),
	} {
		dir := filepath.Join(top, "in", string(rune('a'+i)))
		put(t, filepath.Join(dir, ".git", "HEAD"), text)
		expect(t, dir, Head{})
	}
	empty := filepath.Join(top, "empty")
	if err := os.MkdirAll(filepath.Join(empty, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	expect(t, empty, Head{})
	odd := filepath.Join(top, "odd")
	put(t, filepath.Join(odd, ".git"), "gitdir: nowhere")
	expect(t, odd, Head{})

	linked := filepath.Join(top, "linked")
	put(t, filepath.Join(linked, "target"), "ref: refs/heads/x\n")
	put(t, filepath.Join(linked, ".git", "config"), "")
	if err := os.Symlink("../target", filepath.Join(linked, ".git", "HEAD")); err != nil {
		t.Skip("no links here")
	}
	expect(t, linked, Head{})
}

func TestParse(t *testing.T) {
	for line, want := range map[string]Head{
		"ref: refs/heads/main":    {Branch: "main"},
		"ref:refs/heads/main":     {Branch: "main"},
		"ref: refs/heads/größe-1": {Branch: "größe-1"},
		"ref: refs/remotes/o/x":   {Branch: "refs/remotes/o/x"},
		sha1:                      {Detached: sha1},
		sha256:                    {Detached: sha256},
	} {
		if got, ok := parse(line); !ok || got != want {
			t.Errorf("%q: %+v %v", line, got, ok)
		}
	}
}

func TestPointer(t *testing.T) {
	for _, p := range []string{"gitdir: //server/share", `gitdir: \\server\share`, `gitdir: /\server\share`} {
		if got, ok := pointer(p, "/x", "windows"); ok {
			t.Errorf("%s: %s", p, got)
		}
	}
	for _, p := range []string{"", "gitdir:", "gitdir: ", "dir: x"} {
		if got, ok := pointer(p, "/x", "linux"); ok {
			t.Errorf("%q: %s", p, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("ref: refs/heads/main")
	f.Add(sha1)
	f.Fuzz(func(t *testing.T, line string) {
		h, ok := parse(line)
		if ok == (h == Head{}) || h.Branch != "" && h.Detached != "" {
			t.Fatalf("%q: %+v %v", line, h, ok)
		}
		if strings.ContainsAny(h.Branch+h.Detached, "\x1b\n\r\t \u202e") {
			t.Fatalf("%q let %+v through", line, h)
		}
	})
}
