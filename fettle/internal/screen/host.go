package screen

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"fettler/fettle/internal/sibling"
	"fettler/shared/wire"
)

// Host owns the sidecar of a process: at most one child, one question in
// flight, and the verdicts it gave. Close ends the child. It is safe for
// several goroutines.
type Host struct {
	program func() (string, error)
	times   times
	slot    chan struct{} // held by whoever talks to the child
	child   *child        // nil while none runs; only the slot's holder touches it
	used    time.Time     // when the child last answered; the slot's holder's too
	idle    *time.Timer
	said    *verdicts
	asked   engines
}

// times are the bounds of the cost table; tests shorten them.
type times struct{ look, first, later, idle time.Duration }

// NewHost makes a host that starts burler-bridge from beside fettle, and from
// nowhere else, when a model is first wanted.
func NewHost() *Host {
	return newHost(
		func() (string, error) {
			path, err := sibling.Path("burler-bridge")
			if err != nil {
				return "", errors.New("burler-bridge is not beside fettle")
			}
			return path, nil
		},
		times{look: 10 * time.Second, first: 90 * time.Second, later: 30 * time.Second, idle: 5 * time.Minute})
}

func newHost(program func() (string, error), t times) *Host {
	return &Host{program: program, times: t, slot: make(chan struct{}, 1), said: newVerdicts(256)}
}

// Close ends the sidecar. A question in flight is waited for no longer than
// its own bound.
func (h *Host) Close() {
	h.slot <- struct{}{}
	h.end()
	<-h.slot
}

// judge asks the models of the categories about the payload.
func (h *Host) judge(ctx context.Context, models string, asked []string, payload []string) ([]wire.Finding, error) {
	states, err := h.installed(ctx, models, asked)
	if err != nil {
		return nil, err
	}
	text := strings.Join(payload, "\n")
	key := sha256.Sum256(fmt.Appendf(nil, "%q\n%s", states, text))
	if found, ok := h.said.get(key); ok {
		return found, nil
	}
	select {
	case h.slot <- struct{}{}:
	case <-ctx.Done():
		return nil, errCancelled
	}
	if found, ok := h.said.get(key); ok { // answered while this call queued
		<-h.slot
		return found, nil
	}
	// The question outlives a cancelled call: its answer still frees the child
	// for the next one, which killing it and loading the models again would not.
	type verdict struct {
		found []wire.Finding
		err   error
	}
	done := make(chan verdict, 1)
	go func() {
		defer func() { <-h.slot }()
		found, err := h.ask(models, states, asked, text)
		if err == nil {
			h.said.put(key, found)
		}
		done <- verdict{found, err}
	}()
	select {
	case v := <-done:
		return v.found, v.err
	case <-ctx.Done():
		return nil, errCancelled
	}
}

var errCancelled = errors.New("the call was cancelled")

// installed looks at the models directory and gives a hash of each category's
// models. It refuses a category without one. A share that hangs is waited for briefly.
func (h *Host) installed(ctx context.Context, models string, asked []string) (map[string]string, error) {
	type answer struct {
		states map[string]string
		err    error
	}
	done := make(chan answer, 1)
	go func() {
		states := map[string]string{}
		for _, category := range asked {
			list, err := wire.Models(models, category)
			if err == nil && len(list) == 0 {
				err = fmt.Errorf("no model for %s is installed in the models directory", category)
			}
			if err != nil {
				done <- answer{nil, err}
				return
			}
			states[category] = wire.ManifestsHash(models, list)
		}
		done <- answer{states, nil}
	}()
	late := time.NewTimer(h.times.look)
	defer late.Stop()
	select {
	case a := <-done:
		return a.states, a.err
	case <-late.C:
		return nil, fmt.Errorf("the models directory did not answer within %s", seconds(h.times.look))
	case <-ctx.Done():
		return nil, errCancelled
	}
}

// ask puts one question to the child, starting it when there is none or when
// the models are no longer the ones it may have loaded. The slot is held.
func (h *Host) ask(models string, states map[string]string, asked []string, text string) ([]wire.Finding, error) {
	began := time.Now()
	if h.child != nil && (!h.child.knows(models, states) || !h.child.quiet()) {
		h.end()
	}
	if h.child == nil {
		program, err := h.program()
		if err != nil {
			return nil, err
		}
		if h.child, err = start(program, models); err != nil {
			return nil, err
		}
	}
	bound := h.times.later
	if !h.child.answered(asked) {
		bound = h.times.first
	}
	answer, err := h.child.ask(asked, text, bound-time.Since(began))
	if errors.Is(err, errLate) {
		err = fmt.Errorf("burler-bridge did not answer within %s", seconds(bound))
	}
	if err != nil {
		h.end() // whatever it does now, nobody would know which question it answers
		return nil, err
	}
	if !answer.OK {
		return nil, reported(answer.Error, text)
	}
	h.child.learn(states)
	h.used = time.Now()
	if h.idle != nil {
		h.idle.Stop()
	}
	h.idle = time.AfterFunc(h.times.idle, h.rest)
	return answer.Findings, nil
}

// rest ends a child that nobody has asked for a while. A busy slot means that
// somebody is asking.
func (h *Host) rest() {
	select {
	case h.slot <- struct{}{}:
		if time.Since(h.used) >= h.times.idle {
			h.end()
		}
		<-h.slot
	default:
	}
}

// end ends the child, if there is one. The slot is held.
func (h *Host) end() {
	if h.idle != nil {
		h.idle.Stop()
	}
	if h.child != nil {
		h.child.kill()
		h.child = nil
	}
}

// reported passes on the sidecar's own error, unless it repeats the payload:
// then a fixed sentence stands for it.
func reported(text, payload string) error {
	const fixed = "burler-bridge reported an error"
	text = strings.Join(strings.Fields(text), " ")
	if text == "" || len(text) > 300 || echoes(text, payload) {
		return errors.New(fixed)
	}
	return errors.New(fixed + ": " + text)
}

// echoes reports that text holds more than four characters in a row of the payload, in any case.
func echoes(text, payload string) bool {
	t, p := []rune(strings.ToLower(text)), strings.ToLower(payload)
	for i := 0; i+5 <= len(t); i++ {
		if strings.Contains(p, string(t[i:i+5])) {
			return true
		}
	}
	return false
}

func seconds(d time.Duration) string {
	return fmt.Sprintf("%d seconds", int(d.Round(time.Second)/time.Second))
}
