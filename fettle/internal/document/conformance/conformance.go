// Package conformance is the suite that every document reader passes. It is
// for tests: a reader's test hands Run a Render function and a good document.
//
// Run checks what the contract in package document asks: the same lines for
// the same bytes, a stop at the sink's bound and at the context's end with
// that very error, no death by damaged bytes, a panic turned into damage, and
// errors of the three kinds a Render may return.
package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"fettler/fettle/internal/document"
)

// Suite is a reader under test.
type Suite struct {
	Render document.Render
	Good   []byte // a document with at least four lines and one landmark
	Steps  int    // how many places are damaged, 0 for 200
	// Limit is how long one rendering may take before it counts as hanging,
	// 0 for 30 s. It is a bound for hangs, not a measure.
	Limit time.Duration
}

// Source is bytes as a document.
func Source(b []byte) document.Source {
	return document.Source{ReaderAt: bytes.NewReader(b), Size: int64(len(b))}
}

// Run checks the suite.
func Run(t *testing.T, s Suite) {
	if s.Steps == 0 {
		s.Steps = 200
	}
	if s.Limit == 0 {
		s.Limit = 30 * time.Second
	}
	want := s.good(t)
	if want == nil {
		return
	}
	t.Run("determinism", func(t *testing.T) { s.determinism(t, want) })
	t.Run("bound", func(t *testing.T) { s.bound(t, want) })
	t.Run("sink", func(t *testing.T) { s.sink(t) })
	t.Run("cancel", func(t *testing.T) { s.cancel(t, want) })
	t.Run("truncation", func(t *testing.T) { s.truncation(t) })
	t.Run("flips", func(t *testing.T) { s.flips(t) })
	t.Run("panic", func(t *testing.T) { s.panics(t) })
	t.Run("empty", func(t *testing.T) { s.empty(t) })
}

func (s Suite) good(t *testing.T) *document.Rendering {
	var r document.Rendering
	if err := s.Render(t.Context(), Source(s.Good), &r); err != nil {
		t.Errorf("the good document: %v", err)
		return nil
	}
	if len(r.Lines) < 4 || len(r.Landmarks) < 1 {
		t.Errorf("the good document has %d lines and %d landmarks; the suite wants 4 and 1", len(r.Lines), len(r.Landmarks))
		return nil
	}
	if r.Served == "" {
		t.Error("the reader names no engine")
	}
	check(t, &r)
	return &r
}

// check looks at what holds for every rendering.
func check(t *testing.T, r *document.Rendering) {
	t.Helper()
	for i, l := range r.Lines {
		if bytes.ContainsAny([]byte(l), "\n\r") {
			t.Errorf("line %d holds a line end: %q", i+1, l)
		}
	}
	last := 0
	for _, l := range r.Landmarks {
		if l.Line < last {
			t.Errorf("the landmark %q stands before another", l.Cite)
		}
		if l.Cite == "" || bytes.ContainsAny([]byte(l.Cite), "\n\r") {
			t.Errorf("the landmark %q is no line", l.Cite)
		}
		last = l.Line
	}
}

// render runs a rendering with a limit against hangs and checks its error.
func (s Suite) render(t *testing.T, ctx context.Context, b []byte, out document.Sink) error {
	t.Helper()
	type result struct {
		err   error
		panic any
	}
	done := make(chan result, 1)
	go func() {
		var res result
		defer func() {
			res.panic = recover()
			done <- res
		}()
		res.err = s.Render(ctx, Source(b), out)
	}()
	select {
	case res := <-done:
		if res.panic != nil {
			t.Errorf("the reader panicked: %v", res.panic)
		}
		var e *document.Error
		if err := res.err; err != nil && !errors.As(err, &e) && !errors.Is(err, document.ErrFull) && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, errSink) {
			t.Errorf("an error of no known kind: %T %v", err, err)
		} else if e != nil && (e.Message == "" || e.Reason == "") {
			t.Errorf("an error without reason or message: %+v", e)
		}
		return res.err
	case <-time.After(s.Limit):
		t.Fatalf("the reader did not come back in %v", s.Limit)
		return nil
	}
}

func (s Suite) determinism(t *testing.T, want *document.Rendering) {
	for range 3 {
		var r document.Rendering
		if err := s.render(t, t.Context(), s.Good, &r); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.Lines, want.Lines) || !slices.Equal(r.Landmarks, want.Landmarks) || !slices.Equal(r.Notes, want.Notes) || r.Served != want.Served {
			t.Fatal("the same bytes gave another rendering")
		}
	}
}

