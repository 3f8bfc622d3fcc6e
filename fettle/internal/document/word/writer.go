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
	held  int      // bytes of notes and boxes
}

// maxBeside bounds the notes and text boxes of one paragraph or row.
const maxBeside = 4 << 20

// beside counts what goes with a paragraph; false is too much.
func (p *para) beside(n int) bool {
	if p.held+n > maxBeside {
		return false
	}
	p.held += n
	return true
}

// leftBeside says that there was too much.
func (d *doc) leftBeside() error {
	return d.note(fmt.Sprintf("notes and text boxes of one paragraph or row past %d MB were left out", maxBeside>>20))
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
	text []byte
	rows bool // the last was a row of a table inside
	side para // notes that follow the row or note this becomes
	cut  bool
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
	for _, n := range p.notes {
		if w.side.beside(len(n) + 32) {
			w.side.notes = append(w.side.notes, n)
		} else {
			w.cut = true
		}
	}
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
}

func (w *boxWriter) para(p *para) error {
	if p.empty() {
		return nil
	}
	if !w.host.beside(len(p.text) + p.held + 256) {
		return w.leftBeside()
	}
	q := *p
	q.level = 0
	w.host.boxes = append(w.host.boxes, q)
	return nil
}
