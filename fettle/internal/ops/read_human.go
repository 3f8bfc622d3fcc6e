package ops

import (
	"fmt"
	"io"
	"strings"

	"fettler/fettle/internal/render"
	"fettler/fettle/internal/term"
	"fettler/fettle/internal/text"
)

// TakeImages implements Pictured.
func (a *ReadAnswer) TakeImages() []Image {
	var out []Image
	for _, f := range a.Files {
		if f.Base64 != "" {
			out = append(out, Image{f.MIMEType, f.Base64})
			f.Base64 = ""
		}
	}
	return out
}

// Human prints each file: what it is, its lines with their numbers, what is left.
func (a *ReadAnswer) Human(w io.Writer) {
	for i, f := range a.Files {
		if i > 0 {
			fmt.Fprintln(w)
		}
		f.human(w)
	}
}

func (f *ReadFile) human(w io.Writer) {
	// An archive's list is its own headline.
	list := f.Kind == string(render.Archive) && !f.numbered
	if !list {
		fmt.Fprintln(w, f.headline())
	}
	if f.Text != nil && f.From != nil && *f.To >= *f.From {
		n := *f.From
		for line := range strings.SplitSeq(*f.Text, "\n") {
			if f.numbered || list {
				fmt.Fprintln(w, term.Content(line))
			} else {
				fmt.Fprintln(w, Numbered(n, term.Content(line)))
			}
			n++
		}
	} else if f.Text != nil && f.From == nil {
		fmt.Fprintln(w, term.Content(*f.Text))
	}
	for _, n := range f.Notes {
		fmt.Fprintln(w, "note: "+n)
	}
	if f.NextFrom > 0 {
		fmt.Fprintln(w, f.left())
	}
}

// left says what was left off and the call that gives it.
func (f *ReadFile) left() string {
	left := "more lines are left"
	if f.LinesRemaining != nil {
		left = fmt.Sprintf("%d %s left", *f.LinesRemaining, plural(*f.LinesRemaining, "line is", "lines are"))
	}
	limit := fmt.Sprintf("%d lines", ReadLines)
	if f.CutBy == "characters" {
		limit = fmt.Sprintf("%d characters", Characters)
	}
	call := "fettle read " + shellWord(f.Path)
	if f.Member != "" {
		call += " --member " + shellWord(f.Member)
	}
	call += fmt.Sprintf(" --from %d", f.NextFrom)
	if to := max(f.NextTo, f.ask.To); to > 0 {
		call += fmt.Sprintf(" --to %d", to)
	}
	if f.ask.Numbered {
		call += " --numbered"
	}
	return fmt.Sprintf("%s (cut at %s). Continue with: %s", left, limit, call)
}

func (f *ReadFile) headline() string {
	parts := []string{term.Escape(f.Path)}
	if f.Member != "" {
		parts[0] += " " + term.Escape(f.Member)
	}
	kind := f.Kind
	if f.Kind == "text" {
		kind = f.Encoding
	}
	if f.MIMEType != "" {
		kind = fmt.Sprintf("%s, %d x %d", f.MIMEType, f.Width, f.Height)
	}
	parts = append(parts, kind)
	if f.LineEnding != "" && f.LineEnding != string(text.None) {
		e := f.LineEnding
		if f.LineEndingMixed != nil && *f.LineEndingMixed {
			e += " (MIXED)"
		}
		parts = append(parts, e)
	}
	if f.Lines != nil {
		parts = append(parts, fmt.Sprintf("%d %s", *f.Lines, plural(*f.Lines, "line", "lines")))
	}
	parts = append(parts, fmt.Sprintf("%d %s", f.Bytes, plural(f.Bytes, "byte", "bytes")))
	if f.FinalNewline != nil && !*f.FinalNewline && f.Bytes > 0 {
		parts = append(parts, "no final newline")
	}
	if f.Executable {
		parts = append(parts, "executable")
	}
	if f.Hash != "" {
		parts = append(parts, "sha256 "+f.Hash)
	}
	return strings.Join(parts, "  ")
}

func plural(n int64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// shellWord quotes a path for a command line where it needs it.
func shellWord(p string) string {
	p = term.Escape(p)
	if strings.ContainsAny(p, " \t'\"$`&|;<>()[]{}*?!#~\\") || strings.HasPrefix(p, "-") {
		return "'" + strings.ReplaceAll(p, "'", `'\''`) + "'"
	}
	return p
}
