package report

import (
	"strings"
	"testing"

	"fettler/shared/level"
)

func sample() *Report {
	return &Report{Installation: Installation{Binary: "/opt/fettle", Version: "2.1.0", OnPath: true, PathBinary: "/usr/bin/fettle", InventoryOf: "2026-12-02"},
		Levels: Levels{Tools: Tools{On: true, Found: []Found{{"scratch", "/tmp/s", "newest"}}, Companions: []Companion{{"sparky", "/side", "registered"}}, Machine: "/m/fettler.json"},
			Guardrails: Guardrails{On: true, From: []string{"/p/.fettler.json"}, Notes: []string{"a note"}}},
		Clients:  []Row{{"claude-code", "global", NA, "nothing at this reach", ""}, {"claude-code", "repo", Healthy, "registered", "/p/.mcp.json"}},
		Findings: []Finding{}}
}

func text(r *Report, quiet bool) string {
	var sb strings.Builder
	r.Print(&sb, quiet)
	return sb.String()
}

func TestPrint(t *testing.T) {
	want := `fettle 2.1.0, /opt/fettle
on PATH: /usr/bin/fettle
built-in tools as of 2026-12-02

tools       on, always
  claude-code     global  n/a      nothing at this reach
  claude-code     repo    healthy  registered
                                   /p/.mcp.json
  scratch      /tmp/s
               found: newest
  companion sparky: root /side, registered
  machine file: /m/fettler.json

guardrails  on, from /p/.fettler.json
  ! 2.6   an entry
          /p/s.json
  note: a note

screenings  off
`
	r := sample()
	r.Findings = []Finding{{"2.6", level.Guardrails, Serious, "an entry", "/p/s.json"}}
	if got := text(r, false); got != want {
		t.Errorf("%s", got)
	}
	if got := text(r, true); got != "guardrails  on, from /p/.fettler.json\n  ! 2.6   an entry\n          /p/s.json\n" {
		t.Errorf("%q", got)
	}
	if got := text(sample(), true); got != "" {
		t.Errorf("quiet and healthy says %q", got)
	}
}

func TestCode(t *testing.T) {
	r := sample()
	if r.Code() != 0 {
		t.Error(r.Code())
	}
	r.Findings = []Finding{{Check: "2.8"}}
	if r.Code() != 1 {
		t.Error(r.Code())
	}
	r.Findings[0].Check = "2.19"
	if r.Code() != 2 {
		t.Error(r.Code())
	}
	r.Findings = nil
	r.Clients[0].Verdict = Absent
	if r.Code() != 1 {
		t.Error(r.Code())
	}
	r.Clients[1].Verdict = Broken
	if r.Code() != 2 {
		t.Error(r.Code())
	}
}

func TestHook(t *testing.T) {
	r := sample()
	if r.Hook() != "" {
		t.Error(r.Hook())
	}
	r.Findings = []Finding{{Check: "2.13", Severity: Note, Message: "m"}}
	if got := r.Hook(); !strings.Contains(got, "worth knowing") {
		t.Error(got)
	}
	for range 40 {
		r.Findings = append(r.Findings, Finding{Check: "2.6", Severity: Serious, Message: strings.Repeat("long ", 200)})
	}
	if got := r.Hook(); len(got) > 4000 || !strings.Contains(got, "and 35 more") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}

// A server's name may hold what moves a terminal's cursor.
func TestEscape(t *testing.T) {
	if got := Escape("a\x1b[2J\n\u202eb é"); got != `a\u{001b}[2J\u{000a}\u{202e}b é` {
		t.Error(got)
	}
}
