//go:build mage

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// rounds is how often each pair is run, one after the other.
const rounds = 15

// pair is one thing done by fettle and by its peer.
type pair struct {
	name  string
	bound float64 // the ratio it should stay below; 0 is none
	dir   string  // where both run
	ours  []string
	peer  []string
	// same checks, before anything is timed, that both give the same answer.
	same func(ours, peer []byte) error
}

// result is what a pair took.
type result struct {
	pair
	ratio, low, high float64 // of the medians; quartiles of the rounds' ratios
	oursKB, peerKB   int64   // peak resident memory
	why              string  // why it was not measured
}

// Bench measures fettle against named peers, both in the same run, and writes
// docs/benchmarks.md. It installs nothing: a peer that is missing is named.
func Bench() error {
	if err := Build(); err != nil {
		return err
	}
	bin, err := filepath.Abs("bin")
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "fettler-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	pairs, err := readingPairs(bin, work)
	if err != nil {
		return err
	}
	var results []result
	for _, p := range pairs {
		r := measure(p)
		fmt.Println(r.line())
		results = append(results, r)
	}
	for _, r := range changeResults(bin, work) {
		fmt.Println(r.line())
		results = append(results, r)
	}
	for _, r := range serverResults(bin, work) {
		fmt.Println(r.line())
		results = append(results, r)
	}
	return report(results)
}

// measure runs a pair in alternation.
func measure(p pair) result {
	r := result{pair: p}
	if _, err := exec.LookPath(p.peer[0]); err != nil {
		r.why = "the peer " + filepath.Base(p.peer[0]) + " is not installed"
		return r
	}
	a, err := timed(p.dir, p.ours)
	if err != nil {
		r.why = err.Error()
		return r
	}
	b, err := timed(p.dir, p.peer)
	if err != nil {
		r.why = err.Error()
		return r
	}
	if p.same != nil {
		if err := p.same(a.out, b.out); err != nil {
			r.why = "the answers differ: " + err.Error()
			return r
		}
	}
	var ours, peer []time.Duration
	var ratios []float64
	for range rounds {
		a, errA := timed(p.dir, p.ours)
		b, errB := timed(p.dir, p.peer)
		if err := errors.Join(errA, errB); err != nil {
			r.why = err.Error()
			return r
		}
		ours, peer = append(ours, a.wall), append(peer, b.wall)
		ratios = append(ratios, float64(a.wall)/float64(b.wall))
		r.oursKB, r.peerKB = max(r.oursKB, a.kb), max(r.peerKB, b.kb)
	}
	slices.Sort(ours)
	slices.Sort(peer)
	slices.Sort(ratios)
	r.ratio = float64(ours[rounds/2]) / float64(peer[rounds/2])
	r.low, r.high = ratios[rounds/4], ratios[rounds-1-rounds/4]
	return r
}

type once struct {
	out  []byte
	wall time.Duration
	kb   int64
}

func timed(dir string, words []string) (once, error) {
	var out bytes.Buffer
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Stdout = dir, &out
	start := time.Now()
	err := cmd.Run()
	o := once{out: out.Bytes(), wall: time.Since(start)}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return o, err
	}
	o.kb = peakKB(cmd.ProcessState)
	if err != nil {
		return o, fmt.Errorf("%s: %w", strings.Join(words, " "), err)
	}
	return o, nil
}

func (r result) line() string {
	if r.why != "" {
		return fmt.Sprintf("| %s | not measured: %s | | | |", r.name, r.why)
	}
	bound := ""
	if r.bound > 0 {
		bound = fmt.Sprintf("%.2f", r.bound)
		if r.ratio > r.bound {
			bound += ", missed"
		}
	}
	mem := ""
	if r.oursKB > 0 && r.peerKB > 0 {
		mem = fmt.Sprintf("%.0f / %.0f MB", float64(r.oursKB)/1024, float64(r.peerKB)/1024)
	}
	return fmt.Sprintf("| %s | %.2f (%.2f-%.2f) | %s | %s | %s |", r.name, r.ratio, r.low, r.high, bound, filepath.Base(r.peer[0]), mem)
}

// report writes docs/benchmarks.md.
func report(results []result) error {
	var sb strings.Builder
	sb.WriteString("# Benchmarks\n\nWritten by `go tool mage bench`: every row is fettle's wall time divided by its peer's, medians of " +
		fmt.Sprint(rounds) + " rounds run in\nalternation with a warm cache; in brackets the quartiles of the rounds' ratios. Below 1 fettle is faster. Memory is the\npeak resident size of each. " +
		"Both give the same answer before anything is timed.\n\n")
	fmt.Fprintf(&sb, "%s/%s, %d cores, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	for _, v := range [][]string{{"rg", "--version"}, {"fdfind", "--version"}, {"node", "--version"}} {
		if out, err := output(v[0], v[1:]...); err == nil {
			first, _, _ := strings.Cut(out, "\n")
			if v[0] == "node" {
				first = "node " + first
			}
			sb.WriteString(", " + first)
		}
	}
	sb.WriteString(".\n\n| what | ratio | bound | peer | memory, fettle / peer |\n| --- | --- | --- | --- | --- |\n")
	for _, r := range results {
		sb.WriteString(r.line() + "\n")
	}
	return os.WriteFile(filepath.Join("docs", "benchmarks.md"), []byte(sb.String()), 0o644)
}
