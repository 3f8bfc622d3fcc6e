//go:build mage

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
// docs/benchmarks.md. It installs nothing: a peer that is missing is named. With
// BENCH=WORDS it measures the rows whose names hold the words, and writes nothing.
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
	benchFolder = work
	pairs, err := readingPairs(bin, work)
	if err != nil {
		return err
	}
	var results []result
	say := func(rs ...result) {
		for _, r := range rs {
			if r.why != leftOut {
				fmt.Println(r.line())
			}
		}
		results = append(results, rs...)
	}
	for _, p := range pairs {
		say(measure(p))
	}
	say(changeResults(bin, work)...)
	say(serverResults(bin, work)...)
	say(screenResults(bin, work)...)
	grown := growths(bin, work)
	return errors.Join(report(results, grown), tooSteep(grown))
}

// measure runs a pair in alternation.
func measure(p pair) result {
	r := result{pair: p}
	if !wanted(p.name) {
		r.why = leftOut
		return r
	}
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
	if r.byTurns(0, command(p.dir, p.ours), command(p.dir, p.peer)); r.why == "" {
		r.peaks()
	}
	return r
}

type once struct {
	out  []byte
	wall time.Duration
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
	if err != nil {
		return o, fmt.Errorf("%s: %w", strings.Join(words, " "), err)
	}
	return o, nil
}

// command is a side that runs a command line.
func command(dir string, words []string) side {
	return func() (time.Duration, error) {
		o, err := timed(dir, words)
		return o.wall, err
	}
}
