// Package scan turns a file's bytes into hits: line number, column, the line's
// text cut around the match, the lines about it.
//
// Make one Scanner a goroutine and call File for each file, or Lines for a
// document's rendering. A Scanner holds one buffer that it reuses. A line
// longer than it gets one of its own, which is let go with its file, so that
// what a search holds does not depend on how much it reads.
//
// What is text here: bytes that begin with the mark of UTF-16 or UTF-32 are
// decoded, a UTF-8 mark is taken off, and anything else is text unless a NUL is
// in it. So the ASCII parts of a Latin-1 file are found; a byte that is not
// UTF-8 shows as U+FFFD. Lines end at \n, \r\n or \r, as read counts them.
// Columns count characters, from 1.
//
// It opens nothing, orders nothing and knows no paths.
package scan

import (
	"bytes"
	"context"
	"errors"
	"io"

	"fettler/fettle/internal/match"
	"fettler/fettle/internal/text"
)

const (
	bufferSize = 256 << 10
	// maxLine is where a line that does not end is taken to end, so that a
	// file without line breaks cannot take all memory.
	maxLine = 64 << 20
	// maxDecoded bounds a file that has to be decoded whole.
	maxDecoded = 256 << 20
)

// Options say what is wanted of a file.
type Options struct {
	Context int // lines before and after a hit
	// Max is how many hits of a file are kept; the rest are neither kept nor
	// counted, unless All asks for the count.
	Max   int
	All   bool
	After int64 // hits on this line and before it are left out
	// Whole keeps the whole lines that kept hits show, for a screen to judge.
	Whole bool
	// Shown and Held bound the kept hits by what they show, in characters, and
	// by what their whole lines hold, in bytes. One hit more is kept, and two
	// at least. Zero is no bound.
	Shown, Held int
	// Judge, when set, is given the whole line of every hit, kept or not, in batches.
	Judge func(lines []string) error
	// Document, when set, is asked about the head of a file, and whether the
	// first piece of it holds a NUL. True ends the scan: what is in it is not
	// text to be searched as it is.
	Document func(head []byte, binary bool) bool
}

// Hit is a matching line.
type Hit struct {
	Line    int64
	Column  int
	Text    string
	Context []Line
	// Whole, with Options.Whole, is the lines that Text and Context show, from
	// WholeFrom on, but for those that a hit before has.
	Whole     []string
	WholeFrom int64
}

// Line is a line beside a hit.
type Line struct {
	Line int64  `json:"line"`
	Text string `json:"text"`
}

// Result is what a file gave.
type Result struct {
	Hits     []Hit
	Count    int64
	Shown    int  // what Options.Shown bounds
	Held     int  // and Options.Held
	Binary   bool // not text: nothing in it counts
	Late     bool // with Binary: it began like text, so that a scan that ends sooner takes it for one
	Document bool // Options.Document took it
	TooLarge bool // it has to be decoded whole and is too large for that
	TimedOut bool // its patterns' second was spent; what was found stands
}

// Scanner scans one file at a time.
type Scanner struct {
	ctx context.Context
	s   *match.Searcher
	o   Options
	buf []byte // first, or a longer one for a file with a long line
	res Result

	first []byte

	line    int64 // number of the line at counted
	counted int
	pending []string // for Judge
	waiting int      // bytes of pending

	given int64 // the last line that a hit's Whole has
}

// New makes a Scanner for one goroutine. Its calls end with ctx's error once that is done.
func New(ctx context.Context, m *match.Matcher, o Options) *Scanner {
	return &Scanner{ctx: ctx, s: m.Searcher(ctx.Done()), o: o}
}

// Set changes what is wanted, from the next file on.
func (s *Scanner) Set(o Options) { s.o = o }

// File scans what r gives. The error is r's, or what Judge returned.
func (s *Scanner) File(r io.Reader) (Result, error) {
	s.begin()
	s.Buffer()
	return s.end(s.file(r))
}

