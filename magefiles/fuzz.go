//go:build mage

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Fuzz runs each fuzz target for FUZZTIME, by default 10s, as many at once as
// there are processors. With FUZZWITHIN set they share that time, 2s at least
// for each, and FUZZTIME, by default 30s, is the most that one gets. A finding
// is saved beside its target and fails.
func Fuzz() error {
	within, err := seconds("FUZZWITHIN", 0)
	if err != nil {
		return err
	}
	each := 10 * time.Second
	if within > 0 {
		each = longest
	}
	if each, err = seconds("FUZZTIME", each); err != nil {
		return err
	}
	env, err := testEnv()
	if err != nil {
		return err
	}
	defer os.RemoveAll(envHome)
	targets, err := fuzzTargets()
	if err != nil {
		return err
	}
	q := &fuzzing{targets: targets, lanes: runtime.NumCPU(), each: each}
	if within > 0 {
		q.end = time.Now().Add(within)
	}
	built := map[string]bool{}
	for _, t := range targets { // first, so that what is left is shared evenly
		if !built[t[0]] {
			built[t[0]] = true
			if err := run(env, "go", "test", "-c", "-fuzz", "^"+t[1]+"$", "-o", os.DevNull, t[0]); err != nil {
				return err
			}
		}
	}
	var lanes sync.WaitGroup
	for range q.lanes {
		lanes.Go(func() {
			for target, per, ok := q.next(); ok; target, per, ok = q.next() {
				q.done(fuzz(env, per, target))
			}
		})
	}
	lanes.Wait()
	fmt.Printf("%d targets, %d executions, %v to %v each\n", len(targets), q.executions, q.least, q.most)
	return errors.Join(q.failed...)
}

// longest and shortest are how long a target is fuzzed when all share a time.
const (
	longest  = 30 * time.Second
	shortest = 2 * time.Second
	// starting is about what starting and ending a target takes.
	starting = 3 * time.Second
)

// seconds reads a duration from the environment, such as 30s.
func seconds(variable string, otherwise time.Duration) (time.Duration, error) {
	v := os.Getenv(variable)
	if v == "" {
		return otherwise, nil
	}
	d, err := time.ParseDuration(v)
	if err != nil {
		return 0, fmt.Errorf("%s is a duration such as 30s: %w", variable, err)
	}
	return max(d, time.Second), nil
}

// fuzzing hands out the targets.
type fuzzing struct {
	mu         sync.Mutex
	targets    [][2]string
	lanes      int
	each       time.Duration
	end        time.Time // zero: every target gets each
	least      time.Duration
	most       time.Duration
	executions int
	failed     []error
}

// next gives a target and its time.
func (q *fuzzing) next() (target [2]string, per time.Duration, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.targets) == 0 {
		return target, 0, false
	}
	per = q.each
	if !q.end.IsZero() {
		per = share(time.Until(q.end), q.lanes, len(q.targets), q.each)
	}
	if q.least == 0 || per < q.least {
		q.least = per
	}
	q.most = max(q.most, per)
	target, q.targets = q.targets[0], q.targets[1:]
	return target, per, true
}

// share is what one of the targets gets of the time that is left for them.
func share(left time.Duration, lanes, targets int, most time.Duration) time.Duration {
	per := left*time.Duration(lanes)/time.Duration(targets) - starting
	return min(most, max(shortest, per.Truncate(time.Second)))
}

func (q *fuzzing) done(executions int, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.executions += executions
	if err != nil {
		q.failed = append(q.failed, err)
	}
}

var executed = regexp.MustCompile(`execs: (\d+)`)

// fuzz runs one target and says how often. Go's fuzzer may report its own
// deadline as a failure when the time ends while a worker is busy; only an input
// that it wrote down is a finding.
func fuzz(env []string, per time.Duration, target [2]string) (executions int, err error) {
	cmd := exec.Command("go", "test", "-run", "^$", "-fuzz", "^"+target[1]+"$", "-parallel", "1",
		"-fuzztime", per.String(), "-fuzzminimizetime", "10x", target[0])
	cmd.Env = env
	out, err := cmd.CombinedOutput()
	text := string(out)
	if all := executed.FindAllStringSubmatch(text, -1); len(all) > 0 {
		executions, _ = strconv.Atoi(all[len(all)-1][1])
	}
	fmt.Println("fuzz", target[0], target[1], "for", per, "executions:", executions)
	if err == nil {
		return executions, nil
	}
	if strings.Contains(text, "context deadline exceeded") && !strings.Contains(text, "Failing input written") && !strings.Contains(text, "panic") {
		fmt.Println("  the time ended while a worker was busy; nothing was found")
		return executions, nil
	}
	fmt.Print(text)
	return executions, fmt.Errorf("%s %s: %w", target[0], target[1], err)
}

var fuzzFunc = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(f \*testing\.F\)`)

// fuzzTargets finds the targets in the sources: package and function.
func fuzzTargets() ([][2]string, error) { return fuzzTargetsIn(".") }

func fuzzTargetsIn(top string) ([][2]string, error) {
	var out [][2]string
	for _, m := range modules {
		err := filepath.WalkDir(filepath.Join(top, m), func(p string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(p, "_test.go") {
				return err
			}
			src, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			for _, f := range fuzzFunc.FindAllSubmatch(src, -1) {
				rel, err := filepath.Rel(top, filepath.Dir(p))
				if err != nil {
					return err
				}
				out = append(out, [2]string{"fettler/" + filepath.ToSlash(rel), string(f[1])})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
