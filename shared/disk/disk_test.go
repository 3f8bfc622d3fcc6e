package disk

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// lay makes a folder with a file, links of each kind and what they lead to.
func lay(t *testing.T) string {
	dir := t.TempDir()
	for _, err := range []error{
		os.MkdirAll(filepath.Join(dir, "real/below"), 0o755),
		os.WriteFile(filepath.Join(dir, "real/file"), []byte("text"), 0o644),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"folder": "real", "real/link": "file", "real/up": "../folder/below", "dangling": "none", "round": "round",
	} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip("no links here")
		}
	}
	return dir
}

// paths are questions to a folder that lay made.
var paths = []string{
	"", "real", "real/file", "folder", "folder/file", "folder/link", "folder/below", "folder/up", "real/up/none", "dangling",
	"dangling/none", "round", "round/none", "real/file/none", "none", "none/none", "folder/", "folder/../real", "folder/up/../below", "./real",
}

// Whatever was asked before, the answer is EvalSymlinks', and Stat's.
func TestRealIsEvalSymlinks(t *testing.T) {
	dir := lay(t)
	for _, first := range paths {
		v := New()
		for _, p := range append([]string{first}, paths...) {
			p = dir + "/" + p
			real, err := v.Real(p)
			want, wantErr := filepath.EvalSymlinks(p)
			if real != want || (err == nil) != (wantErr == nil) || errors.Is(err, fs.ErrNotExist) != errors.Is(wantErr, fs.ErrNotExist) {
				t.Errorf("after %s: Real(%s) is %s, %v; EvalSymlinks says %s, %v", first, p, real, err, want, wantErr)
			}
			info, err := v.Stat(p)
			wantInfo, wantErr := os.Stat(p)
			if (err == nil) != (wantErr == nil) || err == nil && !os.SameFile(info, wantInfo) {
				t.Errorf("after %s: Stat(%s) differs: %v, %v", first, p, err, wantErr)
			}
			if got, want := v.Folder(p), wantErr == nil && wantInfo.IsDir(); got != want {
				t.Errorf("after %s: Folder(%s) is %v", first, p, got)
			}
		}
	}
}

// A View keeps its answers, and a nil one asks each time.
func TestViewIsOneMoment(t *testing.T) {
	dir := lay(t)
	v, p := New(), filepath.Join(dir, "folder", "file")
	var none *View
	before, err := v.Real(p)
	if err != nil || !v.Folder(filepath.Join(dir, "real")) {
		t.Fatal(before, err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "real")); err != nil {
		t.Fatal(err)
	}
	if again, err := v.Real(p); again != before || err != nil || !v.Folder(filepath.Join(dir, "real")) {
		t.Errorf("the view's answer changed to %s, %v", again, err)
	}
	if _, err := none.Real(p); !errors.Is(err, fs.ErrNotExist) || none.Folder(filepath.Join(dir, "real")) {
		t.Errorf("without a view the file is still there: %v", err)
	}
}

func TestReadFileStopsAtItsLimit(t *testing.T) {
	p := filepath.Join(t.TempDir(), "file")
	text := bytes.Repeat([]byte("0123456789"), 2000)
	if err := os.WriteFile(p, text, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int{1, 4095, 4096, 4097, len(text) - 1, len(text), len(text) + 1, 64 << 20} {
		got, err := ReadFile(p, int64(len(text)), limit)
		if want := text[:min(limit, len(text))]; err != nil || !bytes.Equal(got, want) {
			t.Errorf("limit %d: %d bytes, %v", limit, len(got), err)
		}
	}
	for _, size := range []int{0, 1, 63, 64, 4096, len(text) - 1, len(text) + 1, 1 << 20} { // not what it is
		got, err := ReadFile(p, int64(size), 64<<20)
		if err != nil || !bytes.HasPrefix(text, got) || len(got) < min(size, len(text)) || size == 0 && len(got) != len(text) {
			t.Errorf("a file of %d bytes that was said to be %d gave %d, %v", len(text), size, len(got), err)
		}
	}
	if _, err := ReadFile(p+".none", 0, 10); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an absent file: %v", err)
	}
	if _, err := ReadFile(filepath.Dir(p), 4096, 10); err == nil {
		t.Error("a folder was read")
	}
}