// end gives the result, of which a file that is no text keeps nothing.
func (s *Scanner) end(err error) (Result, error) {
	if err == nil {
		err = s.judge(true)
	}
	if s.res.Binary || s.res.Document || s.res.TooLarge {
		s.res = Result{Binary: s.res.Binary, Late: s.res.Late, Document: s.res.Document, TooLarge: s.res.TooLarge}
	}
	return s.res, err
}

// Buffer is what a caller may read a small file into for Bytes.
func (s *Scanner) Buffer() []byte {
	if s.first == nil {
		s.first = make([]byte, bufferSize)
	}
	s.buf = s.first
	return s.buf
}

// BufferSize is how long a file Buffer holds.
const BufferSize = bufferSize - 1

// Bytes scans a whole file, which it may write to.
func (s *Scanner) Bytes(data []byte) (Result, error) {
	s.begin()
	err := s.whole(data)
	return s.end(err)
}

func (s *Scanner) whole(data []byte) error {
	binary := bytes.IndexByte(data, 0) >= 0
	mark, done, err := s.head(data, binary, nil)
	if done || err != nil {
		return err
	}
	return s.piece(data[mark:], 0, len(data)-mark, true)
}

// head looks at a file's beginning. It gives how long its mark is, or says that
// the file is done with: rest is what follows data, for a file that has to be
// decoded.
func (s *Scanner) head(data []byte, binary bool, rest io.Reader) (mark int, done bool, err error) {
	if s.o.Document != nil && s.o.Document(data, binary) {
		s.res.Document = true
		return 0, true, nil
	}
	enc, mark := text.Sniff(data)
	if enc != text.UTF8 && enc != text.UTF8BOM {
		var r io.Reader = bytes.NewReader(bytes.Clone(data))
		if rest != nil {
			r = io.MultiReader(r, rest)
		}
		return 0, true, s.decoded(r)
	}
	if binary {
		s.res.Binary = true
		return 0, true, nil
	}
	return mark, false, nil
}

func (s *Scanner) begin() {
	s.res = Result{}
	s.line, s.counted = 1, 0
	s.pending, s.waiting = s.pending[:0], 0
	s.given = 0
	s.s.Begin()
}

func (s *Scanner) file(r io.Reader) error {
	first := true
	n, from := 0, 0 // bytes held; where searching goes on
	for {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		m, err := fill(r, s.buf[n:])
		n += m
		end := errors.Is(err, io.EOF)
		if err != nil && !end {
			return err
		}
		data := s.buf[:n]
		binary := bytes.IndexByte(data[n-m:], 0) >= 0
		if first {
			first = false
			mark, done, err := s.head(data, binary, r)
			if done || err != nil {
				return err
			}
			n = copy(s.buf, data[mark:])
			data = s.buf[:n]
		}
		if binary {
			s.res.Binary, s.res.Late = true, true
			return nil
		}
		stop := n
		if !end {
			stop = s.stop(data, from)
			if stop <= from && n < maxLine {
				s.grow(n)
				continue
			}
			if stop <= from {
				stop = n
			}
		}
		if err := s.piece(data, from, stop, end); err != nil || end {
			return err
		}
		keep := s.before(data, stop)
		s.count(data, keep)
		copy(s.buf, data[keep:])
		n, from, s.counted = n-keep, stop-keep, 0
		if n == len(s.buf) {
			s.grow(n)
		}
	}
}

func (s *Scanner) grow(n int) {
	bigger := make([]byte, 2*len(s.buf))
	copy(bigger, s.buf[:n])
	s.buf = bigger
}

// fill reads until buf is full or the end, which it reports as io.EOF.
func fill(r io.Reader, buf []byte) (n int, err error) {
	for n < len(buf) && err == nil {
		var m int
		m, err = r.Read(buf[n:])
		n += m
	}
	return n, err
}

// stop is how far data can be searched when more follows: the end of the last
// line behind which as many lines are held as a hit shows.
func (s *Scanner) stop(data []byte, from int) int {
	if n := len(data); n > 0 && data[n-1] == '\r' {
		data = data[:n-1] // its \n may be still to come
	}
	end := bytes.LastIndexByte(data, '\n') + 1
	if end == 0 {
		end = bytes.LastIndexByte(data, '\r') + 1
	}
	for range s.o.Context {
		if end <= from {
			return from
		}
		end = lineStart(data, end-1)
	}
	return end
}

