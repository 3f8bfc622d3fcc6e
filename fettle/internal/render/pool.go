// Package render says what a file is by its bytes and gets documents turned
// into lines by fettle-reader, the worker that lies beside fettle.
//
// Call Sniff for what a file is. Make one Pool for the life of the process;
// its Render and RenderBytes give a document's lines, from memory where the
// same file was rendered before. A Pool starts workers when they are first
// wanted, never shares one between places that are screened differently, kills
// one that takes too long or too much memory, and ends them when they idle.
// The package opens no path: it is handed open files that the boundary judged.
package render

import (
	"context"
	"io"
	"os"
	"sync"
	"time"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/document"
	"fettler/fettle/internal/render/worker"
	"fettler/fettle/internal/sibling"
	"fettler/shared/config"
	"fettler/shared/wire"
)

// Options make a Pool. The zero value is the terminal's: one worker at a time.
type Options struct {
	Workers int           // how many at once; 0 is one
	Warm    bool          // many documents will come: preparing an engine for them pays
	Idle    time.Duration // how long one is kept warm; 0 is two minutes
	Time    time.Duration // for one document; 0 is 20 seconds
	Memory  int64         // resident bytes of one worker; 0 is 512 MB
	Cache   int64         // bytes of renderings kept; 0 is 64 MB
	// Still is how long a file must have been left alone for its rendering to
	// be kept: the coarsest step of a disk's clock. 0 is two seconds.
	Still   time.Duration
	Program func() (path string, args []string, err error)
}

// Pool hands documents to workers.
type Pool struct {
	o     Options
	slots chan struct{}
	cache cache

	mu     sync.Mutex
	idle   []*process
	closed bool
}

// New makes a Pool. It starts nothing.
func New(o Options) *Pool {
	if o.Workers <= 0 {
		o.Workers = 1
	}
	if o.Idle == 0 {
		o.Idle = 2 * time.Minute
	}
	if o.Time == 0 {
		o.Time = 20 * time.Second
	}
	if o.Memory == 0 {
		o.Memory = worker.Memory
	}
	if o.Cache == 0 {
		o.Cache = 64 << 20
	}
	if o.Still == 0 {
		o.Still = 2 * time.Second
	}
	if o.Program == nil {
		o.Program = func() (string, []string, error) {
			p, err := sibling.Path("fettle-reader")
			args := []string{"--serve"}
			if o.Warm {
				args = append(args, "--warm")
			}
			return p, args, err
		}
	}
	return &Pool{o: o, slots: make(chan struct{}, o.Workers), cache: cache{limit: o.Cache}}
}

// Close ends the workers. Calls that still run fail.
func (p *Pool) Close() {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.closed = nil, true
	p.mu.Unlock()
	for _, w := range idle {
		w.end()
	}
}

// Render gives the lines of an open file. screen is what its place is screened
// for. The error is a *document.Error, ctx's, or a refusal when fettle-reader is missing.
func (p *Pool) Render(ctx context.Context, f *os.File, info boundary.Info, kind document.Kind, screen config.Categories) (*document.Rendering, error) {
	k := key{info.ID, info.Size, info.ModTime.UnixNano(), info.Changed, kind, screen}
	if r := p.cache.get(k); r != nil {
		return r, nil
	}
	r, err := p.render(ctx, io.NewSectionReader(f, 0, info.Size), info.Size, kind, screen)
	if err != nil {
		return nil, err
	}
	// A file that was written while it was read, or so lately that a second
	// write could leave the same time, is not remembered.
	if now, err := f.Stat(); err == nil && now.Size() == info.Size && now.ModTime().Equal(info.ModTime) &&
		info.ID != (boundary.FileID{}) && time.Since(info.ModTime) > p.o.Still && time.Since(time.Unix(0, info.Changed)) > p.o.Still {
		p.cache.put(k, r)
	}
	return r, nil
}

// RenderBytes is Render for bytes that are no file of their own.
func (p *Pool) RenderBytes(ctx context.Context, b []byte, kind document.Kind, screen config.Categories) (*document.Rendering, error) {
	return p.render(ctx, bytesReader(b), int64(len(b)), kind, screen)
}

func (p *Pool) render(ctx context.Context, body io.Reader, size int64, kind document.Kind, screen config.Categories) (*document.Rendering, error) {
	if size > wire.MaxDocument {
		return nil, document.Errorf(document.TooLarge, "it is over %d MB, which is more than fettle renders", wire.MaxDocument>>20)
	}
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-p.slots }()
	w, err := p.take(screen)
	if err != nil {
		return nil, err
	}
	r, err := w.render(ctx, wire.Request{
		Kind: string(kind), Size: size, MaxLines: document.MaxLines, MaxBytes: document.DefaultBytes,
		MaxLine: maxLine, Millis: p.o.Time.Milliseconds(),
	}, body, p.o)
	p.giveBack(w)
	if err != nil {
		return nil, err
	}
	r.Kind = kind
	return r, nil
}

// maxLine bounds one rendered line, in bytes.
const maxLine = 2 << 20

// take finds a warm worker of the same screen or starts one. Holding a slot
// means that at most Workers-1 others are busy; a warm one of another screen
// is ended when there would be more than Workers.
func (p *Pool) take(screen config.Categories) (*process, error) {
	p.mu.Lock()
	for i := len(p.idle) - 1; i >= 0; i-- {
		if w := p.idle[i]; w.screen == screen {
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			p.mu.Unlock()
			w.retire.Stop()
			return w, nil
		}
	}
	var old *process
	if len(p.idle)+len(p.slots) > p.o.Workers {
		old = p.idle[0]
		p.idle = p.idle[1:]
	}
	p.mu.Unlock()
	if old != nil {
		old.end()
	}
	return p.start(screen)
}

// giveBack keeps a worker that is still alive.
func (p *Pool) giveBack(w *process) {
	if w.dead {
		w.end()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		go w.end()
		return
	}
	p.idle = append(p.idle, w)
	w.retire = time.AfterFunc(p.o.Idle, func() { p.retire(w) })
}

func (p *Pool) retire(w *process) {
	p.mu.Lock()
	for i, x := range p.idle {
		if x == w {
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			p.mu.Unlock()
			w.end()
			return
		}
	}
	p.mu.Unlock()
}
