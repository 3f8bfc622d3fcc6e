package ops

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fettler/shared/config"
)

// Counts agree with ripgrep's over Go's own source, for ten patterns of every
// kind: a word, several, with and without a literal in them.
func TestSearchAgreesWithRipgrep(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all of Go's source")
	}
	rg, err := exec.LookPath("rg")
	if err != nil {
		t.Skip("ripgrep is not installed")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("no Go here")
	}
	src := filepath.Join(strings.TrimSpace(string(root)), "src")
	s, _ := readSession(t, src, config.None)
	for _, ps := range [][]string{
		{"unmarshal"}, {`^func \(`}, {`(?-u:\b)err(or)?(?-u:\b)`}, {"read", "write", "close", "open", "seek", "stat", "lock", "copy", "sync", "flush"},
		{"[a-z]{12,}[0-9]"}, {"(a|b).{20}z"}, {"^$"}, {`[0-9]{3}-[0-9]{4}`}, {`\{$`}, {"é|日本"},
	} {
		args := []string{"-uu", "-i", "-c", "--no-config", "--crlf"}
		for _, p := range ps {
			args = append(args, "-e", p)
		}
		cmd := exec.Command(rg, args...)
		cmd.Dir = src
		out, _ := cmd.Output() // it exits with 1 when nothing matched
		var want int64
		for line := range bytes.Lines(out) {
			if i := bytes.LastIndexByte(line, ':'); i >= 0 {
				n, err := strconv.ParseInt(strings.TrimSpace(string(line[i+1:])), 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				want += n
			}
		}
		ours := make([]string, len(ps))
		for i, p := range ps { // Go's \b is ASCII's without being told
			ours[i] = strings.ReplaceAll(p, `(?-u:\b)`, `\b`)
		}
		a, err := Search(context.Background(), s, SearchInput{Patterns: ours, Count: true, IncludeGenerated: true, NoDocuments: true})
		if err != nil {
			t.Fatal(err)
		}
		if *a.HitsCount != want || want == 0 {
			t.Errorf("%q: %d hits, ripgrep has %d", ps, *a.HitsCount, want)
		}
	}
}
