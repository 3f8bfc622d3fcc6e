package credential

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestOrdinarySource measures false positives on a large tree of ordinary
// source: a net that stops work is switched off.
func TestOrdinarySource(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all of GOROOT/src")
	}
	root := goSource(t)
	inTests, files, size := 0, 0, 0
	var outside []string
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		files, size = files+1, size+len(b)
		for _, f := range detect(string(b)) {
			if strings.HasSuffix(p, "_test.go") || strings.Contains(p, "testdata") {
				inTests++
				continue
			}
			outside = append(outside, p+": "+f.name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, %d bytes: %d outside test data, %d in it", files, size, len(outside), inTests)
	if len(outside) >= 10 {
		t.Errorf("false positives outside test data:\n%s", strings.Join(outside, "\n"))
	}
}

// BenchmarkJudge is the cost of the net on a 1 MB write of source text.
func BenchmarkJudge(b *testing.B) {
	text := source(b)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if err := Judge("", text); err != nil {
			b.Fatal(err)
		}
	}
}

// goSource is where the toolchain keeps its own source.
func goSource(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	root := filepath.Join(strings.TrimSpace(string(out)), "src")
	if _, statErr := os.Stat(root); err != nil || statErr != nil {
		t.Skip("this toolchain comes without its source")
	}
	return root
}

func source(b *testing.B) string {
	var sb strings.Builder
	src := goSource(b)
	files, _ := filepath.Glob(filepath.Join(src, "go", "types", "*.go"))
	more, _ := filepath.Glob(filepath.Join(src, "net", "*.go"))
	for _, f := range append(files, more...) {
		if sb.Len() > 1<<20 {
			break
		}
		t, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		sb.Write(t)
	}
	if sb.Len() < 1<<20 {
		b.Skip("this toolchain comes without its source")
	}
	return sb.String()[:1<<20]
}

// TestLinear puts the worst text for each detector against twice as much of it.
func TestLinear(t *testing.T) {
	for _, unit := range []string{"=", "token=", "://a:", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----\n", "eyJ", "eyJa.eyJ", "sk-", "password:'", "_", ":::::"} {
		text := strings.Repeat(unit, (1<<20)/len(unit))
		done := make(chan struct{})
		go func() { detect(text); close(done) }()
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			t.Fatalf("%q takes too long", unit)
		}
	}
}
