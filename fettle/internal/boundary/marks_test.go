package boundary

import (
	"os"
	"path/filepath"
	"testing"

	"fettler/shared/disk"
)

// A file that is never written is known by its real place, whatever links lead
// there and whether it is there or not.
func TestMarks(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	real := filepath.Join(dir, "real")
	if err := os.Mkdir(real, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(real, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"folder": real, "real/link": "file", "real/dangling": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip("no links here")
		}
	}
	for _, c := range []struct {
		path, at string
		there    bool
	}{
		{"real/file", "real/file", true},
		{"folder/file", "real/file", true},
		{"folder/link", "real/file", true},
		{"folder/dangling", "real/dangling", false},
		{"folder/none", "real/none", false},
		{"folder/file/below", "real/file/below", false},
		{"none/none", "none/none", false},
		{"folder", "real", true},
		{"folder/", "real", true},
	} {
		// Asked for beside others of its folder, the answer is the same.
		ms := marks([]string{"", filepath.Join(dir, "real/file"), filepath.Join(dir, "folder/none"), dir + "/" + c.path}, disk.New())
		m := ms[len(ms)-1]
		if want := Fold(filepath.ToSlash(filepath.Join(dir, c.at))); m.path != want || m.id.zero() == c.there {
			t.Errorf("%s: %+v, want %s, there %v", c.path, m, want, c.there)
		}
	}
}
