// Package task launches one program and ends everything it started.
//
// Call Run with an argument list: it goes to the program as it is, never
// through a shell. Find says which file a name would start.
//
// What it promises. Standard input is empty and closed. Both streams are
// captured, so nothing reaches this process's own; each keeps its beginning
// and its end when it is longer than Bound, and says how much lies between. A
// flood of output is read as fast as it comes and costs no memory. When Run
// returns, for whatever reason, the program and what it started are gone: on
// unix its process group, on Linux also what left the group and kept its
// environment, on Windows its job object. At a timeout or a cancellation the
// group is asked to end first and killed a moment later, so that a program
// that tidies up can; one that ignores being asked is killed all the same.
//
// What it does not do: it judges no folder and knows no declared task; package
// ops does. It does not confine the program, which may do what the user may.
package task

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Command is what to launch.
type Command struct {
	Argv    []string      // never empty
	Dir     string        // absolute
	Environ []string      // nil is this process's
	Timeout time.Duration // 0 is none
}

// Result is how it ended.
type Result struct {
	ExitCode int // as a shell would say it: 128 and the signal's number where a signal ended it
	Stdout   Output
	Stderr   Output
	Elapsed  time.Duration
	TimedOut bool
}

// Timings of an ending. Variables, so that tests need not wait.
var (
	// grace is between being asked to end and being killed.
	grace = time.Second
	// drain is how long the streams may still be read after the end.
	drain = 2 * time.Second
	// pulse is how often progress is told.
	pulse = time.Second
)

// marker names the variable by which what a task started is known again. A
// task that runs a task adds to it, so that ending the outer one ends both.
const marker = "FETTLE_TASK"

// ErrStart is a program that was found and did not start.
type ErrStart struct{ Err error }

func (e *ErrStart) Error() string { return e.Err.Error() }
func (e *ErrStart) Unwrap() error { return e.Err }

// Run launches the program and waits for its end. progress, which may be nil,
// is told how long it has run and how much it has written. The error is an
// ErrNotFound, an ErrStart, or the context's when it was cancelled; a program
// that fails is no error.
func Run(ctx context.Context, c Command, progress func(elapsed time.Duration, written int64)) (*Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	environ := c.Environ
	if environ == nil {
		environ = os.Environ()
	}
	program, err := Find(c.Argv[0], c.Dir, environ)
	if err != nil {
		return nil, err
	}
	if err := batch(program, c.Argv[1:]); err != nil {
		return nil, &ErrStart{err}
	}
	mark := rand.Text()
	cmd := &exec.Cmd{
		Path: program, Args: c.Argv, Dir: c.Dir,
		Env: append(environ[:len(environ):len(environ)], "PWD="+c.Dir, marker+"="+variable(environ, marker)+"."+mark),
	}
	var out, errs capture
	closeOut, err := out.pipe(&cmd.Stdout)
	if err != nil {
		return nil, &ErrStart{err}
	}
	closeErr, err := errs.pipe(&cmd.Stderr)
	if err != nil {
		closeOut()
		out.finish(0)
		return nil, &ErrStart{err}
	}
	began := time.Now()
	g, err := start(cmd, mark)
	closeOut()
	closeErr()
	if err != nil {
		out.finish(0)
		errs.finish(0)
		return nil, &ErrStart{unwrap(err)}
	}

	over := make(chan struct{})
	go func() {
		g.wait() // the leader has ended, and what it started may live on
		close(over)
	}()
	timedOut, cancelled := watch(ctx, c.Timeout, over, func() {
		if progress != nil {
			progress(time.Since(began), out.written()+errs.written())
		}
	}, g)
	g.kill()
	<-over
	state := g.reap()
	until := time.Now().Add(drain)
	r := &Result{
		ExitCode: exitCode(state), Elapsed: time.Since(began), TimedOut: timedOut,
		Stdout: out.finish(time.Until(until)), Stderr: errs.finish(time.Until(until)),
	}
	if cancelled {
		return nil, ctx.Err()
	}
	return r, nil
}

// watch waits for the end, or brings it about.
func watch(ctx context.Context, timeout time.Duration, over <-chan struct{}, pulsed func(), g *group) (timedOut, cancelled bool) {
	var late <-chan time.Time
	if timeout > 0 {
		timer := time.NewTimer(timeout)
		defer timer.Stop()
		late = timer.C
	}
	beat := time.NewTicker(pulse)
	defer beat.Stop()
	for {
		select {
		case <-over:
			return false, false
		case <-beat.C:
			pulsed()
			continue
		case <-late:
			timedOut = true
		case <-ctx.Done():
			cancelled = true
		}
		g.ask()
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case <-over:
		case <-timer.C:
		}
		return timedOut, cancelled
	}
}

func unwrap(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func exitCode(s *os.ProcessState) int {
	if s == nil {
		return -1
	}
	if n, ok := signalOf(s); ok {
		return 128 + n
	}
	return s.ExitCode()
}

// batch refuses what would go through a shell after all: Windows runs a batch
// file by handing its command line to one. Plain words pass, since it reads
// nothing into them.
func batch(program string, args []string) error {
	ext := strings.ToLower(program[strings.LastIndexByte(program, '.')+1:])
	if !onWindows || ext != "bat" && ext != "cmd" {
		return nil
	}
	for _, a := range args {
		if strings.ContainsAny(a, "\"&|<>^%!()\r\n") {
			return errors.New("it is a batch file, which Windows runs through a shell, and an argument holds a character that shell would act on. Name a program, or leave the character out")
		}
	}
	return nil
}
