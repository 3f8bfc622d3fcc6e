//go:build mage

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// listed is how many entries and hits the listing rows ask for. An answer is
// cut at 40,000 characters, after all of them were found and ordered.
const listed = "100000"

// findPair lists files with their size and time, ordered; the peer tells
// neither and orders nothing.
func findPair(fettle, name, dir, threads string) pair {
	return pair{
		name: "find `**/*.go` with size and time, " + name, bound: 0.75, dir: dir, same: sameListing,
		ours: []string{fettle, "find", "**/*.go", "--include-generated", "--limit", listed, "--json", "--no-config"},
		peer: []string{"fdfind", "-HI", "-e", "go", threads},
	}
}

// hitsPair keeps 100,000 hits with line, column and text, and orders them.
func hitsPair(fettle, name, dir, threads string) pair {
	return pair{
		name: "search literal, 100,000 hits with columns, " + name, bound: 1.5, dir: dir, same: sameLines,
		ours: []string{fettle, "search", "return", "--literal", "--case-sensitive", "--limit", listed, "--include-generated", "--no-documents", "--json", "--no-config"},
		peer: []string{"rg", "-uu", "--column", "-n", "--no-heading", "--sort=none", threads, "-F", "return", "."},
	}
}

// manyPair looks for 200 words at once.
func manyPair(fettle, name, dir, threads string, words []string) pair {
	p := pair{
		name: "search 200 words, counted, " + name, bound: 1.5, dir: dir, same: sameHits,
		ours: []string{fettle, "search", "--count", "--case-sensitive", "--include-generated", "--no-documents", "--json", "--no-config"},
		peer: []string{"rg", "-uu", "-c", "--sort=none", threads},
	}
	for _, w := range words {
		p.ours, p.peer = append(p.ours, w), append(p.peer, "-e", w)
	}
	p.peer = append(p.peer, ".")
	return p
}

var exported = regexp.MustCompile(`(?m)^func (?:\([^)]*\) )?([A-Z]\w{5,})\(`)

// manyWords are 200 names that Go's own packages declare.
func manyWords(src string) ([]string, error) {
	seen := map[string]bool{}
	for _, dir := range []string{"net/http", "strings", "reflect", "go/ast", "os"} {
		files, err := filepath.Glob(filepath.Join(src, filepath.FromSlash(dir), "*.go"))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				return nil, err
			}
			for _, m := range exported.FindAllSubmatch(b, -1) {
				if w := string(m[1]); !strings.HasPrefix(w, "Test") && !strings.HasPrefix(w, "Benchmark") && !strings.HasPrefix(w, "Example") {
					seen[w] = true
				}
			}
		}
	}
	var words []string
	for w := range seen {
		words = append(words, w)
	}
	slices.Sort(words)
	if len(words) < 200 {
		return nil, fmt.Errorf("only %d names were found in Go's sources", len(words))
	}
	var out []string
	for i := range 200 { // spread over the alphabet
		out = append(out, words[i*len(words)/200])
	}
	return out, nil
}

// sameListing compares the paths that find answered with the first of the
// peer's, ordered.
func sameListing(ours, peer []byte) error {
	var a struct {
		Files []struct {
			Path string `json:"path"`
		} `json:"files"`
	}
	if err := json.Unmarshal(ours, &a); err != nil {
		return err
	}
	var want []string
	for line := range strings.Lines(string(peer)) {
		want = append(want, strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "./"))
	}
	slices.Sort(want)
	if len(a.Files) == 0 || len(a.Files) > len(want) {
		return fmt.Errorf("fettle listed %d files, the peer has %d", len(a.Files), len(want))
	}
	for i, f := range a.Files {
		if f.Path != want[i] {
			return fmt.Errorf("file %d is %s, the peer has %s", i, f.Path, want[i])
		}
	}
	return nil
}

// place is a hit's.
type place struct {
	path         string
	line, column int
}

// sameLines compares the hits that search answered with the first of the
// peer's, ordered. The peer counts columns in bytes, so that they are compared
// where they are the same.
func sameLines(ours, peer []byte) error {
	var a struct {
		Hits []struct {
			Path   string `json:"path"`
			Line   int    `json:"line"`
			Column int    `json:"column"`
			Text   string `json:"text"`
		} `json:"hits"`
	}
	if err := json.Unmarshal(ours, &a); err != nil {
		return err
	}
	var want []place
	for line := range bytes.Lines(peer) {
		parts := bytes.SplitN(line, []byte{':'}, 4)
		if len(parts) < 4 {
			continue
		}
		n, err1 := strconv.Atoi(string(parts[1]))
		c, err2 := strconv.Atoi(string(parts[2]))
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		want = append(want, place{strings.TrimPrefix(string(parts[0]), "./"), n, c})
	}
	slices.SortFunc(want, func(a, b place) int {
		return cmp.Or(strings.Compare(a.path, b.path), cmp.Compare(a.line, b.line))
	})
	if len(a.Hits) == 0 || len(want) < 100_000 {
		return fmt.Errorf("fettle answered %d hits, the peer has %d", len(a.Hits), len(want))
	}
	for i, h := range a.Hits {
		w := want[i]
		ascii := !strings.ContainsFunc(h.Text, func(r rune) bool { return r > 127 })
		if h.Path != w.path || h.Line != w.line || ascii && h.Column != w.column {
			return fmt.Errorf("hit %d is at %s:%d:%d, the peer's at %s:%d:%d", i, h.Path, h.Line, h.Column, w.path, w.line, w.column)
		}
	}
	return nil
}
