package ops

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"fettler/fettle/internal/term"
)

// Human prints a line an entry, its size and time in columns, and the count.
func (a *FindAnswer) Human(w io.Writer) {
	names := make([]string, len(a.Files))
	width := 0
	for i, f := range a.Files {
		names[i] = f.name()
		width = max(width, utf8.RuneCountInString(names[i]))
	}
	for i, f := range a.Files {
		pad := strings.Repeat(" ", width-utf8.RuneCountInString(names[i]))
		fmt.Fprintf(w, "%s%s  %9d  %s%s\n", names[i], pad, f.Bytes, f.Modified, f.facts())
	}
	fmt.Fprintln(w, a.count())
	if a.Truncated {
		fmt.Fprintln(w, a.rest())
	}
	humanSkips(w, "listed", a.Skipped)
	for _, n := range a.Notes {
		fmt.Fprintln(w, "note: "+n)
	}
}

func (f *FoundFile) name() string {
	n := term.Escape(f.Path)
	if f.Directory {
		n += "/"
	}
	return n
}

// facts is what is not usual about an entry.
func (f *FoundFile) facts() string {
	var sb strings.Builder
	for _, w := range []struct {
		on   bool
		word string
	}{{f.Executable, "executable"}, {f.ReadOnly, "read-only"}, {f.Hidden, "hidden"}} {
		if w.on {
			sb.WriteString("  " + w.word)
		}
	}
	switch {
	case f.LinkTarget != "":
		sb.WriteString("  -> " + term.Escape(f.LinkTarget))
	case f.Link:
		sb.WriteString("  -> (outside, or nothing there)")
	}
	return sb.String()
}

func (a *FindAnswer) count() string {
	one, many := "file", "files"
	switch a.in.Kind {
	case "dir":
		one, many = "folder", "folders"
	case "any":
		one, many = "entry", "entries"
	}
	n := int64(a.Count)
	line := fmt.Sprintf("%d %s", n, plural(n, one, many))
	if e := a.Excluded.human(); e != "" {
		line += " (" + e + ")"
	}
	return line
}

// rest says that there is more, and the call that gives it.
func (a *FindAnswer) rest() string {
	c := command{"find"}
	if a.in.Pattern != "" && a.in.Pattern[0] != '-' {
		c.word(a.in.Pattern)
	}
	c.flag("--in", a.in.In)
	c.flag("--kind", a.in.Kind)
	c.flag("--sort", a.in.Sort)
	c.flag("--since", a.in.Since)
	for _, e := range a.in.Exclude {
		c.flag("--exclude", e)
	}
	if a.in.IncludeGenerated {
		c = append(c, "--include-generated")
	}
	if a.in.Limit > 0 {
		c.flag("--limit", fmt.Sprint(a.in.Limit))
	}
	c.flag("--after", a.NextAfter)
	c.dashed(a.in.Pattern)
	return "there are more (" + cutAt(a.CutBy, a.Count, "entry", "entries") + "). Continue with: " + c.String()
}

// cutAt says which bound cut an answer.
func cutAt(by string, n int, one, many string) string {
	if by == "characters" {
		return fmt.Sprintf("cut at %d characters", Characters)
	}
	return fmt.Sprintf("cut at %d %s", n, plural(int64(n), one, many))
}

// command is a command line, quoted for a shell.
type command []string

func (c *command) word(w string) { *c = append(*c, shellWord(w)) }

func (c *command) flag(name, value string) {
	if value == "" {
		return
	}
	if strings.HasPrefix(value, "-") {
		*c = append(*c, name+"="+shellWord(value))
		return
	}
	*c = append(*c, name, shellWord(value))
}

// dashed adds words that begin with a hyphen, behind the end of the flags.
func (c *command) dashed(words ...string) {
	ended := false
	for _, w := range words {
		if !strings.HasPrefix(w, "-") {
			continue
		}
		if !ended {
			*c = append(*c, "--")
			ended = true
		}
		c.word(w)
	}
}

func (c command) String() string { return "fettle " + strings.Join(c, " ") }
