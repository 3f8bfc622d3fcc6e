package match

import (
	"bytes"
	"regexp/syntax"
	"sync"
)

// program is what the fast path runs: automata of bytes, and factors.
type program struct {
	back    *nfa // held against lines that are candidates, from their end
	re      *syntax.Regexp
	factors []factor
	odd     []string
	once    sync.Once
	forward *nfa // over whole buffers; made when it is needed
}

// compileProgram gives nil when the automaton would be too large.
func compileProgram(expr string) *program {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil
	}
	re = re.Simplify()
	p := &program{re: re, back: compileNFA(re, true)}
	if p.back == nil {
		return nil
	}
	p.factors, p.odd = factorsOf(re)
	return p
}

func (p *program) forwards() *nfa {
	p.once.Do(func() { p.forward = compileNFA(p.re, false) })
	return p.forward
}

// runner is a program with the memory of one goroutine.
type runner struct {
	p      *program
	finder finder // nil without factors
	back   *dfa
	ahead  *dfa // made when it is needed

	noAhead bool // it is too large, or gave up

	// Of the buffer at hand.
	wrong int  // candidates that did not match
	whole bool // the buffer is gone through byte by byte
}

func newRunner(p *program) *runner {
	r := &runner{p: p, back: newDFA(p.back)}
	if p.factors != nil {
		r.finder = newFinder(p.factors, p.odd)
	}
	return r
}

// start begins a buffer.
func (r *runner) start() {
	if a, ok := r.finder.(*alongside); ok {
		a.start()
	}
	r.wrong, r.whole = 0, r.finder == nil
}

// tooMany is after how many wrong candidates the finder is set aside for the
// buffer, when they stand close together.
const (
	tooMany  = 64
	tooClose = 128 // bytes
	// maxStates is how large the automaton may grow that is used instead.
	maxStates = 1000
)

// next finds the next matching line.
func (r *runner) next(s *Searcher, from int) (Hit, bool) {
	buf, begun := s.buf, from
	for from < len(buf) && !s.timedOut {
		c := r.candidate(buf, from)
		if c < 0 {
			break
		}
		start := from
		if i := bytes.LastIndexByte(buf[from:c], '\n'); i >= 0 {
			start = from + i + 1
		}
		end, next := lineEnd(buf, start)
		line := buf[start:end]
		if at := r.lineAt(s, line); at >= 0 {
			return Hit{Start: start, End: end, At: start + at}, true
		}
		if bytes.IndexByte(line, '\r') >= 0 {
			return Hit{Start: start, End: end, At: start, Break: true}, true
		}
		if r.wrong++; r.wrong > tooMany && (next-begun)/r.wrong < tooClose {
			r.whole = true
		}
		from = next
	}
	return Hit{}, false
}

// candidate gives a byte of the next line that may match, or -1.
func (r *runner) candidate(buf []byte, from int) int {
	if r.whole && !r.noAhead {
		if r.ahead == nil {
			if n := r.p.forwards(); n != nil {
				r.ahead = newDFA(n)
			}
		}
		if r.ahead != nil {
			c := r.ahead.first(buf, from)
			if r.finder != nil && len(r.ahead.states) > maxStates {
				r.noAhead = true // wrong candidates are cheaper than so many states
			}
			if !r.ahead.gaveUp {
				return c
			}
		}
		r.noAhead = true
	}
	if r.finder != nil {
		return r.finder.find(buf, from)
	}
	return from // every line
}

// lineAt is where the first match in a line begins, or -1.
func (r *runner) lineAt(s *Searcher, line []byte) int {
	if r.back.gaveUp {
		return s.linearAt(line)
	}
	at, sure := r.back.begins(line)
	// With Word the automaton's match begins with what stands before the word;
	// and it says too much of characters that are not ASCII.
	if !sure || at >= 0 && (s.m.group > 0 || r.p.back.approx && !isASCII(line)) {
		return s.linearAt(line)
	}
	return at
}

func isASCII(b []byte) bool {
	for len(b) >= 8 {
		if (uint64(b[0])|uint64(b[1])<<8|uint64(b[2])<<16|uint64(b[3])<<24|uint64(b[4])<<32|uint64(b[5])<<40|uint64(b[6])<<48|uint64(b[7])<<56)&highs != 0 {
			return false
		}
		b = b[8:]
	}
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}
