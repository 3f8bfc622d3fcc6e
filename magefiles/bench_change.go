//go:build mage

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// changeResults measures changing files beside `git apply` of the same change.
// fettle makes what it writes last before it answers; git apply does not.
func changeResults(bin, work string) []result {
	fettle := filepath.Join(bin, "fettle")
	many, one := map[string]string{}, map[string]string{}
	for i := range 1000 {
		var sb strings.Builder
		for j := range 100 {
			word := "filler"
			if j%20 == 0 {
				word = "oldword"
			}
			fmt.Fprintf(&sb, "line %d of file %d with %s in it\n", j, i, word)
		}
		many[fmt.Sprintf("d%d/f%d.txt", i%20, i)] = sb.String()
	}
	var big strings.Builder
	type edit struct {
		Replace string `json:"replace"`
		With    string `json:"with"`
	}
	var script struct {
		Edits []edit `json:"edits"`
	}
	for j := range 10_000 {
		fmt.Fprintf(&big, "line %d of the file\n", j)
		if j%100 == 50 {
			script.Edits = append(script.Edits, edit{fmt.Sprintf("line %d of", j), fmt.Sprintf("row %d of", j)})
		}
	}
	one["big.txt"] = big.String()
	raw, err := json.Marshal(script)
	path := filepath.Join(work, "edits.json")
	if err == nil {
		err = os.WriteFile(path, raw, 0o644)
	}
	return []result{
		change(pair{name: "100 edits of a file of 10,000 lines", bound: 2, ours: []string{fettle, "edit", "big.txt", "--script", path, "--json"}}, work, "one", one, err),
		change(pair{name: "replace in 1,000 files", bound: 2, ours: []string{fettle, "replace", "oldword", "newword", "--json"}}, work, "many", many, err),
		net(fettle, work),
	}
}

// net measures a write of 1 MB of source with the credential net beside one without.
func net(fettle, work string) result {
	path := filepath.Join(work, "megabyte")
	words := func(more ...string) []string {
		return append([]string{fettle, "write", "new.txt", "--text-file", path, "--json"}, more...)
	}
	r := result{pair: pair{name: "write of 1 MB; the peer is the same without the credential net", bound: 1.1, ours: words(), peer: words("--allow-credential")}}
	if !wanted(r.name) {
		r.why = leftOut
		return r
	}
	fail := func(err error) result {
		r.why = err.Error()
		return r
	}
	src, err := goSources()
	if err != nil {
		return fail(err)
	}
	files, err := filepath.Glob(filepath.Join(src, "go", "*", "*.go"))
	if err != nil {
		return fail(err)
	}
	var text []byte
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			return fail(err)
		}
		if text = append(text, b...); len(text) >= 1<<20 {
			break
		}
	}
	dir := filepath.Join(work, "net")
	if err := errors.Join(os.WriteFile(path, text, 0o644), os.Mkdir(dir, 0o755)); err != nil {
		return fail(err)
	}
	write := func(words []string) side {
		run := command(dir, words)
		return func() (time.Duration, error) {
			took, err := run()
			return took, errors.Join(err, os.Remove(filepath.Join(dir, "new.txt")))
		}
	}
	r.byTurns(0, write(r.ours), write(r.peer))
	return r
}

// change runs ours and git apply of what ours did, each on a fresh copy.
func change(p pair, work, name string, files map[string]string, err error) result {
	p.peer = []string{"git", "apply", "-p2", filepath.Join(work, name+".patch")}
	r := result{pair: p}
	if !wanted(p.name) {
		r.why = leftOut
		return r
	}
	fail := func(err error) result {
		r.why = err.Error()
		return r
	}
	if err != nil {
		return fail(err)
	}
	if _, err := exec.LookPath("git"); err != nil {
		return fail(fmt.Errorf("the peer git is not installed"))
	}
	top := filepath.Join(work, name)
	before, after, theirs := filepath.Join(top, "before"), filepath.Join(top, "after"), filepath.Join(top, "theirs")
	for _, dir := range []string{before, after, theirs} {
		if err := writeFiles(dir, files); err != nil {
			return fail(err)
		}
	}
	if _, err := timed(after, p.ours); err != nil {
		return fail(err)
	}
	cmd := exec.Command("git", "diff", "--no-index", "before", "after")
	cmd.Dir = top
	patch, _ := cmd.Output() // it exits with 1 when there is a difference
	if err := os.WriteFile(filepath.Join(work, name+".patch"), patch, 0o644); err != nil {
		return fail(err)
	}
	fresh := func(dir string, words []string) side {
		run := command(dir, words)
		return func() (time.Duration, error) {
			if err := writeFiles(dir, files); err != nil {
				return 0, err
			}
			// What was written here is not for fettle's flush to write out.
			if err := exec.Command("sync").Run(); err != nil {
				return 0, err
			}
			return run()
		}
	}
	if r.byTurns(0, fresh(after, p.ours), fresh(theirs, p.peer)); r.why != "" {
		return r
	}
	for path := range files {
		a, errA := os.ReadFile(filepath.Join(after, path))
		b, errB := os.ReadFile(filepath.Join(theirs, path))
		if errA != nil || errB != nil || string(a) != string(b) {
			return fail(fmt.Errorf("the results differ in %s", path))
		}
	}
	if writeFiles(after, files) == nil && writeFiles(theirs, files) == nil {
		_, r.oursKB, _ = watched(after, p.ours)
		_, r.peerKB, _ = watched(theirs, p.peer)
	}
	return r
}
