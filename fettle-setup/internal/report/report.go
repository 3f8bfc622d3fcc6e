// Package report is what setup answers: the changes, whether each was made, and
// what a person should know. Print renders it; nothing here decides anything.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"fettler/shared/jsonedit"
	"fettler/shared/outcome"
)

// Change is one thing added to one file.
type Change struct {
	Path    string `json:"path"`
	What    string `json:"what"`
	Applied bool   `json:"applied"`
	Backup  string `json:"backup,omitempty"`
	Diff    string `json:"diff,omitempty"` // with --dry-run
}

// Report is the answer.
type Report struct {
	OK      bool     `json:"ok"`
	Outcome string   `json:"outcome"`
	DryRun  bool     `json:"dry_run"`
	Changes []Change `json:"changes"`
	Notes   []string `json:"notes"`
}

// Note adds a note once.
func (r *Report) Note(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	for _, n := range r.Notes {
		if n == s {
			return
		}
	}
	r.Notes = append(r.Notes, s)
}

// Print writes the report.
func (r *Report) Print(w io.Writer, asJSON bool) error {
	r.OK, r.Outcome = true, outcome.OK.Word()
	if r.Changes == nil {
		r.Changes = []Change{}
	}
	if r.Notes == nil {
		r.Notes = []string{}
	}
	if asJSON {
		return encode(w, r)
	}
	var sb strings.Builder
	for _, c := range r.Changes {
		verb := "wrote"
		if r.DryRun {
			verb = "would write"
		}
		fmt.Fprintf(&sb, "%s %s: %s\n", verb, c.Path, c.What)
		if c.Backup != "" {
			fmt.Fprintf(&sb, "  backup: %s\n", c.Backup)
		}
		if c.Diff != "" {
			for _, line := range strings.Split(strings.TrimSuffix(c.Diff, "\n"), "\n") {
				fmt.Fprintf(&sb, "  %s\n", line)
			}
		}
	}
	if len(r.Changes) == 0 {
		sb.WriteString("nothing to change\n")
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&sb, "note: %s\n", n)
	}
	_, err := io.WriteString(w, sb.String())
	return err
}

// Refuse writes a refusal and gives the exit code.
func Refuse(w, faults io.Writer, err error, asJSON bool) int {
	e := outcome.Of(err)
	switch {
	case asJSON:
		encode(w, struct {
			OK      bool   `json:"ok"`
			Outcome string `json:"outcome"`
			Message string `json:"message"`
			Path    string `json:"path,omitempty"`
		}{false, e.Kind.Word(), e.Message, e.Path})
	case e.Kind == outcome.Fault:
		fmt.Fprintf(faults, "fault: %s\n", e.Message)
	case e.Kind == outcome.Denied:
		fmt.Fprintf(w, "denied: %s\n", e.Message)
	default:
		fmt.Fprintf(w, "refused: %s\n", e.Message)
	}
	return e.Kind.Code()
}

func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// Diff shows what splices add and take away, and nothing of what is around them:
// a client's file may hold a secret on the same line.
func Diff(raw []byte, splices []jsonedit.Splice) string {
	var sb strings.Builder
	for _, s := range splices {
		line, column := jsonedit.Position(raw, s.Start)
		fmt.Fprintf(&sb, "@@ line %d, column %d @@\n", line, column)
		mark(&sb, "-", string(raw[s.Start:s.End]))
		mark(&sb, "+", s.Text)
	}
	return sb.String()
}

func mark(sb *strings.Builder, sign, text string) {
	text = strings.ReplaceAll(strings.Trim(strings.TrimRight(text, " \t"), "\r\n"), "\r\n", "\n")
	if strings.TrimSpace(text) == "" && sign == "-" {
		return
	}
	for _, line := range strings.Split(text, "\n") {
		fmt.Fprintf(sb, "%s%s\n", sign, line)
	}
}
