package ops

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/recall"
	"fettler/shared/config"
)

// later is a clock by which everything that is written now has long been still.
func later() time.Time { return time.Now().Add(time.Hour) }

// recallIn searches dir with what m remembers, each time in a session of its own.
func recallIn(t testing.TB, m *recall.Memory, dir string, in SearchInput, scopes ...boundary.ScopeSpec) *SearchAnswer {
	t.Helper()
	b, err := boundary.New(boundary.Options{Trees: []boundary.Spec{{Name: "work", Path: dir, Can: config.Work, Scopes: scopes}}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	s := &Session{Boundary: b, Config: &config.Config{}, Render: fakeRenderer{}, Screen: &judged{}, Recall: m, Progress: func(int64, int64, string) {}}
	a, err := Search(context.Background(), s, in)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// needsRecall skips where the system or the disk gives nothing to know a file by.
func needsRecall(t testing.TB, dir string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("nothing is remembered on this system")
	}
	put(t, dir, "probe", []byte("x"))
	m := recall.New(100, later)
	recallIn(t, m, dir, SearchInput{Patterns: []string{"y"}})
	if recallIn(t, m, dir, SearchInput{Patterns: []string{"y"}}).recalled == 0 {
		t.Skip("nothing is remembered on this disk")
	}
	if err := os.Remove(filepath.Join(dir, "probe")); err != nil {
		t.Fatal(err)
	}
}

// A file that was changed in any way is looked at again, and what was not
// changed is not.
func TestRecallSeesChanges(t *testing.T) {
	needsRecall(t, t.TempDir())
	old := time.Now().Add(-24 * time.Hour)
	for name, change := range map[string]func(t *testing.T, dir, f string){
		"growth":        func(t *testing.T, dir, f string) { put(t, dir, "f", []byte("plain text\nneedle\n")) },
		"the same size": func(t *testing.T, dir, f string) { put(t, dir, "f", []byte("needle txt\n")) },
		"the same size, its time put back": func(t *testing.T, dir, f string) {
			put(t, dir, "f", []byte("needle txt\n"))
			if err := os.Chtimes(f, old, old); err != nil {
				t.Fatal(err)
			}
		},
		"the same size and time through a rename": func(t *testing.T, dir, f string) {
			put(t, dir, "g", []byte("needle txt\n"))
			if err := os.Chtimes(filepath.Join(dir, "g"), old, old); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(filepath.Join(dir, "g"), f); err != nil {
				t.Fatal(err)
			}
		},
		"removed and made again": func(t *testing.T, dir, f string) {
			if err := os.Remove(f); err != nil {
				t.Fatal(err)
			}
			put(t, dir, "f", []byte("needle txt\n"))
			if err := os.Chtimes(f, old, old); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			f := filepath.Join(dir, "f")
			put(t, dir, "f", []byte("plain text\n"))
			put(t, dir, "bin", []byte("needle\x00"))
			put(t, dir, "still", []byte("plain text\n"))
			if err := os.Chtimes(f, old, old); err != nil {
				t.Fatal(err)
			}
			m, in := recall.New(100, later), SearchInput{Patterns: []string{"needle"}}
			first := recallIn(t, m, dir, in)
			if a := recallIn(t, m, dir, in); first.recalled != 0 || a.recalled != 3 || !same(a, first) {
				t.Fatalf("%+v, then %+v", first, a)
			}
			change(t, dir, filepath.Join(dir, "f"))
			a := recallIn(t, m, dir, in)
			if !strings.HasPrefix(a.spots(), "f:") || a.recalled != 2 {
				t.Errorf("%s, %d recalled", a.spots(), a.recalled)
			}
		})
	}
}

// A file that was written lately is not remembered: a second write could leave
// the same time.
func TestRecallWaits(t *testing.T) {
	needsRecall(t, t.TempDir())
	dir := t.TempDir()
	put(t, dir, "f", []byte("plain text\n"))
	m, in := recall.New(100, time.Now), SearchInput{Patterns: []string{"needle"}}
	for range 3 {
		if a := recallIn(t, m, dir, in); a.recalled != 0 {
			t.Errorf("%d recalled", a.recalled)
		}
	}
}

// What is remembered is no way round a judgement: a place that is hidden, or
// that may be listed and not read, answers as it does without a memory. A
// rename that makes a notebook of a file is seen.
func TestRecallJudges(t *testing.T) {
	needsRecall(t, t.TempDir())
	dir := t.TempDir()
	for _, f := range []string{"a", "names/b", "secret/c", "d.json"} {
		put(t, dir, f, []byte(`{"cells": [], "nbformat": 4, "metadata": {}}`))
	}
	m, in := recall.New(100, later), SearchInput{Patterns: []string{"zzz"}}
	recallIn(t, m, dir, in)
	scopes := []boundary.ScopeSpec{{Path: "names", Can: config.List, CanSet: true}, {Path: "secret", CanSet: true}}
	a := recallIn(t, m, dir, in, scopes...)
	if plain := recallIn(t, nil, dir, in, scopes...); !same(a, plain) || a.recalled != 2 || len(a.Skipped) != 1 {
		t.Errorf("%+v, plainly %+v", a, plain)
	}
	if err := os.Link(filepath.Join(dir, "d.json"), filepath.Join(dir, "d.ipynb")); err != nil {
		t.Skip("no links here:", err)
	}
	recallIn(t, m, dir, in)
	b := recallIn(t, m, dir, in)
	if plain := recallIn(t, nil, dir, in); !same(b, plain) {
		t.Errorf("%+v, plainly %+v", b, plain)
	}
}

// same compares two answers but for how they came about.
func same(a, b *SearchAnswer) bool {
	x, y := *a, *b
	x.recalled, y.recalled = 0, 0
	return reflect.DeepEqual(x, y)
}

// Whatever is asked, in whatever order, of a tree that changes in between: a
// search that remembers answers as one that does not.
func TestRecallAgrees(t *testing.T) {
	dir := t.TempDir()
	needsRecall(t, dir)
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"needle", "Needle pin", "pin", "hay\nhay", "\xef\xbb\xbfpin", "x\x00needle", "\xff\xfen\x00e\x00e\x00d\x00l\x00e\x00", "%PDF-1.4", "é", strings.Repeat("hay\n", 80000)}
	names := []string{"a", "b.go", "c.ipynb", "d/e", "d/f.json", "d/g/h"}
	write := func() {
		name := names[r.IntN(len(names))]
		var sb strings.Builder
		for range r.IntN(4) {
			sb.WriteString(words[r.IntN(len(words))] + "\n")
		}
		put(t, dir, name, []byte(sb.String()))
	}
	m := recall.New(1000, later)
	var recalled int64
	for range 600 {
		switch r.IntN(8) {
		case 0, 1:
			write()
		case 2:
			a, b := names[r.IntN(len(names))], names[r.IntN(len(names))]
			_ = os.Rename(filepath.Join(dir, a), filepath.Join(dir, b))
		case 3:
			_ = os.Remove(filepath.Join(dir, names[r.IntN(len(names))]))
		}
		in := SearchInput{
			Patterns:      [][]string{{"needle"}, {"pin"}, {"pin", "needle"}, {"^hay$"}, {"é"}, {"nothing at all"}}[r.IntN(6)],
			CaseSensitive: r.IntN(3) == 0, Word: r.IntN(3) == 0, Literal: r.IntN(3) == 0,
			Count: r.IntN(4) == 0, NoDocuments: r.IntN(2) == 0, Context: int64(r.IntN(3)),
			Limit: int64(r.IntN(4)), Glob: []string{"", "", "d/**", "*.go"}[r.IntN(4)],
		}
		in.FilesOnly = !in.Count && r.IntN(3) == 0
		if r.IntN(5) == 0 {
			in.After = fmt.Sprintf("a:%d", r.IntN(3))
		}
		if _, err := os.Stat(filepath.Join(dir, "a")); err != nil {
			in.After = ""
		}
		a, plain := recallIn(t, m, dir, in), recallIn(t, nil, dir, in)
		recalled += a.recalled
		if !same(a, plain) {
			t.Fatalf("%+v:\n%+v\nplainly\n%+v", in, a, plain)
		}
	}
	if recalled < 100 {
		t.Errorf("only %d recalled", recalled)
	}
}

// BenchmarkSearchRepeated shows what remembering buys on an unchanged tree.
func BenchmarkSearchRepeated(b *testing.B) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Skip("no Go here")
	}
	src := filepath.Join(strings.TrimSpace(string(root)), "src")
	in := SearchInput{Patterns: []string{"unmarshal"}, Literal: true, CaseSensitive: true, Count: true, IncludeGenerated: true, NoDocuments: true}
	for name, m := range map[string]*recall.Memory{"plain": nil, "remembered": recall.New(recall.Files, time.Now)} {
		b.Run(name, func(b *testing.B) {
			recallIn(b, m, src, in)
			for b.Loop() {
				recallIn(b, m, src, in)
			}
		})
	}
}
