package notebook

import (
	"fmt"
	"strconv"
	"strings"
)

// cell is one cell while it is read. Its keys come in any order, outputs
// before the source as a rule.
type cell struct {
	in      *scanner
	number  int
	kind    string
	level   int
	source  excerpt
	outputs []string
	held    int // bytes of outputs
	dropped int
}

// excerpt keeps the beginning of a text and measures the rest.
type excerpt struct {
	bytes, lines int // bounds, 0 for none on lines
	buf          []byte
	shown        int // lines kept
	left         int // bytes left out
	leftLines    int
}

func (e *excerpt) Write(p []byte) (int, error) {
	for _, c := range p {
		if e.left > 0 || len(e.buf) >= e.bytes || e.lines > 0 && e.shown >= e.lines {
			e.left++
			if c == '\n' {
				e.leftLines++
			}
			continue
		}
		e.buf = append(e.buf, c)
		if c == '\n' {
			e.shown++
		}
	}
	return len(p), nil
}

func (e *excerpt) String() string { return strings.ToValidUTF8(string(e.buf), "\ufffd") }

func (c *cell) key(key string) error {
	switch key {
	case "cell_type":
		return c.in.short(&c.kind)
	case "source", "input": // nbformat 3 says input
		return c.in.text(&c.source)
	case "level":
		n, err := c.in.number()
		c.level = n
		return err
	case "outputs":
		if kind, err := c.in.peek(); err != nil || kind != '[' {
			return orSkip(c.in, err)
		}
		return c.in.array(c.output)
	case "attachments":
		return c.attachments()
	}
	return c.in.skip()
}

func (c *cell) add(text string) {
	if text == "" {
		return
	}
	if c.held += len(text); c.held > maxOutputs {
		c.dropped++
		return
	}
	c.outputs = append(c.outputs, text)
}

// attachments are a Markdown cell's pictures.
func (c *cell) attachments() error {
	if kind, err := c.in.peek(); err != nil || kind != '{' {
		return orSkip(c.in, err)
	}
	return c.in.object(func(name string) error {
		if kind, err := c.in.peek(); err != nil || kind != '{' {
			return orSkip(c.in, err)
		}
		return c.in.object(func(mime string) error {
			size, err := c.in.measure()
			c.add(fmt.Sprintf("[attachment %s, %s: %s]", clip(name), clip(mime), size))
			return err
		})
	})
}

func clip(s string) string {
	s = strings.Join(strings.Fields(clean(s)), " ")
	if len(s) > 100 {
		s = strings.ToValidUTF8(s[:100], "") + "..."
	}
	return s
}

// output is one output while it is read.
type output struct {
	kind, stream string
	ename        string
	evalue       excerpt
	traceback    excerpt
	rank         int // of the text kept, lower is better; 0 none
	text         excerpt
	others       []string // what was measured
}

// ranks orders the kinds of text an output may hold beside each other.
var ranks = map[string]int{"text/plain": 1, "text/markdown": 2, "text/latex": 3, "text/html": 4, "application/javascript": 5, "text/csv": 5}

// old is how nbformat 3 names what nbformat 4 calls by its media type.
var old = map[string]string{
	"text": "text/plain", "html": "text/html", "latex": "text/latex", "javascript": "application/javascript",
	"png": "image/png", "jpeg": "image/jpeg", "svg": "image/svg+xml", "pdf": "application/pdf", "json": "application/json",
}

func newExcerpt() excerpt { return excerpt{bytes: maxOutputBytes, lines: maxOutputLines} }

// output reads the output that is next and keeps its text.
func (c *cell) output() error {
	if kind, err := c.in.peek(); err != nil || kind != '{' {
		return orSkip(c.in, err)
	}
	o := &output{evalue: newExcerpt(), traceback: newExcerpt()}
	err := c.in.object(func(key string) error {
		switch key {
		case "output_type":
			return c.in.short(&o.kind)
		case "name", "stream":
			return c.in.short(&o.stream)
		case "ename":
			return c.in.short(&o.ename)
		case "evalue":
			return c.in.text(&o.evalue)
		case "traceback":
			return c.in.lines(&o.traceback)
		case "data":
			if kind, err := c.in.peek(); err != nil || kind != '{' {
				return orSkip(c.in, err)
			}
			return c.in.object(func(mime string) error { return o.data(c.in, mime) })
		}
		if mime, ok := old[key]; ok {
			return o.data(c.in, mime)
		}
		return c.in.skip()
	})
	c.add(o.render())
	return err
}

// data takes one of the forms an output has: the best text is kept, what is
// no text is measured.
func (o *output) data(in *scanner, mime string) error {
	rank := ranks[mime]
	kind, err := in.peek()
	if err != nil {
		return err
	}
	if rank == 0 || kind != '"' && kind != '[' {
		size, err := in.measure()
		if len(o.others) < 64 {
			o.others = append(o.others, fmt.Sprintf("[%s: %s, not shown]", clip(mime), size))
		}
		return err
	}
	if o.rank != 0 && o.rank <= rank {
		return in.skip()
	}
	o.rank, o.text = rank, newExcerpt()
	return in.text(&o.text)
}

func (o *output) render() string {
	var b strings.Builder
	head := "output:"
	switch {
	case o.stream == "stderr":
		head = "output (stderr):"
	case o.kind == "error" || o.kind == "pyerr":
		head = "error:"
	}
	b.WriteString(head + "\n")
	at := b.Len()
	if len(o.traceback.buf) > 0 {
		o.traceback.render(&b)
	} else if o.ename != "" || len(o.evalue.buf) > 0 {
		b.WriteString(o.ename + ": ")
		o.evalue.render(&b)
	}
	if o.rank != 0 {
		o.text.render(&b)
	}
	for _, other := range o.others {
		b.WriteString(other + "\n")
	}
	if b.Len() == at {
		return ""
	}
	return b.String()
}

// render writes an excerpt as a terminal would have left it, and what was
// left out.
func (e *excerpt) render(b *strings.Builder) {
	text := strings.TrimRight(plain(e.String()), "\n")
	for l := range strings.SplitSeq(text, "\n") {
		l = strings.TrimSuffix(l, "\r")
		if at := strings.LastIndexByte(l, '\r'); at >= 0 {
			l = l[at+1:] // a progress bar wrote over itself
		}
		if len(l) > maxOutputLine {
			l = strings.ToValidUTF8(l[:maxOutputLine], "") + " [" + strconv.Itoa(len(l)-maxOutputLine) + " more bytes left out]"
		}
		b.WriteString(l + "\n")
	}
	if e.left > 0 {
		fmt.Fprintf(b, "[%d more lines, %d bytes of output left out]\n", e.leftLines, e.left)
	}
}

// plain takes terminal escapes out of a text.
func plain(s string) string {
	if strings.IndexByte(s, 0x1b) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != 0x1b {
			b.WriteByte(s[i])
			continue
		}
		if i+1 == len(s) {
			break
		}
		i++
		switch s[i] {
		case '[': // a control sequence, to its final letter
			for i++; i < len(s) && (s[i] < 0x40 || s[i] > 0x7e) && s[i] >= ' '; i++ {
			}
		case ']': // a command, to its bell or its closing escape
			for i++; i < len(s) && s[i] != 7 && s[i] != '\n' && s[i] != 0x1b; i++ {
			}
			if i < len(s) && s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\' {
				i++
			}
		}
		if i < len(s) && s[i] == '\n' {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
