package ops

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"fettler/fettle/internal/term"
)

// pad is what continues a line of the trees part.
const pad = "            "

// Human prints the levels, the trees, the screens, what was found, and where
// it is declared.
func (a *RootsAnswer) Human(w io.Writer) {
	fmt.Fprintln(w, "levels")
	fmt.Fprintln(w, "  tools       on, always"+suppliedBy("; settings from ", a.Levels.Tools.From))
	for _, l := range []struct {
		name string
		on   LevelOn
	}{{"guardrails", a.Levels.Guardrails}, {"screenings", a.Levels.Screenings}} {
		state := "off"
		if l.on.On {
			state = "on" + suppliedBy(", from ", l.on.From)
		}
		fmt.Fprintf(w, "  %-11s %s\n", l.name, state)
	}

	fmt.Fprint(w, "\ntrees\n")
	found := false
	for _, r := range a.Roots {
		if r.Found != "" {
			found = true
			continue
		}
		r.human(w)
	}
	a.screens(w)
	if found {
		fmt.Fprint(w, "\nfound by fettle\n")
		for _, r := range a.Roots {
			if r.Found != "" {
				r.human(w)
			}
		}
	}
	if len(a.Notes) > 0 {
		fmt.Fprint(w, "\nnotes\n")
		for _, n := range a.Notes {
			fmt.Fprintln(w, term.Escape(n))
		}
	}
	switch {
	case a.Levels.Guardrails.On:
		fmt.Fprintln(w, "\ndeclared by "+files(a.Levels.Guardrails.From))
	case a.Source != "":
		fmt.Fprintln(w, "\nopened by "+term.Escape(a.Source))
	}
}

func (r *Root) human(w io.Writer) {
	mark := ""
	if r.Default {
		mark = "  (default)"
	}
	fmt.Fprintf(w, "%-11s %s%s\n", r.Name, term.Escape(r.native), mark)
	fmt.Fprintln(w, pad+"can: "+r.can.String())
	switch {
	case r.Branch != "":
		fmt.Fprintln(w, pad+"branch: "+term.Escape(r.Branch)+" (local)")
	case r.Detached != "":
		fmt.Fprintln(w, pad+"detached at "+r.Detached+" (local)")
	}
	if r.Repository != "" {
		fmt.Fprintln(w, pad+"repository: "+term.Escape(filepath.FromSlash(r.Repository)))
	}
	for _, s := range r.Scopes {
		fmt.Fprintln(w, pad+term.Escape(s.Path)+"  can: "+s.can.String())
	}
	if r.Found != "" {
		fmt.Fprintln(w, pad+"found: "+term.Escape(r.Found))
	}
}

// screens prints the part only when something is screened or models are named.
func (a *RootsAnswer) screens(w io.Writer) {
	if len(a.screen) == 0 && a.Models == "" {
		return
	}
	fmt.Fprint(w, "\nscreens\n")
	if a.Models != "" {
		fmt.Fprintf(w, "%-11s %s\n", "models", term.Escape(filepath.FromSlash(a.Models)))
	}
	if a.Backend != "" {
		fmt.Fprintf(w, "%-11s %s\n", "backend", term.Escape(a.Backend))
	}
	said := map[string]bool{}
	for _, l := range a.screen {
		fmt.Fprintf(w, "%-11s %s\n", term.Escape(l.key), l.words)
		for _, j := range l.by {
			if j.Category == "identifiers" {
				continue // inside fettle, always
			}
			line := pad + j.Category + ": " + term.Escape(j.By)
			if a.Models == "" { // one sentence for all three, once
				line = pad + j.By
			}
			if !said[line] {
				said[line] = true
				fmt.Fprintln(w, line)
			}
		}
	}
}

func suppliedBy(lead string, from []string) string {
	if len(from) == 0 {
		return ""
	}
	return lead + files(from)
}

func files(list []string) string { return term.Escape(strings.Join(list, " and ")) }
