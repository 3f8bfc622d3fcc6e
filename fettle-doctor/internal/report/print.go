package report

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"fettler/shared/level"
)

// Print writes the report for a person. quiet leaves out what is in order, and so
// everything when everything is.
func (r *Report) Print(w io.Writer, quiet bool) error {
	p := &printer{quiet: quiet}
	if !quiet {
		p.installation(r.Installation)
	}
	p.tools(r)
	p.guardrails(r)
	p.screenings(r)
	_, err := io.WriteString(w, strings.TrimPrefix(p.String(), "\n"))
	return err
}

// Hook is the brief form: "" when there is nothing to say.
func (r *Report) Hook() string {
	var wrong []string
	notes := 0
	for _, row := range r.Clients {
		if row.Verdict == Broken || row.Verdict == Absent {
			wrong = append(wrong, fmt.Sprintf("%s (%s): %s, %s", row.Client, row.Reach, row.Verdict, Escape(row.Detail)))
		}
	}
	for _, f := range r.Findings {
		if f.Severity == Serious {
			wrong = append(wrong, f.Check+": "+Escape(f.Message))
		} else {
			notes++
		}
	}
	if len(wrong) == 0 && notes == 0 {
		return ""
	}
	if len(wrong) == 0 {
		return "fettler: doctor has something worth knowing. Run fettle doctor for it.\n"
	}
	const most = 5
	var sb strings.Builder
	sb.WriteString("fettler: doctor has something to say. Run fettle doctor for all of it.\n")
	for i, line := range wrong {
		if i == most {
			fmt.Fprintf(&sb, "- and %d more\n", len(wrong)-most)
			break
		}
		if runes := []rune(line); len(runes) > 300 {
			line = string(runes[:300]) + "…"
		}
		sb.WriteString("- " + line + "\n")
	}
	return sb.String()
}

type printer struct {
	strings.Builder
	quiet bool
}

func (p *printer) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *printer) installation(i Installation) {
	p.line("fettle %s, %s", i.Version, Escape(i.Binary))
	switch {
	case i.OnPath:
		p.line("on PATH: %s", Escape(i.PathBinary))
	case i.PathBinary != "":
		p.line("on PATH: another one, %s", Escape(i.PathBinary))
	default:
		p.line("on PATH: no")
	}
	p.line("built-in tools as of %s", i.InventoryOf)
}

// section opens a level's part once something of it is printed.
func (p *printer) section(l level.Level, state string, body func(*printer)) {
	in := &printer{quiet: p.quiet}
	body(in)
	if p.quiet && in.Len() == 0 {
		return
	}
	p.line("\n%-11s %s", l, state)
	p.WriteString(in.String())
}

func on(is, unknown bool, from []string) string {
	switch {
	case unknown:
		return "unknown, because the configuration cannot be read"
	case !is:
		return "off"
	case len(from) == 0:
		return "on"
	}
	return "on, from " + Escape(strings.Join(from, " and "))
}

func (p *printer) tools(r *Report) {
	t := r.Levels.Tools
	p.section(level.Tools, "on, always", func(p *printer) {
		for _, row := range r.Clients {
			if p.quiet && (row.Verdict == Healthy || row.Verdict == NA) {
				continue
			}
			p.line("  %-14s  %-6s  %-7s  %s", row.Client, row.Reach, row.Verdict, Escape(row.Detail))
			if row.Where != "" && row.Verdict != NA {
				p.line("  %33s%s", "", Escape(row.Where))
			}
		}
		if !p.quiet {
			for _, f := range t.Found {
				p.line("  %-12s %s\n  %-12s found: %s", Escape(f.Name), Escape(f.Path), "", Escape(f.How))
			}
			for _, c := range t.Companions {
				p.line("  companion %s: root %s, %s", Escape(c.Name), Escape(c.Root), Escape(c.How))
			}
			if t.Machine != "" {
				p.line("  machine file: %s", Escape(t.Machine))
			}
			p.notes(t.Notes)
		}
		p.findings(r, level.Tools)
	})
}

func (p *printer) guardrails(r *Report) {
	g := r.Levels.Guardrails
	p.section(level.Guardrails, on(g.On, g.Unknown, g.From), func(p *printer) {
		p.findings(r, level.Guardrails)
		if g.On && !p.quiet {
			p.notes(g.Notes)
		}
	})
}

func (p *printer) screenings(r *Report) {
	s := r.Levels.Screenings
	p.section(level.Screenings, on(s.On, s.Unknown, s.From), func(p *printer) {
		if !s.On || p.quiet {
			return
		}
		beside := func(what, path string) {
			if path == "" {
				path = "not beside fettle"
			}
			p.line("  %-13s  %s", what, Escape(path))
		}
		beside("burler-bridge", s.Bridge)
		beside("runtime", s.Runtime)
		if s.Models != "" {
			p.line("  %-13s  %s", "models", Escape(s.Models))
		}
		for _, c := range s.Categories {
			p.line("  %-13s  %s", c.Name, Escape(c.JudgedBy))
		}
		p.notes(s.Notes)
	})
}

func (p *printer) notes(notes []string) {
	for _, n := range notes {
		p.line("  note: %s", Escape(n))
	}
}

func (p *printer) findings(r *Report, l level.Level) {
	for _, f := range r.Findings {
		if f.Level != l {
			continue
		}
		mark := "-"
		if f.Severity == Serious {
			mark = "!"
		}
		p.line("  %s %-4s  %s", mark, f.Check, Escape(f.Message))
		if f.Where != "" {
			p.line("          %s", Escape(f.Where))
		}
	}
}

// Escape makes a stranger's text safe for a terminal: a server's name or a path
// may hold characters that move its cursor or turn its text around.
func Escape(s string) string {
	var sb strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			sb.WriteRune(r)
		} else {
			fmt.Fprintf(&sb, `\u{%04x}`, r)
		}
	}
	return sb.String()
}