// before is where the lines begin that a hit at the line at may show.
func (s *Scanner) before(data []byte, at int) int {
	for range s.o.Context {
		if at == 0 {
			break
		}
		at = lineStart(data, at-1)
	}
	return at
}

// lineStart is where the line holding the byte at begins, at being its ending or a byte of it.
func lineStart(data []byte, at int) int { return bytes.LastIndexByte(data[:at], '\n') + 1 }

// piece searches data from from to stop. Lines about a hit are taken from all of data.
func (s *Scanner) piece(data []byte, from, stop int, last bool) error {
	// A lone \r ends a line too. It is looked for where it matters: before
	// lines are counted, which a file without a hit in one piece never needs.
	rewritten := !last
	if rewritten {
		loneBreaks(data, false)
	}
	s.s.Start(data[:stop])
	for at := from; at < stop; {
		h, ok := s.s.Next(at)
		if s.s.TimedOut() {
			if err := s.ctx.Err(); err != nil {
				return err
			}
			s.res.TimedOut = true
		}
		if !ok {
			return nil
		}
		if !rewritten {
			rewritten = true
			if loneBreaks(data, true) {
				s.s.Start(data[:stop])
				continue
			}
		}
		if !h.Break && s.take(data, h) {
			return nil
		}
		if len(s.pending) >= 256 || s.waiting > bufferSize {
			if err := s.judge(false); err != nil {
				return err
			}
		}
		at = nextLine(data[:stop], h.End)
	}
	return nil
}

// nextLine is where the line after the one that ends at end begins.
func nextLine(data []byte, end int) int {
	if i := bytes.IndexByte(data[end:], '\n'); i >= 0 {
		return end + i + 1
	}
	return len(data)
}

// loneBreaks makes \n of each \r that ends a line by itself, and reports
// whether there was one. Unless data is the last piece, a \r at its end may
// have its \n still to come.
func loneBreaks(data []byte, last bool) bool {
	found := false
	for at := 0; ; {
		i := bytes.IndexByte(data[at:], '\r')
		if i < 0 {
			return found
		}
		at += i + 1
		if at == len(data) && last || at < len(data) && data[at] != '\n' {
			data[at-1] = '\n'
			found = true
		}
	}
}

// judge hands over the lines that wait for it.
func (s *Scanner) judge(last bool) error {
	if s.o.Judge == nil || len(s.pending) == 0 || last && (s.res.Binary || s.res.Document) {
		return nil
	}
	err := s.o.Judge(s.pending)
	s.pending, s.waiting = s.pending[:0], 0
	return err
}

// decoded scans a file of UTF-16 or UTF-32.
func (s *Scanner) decoded(r io.Reader) error {
	raw, err := io.ReadAll(io.LimitReader(r, maxDecoded+1))
	if err != nil {
		return err
	}
	if len(raw) > maxDecoded {
		s.res.TooLarge = true
		return nil
	}
	c, err := text.Decode(raw)
	if errors.Is(err, text.ErrBinary) {
		s.res.Binary = true
		return nil
	}
	if err != nil {
		return err
	}
	data := []byte(c.Text)
	return s.piece(data, 0, len(data), true)
}

// Lines scans a document's rendering.
func (s *Scanner) Lines(lines []string) (Result, error) {
	s.begin()
	n := 0
	for _, l := range lines {
		n += len(l) + 1
	}
	data := make([]byte, 0, n)
	for _, l := range lines {
		at := len(data)
		data = append(data, l...)
		for i := at; i < len(data); i++ { // a rendering's line is a line
			if data[i] == '\n' || data[i] == '\r' {
				data[i] = ' '
			}
		}
		data = append(data, '\n')
	}
	if err := s.piece(data, 0, len(data), true); err != nil {
		return s.res, err
	}
	return s.res, s.judge(true)
}
