package text

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// MaxLineChars is how much of one line is ever served.
const MaxLineChars = 400_000

// chunk is how much is read and decoded at once, after a first piece that is
// all of most files.
const (
	chunk = 256 << 10
	first = 16 << 10
	// maxShared bounds the window whose lines share a string, in bytes.
	maxShared = 2 * first
)

// Line is one line, without its ending.
type Line struct {
	Text  string
	Chars int
	Cut   bool // the line goes on in the file
}

// Facts is what there is to say about a text once it was read to its end.
type Facts struct {
	Encoding     Encoding
	Ending       Ending
	Mixed        bool
	FinalNewline bool
	Lines        int64
}

// Scanner gives the lines of a text of any size in constant memory. It checks
// all it passes over, so ErrBinary may come as late as the end of the file.
type Scanner struct {
	ctx     context.Context
	src     io.Reader
	dec     decoder
	raw     []byte
	win     []byte // decoded and not yet taken: win[pos:]
	own     []byte // what win lies in unless it is part of raw
	str     string // win as a string once a line was taken from it, so that lines share it
	pos     int
	lf, cr  int // where the next ones are in win, from pos on; len(win) when there is none
	eof     bool
	n       endings
	lines   int64 // lines taken whole
	open    bool  // part of a line was taken
	started bool
	err     error
}

// NewScanner reads src from its beginning, byte-order mark and all.
func NewScanner(ctx context.Context, src io.Reader) *Scanner {
	return NewScannerFor(ctx, src, first)
}

// NewScannerFor is NewScanner for a src that should be size bytes long. It may
// be longer or shorter.
func NewScannerFor(ctx context.Context, src io.Reader, size int64) *Scanner {
	piece := int64(first)
	if size > 0 && size < first {
		piece = max(size+1, 4) // so that its end is seen, and a whole mark
	}
	return &Scanner{ctx: ctx, src: src, raw: make([]byte, piece)}
}

// Encoding sniffs the mark; it may be asked before the first line.
func (s *Scanner) Encoding() (Encoding, error) {
	if !s.started {
		s.fill()
	}
	return s.dec.enc, s.err
}

// fill replaces a window that is used up. After it, win is empty only at the end or on an error.
func (s *Scanner) fill() {
	s.win, s.str, s.pos, s.lf, s.cr = nil, "", 0, -1, -1
	for len(s.win) == 0 && !s.eof && s.err == nil {
		if s.err = s.ctx.Err(); s.err != nil {
			return
		}
		n, err := io.ReadFull(s.src, s.raw)
		b := s.raw[:n]
		if n == len(s.raw) && n < chunk {
			s.raw = make([]byte, chunk)
		}
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			s.eof = true
		case err != nil:
			s.err = err
			return
		}
		if !s.started {
			s.started = true
			var mark int
			s.dec.enc, mark = Sniff(b)
			b = b[mark:]
		}
		var seen bool
		if s.win, seen, s.err = s.dec.view(b); !seen {
			s.win, s.err = s.dec.append(s.own[:0], b)
			s.own = s.win
		}
		if s.err == nil && s.eof {
			s.err = s.dec.finish()
		}
		if s.err == nil && bytes.IndexByte(s.win, 0) >= 0 {
			s.err = ErrBinary
		}
		if s.err != nil {
			s.win = s.win[:0]
		}
	}
	s.find()
}

// find brings lf and cr up to pos.
func (s *Scanner) find() {
	if s.lf < s.pos {
		s.lf = indexFrom(s.win, s.pos, '\n')
	}
	if s.cr < s.pos {
		s.cr = indexFrom(s.win, s.pos, '\r')
	}
}

func indexFrom(b []byte, from int, c byte) int {
	if i := bytes.IndexByte(b[from:], c); i >= 0 {
		return from + i
	}
	return len(b)
}

