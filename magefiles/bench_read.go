//go:build mage

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// readingPairs are the start of a command, find and search.
func readingPairs(bin, work string) ([]pair, error) {
	const hello = "package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"hello\\n\") }\n"
	if err := buildAlone(work, "hello", hello); err != nil {
		return nil, err
	}
	helloBin := filepath.Join(work, "hello.exe")
	src, err := goSources()
	if err != nil {
		return nil, err
	}
	words, err := manyWords(src)
	if err != nil {
		return nil, err
	}
	five := filepath.Join(work, "five")
	for i := range 5 {
		if only := os.Getenv("BENCH"); only != "" && !strings.Contains(only, "five") {
			break // they take long to make
		}
		if err := os.CopyFS(filepath.Join(five, strconv.Itoa(i)), os.DirFS(src)); err != nil {
			return nil, err
		}
	}
	fettle := filepath.Join(bin, "fettle")
	note := filepath.Join(work, "note")
	if err := os.MkdirAll(note, 0o755); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(note, "a.txt"), bytes.Repeat([]byte("a line of text\n"), 20), 0o644); err != nil {
		return nil, err
	}
	pairs := []pair{
		{name: "start: `--version`, to a Go hello world", bound: 1.5, dir: note, ours: []string{fettle, "--version"}, peer: []string{helloBin}},
		{name: "start: `read` of a small file, to a Go hello world", bound: 1.5, dir: note, ours: []string{fettle, "read", "a.txt"}, peer: []string{helloBin}},
	}
	threads := "-j" + strconv.Itoa(runtime.NumCPU())
	for _, tree := range []struct{ name, dir string }{{"Go's sources", src}, {"five copies", five}} {
		pairs = append(pairs, findPair(fettle, tree.name, tree.dir, threads), hitsPair(fettle, tree.name, tree.dir, threads),
			manyPair(fettle, tree.name, tree.dir, threads, words))
		for _, s := range []struct {
			name  string
			flags []string
			rg    []string
			bound float64
		}{
			{"literal", []string{"unmarshal", "--literal", "--case-sensitive"}, []string{"-F", "unmarshal"}, 1},
			{"literal, either case", []string{"unmarshal", "--literal"}, []string{"-i", "-F", "unmarshal"}, 1},
			{"`^func \\(`", []string{`^func \(`, "--case-sensitive"}, []string{`^func \(`}, 1.05},
			{"`\\berr(or)?\\b`", []string{`\berr(or)?\b`, "--case-sensitive"}, []string{`\berr(or)?\b`}, 1.3},
			{"ten words", tenWords(), tenWordsOfRg(), 1.5},
			{"`[a-z]{12,}\\d`", []string{`[a-z]{12,}\d`, "--case-sensitive"}, []string{`[a-z]{12,}\d`}, 1},
			{"no factor: `[ -w]{40}`", []string{`[ -w]{40}`, "--case-sensitive"}, []string{`[ -w]{40}`}, 1.1},
			{"`(a|b).{20}z`", []string{`(a|b).{20}z`, "--case-sensitive"}, []string{`(a|b).{20}z`}, 1.5},
		} {
			pairs = append(pairs, pair{
				name: "search " + s.name + ", counted, " + tree.name, bound: s.bound, dir: tree.dir, same: sameHits,
				ours: append([]string{fettle, "search", "--count", "--include-generated", "--no-documents", "--json", "--no-config"}, s.flags...),
				peer: append(append([]string{"rg", "-uu", "-c", "--sort=none", threads}, s.rg...), "."), // without a path rg may search its standard input
			})
		}
	}
	return pairs, nil
}

var words10 = []string{"Handler", "Context", "Reader", "Writer", "Buffer", "Mutex", "Channel", "Pointer", "Struct", "Interface"}

func tenWords() []string { return append(append([]string{}, words10...), "--case-sensitive") }

func tenWordsOfRg() []string {
	var out []string
	for _, w := range words10 {
		out = append(out, "-e", w)
	}
	return out
}

// goSources is the folder of Go's own sources.
func goSources() (string, error) {
	root, err := output("go", "env", "GOROOT")
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(filepath.Join(root, "src"))
}

// sameHits compares the number of matching lines with the sum of the peer's.
func sameHits(ours, peer []byte) error {
	var a struct {
		Hits int `json:"hits_count"`
	}
	if err := json.Unmarshal(ours, &a); err != nil {
		return err
	}
	sum := 0
	for line := range strings.Lines(string(peer)) {
		i := strings.LastIndexByte(line, ':')
		n, err := strconv.Atoi(strings.TrimSpace(line[i+1:]))
		if err != nil {
			return err
		}
		sum += n
	}
	if sum != a.Hits {
		return fmt.Errorf("fettle counted %d lines, the peer %d", a.Hits, sum)
	}
	return nil
}
