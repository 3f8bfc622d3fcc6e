package config

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func env(goos, home string, vars map[string]string) Env {
	return Env{GOOS: goos, Home: home, Getenv: func(k string) string { return vars[k] }}
}

func TestMachineFile(t *testing.T) {
	for _, c := range []struct {
		e    Env
		want string
	}{
		{env("windows", `C:\Users\a`, map[string]string{"AppData": `C:\Users\a\AppData\Roaming`}), `C:\Users\a\AppData\Roaming\fettler\fettler.json`},
		{env("windows", `C:\Users\a`, nil), ""},
		{env("darwin", "/Users/a", map[string]string{"XDG_CONFIG_HOME": "/x"}), "/Users/a/Library/Application Support/fettler/fettler.json"},
		{env("linux", "/home/a", nil), "/home/a/.config/fettler/fettler.json"},
		{env("linux", "/home/a", map[string]string{"XDG_CONFIG_HOME": "/x"}), "/x/fettler/fettler.json"},
		{env("linux", "/home/a", map[string]string{"XDG_CONFIG_HOME": "x"}), "/home/a/.config/fettler/fettler.json"},
		{env("linux", "", nil), ""},
	} {
		if got := MachineFile(c.e); got != c.want {
			t.Errorf("%s %s: %q, wanted %q", c.e.GOOS, c.e.Home, got, c.want)
		}
	}
}

func TestLaunchFolder(t *testing.T) {
	for _, c := range []struct {
		goos, home, dir string
		broad           bool
	}{
		{"linux", "/home/a", "/", true},
		{"linux", "/home/a", "/home/a", true},
		{"linux", "/home/a", "/home/a/", true},
		{"linux", "/home/a", "/home", true},
		{"linux", "/root", "/root", true},
		{"linux", "/home/a", "/usr", true},
		{"linux", "/home/a", "/usr/lib/x", true},
		{"linux", "/home/a", "/proc/1", true},
		{"linux", "/home/a", "/home/a/work", false},
		{"linux", "/home/a", "/home/ab", false},
		{"linux", "/home/a", "/usr/local/src/x", false},
		{"linux", "/home/a", "/tmp/x", false},
		{"linux", "/home/a", "/srv/app", false},
		{"linux", "", "/srv/app", false},
		{"linux", "/", "/srv/app", false},
		{"darwin", "/Users/a", "/users/A", true},
		{"darwin", "/Users/a", "/Users", true},
		{"darwin", "/Users/a", "/System/Library", true},
		{"darwin", "/Users/a", "/Users/a/work", false},
		{"windows", `C:\Users\a`, `C:\`, true},
		{"windows", `C:\Users\a`, `d:\`, true},
		{"windows", `C:\Users\a`, `c:\users\A`, true},
		{"windows", `C:\Users\a`, `C:\Users`, true},
		{"windows", `C:\Users\a`, `C:\WINDOWS\system32`, true},
		{"windows", `C:\Users\a`, `C:\Program Files\X`, true},
		{"windows", `C:\Users\a`, `\\server\share`, true},
		{"windows", `C:\Users\a`, `\\server\share\app`, false},
		{"windows", `C:\Users\a`, `C:\github\app`, false},
	} {
		if err := LaunchFolder(c.dir, env(c.goos, c.home, nil)); (err != nil) != c.broad {
			t.Errorf("%s %s: %v", c.goos, c.dir, err)
		}
	}
}

func TestFind(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	deep := filepath.Join(top, "open", "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	e := System()
	e.Temp = ""
	expect := func(start, want string) {
		t.Helper()
		if got, err := Find(start, e); err != nil || got != want {
			t.Errorf("from %s: %q %v, wanted %q", start, got, err, want)
		}
	}
	upper := filepath.Join(top, "open", ProjectName)
	put(t, upper, "{}")
	expect(deep, upper)
	nearer := filepath.Join(top, "open", "a", ProjectName)
	put(t, nearer, "not JSON") // found all the same: Load refuses it
	expect(deep, nearer)

	if runtime.GOOS == "windows" {
		return
	}
	// A folder above that anyone may write to is no place for a boundary…
	if err := os.Chmod(filepath.Dir(nearer), 0o777); err != nil {
		t.Fatal(err)
	}
	expect(deep, upper)
	// …the launch folder itself is the caller's choice.
	expect(filepath.Dir(nearer), nearer)

	// The folders above are those the launch folder really has.
	link := filepath.Join(top, "elsewhere", "link")
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(top, "elsewhere", ProjectName), "{}")
	if err := os.Symlink(deep, link); err != nil {
		t.Fatal(err)
	}
	expect(link, upper)
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
