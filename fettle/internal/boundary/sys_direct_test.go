//go:build unix

package boundary

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"fettler/shared/config"
)

// A walk of a process that is alone sees what any other's does, and fails as it does.
func TestDirectCallsAnswerAlike(t *testing.T) {
	w := makeWorld(t)
	w.mkdir(t, "T/sub/deep")
	w.write(t, "T/sub/deep/large.txt", strings.Repeat("0123456789", 20_000))
	w.write(t, "T/sub/empty", "")
	w.link(t, "b.txt", "T/sub/link")
	if err := unix.Mkfifo(filepath.Join(w.T, "sub", "fifo"), 0o644); err != nil {
		t.Fatal(err)
	}
	var answers [2]string
	for i, alone := range []bool{false, true} {
		b, err := New(Options{Trees: []Spec{{Name: "work", Path: w.T, Can: config.Look}}, Alone: alone})
		if err != nil {
			t.Fatal(err)
		}
		p, err := b.Locate(".", config.List, "")
		if err != nil {
			t.Fatal(err)
		}
		top, err := b.OpenDir(p)
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		var look func(d *Dir, rel string)
		look = func(d *Dir, rel string) {
			var names []string
			for range 2 { // the first time from the handle itself
				names = []string{"absent", "a\x00b", strings.Repeat("n", 300), ".."}
				if err := d.Each(func(name string, m fs.FileMode) error {
					lines = append(lines, fmt.Sprint(rel, name, m))
					names = append(names, name)
					return nil
				}); err != nil {
					t.Fatal(err)
				}
			}
			for _, n := range names {
				info, err := d.Stat(n)
				lines = append(lines, fmt.Sprint(rel, n, info, err))
				data, info, err := d.Read(n, nil, 1<<20)
				lines = append(lines, fmt.Sprint(rel, n, len(data), strings.Contains(string(data), "89012"), info, err))
				_, _, err = d.Read(n, nil, 10)
				lines = append(lines, fmt.Sprint(rel, n, err))
				if n == ".." {
					continue
				}
				if sub, err := d.Sub(n); err == nil {
					look(sub, rel+n+"/")
					sub.Close()
				} else {
					lines = append(lines, fmt.Sprint(rel, n, err))
				}
			}
		}
		look(top, "")
		top.Close()
		b.Close()
		answers[i] = strings.Join(lines, "\n")
	}
	if !strings.Contains(answers[0], "sub/deep/large.txt") || !strings.Contains(answers[0], "200000 true") {
		t.Fatalf("the walk saw too little:\n%.2000s", answers[0])
	}
	if answers[0] != answers[1] {
		a, b := strings.Split(answers[0], "\n"), strings.Split(answers[1], "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Fatalf("alone: %.300s\nelse:  %.300s", b[i], a[i])
			}
		}
		t.Fatalf("%d lines and %d", len(a), len(b))
	}
}
