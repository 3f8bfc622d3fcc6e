package verb

import (
	"context"

	"fettler/fettle/internal/ops"
	"fettler/shared/level"
	"fettler/shared/outcome"
)

// The two verbs that are programs of their own. The terminal runs the program
// beside fettle with the same words; doctor's report is also a tool.

var doctor = &Verb{
	Name: "doctor", Level: level.Tools, Title: "Check the wiring", Model: true, ReadOnly: true, Idempotent: true,
	Summary: "how the clients are wired to fettle, and per level what goes round it",
	Sibling: "fettle-doctor",
	Params: []Param{
		{Name: "client", Type: String, Value: "NAME", Plain: true, Help: "only this client"},
		{Name: "quiet", Type: Bool, Plain: true, Help: "leave out what is healthy"},
		{Name: "hook", Type: Bool, CLI: true, Help: "for a session hook: brief, silent when healthy, always exit 0"},
	},
	Run: func(ctx context.Context, s *ops.Session, a Args) (ops.Answer, error) {
		return answer(ops.Doctor(ctx, s, ops.DoctorInput{Client: a.String("client"), Quiet: a.Bool("quiet")}))
	},
}

var setup = &Verb{
	Name: "setup", Level: level.Tools, Title: "Wire in a client",
	Summary: "write a client's registration, and per level what goes with it",
	Sibling: "fettle-setup",
	Params: []Param{
		{Name: "level", Type: String, Arg: true, Value: "LEVEL", Required: true, Help: "tools, guardrails or screenings"},
		{Name: "client", Type: String, Arg: true, Value: "CLIENT", Plain: true, Help: "claude-code, claude-desktop, vscode-copilot or github-copilot"},
		{Name: "local", Type: Bool, CLI: true, Help: "in this project"},
		{Name: "global", Type: Bool, CLI: true, Help: "for every project"},
		{Name: "dry-run", Type: Bool, CLI: true, Help: "show what would be written, and write nothing"},
		{Name: "force", Type: Bool, CLI: true, Help: "replace an existing different fettler entry"},
		{Name: "command", Type: String, CLI: true, Value: "PATH", Help: "register this command"},
		{Name: "all", Type: Bool, CLI: true, Help: "every client that is installed"},
		{Name: "hooks", Type: Bool, CLI: true, Help: "also a session hook that runs doctor"},
		{Name: "deny", Type: Bool, CLI: true, Help: "with --global: write the deny list there too"},
	},
	Run: func(context.Context, *ops.Session, Args) (ops.Answer, error) {
		return nil, outcome.New(outcome.Refused, "setup is for a person at a terminal")
	},
}