// full is a sink that takes so many lines.
type full struct {
	document.Rendering
	lines int
	after int // calls after the bound
	err   error
}

func (f *full) Line(text string) error {
	if f.lines == 0 {
		f.after++
		return f.err
	}
	f.lines--
	return f.Rendering.Line(text)
}

func (s Suite) bound(t *testing.T, want *document.Rendering) {
	for n := range want.Lines {
		f := &full{lines: n, err: document.ErrFull}
		err := s.render(t, t.Context(), s.Good, f)
		if err != document.ErrFull {
			t.Fatalf("a sink that is full after %d lines: got %v, want ErrFull itself", n, err)
		}
		if f.after != 1 {
			t.Errorf("the reader went on for %d lines after the bound", f.after-1)
		}
		if !slices.Equal(f.Lines, want.Lines[:n]) {
			t.Errorf("the lines before the bound at %d are others", n)
		}
	}
}

var errSink = errors.New("the sink broke")

func (s Suite) sink(t *testing.T) {
	f := &full{lines: 1, err: errSink}
	if err := s.render(t, t.Context(), s.Good, f); err != errSink {
		t.Errorf("a sink's own error: got %v, want it as it is", err)
	}
}

// canceler ends the context at a line.
type canceler struct {
	document.Rendering
	cancel context.CancelFunc
	at     int
	after  int
}

func (c *canceler) Line(text string) error {
	if len(c.Lines) == c.at {
		c.cancel()
	}
	if len(c.Lines) > c.at {
		c.after++
	}
	return c.Rendering.Line(text)
}

func (s Suite) cancel(t *testing.T, want *document.Rendering) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var r document.Rendering
	if err := s.render(t, ctx, s.Good, &r); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is over at the start: got %v, want its error", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	c := &canceler{cancel: cancel}
	err := s.render(t, ctx, s.Good, c)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ends at the first line: got %v, want its error", err)
	}
	if c.after >= len(want.Lines)-1 && c.after > 1 {
		t.Errorf("the reader went on to the end, %d lines, after the context ended", c.after)
	}
}

func (s Suite) truncation(t *testing.T) {
	for _, n := range places(len(s.Good), s.Steps) {
		s.damaged(t, fmt.Sprintf("cut at %d", n), s.Good[:n])
	}
}

func (s Suite) flips(t *testing.T) {
	for i, n := range places(len(s.Good), s.Steps) {
		b := bytes.Clone(s.Good)
		b[n] ^= 1 << (i % 8)
		s.damaged(t, fmt.Sprintf("bit %d at %d", i%8, n), b)
		b[n] = 0xff
		s.damaged(t, fmt.Sprintf("ff at %d", n), b)
	}
}

// damaged renders bytes of which nothing is known: whatever comes, it comes
// back, without a panic, and says the same twice.
func (s Suite) damaged(t *testing.T, what string, b []byte) {
	t.Helper()
	var one, two document.Rendering
	errOne := s.render(t, t.Context(), b, &one)
	errTwo := s.render(t, t.Context(), b, &two)
	if fmt.Sprint(errOne) != fmt.Sprint(errTwo) || !slices.Equal(one.Lines, two.Lines) || !slices.Equal(one.Notes, two.Notes) {
		t.Errorf("%s: two renderings differ", what)
	}
	check(t, &one)
	if t.Failed() {
		t.Fatalf("%s", what)
	}
}

// places spreads offsets over n bytes, with all of a small document's.
func places(n, steps int) []int {
	var at []int
	step := max(1, n/steps)
	for i := 0; i < n; i += step {
		at = append(at, i)
	}
	return at
}

// bomb panics at its line.
type bomb struct{ document.Rendering }

func (b *bomb) Line(string) error { panic("a library gave up") }

func (s Suite) panics(t *testing.T) {
	var e *document.Error
	if err := document.Guard(t.Context(), s.Render, Source(s.Good), &bomb{}); !errors.As(err, &e) || e.Reason != document.Damaged {
		t.Errorf("a panic below the reader: got %v, want damage", err)
	}
}

func (s Suite) empty(t *testing.T) {
	for _, b := range [][]byte{nil, {0}, []byte("hello"), bytes.Repeat([]byte{0xff}, 4096)} {
		var r document.Rendering
		var e *document.Error
		if err := s.render(t, t.Context(), b, &r); !errors.As(err, &e) {
			t.Errorf("%d bytes of something else: got %v, want an error that names it", len(b), err)
		}
	}
}
