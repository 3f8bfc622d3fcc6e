package mcp

import (
	"context"
	"sync"

	"fettler/fettle/internal/verb"
)

// atOnce is how many calls run together, of tasks and of all others each.
const atOnce = 8

// turns gives calls their turn in the order they arrived: reads run together,
// a change runs alone, and no later call overtakes one that waits for the
// same files. Tasks take no turn, only a place among the tasks.
type turns struct {
	mu      sync.Mutex
	queue   []*turn
	reading int
	writing bool
	tasks   chan struct{}
}

type turn struct {
	exclusive bool
	ready     chan struct{}
	granted   bool
}

func newTurns() *turns { return &turns{tasks: make(chan struct{}, atOnce)} }

// ask queues a call; it is called in the order of arrival. wait blocks until
// the turn comes or ctx ends, and done gives the turn back.
func (t *turns) ask(l verb.Lock) (wait func(context.Context) error, done func()) {
	if l == verb.Free {
		held := false // done without a turn gives nothing back: the place is another's
		return func(ctx context.Context) error {
				select {
				case t.tasks <- struct{}{}:
					held = true
					return ctx.Err()
				case <-ctx.Done():
					return ctx.Err()
				}
			}, func() {
				if held {
					<-t.tasks
				}
			}
	}
	mine := &turn{exclusive: l == verb.Exclusive, ready: make(chan struct{})}
	t.mu.Lock()
	t.queue = append(t.queue, mine)
	t.grant()
	t.mu.Unlock()
	return func(ctx context.Context) error {
			select {
			case <-mine.ready:
				return ctx.Err() // one that is cancelled begins nothing, whichever came first
			case <-ctx.Done():
				return ctx.Err()
			}
		}, func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			switch {
			case !mine.granted:
				for i, q := range t.queue {
					if q == mine {
						t.queue = append(t.queue[:i], t.queue[i+1:]...)
						break
					}
				}
			case mine.exclusive:
				t.writing = false
			default:
				t.reading--
			}
			t.grant()
		}
}

// grant lets the head of the queue go as far as it may.
func (t *turns) grant() {
	for len(t.queue) > 0 && !t.writing {
		head := t.queue[0]
		if head.exclusive && t.reading > 0 || t.reading >= atOnce {
			return
		}
		t.queue = t.queue[1:]
		head.granted = true
		if head.exclusive {
			t.writing = true
		} else {
			t.reading++
		}
		close(head.ready)
	}
}
