package mcp

import (
	"runtime"
	"sync"

	"fettler/fettle/internal/verb"
)

// pace keeps the scheduler to one processor while one small read after another
// is asked for. With more, every message wakes threads that look for work, find
// none and take the other processor from the client: half of what a small read
// costs. Two calls at once, or one that works side by side itself, get them all.
type pace struct {
	mu      sync.Mutex
	all     int // processors there are to use
	wide    bool
	running int
	quiet   int // calls alone since there were two
	use     func(processors int)
}

// quietFor is how many calls alone make it narrow again: changing it stops
// everything for a moment.
const quietFor = 8

func newPace() *pace {
	return &pace{all: runtime.GOMAXPROCS(0), wide: true, quiet: quietFor, use: func(n int) { runtime.GOMAXPROCS(n) }}
}

// begin is called before a call runs.
func (p *pace) begin(v *verb.Verb) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running++
	if p.running > 1 || !small(v) {
		p.quiet = 0
	}
	p.set()
}

// end is called when it has run.
func (p *pace) end() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running--
	p.quiet++
}

func (p *pace) set() {
	if wide := p.quiet < quietFor; wide != p.wide {
		p.wide = wide
		n := 1
		if wide {
			n = p.all
		}
		p.use(n)
	}
}

// small reports a verb whose work is one file's or none.
func small(v *verb.Verb) bool {
	switch v.Name {
	case "read", "roots", "tasks":
		return true
	}
	return false
}
