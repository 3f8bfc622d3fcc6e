package screen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// engines remembers what burler-bridge said it runs models with, for as long
// as the files beside it stay the same.
type engines struct {
	mu   sync.Mutex
	key  string
	name string
	err  error
}

var errNoStart = errors.New("burler-bridge would not start")

// engine asks `burler-bridge --version` what it would run models with. That
// loads the runtime library, as judging does, and no model: a library that is
// there and cannot be loaded is not taken for one that judges.
func (h *Host) engine(ctx context.Context) (string, error) {
	program, err := h.program()
	if err != nil {
		return "", err
	}
	h.asked.mu.Lock()
	defer h.asked.mu.Unlock()
	key := beside(program)
	if h.asked.key != key {
		name, err := askEngine(ctx, program, h.times.look)
		if ctx.Err() != nil {
			return "", errCancelled // which says nothing of the program
		}
		h.asked.key, h.asked.name, h.asked.err = key, name, err
	}
	return h.asked.name, h.asked.err
}

// beside is the state of the program and of the libraries it may load.
func beside(program string) string {
	var key strings.Builder
	for _, name := range []string{filepath.Base(program), "libonnxruntime.so", "libonnxruntime.dylib", "onnxruntime.dll"} {
		if info, err := os.Stat(filepath.Join(filepath.Dir(program), name)); err == nil {
			fmt.Fprintf(&key, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		}
	}
	return key.String()
}

// askEngine runs the program within a bound of time and of output.
func askEngine(ctx context.Context, program string, bound time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	cmd, err := apart(ctx, program, "--version")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(cmd.Dir)
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout = &limited{to: &out, left: 64 << 10}
	err = cmd.Run()
	if ctx.Err() != nil {
		return "", fmt.Errorf("burler-bridge did not answer within %s", seconds(bound))
	}
	if err != nil {
		return "", errNoStart
	}
	for line := range strings.Lines(out.String()) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "backend: "); ok && len(name) <= 100 {
			return name, nil
		}
	}
	return "unknown, burler-bridge does not name it", nil
}

// limited writes on as much as is left and drops the rest.
type limited struct {
	to   io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	part := p[:min(len(p), l.left)]
	l.left -= len(part)
	if _, err := l.to.Write(part); err != nil {
		return 0, err
	}
	return len(p), nil
}
