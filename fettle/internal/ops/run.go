package ops

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"
	"time"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/task"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// RunInput is a declared task's name, and how long it may take.
type RunInput struct {
	Name    string
	Seconds int64 // 0 is no timeout
}

// RunAnswer is how a task ended. The call is ok whenever the task was run,
// whatever its own exit code; a timeout is an ending of its own.
type RunAnswer struct {
	Task     string   `json:"task"`
	Command  []string `json:"command"`
	ExitCode int      `json:"exit_code"`
	Stdout   string   `json:"stdout"`
	Stderr   string   `json:"stderr"`
	// StdoutCut and StderrCut are the bytes left out between a stream's
	// beginning and its end.
	StdoutCut int64   `json:"stdout_cut,omitempty"`
	StderrCut int64   `json:"stderr_cut,omitempty"`
	Seconds   float64 `json:"seconds"`
	TimedOut  bool    `json:"timed_out"`
	timeout   int64
}

// maxSeconds keeps a timeout inside what a duration can hold.
const maxSeconds = int64(math.MaxInt64 / int64(time.Second))

// Run runs a declared task and waits for its end.
func Run(ctx context.Context, s *Session, in RunInput) (*RunAnswer, error) {
	t, err := declaredTask(s.Config, in.Name)
	if err != nil {
		return nil, err
	}
	dir, err := workplace(s.Boundary, t)
	if err != nil {
		return nil, err
	}
	r, err := task.Run(ctx, task.Command{Argv: t.Argv, Dir: dir, Timeout: time.Duration(min(in.Seconds, maxSeconds)) * time.Second},
		func(elapsed time.Duration, written int64) {
			s.Progress(int64(elapsed/time.Second), 0, fmt.Sprintf("%s has run for %s and written %d bytes", t.Name, elapsed.Round(time.Second), written))
		})
	if err != nil {
		return nil, notStarted(t, err)
	}
	return &RunAnswer{
		Task: t.Name, Command: t.Argv, ExitCode: r.ExitCode,
		Stdout: r.Stdout.Text, StdoutCut: r.Stdout.Cut, Stderr: r.Stderr.Text, StderrCut: r.Stderr.Cut,
		Seconds: math.Round(r.Elapsed.Seconds()*1000) / 1000, TimedOut: r.TimedOut, timeout: in.Seconds,
	}, nil
}

// workplace judges the folder a task runs in like any other path, and wants
// execute of it.
func workplace(b *boundary.Boundary, t config.Task) (string, error) {
	at := t.Cwd
	if at == "" {
		at = "."
	}
	p, err := b.Locate(at, config.Nothing, "")
	if err != nil {
		return "", err
	}
	switch {
	case !p.Exists:
		return "", outcome.New(outcome.NotFound, "'%s' would run in %s, and there is nothing there. Make the folder, or change the task's \"cwd\"", t.Name, p.Spell()).At(p.Spell())
	case !p.Info.Mode.IsDir():
		return "", outcome.New(outcome.Refused, "'%s' would run in %s, which is %s and not a folder. Change the task's \"cwd\"", t.Name, p.Spell(), boundary.KindOf(p.Info.Mode)).At(p.Spell())
	case !p.Can.Has(config.Execute):
		return "", outcome.New(outcome.Refused, "'%s' would run in a tree that does not allow execute. Add \"execute\" to that tree's or scope's \"can\" under \"guardrails\" in .fettler.json. execute is never a default.", t.Name)
	}
	return p.Abs(), nil
}

// notStarted words why a task did not run, or did not run to its end.
func notStarted(t config.Task, err error) error {
	var missing *task.ErrNotFound
	var failed *task.ErrStart
	switch {
	case errors.As(err, &missing) && errors.Is(err, fs.ErrPermission):
		return outcome.New(outcome.Denied, "'%s' runs the program %s, which the operating system does not let anybody run: it is not executable", t.Name, missing.Name).Because(err)
	case errors.As(err, &missing):
		return outcome.New(outcome.NotFound, "'%s' runs the program %s, and there is no such program %s", t.Name, missing.Name, missing.Where).Because(err)
	case errors.As(err, &failed):
		return outcome.New(outcome.Denied, "'%s' could not be started: %v", t.Name, failed.Err).Because(err)
	}
	return err
}

// End makes a timeout an ending of its own.
func (a *RunAnswer) End() *outcome.Error {
	if !a.TimedOut {
		return nil
	}
	return outcome.New(outcome.TimedOut, "'%s' ran past its timeout of %d %s and was killed, with everything it had started", a.Task, a.timeout, plural(a.timeout, "second", "seconds"))
}

// Human prints both streams and how the task ended.
func (a *RunAnswer) Human(w io.Writer) {
	for _, stream := range []string{a.Stdout, a.Stderr} {
		io.WriteString(w, stream)
		if stream != "" && !strings.HasSuffix(stream, "\n") {
			io.WriteString(w, "\n")
		}
	}
	if a.TimedOut {
		return // End says it
	}
	fmt.Fprintf(w, "%s: exit code %d after %.1f s\n", a.Task, a.ExitCode, a.Seconds)
}
