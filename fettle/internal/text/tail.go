package text

import (
	"context"
	"io"
	"unicode/utf8"
)

// tailBlock is how much Tail reads at once, a multiple of every code unit.
const tailBlock = 64 << 10

// lastLineBytes is how far the beginning of the last line is looked for: as
// many bytes as MaxLineChars characters can take.
const lastLineBytes = 4*MaxLineChars + 4

// Tail is the end of a text: its last lines, read backwards from the end, so
// that neither the length of the file nor of what comes before them matters.
//
// It gives at most lines of them and at most chars characters, endings counted
// as one each; the last line is given whatever its length, but of one longer
// than MaxLineChars only the end, marked Cut. more says that earlier lines
// among those asked for were left off because of chars.
func Tail(ctx context.Context, src io.ReaderAt, size int64, lines, chars int) (got []Line, f Facts, more bool, err error) {
	head := make([]byte, min(size, 4))
	if err := readAt(src, head, 0); err != nil {
		return nil, f, false, err
	}
	enc, mark := Sniff(head)
	f.Encoding = enc
	if (size-int64(mark))%int64(enc.unit()) != 0 {
		return nil, f, false, ErrBinary
	}
	// Eight bytes a character hold an empty UTF-32 line with its \r\n; the
	// last line may be longer and is then searched for further on.
	t := &tail{src: src, enc: enc, start: int64(mark), size: size, pos: size, enough: 8 * int64(chars+1)}
	at, err := t.back(ctx, lines)
	if err != nil {
		return nil, f, false, err
	}
	part := io.NewSectionReader(src, at, size-at)
	sc := &Scanner{ctx: ctx, src: part, raw: make([]byte, first), started: true}
	sc.dec.enc = enc
	if t.inside {
		// at is a place in bytes: the first character may have begun before it.
		var skip int64
		if skip, err = t.align(at); err != nil {
			return nil, f, false, err
		}
		if _, err = part.Seek(skip, io.SeekStart); err != nil {
			return nil, f, false, err
		}
	}
	for {
		l, err := sc.Line(lastLineBytes + tailBlock)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, f, false, err
		}
		got = append(got, l)
	}
	if t.inside && len(got) > 0 {
		got[0].Cut = true
	}
	if f, err = sc.Rest(); err != nil {
		return nil, f, false, err
	}
	got, more = Within(got, chars)
	f.Lines = 0 // of the part, which says nothing about the file
	return got, f, more || at > t.start && len(got) < lines, nil
}

// Within keeps the last lines that fit into so many characters, the last one
// always, and of that the end when it is longer than MaxLineChars.
func Within(lines []Line, chars int) (kept []Line, more bool) {
	if len(lines) == 0 {
		return nil, false
	}
	i := len(lines) - 1
	last := &lines[i]
	if last.Chars > MaxLineChars {
		last.Text, last.Chars, last.Cut = Last(last.Text, MaxLineChars), MaxLineChars, true
	}
	for left := chars - last.Chars; i > 0; i-- {
		left -= lines[i-1].Chars + 1
		if left < 0 {
			return lines[i:], true
		}
	}
	return lines[i:], false
}

// tail walks backwards over code units.
type tail struct {
	src    io.ReaderAt
	enc    Encoding
	start  int64 // after the mark
	size   int64
	pos    int64
	enough int64 // bytes that hold all the characters that can be served
	inside bool  // the place found is inside a line
}

// back finds where the last n lines begin, or a place before which nothing can be served.
func (t *tail) back(ctx context.Context, n int) (int64, error) {
	u := int64(t.enc.unit())
	end := t.pos
	found := 0
	lastBegin := int64(-1) // beginning of the earliest whole line met
	var after rune         // the unit after the one looked at
	buf := make([]byte, tailBlock)
	for t.pos > t.start {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		size := min(int64(len(buf)), t.pos-t.start)
		b := buf[:size]
		if err := readAt(t.src, b, t.pos-size); err != nil {
			return 0, err
		}
		base := t.pos - size
		for i := size - u; i >= 0; i -= u {
			c := t.unit(b[i:])
			next := after
			after = c
			if c != '\n' && (c != '\r' || next == '\n') {
				continue
			}
			at := base + i + u
			if at == end {
				continue // the last line's own ending
			}
			if lastBegin < 0 || at < lastBegin {
				lastBegin = at
			}
			if found++; found == n {
				return at, nil
			}
		}
		t.pos = base
		if lastBegin >= 0 && end-t.pos > t.enough {
			return lastBegin, nil
		}
		if lastBegin < 0 && end-t.pos > lastLineBytes {
			t.inside = t.pos > t.start
			return t.pos, nil
		}
	}
	return t.start, nil
}

func (t *tail) unit(b []byte) rune {
	switch t.enc {
	case UTF16LE, UTF16BE:
		return unit16(b, t.enc)
	case UTF32LE, UTF32BE:
		return rune(unit32(b, t.enc))
	}
	return rune(b[0])
}

// align says how many bytes after at the first whole character begins.
func (t *tail) align(at int64) (int64, error) {
	b := make([]byte, min(8, t.size-at))
	if err := readAt(t.src, b, at); err != nil {
		return 0, err
	}
	switch t.enc {
	case UTF16LE, UTF16BE:
		if len(b) >= 2 {
			if r := unit16(b, t.enc); r >= 0xdc00 && r < 0xe000 {
				return 2, nil
			}
		}
		return 0, nil
	case UTF32LE, UTF32BE:
		return 0, nil
	}
	n := 0
	for n < len(b) && n < 3 && !utf8.RuneStart(b[n]) {
		n++
	}
	return int64(n), nil
}

// readAt fills b from off. A file that became shorter meanwhile is an error.
func readAt(src io.ReaderAt, b []byte, off int64) error {
	n, err := src.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}
