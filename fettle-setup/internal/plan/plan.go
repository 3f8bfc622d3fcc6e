// Package plan works out what setup adds to which file, and makes it so.
//
// Call Run with what was asked. Everything is worked out before anything is
// written, so that a file that cannot be edited refuses the whole of it; each
// change is worked out once more when its file changed meanwhile.
//
// What it does not do: it removes nothing, touches no path outside the table in
// shared/clients but a project's .fettler.json, and opens no network connection.
package plan

import (
	"bytes"
	"errors"
	"slices"

	"fettler/fettle-setup/internal/file"
	"fettler/fettle-setup/internal/report"
	"fettler/shared/clients"
	"fettler/shared/config"
	"fettler/shared/jsonedit"
	"fettler/shared/level"
	"fettler/shared/outcome"
)

// Request is what was asked, and the surroundings.
type Request struct {
	Level   level.Level
	Clients []string // empty: every installed one
	Reach   clients.Reach
	ReachOf bool // false: Reach is Repo where the client has one
	DryRun  bool
	Force   bool
	Hooks   bool
	Deny    bool
	Command string // --command, or ""

	Env      config.Env
	Dir      string // the project's folder
	Siblings string // the folder of this program
	LookPath func(name string) (string, error)
}

// step is one thing to add to a file. edit answers no splices when it is there.
type step struct {
	what string
	edit func(raw []byte) ([]jsonedit.Splice, error)
}

// target is a file with what is to be added to it.
type target struct {
	path   string
	within string
	steps  []step
}

type planner struct {
	Request
	places  []clients.Place
	command command
	targets []*target
	swept   []string // files that need nothing, beside which something may be left over
	report  *report.Report
	config  *config.Config
	project string // the project file, there or not
	found   bool   // it is there
}

// Run plans, and without DryRun carries out.
func Run(r Request) (*report.Report, error) {
	p := &planner{Request: r, places: clients.Places(r.Env, r.Dir), report: &report.Report{DryRun: r.DryRun}}
	var err error
	if p.command, err = p.findCommand(); err != nil {
		return nil, err
	}
	names := r.Clients
	if len(names) == 0 {
		if names = p.installed(); len(names) == 0 {
			return nil, outcome.New(outcome.NotFound, "none of the clients is installed here. Name one to set it up all the same")
		}
	}
	for _, name := range names {
		c, _ := clients.Find(name)
		if err := p.client(c, len(r.Clients) > 0); err != nil {
			return nil, err
		}
	}
	if err := p.carryOut(); err != nil {
		return nil, err
	}
	return p.report, nil
}

// client plans one client.
func (p *planner) client(c clients.Client, named bool) error {
	reach := p.Reach
	if !p.ReachOf {
		if reach = clients.Repo; !c.Project {
			reach = clients.Global
		}
	}
	if reach == clients.Repo && !c.Project {
		if !named {
			p.report.Note("%s reads nothing from a project, so it was left out. Run setup with --global for it", c.Title)
			return nil
		}
		return outcome.New(outcome.Invalid, "%s reads nothing from a project. Run setup %s %s --global", c.Title, p.Level, c.Name)
	}
	if named && !p.isInstalled(c.Name) {
		p.report.Note("%s does not seem to be installed here", c.Title)
	}
	if reach == clients.Repo {
		if err := p.projectFile(p.Level != level.Tools); err != nil {
			return err
		}
		if err := p.inProject(); err != nil {
			return err
		}
	}
	if err := p.register(c, reach); err != nil {
		return err
	}
	switch p.Level {
	case level.Guardrails:
		return p.guardrails(c, reach)
	case level.Screenings:
		return p.screenings(reach)
	}
	return nil
}

// add gathers steps by file.
func (p *planner) add(path string, within string, s step) {
	for _, t := range p.targets {
		if t.path == path {
			for _, have := range t.steps {
				if have.what == s.what { // two clients that share a file
					return
				}
			}
			t.steps = append(t.steps, s)
			return
		}
	}
	p.targets = append(p.targets, &target{path: path, within: within, steps: []step{s}})
}

func (p *planner) within(reach clients.Reach) string {
	if reach == clients.Repo {
		return p.Dir
	}
	return ""
}

