package ops

import (
	"fmt"
	"io"
	"strings"

	"fettler/fettle/internal/term"
)

// Human prints a line a hit, path:line:column: text, with its page, sheet or
// heading in place of the line for a document; then the count.
func (a *SearchAnswer) Human(w io.Writer) {
	switch {
	case a.Hits != nil:
		a.humanHits(w)
	case a.in.FilesOnly:
		for _, f := range a.Files {
			fmt.Fprintln(w, term.Escape(f))
		}
	}
	fmt.Fprintln(w, a.count())
	if a.NextAfter != "" {
		fmt.Fprintln(w, a.rest())
	}
	if a.DocumentsSkipped > 0 {
		fmt.Fprintf(w, "%d %s not looked inside\n", a.DocumentsSkipped, plural(a.DocumentsSkipped, "document was", "documents were"))
	}
	for _, f := range a.TimedOut {
		fmt.Fprintf(w, "timed out, and searched no further: %s\n", term.Escape(f))
	}
	humanSkips(w, "searched", a.Skipped)
	for _, n := range a.Notes {
		fmt.Fprintln(w, n)
	}
}

func (a *SearchAnswer) humanHits(w io.Writer) {
	for i, h := range *a.Hits {
		if len(h.Context) > 0 && i > 0 {
			fmt.Fprintln(w, "--")
		}
		path := term.Escape(h.Path)
		at := 0
		for ; at < len(h.Context) && h.Context[at].Line < h.Line; at++ {
			fmt.Fprintf(w, "%s-%d- %s\n", path, h.Context[at].Line, term.Content(h.Context[at].Text))
		}
		if h.Cite != "" {
			fmt.Fprintf(w, "%s:%s: %s\n", path, term.Escape(h.Cite), term.Content(h.Text))
		} else {
			fmt.Fprintf(w, "%s:%d:%d: %s\n", path, h.Line, h.Column, term.Content(h.Text))
		}
		for ; at < len(h.Context); at++ {
			fmt.Fprintf(w, "%s-%d- %s\n", path, h.Context[at].Line, term.Content(h.Context[at].Text))
		}
	}
}

func (a *SearchAnswer) count() string {
	var sb strings.Builder
	if a.HitsCount != nil {
		fmt.Fprintf(&sb, "%d %s in ", *a.HitsCount, plural(*a.HitsCount, "hit", "hits"))
	}
	fmt.Fprintf(&sb, "%d %s", a.FilesWithHits, plural(a.FilesWithHits, "file", "files"))
	if a.HitsCount == nil {
		sb.WriteString(" with hits")
	}
	facts := fmt.Sprintf("%d searched", a.FilesSearched)
	if e := a.Excluded.human(); e != "" {
		facts += "; " + e
	}
	return sb.String() + " (" + facts + ")"
}

// rest says that there is more, and the call that gives it.
func (a *SearchAnswer) rest() string {
	c := command{"search"}
	for _, p := range a.in.Patterns {
		if p[0] != '-' {
			c.word(p)
		}
	}
	c.flag("--glob", a.in.Glob)
	c.flag("--in", a.in.In)
	for _, f := range []struct {
		on   bool
		name string
	}{
		{a.in.Literal, "--literal"}, {a.in.CaseSensitive, "--case-sensitive"}, {a.in.Word, "--word"},
		{a.in.FilesOnly, "--files-only"}, {a.in.IncludeGenerated, "--include-generated"}, {a.in.NoDocuments, "--no-documents"},
	} {
		if f.on {
			c = append(c, f.name)
		}
	}
	for _, e := range a.in.Exclude {
		c.flag("--exclude", e)
	}
	if a.in.Context > 0 {
		c.flag("--context", fmt.Sprint(a.in.Context))
	}
	if a.in.Limit > 0 {
		c.flag("--limit", fmt.Sprint(a.in.Limit))
	}
	c.flag("--after", a.NextAfter)
	c.dashed(a.in.Patterns...)
	n, one, many := len(a.Files), "file", "files"
	if a.Hits != nil {
		n, one, many = len(*a.Hits), "hit", "hits"
	}
	return "there are more (" + cutAt(a.CutBy, n, one, many) + "). Continue with: " + c.String()
}
