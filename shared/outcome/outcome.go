// Package outcome is the one table of how a call can end: the word scripts
// match, the exit code shells chain on, and the JSON both front ends send.
//
// Call New to refuse, and Of to learn how any error ends. Nothing here prints
// or exits: only a program's main does.
package outcome

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// Kind is how a call ended.
type Kind int

// The kinds, in no order that matters: Code gives each its exit code.
const (
	OK Kind = iota
	Fault
	Invalid
	NotFound
	OutsideRoot
	TargetExists
	Stale
	Conflict
	Refused
	Denied
	TimedOut
	Governed
	Credential
	Screened
)

// table holds word, exit code and meaning by Kind. The exit code equals the
// Kind's number, which TestTable asserts.
var table = [...]struct{ word, meaning string }{
	OK:           {"ok", "it worked"},
	Fault:        {"fault", "an unexpected internal fault"},
	Invalid:      {"invalid", "the request or the configuration makes no sense"},
	NotFound:     {"not-found", "the path, or the task, is not there"},
	OutsideRoot:  {"outside-root", "outside every open tree, or hidden"},
	TargetExists: {"target-exists", "occupied, and no overwrite asked for"},
	Stale:        {"stale", "the file changed since it was read (--expect differs)"},
	Conflict:     {"conflict", "ambiguous or overlapping edits"},
	Refused:      {"refused", "fettle declined, for a stated reason"},
	Denied:       {"denied", "the operating system declined"},
	TimedOut:     {"timed-out", "a task ran past its timeout and was killed"},
	Governed:     {"governed", "one of the nine files fettle never writes"},
	Credential:   {"credential", "the write would have added a secret"},
	Screened:     {"screened", "the answer would have disclosed regulated data, or the screen could not run"},
}

// Word is the word scripts match, such as "not-found".
func (k Kind) Word() string { return table[k].word }

// Code is the exit code.
func (k Kind) Code() int { return int(k) }

// Meaning says in a few words when a call ends so.
func (k Kind) Meaning() string { return table[k].meaning }

// All lists the kinds in the order of their exit codes.
func All() []Kind {
	ks := make([]Kind, len(table))
	for i := range ks {
		ks[i] = Kind(i)
	}
	return ks
}

// Error is a refusal or failure as a value: what a library returns and a
// front end renders. Message is a whole sentence that says what to do.
type Error struct {
	Kind    Kind
	Message string
	Path    string // the path it is about, spelled as answers spell paths; may be empty
	Err     error  // the cause, for errors.Is; never printed
}

// New makes an Error of the kind with a formatted message.
func New(k Kind, format string, args ...any) *Error {
	if len(args) == 0 {
		return &Error{Kind: k, Message: format}
	}
	return &Error{Kind: k, Message: fmt.Sprintf(format, args...)}
}

// At returns a copy of e that is about path.
func (e *Error) At(path string) *Error {
	c := *e
	c.Path = path
	return &c
}

// Because returns a copy of e that wraps cause.
func (e *Error) Because(cause error) *Error {
	c := *e
	c.Err = cause
	return &c
}

func (e *Error) Error() string { return e.Message }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Of says how err ends a call. An Error anywhere in its chain stands; the
// operating system's refusals become Denied or NotFound; anything else is a Fault.
// It returns nil for nil.
func Of(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, fs.ErrNotExist):
		return New(NotFound, "there is nothing at that path").Because(err)
	case errors.Is(err, fs.ErrPermission):
		return New(Denied, "the operating system declined: %v", cause(err)).Because(err)
	case errors.Is(err, context.Canceled):
		return New(Refused, "the call was cancelled").Because(err)
	}
	return New(Fault, "%v", err).Because(err)
}

// cause strips the path an os error carries, which is a machine's path and not the caller's.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