// segment takes what the window has of the current line, and the line's ending
// with it when it is there. At the end it gives io.EOF.
func (s *Scanner) segment() (seg []byte, ended bool, err error) {
	if s.pos == len(s.win) {
		s.fill()
		if s.err != nil {
			return nil, false, s.err
		}
		if len(s.win) == 0 {
			if s.open {
				s.open = false
				s.lines++
				return nil, true, nil
			}
			return nil, false, io.EOF
		}
	}
	s.find()
	end := min(s.lf, s.cr)
	seg = s.win[s.pos:end]
	if end == len(s.win) {
		s.pos, s.open = end, true
		return seg, false, nil
	}
	s.lines++
	s.open = false
	s.pos = end + 1
	switch {
	case end == s.lf:
		s.n.lf++
	case s.pos < len(s.win):
		if s.win[s.pos] == '\n' {
			s.pos++
			s.n.crlf++
		} else {
			s.n.cr++
		}
	default:
		// The window ends in \r. seg would be lost with the window.
		seg = bytes.Clone(seg)
		s.fill()
		if s.err != nil {
			return nil, false, s.err
		}
		if len(s.win) > 0 && s.win[0] == '\n' {
			s.pos = 1
			s.n.crlf++
		} else {
			s.n.cr++
		}
	}
	return seg, true, nil
}

// Line takes the next line, at most max characters of it, or io.EOF.
func (s *Scanner) Line(max int) (Line, error) {
	if l, ok := s.short(max); ok {
		return l, nil
	}
	var held []byte
	for {
		seg, ended, err := s.segment()
		if err != nil {
			return Line{}, err
		}
		if ended && held == nil && len(seg) <= max {
			text := string(seg)
			return Line{Text: text, Chars: utf8.RuneCountInString(text)}, nil
		}
		// A character is at most four bytes, so this many decide the cut.
		if room := 4*(max+1) - len(held); room > 0 {
			held = append(held, seg[:min(room, len(seg))]...)
		}
		if ended {
			return cutLine(held, max), nil
		}
	}
}

// short takes a line that lies in a small window with its ending. Its text is
// part of one string for the whole window: what keeps a line keeps no more than
// maxShared bytes beside it.
func (s *Scanner) short(max int) (Line, bool) {
	if s.open || s.pos == len(s.win) || len(s.win) > maxShared {
		return Line{}, false
	}
	s.find()
	if s.lf > s.cr || s.lf == len(s.win) || s.lf-s.pos > max {
		return Line{}, false
	}
	if s.str == "" {
		s.str = string(s.win)
	}
	text := s.str[s.pos:s.lf]
	s.pos = s.lf + 1
	s.lines++
	s.n.lf++
	return Line{Text: text, Chars: utf8.RuneCountInString(text)}, true
}

func cutLine(held []byte, max int) Line {
	whole := string(held)
	text := Head(whole, max)
	// held may end inside a character, which is beyond max then and cut away.
	return Line{Text: text, Chars: utf8.RuneCountInString(text), Cut: len(text) < len(whole)}
}

// Skip passes over n lines and says how many there were.
func (s *Scanner) Skip(n int64) (int64, error) {
	target := s.lines + n
	if target < n { // n is the most there can be
		target = math.MaxInt64
	}
	from := s.lines
	for s.lines < target {
		// A window that has only \n endings, all of them wanted, is counted at once.
		if s.pos < len(s.win) && s.cr == len(s.win) {
			if k := int64(bytes.Count(s.win[s.pos:], []byte{'\n'})); s.lines+k < target {
				s.lines += k
				s.n.lf += k
				s.open = s.win[len(s.win)-1] != '\n'
				s.pos = len(s.win)
				continue
			}
		}
		if _, _, err := s.segment(); err == io.EOF {
			break
		} else if err != nil {
			return s.lines - from, err
		}
	}
	return s.lines - from, nil
}

// Rest passes over what is left and gives the facts about the whole text.
func (s *Scanner) Rest() (Facts, error) {
	if _, err := s.Skip(math.MaxInt64); err != nil {
		return Facts{}, err
	}
	f := Facts{Encoding: s.dec.enc, Lines: s.lines}
	f.Ending, f.Mixed = s.n.dominant()
	f.FinalNewline = s.lines > 0 && s.lines == s.n.lf+s.n.crlf+s.n.cr
	return f, nil
}

// Seen gives the facts about what was passed over so far. Encoding, Ending and
// Mixed are right for that part; FinalNewline is not known.
func (s *Scanner) Seen() Facts {
	f := Facts{Encoding: s.dec.enc, Lines: s.lines}
	f.Ending, f.Mixed = s.n.dominant()
	return f
}

// Join puts lines together the way answers carry them.
func Join(lines []Line) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(l.Text)
	}
	return b.String()
}
