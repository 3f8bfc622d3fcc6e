package task

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Bound is how many bytes of a stream are kept whole. Two streams of a run
// together stay below what one answer may hold.
const Bound = 20_000

// head is how much of a longer stream's beginning is kept; the rest of Bound
// is its end, where a build says what went wrong.
const head = 4_000

// Output is a captured stream.
type Output struct {
	Text string // valid UTF-8; where bytes are left out, a line says how many
	Cut  int64  // bytes left out
}

// capture keeps a stream's beginning and end.
type capture struct {
	r    *os.File
	done chan struct{}

	mu    sync.Mutex
	first []byte
	ring  []byte
	next  int // where in ring the next byte goes, once it is full
	total int64
}

// pipe makes *to write into the capture. The caller calls the function it
// gives once the program has started: then the program's are the only ends left.
func (c *capture) pipe(to *io.Writer) (func(), error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c.r, c.done = r, make(chan struct{})
	*to = w // a file goes to the program itself: nothing here waits for a copy
	go func() {
		defer close(c.done)
		buf := make([]byte, 32<<10)
		for {
			n, err := r.Read(buf)
			c.add(buf[:n])
			if err != nil {
				return
			}
		}
	}()
	return func() { w.Close() }, nil
}

func (c *capture) add(b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total += int64(len(b))
	if room := Bound - len(c.first); room > 0 {
		n := min(room, len(b))
		c.first = append(c.first, b[:n]...)
		b = b[n:]
	}
	const size = Bound - head
	if len(b) > size {
		b = b[len(b)-size:]
		c.ring, c.next = c.ring[:0], 0
	}
	for len(b) > 0 {
		if len(c.ring) < size {
			n := min(size-len(c.ring), len(b))
			c.ring = append(c.ring, b[:n]...)
			b = b[n:]
			continue
		}
		n := copy(c.ring[c.next:], b)
		c.next = (c.next + n) % size
		b = b[n:]
	}
}

func (c *capture) written() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total
}

// finish gives what was captured. The program is gone by now; only something
// that escaped its end could still hold the stream open, and is not waited for.
func (c *capture) finish(wait time.Duration) Output {
	if c.r == nil {
		return Output{}
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-c.done:
	case <-timer.C:
	}
	c.r.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.output()
}

func (c *capture) output() Output {
	if c.total <= Bound {
		return Output{Text: valid(c.first)}
	}
	// The end is the last Bound-head bytes: of the ring, and of what lies in
	// first beyond the head when the ring is not full yet.
	end := append(append([]byte(nil), c.ring[c.next:]...), c.ring[:c.next]...)
	if missing := Bound - head - len(end); missing > 0 {
		end = append(append([]byte(nil), c.first[Bound-missing:]...), end...)
	}
	begin := trimEnd(c.first[:head])
	end = trimStart(end)
	cut := c.total - int64(len(begin)) - int64(len(end))
	return Output{Text: fmt.Sprintf("%s\n[%d bytes left out here]\n%s", strings.TrimSuffix(valid(begin), "\n"), cut, valid(end)), Cut: cut}
}

func valid(b []byte) string { return strings.ToValidUTF8(string(b), "\ufffd") }

// trimEnd drops a character that was cut in two.
func trimEnd(b []byte) []byte {
	for i := 1; i <= utf8.UTFMax && i <= len(b); i++ {
		if utf8.RuneStart(b[len(b)-i]) {
			if !utf8.FullRune(b[len(b)-i:]) {
				return b[:len(b)-i]
			}
			break
		}
	}
	return b
}

// trimStart drops what is left of a character that was cut in two.
func trimStart(b []byte) []byte {
	for i := 0; i < utf8.UTFMax-1 && i < len(b); i++ {
		if utf8.RuneStart(b[i]) {
			return b[i:]
		}
	}
	return b
}
