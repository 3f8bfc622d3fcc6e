package mcp

import (
	"runtime"
	"runtime/debug"
	"sync"

	"fettler/fettle/internal/verb"
)

// pace keeps the scheduler to one processor while one small read after another
// is asked for. With more, every message wakes threads that look for work, find
// none and take the other processor from the client: half of what a small read
// costs. Two calls at once, or one that works side by side itself, get them all.
// It also has little memory collected soon meanwhile, since a page that was
// touched before is a fraction of a fresh one; larger calls collect less often.
type pace struct {
	mu      sync.Mutex
	all     int // processors there are to use
	wide    bool
	running int
	quiet   int // calls alone since there were two
	use     func(processors int, wide bool)
}

// quietFor is how many calls alone make it narrow again: changing it stops
// everything for a moment.
const quietFor = 8

func newPace() *pace {
	return &pace{all: runtime.GOMAXPROCS(0), wide: true, quiet: quietFor, use: apply}
}

// A small read leaves some 60 KB behind and holds less than 1 MB, so that 2 MB
// are used over and over. Other calls are collected half as often as is usual.
const (
	soon = 50 // percent
	late = 200
)

// apply has the scheduler use n processors, which may be all there are.
func apply(n int, wide bool) {
	runtime.GOMAXPROCS(n)
	percent := soon
	if wide {
		percent = late
	}
	debug.SetGCPercent(percent)
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
		p.use(n, wide)
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
