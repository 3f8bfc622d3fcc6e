package ops

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fettler/fettle/internal/boundary"
	"fettler/shared/config"
)

// BenchmarkCredentialNet writes 1 MB of source text with and without the net,
// by turns, and reports what the net adds in percent: the bound is 10.
func BenchmarkCredentialNet(b *testing.B) {
	content := megabyte(b)
	bd, err := boundary.New(boundary.Options{Trees: []boundary.Spec{{Name: "work", Path: b.TempDir(), Can: config.Work}}})
	if err != nil {
		b.Fatal(err)
	}
	defer bd.Close()
	var took [2][]time.Duration
	for i := 0; b.Loop(); i++ {
		for k := range 2 {
			k := (k + i) % 2
			s := &Session{Boundary: bd, Config: &config.Config{}, AllowCredential: k == 1, Progress: func(int64, int64, string) {}}
			in := WriteInput{Path: "f", Text: content + strconv.Itoa(2*i+k), Overwrite: true}
			if i == 0 {
				in.Path += strconv.Itoa(k)
			}
			start := time.Now()
			if _, err := Write(context.Background(), s, in); err != nil {
				b.Fatal(err)
			}
			took[k] = append(took[k], time.Since(start))
		}
	}
	for k := range took {
		slices.Sort(took[k])
	}
	with, without := took[0][len(took[0])/2], took[1][len(took[1])/2]
	b.ReportMetric(100*(float64(with)/float64(without)-1), "%net")
	b.ReportMetric(float64(without.Microseconds()), "µs/write")
}

// megabyte is ordinary source, from the toolchain.
func megabyte(b *testing.B) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Skip("no toolchain here")
	}
	files, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "src", "*", "*.go"))
	var sb strings.Builder
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil || strings.HasSuffix(f, "_test.go") {
			continue // tests of the toolchain hold keys
		}
		if sb.Write(raw); sb.Len() >= 1<<20 {
			return sb.String()[:1<<20]
		}
	}
	b.Skip("this toolchain comes without its source")
	return ""
}
