// Package front is setup's command line: it takes the words apart, runs the
// plan, and prints the report or the refusal. Run is all of it.
package front

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"fettler/fettle-setup/internal/plan"
	"fettler/fettle-setup/internal/report"
	"fettler/shared/argument"
	"fettler/shared/clients"
	"fettler/shared/config"
	"fettler/shared/level"
	"fettler/shared/outcome"
	"fettler/shared/version"
)

// Surroundings are what the machine says.
type Surroundings struct {
	Env         config.Env
	Dir         string // the folder setup was started in
	DirErr      error
	Siblings    string // the folder of this program, links resolved
	LookPath    func(name string) (string, error)
	Out, Faults io.Writer
}

const usage = `fettle setup LEVEL CLIENT [--local | --global] [flags]

LEVEL   tools, guardrails or screenings
CLIENT  %s

--local         write in this project (the default where the client has one)
--global        write for every project
--all           every installed client, in place of CLIENT
--dry-run       say what would be written, and write nothing
--force         give an existing, different fettler entry this command
--command PATH  register this program
--hooks         guardrails: also a session hook that runs doctor
--deny          guardrails --global: also the deny list
--json          the answer as JSON

It adds and never removes, and leaves a copy (FILE%s) of what it changes.
`

// Run runs a command line without the program's name and gives the exit code.
func Run(words []string, s Surroundings) int {
	asJSON := argument.Has(words, "json")
	l, err := argument.Parse(words, argument.Flags{
		Switches: []string{"local", "global", "dry-run", "force", "all", "hooks", "deny", "json", "help", "version"}, Values: []string{"command"}})
	if err != nil {
		return report.Refuse(s.Out, s.Faults, err, asJSON)
	}
	if l.On("version") {
		fmt.Fprintf(s.Out, "fettle-setup %s\n", version.String())
		return 0
	}
	if l.On("help") {
		fmt.Fprintf(s.Out, usage, strings.Join(clients.Names(), ", "), clients.BackupSuffix)
		return 0
	}
	r, err := request(l, s)
	if err != nil {
		return report.Refuse(s.Out, s.Faults, err, asJSON)
	}
	rep, err := plan.Run(*r)
	if err != nil {
		return report.Refuse(s.Out, s.Faults, err, asJSON)
	}
	if err := rep.Print(s.Out, asJSON); err != nil {
		return outcome.Fault.Code()
	}
	return 0
}

func request(l *argument.Line, s Surroundings) (*plan.Request, error) {
	if s.DirErr != nil {
		return nil, outcome.New(outcome.Denied, "the folder setup was started in cannot be told: %v", s.DirErr).Because(s.DirErr)
	}
	r := &plan.Request{DryRun: l.On("dry-run"), Force: l.On("force"), Hooks: l.On("hooks"), Deny: l.On("deny"),
		Env: s.Env, Dir: s.Dir, Siblings: s.Siblings, LookPath: s.LookPath, Reach: clients.Repo}
	if c, given := l.Value("command"); given {
		if c == "" {
			return nil, outcome.New(outcome.Invalid, "--command names no program")
		}
		r.Command = c
	}
	if err := who(r, l.Words, l.On("all")); err != nil {
		return nil, err
	}
	switch local, global := l.On("local"), l.On("global"); {
	case local && global:
		return nil, outcome.New(outcome.Invalid, "--local and --global say opposite things. Give one of them")
	case local, global:
		r.ReachOf = true
		if global {
			r.Reach = clients.Global
		}
	}
	for _, flag := range []string{"hooks", "deny"} {
		if l.On(flag) && r.Level != level.Guardrails {
			return nil, outcome.New(outcome.Invalid, "--%s belongs to setup guardrails", flag)
		}
	}
	return r, nil
}

// who reads the level and the client.
func who(r *plan.Request, words []string, all bool) error {
	names := clients.Names()
	if len(words) == 0 {
		return outcome.New(outcome.Invalid, "setup takes a level, then a client. The levels are tools, guardrails, screenings; the clients are %s", strings.Join(names, ", "))
	}
	if slices.Contains(names, words[0]) {
		c := words[0]
		return outcome.New(outcome.Invalid, "setup takes the level first, then the client. Run: fettle setup tools %s, fettle setup guardrails %s or fettle setup screenings %s", c, c, c)
	}
	var known bool
	if r.Level, known = level.Parse(words[0]); !known {
		return outcome.New(outcome.Invalid, "there is no level '%s'. The levels are tools, guardrails, screenings", words[0])
	}
	rest := words[1:]
	switch {
	case all && len(rest) > 0:
		return outcome.New(outcome.Invalid, "--all stands in place of a client, and '%s' is given too. Give one of them", rest[0])
	case all:
		return nil
	case len(rest) == 0:
		return outcome.New(outcome.Invalid, "setup %s takes a client: %s, or --all", r.Level, strings.Join(names, ", "))
	case len(rest) > 1:
		return outcome.New(outcome.Invalid, "setup takes one client; '%s' is extra", rest[1])
	case !slices.Contains(names, rest[0]):
		return outcome.New(outcome.Invalid, "there is no client '%s'. The clients are %s", rest[0], strings.Join(names, ", "))
	}
	r.Clients = rest
	return nil
}
