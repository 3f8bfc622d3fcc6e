//go:build mage

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	root, err := output("go", "env", "GOROOT")
	if err != nil {
		return fail(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "src", "go", "*", "*.go"))
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
	run := func(words []string) (once, error) {
		o, err := timed(dir, words)
		return o, errors.Join(err, os.Remove(filepath.Join(dir, "new.txt")))
	}
	return byTurns(r, run, run)
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
	reset := func(dir string) error {
		for path, content := range files {
			full := filepath.Join(dir, path)
			if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
				return err
			}
		}
		return nil
	}
	for _, dir := range []string{before, after, theirs} {
		if err := reset(dir); err != nil {
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
	fresh := func(dir string) func([]string) (once, error) {
		return func(words []string) (once, error) {
			if err := reset(dir); err != nil {
				return once{}, err
			}
			// What reset wrote is not for fettle's flush to write out.
			if err := exec.Command("sync").Run(); err != nil {
				return once{}, err
			}
			return timed(dir, words)
		}
	}
	if r = byTurns(r, fresh(after), fresh(theirs)); r.why != "" {
		return r
	}
	for path := range files {
		a, errA := os.ReadFile(filepath.Join(after, path))
		b, errB := os.ReadFile(filepath.Join(theirs, path))
		if errA != nil || errB != nil || string(a) != string(b) {
			return fail(fmt.Errorf("the results differ in %s", path))
		}
	}
	if reset(after) == nil && reset(theirs) == nil {
		_, r.oursKB, _ = watched(after, p.ours)
		_, r.peerKB, _ = watched(theirs, p.peer)
	}
	return r
}

// byTurns runs both sides of a result by turns.
func byTurns(r result, runOurs, runPeer func([]string) (once, error)) result {
	var ours, peer []time.Duration
	var ratios []float64
	for range rounds {
		a, errA := runOurs(r.ours)
		b, errB := runPeer(r.peer)
		if err := errors.Join(errA, errB); err != nil {
			r.why = err.Error()
			return r
		}
		ours, peer = append(ours, a.wall), append(peer, b.wall)
		ratios = append(ratios, float64(a.wall)/float64(b.wall))
	}
	slices.Sort(ours)
	slices.Sort(peer)
	slices.Sort(ratios)
	r.ratio = float64(ours[rounds/2]) / float64(peer[rounds/2])
	r.low, r.high = ratios[rounds/4], ratios[rounds-1-rounds/4]
	return r
}
