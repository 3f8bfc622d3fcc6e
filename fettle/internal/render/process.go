package render

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/render/worker"
	"fettler/shared/config"
	"fettler/shared/outcome"
	"fettler/shared/wire"
)

func bytesReader(b []byte) io.Reader { return bytes.NewReader(b) }

// process is one running fettle-reader.
type process struct {
	screen config.Categories
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	folder string // the empty one it runs in
	retire *time.Timer
	dead   bool // it must not be used again
	once   sync.Once
	code   int
}

func (p *Pool) start(screen config.Categories) (*process, error) {
	path, args, err := p.o.Program()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "fettle-reader-")
	if err != nil {
		return nil, outcome.New(outcome.Denied, "the document reader could not be given a folder: %v", errors.Unwrap(err)).Because(err)
	}
	w := &process{screen: screen, folder: folder, cmd: exec.Command(path, args...)}
	// No environment and an empty folder: a parser of strangers' bytes has
	// nothing to find. What it says on stderr is a stranger's too: dropped.
	w.cmd.Env, w.cmd.Dir = []string{}, folder
	w.in, err = w.cmd.StdinPipe()
	if err == nil {
		var out io.ReadCloser
		if out, err = w.cmd.StdoutPipe(); err == nil {
			w.out = bufio.NewReaderSize(out, 64<<10)
			err = w.cmd.Start()
		}
	}
	if err != nil {
		os.Remove(folder)
		return nil, outcome.New(outcome.Denied, "the document reader could not be started: %v", err).Because(err)
	}
	// Where a folder may go while it is somebody's, nothing is left behind
	// even if this process is killed. Elsewhere end removes it.
	os.Remove(folder)
	return w, nil
}

// end stops the worker and gives its exit code; it may be called twice.
func (w *process) end() int {
	w.once.Do(func() {
		w.in.Close()
		if !w.dead {
			// It ends by itself when its input does, or is made to.
			t := time.AfterFunc(time.Second, w.kill)
			defer t.Stop()
		}
		w.cmd.Wait()
		w.code = w.cmd.ProcessState.ExitCode()
		os.Remove(w.folder)
	})
	return w.code
}

func (w *process) kill() { w.cmd.Process.Kill() }

// render has one document rendered. After an error other than a document's own
// the worker is dead.
func (w *process) render(ctx context.Context, q wire.Request, body io.Reader, o Options) (*document.Rendering, error) {
	var late, fat atomic.Bool
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		limit := time.NewTimer(o.Time + 2*time.Second)
		defer limit.Stop()
		look := time.NewTicker(50 * time.Millisecond)
		defer look.Stop()
		for {
			select {
			case <-done:
				return
			case <-ctx.Done():
			case <-limit.C:
				late.Store(true)
			case <-look.C:
				if resident(w.cmd.Process.Pid) <= o.Memory {
					continue
				}
				fat.Store(true)
			}
			w.kill()
			return
		}
	})
	r, err := w.exchange(q, body)
	close(done)
	watching.Wait()
	if ctx.Err() != nil {
		w.dead = true
		return nil, ctx.Err()
	}
	var d *document.Error
	if err == nil || errors.As(err, &d) {
		return r, err
	}
	w.dead = true
	w.kill()
	var o2 *outcome.Error
	switch code := w.end(); {
	case errors.As(err, &o2):
		return nil, err
	case late.Load() || code == worker.ExitTime:
		return nil, document.Errorf(document.TooLarge, "rendering it took longer than %s", o.Time)
	case fat.Load() || code == worker.ExitMemory:
		return nil, document.Errorf(document.TooLarge, "rendering it took more than %d MB of memory", o.Memory>>20)
	case errors.Is(err, wire.ErrFrame):
		return nil, document.Errorf(document.Damaged, "the document is damaged: its reader answered nonsense")
	}
	return nil, document.Errorf(document.Damaged, "the document is damaged: its reader died on it")
}

// exchange sends the document and takes the answer. The worker is as little
// trusted as the document: what it sends is bounded and cleaned here.
func (w *process) exchange(q wire.Request, body io.Reader) (*document.Rendering, error) {
	source := &faulty{Reader: body}
	if err := wire.WriteRequest(w.in, q, source); err != nil {
		if source.err != nil {
			return nil, outcome.Of(source.err)
		}
		return nil, err
	}
	r := &document.Rendering{MaxBytes: q.MaxBytes}
	for {
		t, b, err := wire.ReadFrame(w.out)
		if err != nil {
			return nil, err
		}
		switch t {
		case wire.Mark:
			if len(r.Landmarks) >= q.MaxLines {
				return nil, wire.ErrFrame
			}
			err = r.Mark(clean(string(b)))
		case wire.Lines:
			err = wire.EachLine(b, func(l string) error { return r.Line(clean(l)) })
		case wire.Note:
			err = r.Note(clean(string(b)))
		case wire.Engine:
			r.Engine(clean(string(b)))
		case wire.Done:
			r.Cut = string(b) == wire.DoneCut
			return r, nil
		case wire.Error:
			f, err := wire.ReadFailure(b)
			if err != nil {
				return nil, err
			}
			if why := reason(f.Reason); len(r.Lines) > 0 && (why == document.Damaged || why == document.TooLarge) {
				// What was read before the damage is good: one bad sheet hides no other.
				r.Cut = true
				return r, r.Note("the rest was not read: " + clean(f.Message))
			}
			return nil, document.Errorf(reason(f.Reason), "%s", clean(f.Message))
		default:
			err = wire.ErrFrame
		}
		if errors.Is(err, document.ErrFull) { // its own bounds are the same, so it broke them
			err = fmt.Errorf("%w: more than was asked for", wire.ErrFrame)
		}
		if err != nil {
			return nil, err
		}
	}
}

func reason(word string) document.Reason {
	switch r := document.Reason(word); r {
	case document.Password, document.Unsupported, document.TooLarge:
		return r
	}
	return document.Damaged
}

// clean makes a line one line of valid UTF-8.
func clean(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	if strings.ContainsAny(s, "\r\n\x00") {
		s = strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ", "\x00", "").Replace(s)
	}
	return s
}

// faulty remembers why its reader failed, to tell that from a worker that died.
type faulty struct {
	io.Reader
	err error
}

func (f *faulty) Read(b []byte) (int, error) {
	n, err := f.Reader.Read(b)
	if err != nil && err != io.EOF {
		f.err = err
	}
	return n, err
}