// work gives the text a file is to have, and the changes that make it so.
func (t *target) work(f *file.File, diff bool) ([]byte, []report.Change, error) {
	text := f.Raw
	var changes []report.Change
	for _, s := range t.steps {
		splices, err := s.edit(text)
		if err != nil {
			return nil, nil, refusal(t.path, err)
		}
		if len(splices) == 0 {
			continue
		}
		c := report.Change{Path: t.path, What: s.what}
		if f.Exists {
			c.Backup, _ = f.Backup()
		}
		if diff {
			c.Diff = report.Diff(text, splices)
		}
		changes = append(changes, c)
		text = jsonedit.Apply(text, splices)
	}
	return text, changes, nil
}

// refusal words what an edit found.
func refusal(path string, err error) error {
	var se *jsonedit.SyntaxError
	var no *jsonedit.NotAnObject
	switch {
	case errors.As(err, &se) && se.Lax:
		return outcome.New(outcome.Refused, "%s, line %d: %s, and so it ignores the whole file. Take it out, then run setup again", path, se.Line, se.What).At(path)
	case errors.As(err, &se):
		return outcome.New(outcome.Refused, "%s, line %d, column %d: %s. Setup leaves the file alone: mend it, then run setup again", path, se.Line, se.Column, se.What).At(path)
	case errors.As(err, &no):
		return outcome.New(outcome.Refused, "%s, %v. Setup leaves the file alone: mend it, then run setup again", path, no).At(path)
	}
	return err
}

// tries bounds how often a file is worked out anew because its client wrote it.
const tries = 5

func (p *planner) carryOut() error {
	type ready struct {
		t       *target
		f       *file.File
		text    []byte
		changes []report.Change
	}
	var all []ready
	for _, t := range p.targets {
		f, err := file.Open(t.path, t.within)
		if err != nil {
			return err
		}
		text, changes, err := t.work(f, p.DryRun)
		if err != nil {
			return err
		}
		if len(changes) > 0 {
			if err := f.Writable(); err != nil {
				return err
			}
		}
		if bytes.HasPrefix(f.Raw, []byte("\xef\xbb\xbf")) && len(changes) > 0 {
			p.report.Note("%s begins with a byte-order mark, which was kept. A client that reads strict JSON may not accept it", t.path)
		}
		all = append(all, ready{t, f, text, changes})
	}
	if !p.DryRun {
		for _, r := range all {
			file.Sweep(r.f.Target)
		}
		for _, path := range p.swept {
			file.Sweep(path)
		}
	}
	for _, r := range all {
		if len(r.changes) > 0 && !p.DryRun {
			changes, err := apply(r.t, r.f, r.text, r.changes)
			if err != nil {
				if done := p.report.Changes; len(done) > 0 {
					e := outcome.Of(err)
					return outcome.New(e.Kind, "%s. %d changes before it were made; run setup again after mending this", e.Message, len(done)).At(e.Path).Because(err)
				}
				return err
			}
			for i := range changes {
				changes[i].Applied = true
			}
			r.changes = changes
		}
		p.report.Changes = append(p.report.Changes, r.changes...)
	}
	for _, r := range all {
		if r.t.within != "" && len(r.changes) > 0 {
			p.report.Note("add %s and *%s to the project's .gitignore: both belong to one person", config.OverlayName, clients.BackupSuffix)
		}
	}
	return nil
}

func apply(t *target, f *file.File, text []byte, changes []report.Change) ([]report.Change, error) {
	for range tries {
		err := f.Replace(text)
		if !errors.Is(err, file.ErrChanged) {
			return changes, err
		}
		if f, err = file.Open(t.path, t.within); err != nil {
			return nil, err
		}
		if text, changes, err = t.work(f, false); err != nil || len(changes) == 0 {
			return nil, err
		}
	}
	return nil, outcome.New(outcome.Stale, "%s keeps changing while setup works on it. Quit the client, then run setup again", t.path).At(t.path)
}

func (p *planner) installed() []string {
	var out []string
	for _, name := range clients.Names() {
		if p.isInstalled(name) {
			out = append(out, name)
		}
	}
	return out
}

func (p *planner) isInstalled(name string) bool {
	return slices.ContainsFunc(clients.Installed(p.places, name), file.There)
}
