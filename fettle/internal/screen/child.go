package screen

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"time"

	"fettler/shared/wire"
)

// maxAnswer bounds the sidecar's line.
const maxAnswer = 4 << 20

var (
	errLate  = errors.New("late")
	errEnded = errors.New("burler-bridge ended before it answered")
)

// child is one running burler-bridge. Its methods are called by one goroutine
// at a time.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	lines  chan line
	dir    string // its working folder, empty
	models string
	states map[string]string // by category, the models' state when it answered
}

type line struct {
	text []byte
	err  error
}

// apart is a run of the program with an empty environment in an empty folder,
// which whoever runs it removes. What it says on standard error is dropped: it
// might hold the payload.
func apart(ctx context.Context, program string, args ...string) (*exec.Cmd, error) {
	dir, err := os.MkdirTemp("", "fettle-screen-")
	if err != nil {
		return nil, errNoStart
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env, cmd.Dir = []string{}, dir
	return cmd, nil
}

// start runs the program for as long as it judges.
func start(program, models string) (*child, error) {
	cmd, err := apart(context.Background(), program, "--models", models)
	if err != nil {
		return nil, err
	}
	c := &child{cmd: cmd, dir: cmd.Dir, models: models, lines: make(chan line, 1), states: map[string]string{}}
	out, err := c.cmd.StdoutPipe()
	if err == nil {
		c.in, err = c.cmd.StdinPipe()
	}
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		_ = os.RemoveAll(c.dir)
		return nil, errNoStart
	}
	go c.read(out)
	return c, nil
}

// read hands over the child's lines, until one is no line.
func (c *child) read(out io.Reader) {
	defer close(c.lines)
	r := bufio.NewReaderSize(out, 64<<10)
	for {
		var text []byte
		for {
			part, err := r.ReadSlice('\n')
			text = append(text, part...)
			if len(text) > maxAnswer {
				c.lines <- line{err: wire.ErrAnswerTooBig}
				return
			}
			if err == nil {
				break
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				return // a last line without its end is no answer
			}
		}
		c.lines <- line{text: text}
	}
}

// ask sends one question and waits for its line.
func (c *child) ask(asked []string, text string, bound time.Duration) (wire.ScreenAnswer, error) {
	var question bytes.Buffer
	e := json.NewEncoder(&question)
	e.SetEscapeHTML(false)
	if err := e.Encode(wire.ScreenRequest{Op: wire.ScreenOp, Categories: asked, Payload: text}); err != nil {
		return wire.ScreenAnswer{}, errors.New("the question could not be put to burler-bridge")
	}
	// A child that does not read blocks the write for ever; killing it ends that.
	go func() { _, _ = c.in.Write(question.Bytes()) }()
	late := time.NewTimer(bound)
	defer late.Stop()
	select {
	case l, ok := <-c.lines:
		if !ok {
			return wire.ScreenAnswer{}, errEnded
		}
		if l.err != nil {
			return wire.ScreenAnswer{}, l.err
		}
		return wire.ReadScreenAnswer(l.text, asked)
	case <-late.C:
		return wire.ScreenAnswer{}, errLate
	}
}

// quiet reports that the child runs and has said nothing that nobody asked for.
func (c *child) quiet() bool {
	select {
	case <-c.lines:
		return false
	default:
		return true
	}
}

// knows reports that the child serves this directory and that the models of the
// categories are still as they were when it loaded them.
func (c *child) knows(models string, states map[string]string) bool {
	if c.models != models {
		return false
	}
	for category, now := range states {
		if then, ok := c.states[category]; ok && then != now {
			return false
		}
	}
	return true
}

// answered reports that it has answered for each of the categories: their
// models are loaded, so the next answer is due sooner.
func (c *child) answered(asked []string) bool {
	for _, a := range asked {
		if _, ok := c.states[a]; !ok {
			return false
		}
	}
	return true
}

func (c *child) learn(states map[string]string) {
	for category, state := range states {
		c.states[category] = state
	}
}

// kill ends the process and removes its folder.
func (c *child) kill() {
	_ = c.cmd.Process.Kill()
	_ = c.in.Close()
	go func() { // frees the reader when it waits to hand over a line
		for range c.lines {
		}
	}()
	_ = c.cmd.Wait()
	_ = os.RemoveAll(c.dir)
}
