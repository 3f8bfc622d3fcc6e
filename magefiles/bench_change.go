//go:build mage

package main

import (
	"encoding/json"
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
	}
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
	var ours, peer []time.Duration
	var ratios []float64
	for range rounds {
		if err := reset(after); err != nil {
			return fail(err)
		}
		if err := reset(theirs); err != nil {
			return fail(err)
		}
		a, err := timed(after, p.ours)
		if err != nil {
			return fail(err)
		}
		b, err := timed(theirs, p.peer)
		if err != nil {
			return fail(err)
		}
		ours, peer = append(ours, a.wall), append(peer, b.wall)
		ratios = append(ratios, float64(a.wall)/float64(b.wall))
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
	slices.Sort(ours)
	slices.Sort(peer)
	slices.Sort(ratios)
	r.ratio = float64(ours[rounds/2]) / float64(peer[rounds/2])
	r.low, r.high = ratios[rounds/4], ratios[rounds-1-rounds/4]
	return r
}
