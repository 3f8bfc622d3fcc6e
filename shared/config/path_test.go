package config

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The spellings of section 11 of the tables, each way it may be refused.
func TestSpelled(t *testing.T) {
	for _, c := range []struct {
		path              string
		absolute, windows bool
		fails             string
	}{
		{"../shoddy-requirements", false, false, ""},
		{".", false, false, ""},
		{"a b/ü/{x}", false, false, ""},
		{"C:/work/tree", true, true, ""},
		{`C:\work\tree`, true, true, ""},
		{`c:\`, true, true, ""},
		{`\\server\share\x`, true, true, ""},
		{"/srv/tree", true, false, ""},
		{`..\shoddy-requirements`, false, false, `Write "../shoddy-requirements"`},
		{`\work`, false, false, "backslash"},
		{`\\`, false, false, "backslash"},
		{`a\b`, false, false, "backslash"},
		{"C:work", false, false, "names a drive and no folder"},
		{"C:", false, false, "names a drive and no folder"},
		{"", false, false, "empty"},
		{"~/x", false, false, "not expanded"},
		{"~", false, false, "not expanded"},
		{"~x", false, false, ""},
		{"a\nb", false, false, "control character"},
	} {
		absolute, windows, err := spelled(c.path)
		if c.fails != "" {
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%q: %v, wanted %q", c.path, err, c.fails)
			}
			continue
		}
		if err != nil || absolute != c.absolute || windows != c.windows {
			t.Errorf("%q: %v %v %v", c.path, absolute, windows, err)
		}
	}
}

func TestResolve(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the folders below are a unix machine's")
	}
	for _, c := range [][2]string{{".", "/p/q"}, {"../x", "/p/x"}, {"/srv/./t/", "/srv/t"}, {"a/../../..", "/"}} {
		if got, err := resolve(c[0], "/p/q", "linux"); err != nil || filepath.ToSlash(got) != c[1] {
			t.Errorf("%q: %q %v", c[0], got, err)
		}
	}
	// A Windows path is absolute whoever reads it: never a folder called C: here.
	for _, p := range []string{"C:/work", `C:\work`, `\\server\share\x`} {
		if got, err := resolve(p, "/p/q", "linux"); err == nil || !strings.Contains(err.Error(), "this machine has no drives") {
			t.Errorf("%q: %q %v", p, got, err)
		}
	}
}

func TestInside(t *testing.T) {
	for key, want := range map[string]string{
		"docs": "docs", "docs/": "docs", "./docs": "docs", "a/../b": "b", "a//b": "a/b", "a b": "a b", "..a": "..a",
		".": "", "a/..": "", "..": "", "../x": "", "a/../../x": "", "/docs": "", "C:/docs": "", `docs\x`: "", "docs/*": "", "d?cs": "", "": "",
	} {
		got, err := inside(key)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q %v, wanted %q", key, got, err, want)
		}
	}
}
