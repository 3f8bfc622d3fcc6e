package word

import (
	"fmt"
	"strings"
)

// para is a paragraph or a table row on its way out.
type para struct {
	text  []byte
	level int // of a heading, from 1; 0 is none
	row   bool
	notes []string // lines that follow it
	boxes []para   // text boxes anchored in it
}

func (p *para) empty() bool {
	return len(strings.TrimSpace(string(p.text))) == 0 && len(p.notes) == 0 && len(p.boxes) == 0
}

// writer takes the paragraphs of a story.
type writer interface {
	para(p *para) error
}

// bodyWriter makes lines of paragraphs, and landmarks of headings.
type bodyWriter struct{ *doc }

func (w bodyWriter) para(p *para) error {
	text := strings.TrimRight(string(p.text), " \t\n")
	if text != "" {
		if p.level > 0 {
			if cite := oneLine(text); cite != "" {
				if err := w.out.Mark("heading " + cite); err != nil {
					return err
				}
			}
		}
		for part := range strings.SplitSeq(text, "\n") {
			if err := w.line(part); err != nil {
				return err
			}
		}
	}
	for i := range p.boxes {
		if err := w.para(&p.boxes[i]); err != nil {
			return err
		}
	}
	for _, n := range p.notes {
		if err := w.line(n); err != nil {
			return err
		}
	}
	return nil
}

// sectionWriter is a header or footer: it gets its landmark with the first
// line, so that an empty one leaves no trace.
type sectionWriter struct {
	*doc
	cite  string
	begun bool
}

func (w *sectionWriter) para(p *para) error {
	if p.empty() {
		return nil
	}
	if !w.begun {
		w.begun = true
		if err := w.out.Mark(w.cite); err != nil {
			return err
		}
		if err := w.line("[" + w.cite + "]"); err != nil {
			return err
		}
	}
	p.level = 0
	return bodyWriter{w.doc}.para(p)
}

// flatWriter makes one run of text of paragraphs: a table cell, a note.
type flatWriter struct {
	text  []byte
	rows  bool // the last was a row of a table inside
	notes []string
	cut   bool
}

func (w *flatWriter) para(p *para) error {
	if text := flat(p.text); len(text) > 0 && !w.cut {
		if len(w.text) > 0 {
			if p.row || w.rows {
				w.text = append(w.text, " /"...)
			}
			w.text = append(w.text, ' ')
		}
		if room := maxLine - len(w.text); len(text) > room {
			text, w.cut = text[:max(room, 0)], true
		}
		w.text = append(w.text, text...)
		w.rows = p.row
	}
	for i := range p.boxes {
		if err := w.para(&p.boxes[i]); err != nil {
			return err
		}
	}
	w.notes = append(w.notes, p.notes...)
	return nil
}

// flat puts text on one line, with blanks for its tabs and line ends.
func flat(text []byte) []byte {
	text = []byte(strings.TrimSpace(string(text)))
	for i, c := range text {
		if c == '\t' || c == '\n' {
			text[i] = ' '
		}
	}
	return text
}

// boxWriter keeps the paragraphs of a text box for the paragraph it is
// anchored in.
type boxWriter struct {
	*doc
	host *para
	size int
}

func (w *boxWriter) para(p *para) error {
	if p.empty() {
		return nil
	}
	w.size += len(p.text) + 64
	if w.size > maxLine {
		return w.note(fmt.Sprintf("text of a text box past %d KB was left out", maxLine>>10))
	}
	q := *p
	q.level = 0
	w.host.boxes = append(w.host.boxes, q)
	return nil
}
