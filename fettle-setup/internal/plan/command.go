package plan

import (
	"path/filepath"
	"strings"

	"fettler/fettle-setup/internal/file"
	"fettler/shared/outcome"
)

// command is what is registered.
type command struct {
	word string // as written
	own  string // this installation's fettle, "" when it is not beside setup
}

func suffix(goos string) string {
	if goos == "windows" {
		return ".exe"
	}
	return ""
}

// findCommand prefers the bare word, which moves from machine to machine, where
// PATH leads to this very fettle; else it is an absolute path, which is said.
func (p *planner) findCommand() (command, error) {
	own := filepath.Join(p.Siblings, "fettle"+suffix(p.Env.GOOS))
	if !file.Program(own, p.Env.GOOS) {
		own = ""
	}
	if p.Command != "" {
		c, err := p.given()
		return command{c, own}, err
	}
	if own == "" {
		return command{}, outcome.New(outcome.NotFound, "fettle is not beside fettle-setup. Install the whole of Fettler into one folder, or name it with --command PATH")
	}
	onPath, err := p.LookPath("fettle")
	switch {
	case err != nil:
		p.report.Note("fettle is not on PATH, so its absolute path is registered: %s", own)
	case !file.Same(onPath, own):
		p.report.Note("fettle on PATH is another one, %s, so the absolute path of this one is registered: %s", onPath, own)
	default:
		return command{"fettle", own}, nil
	}
	return command{own, own}, nil
}

// given checks --command: a bare word has to be on PATH, a path is made absolute.
func (p *planner) given() (string, error) {
	c := p.Command
	if strings.HasPrefix(c, "~") || strings.Contains(c, "${") {
		return "", outcome.New(outcome.Invalid, "--command %s: clients start a program without a shell, so nothing replaces %s. Write the absolute path", c, map[bool]string{true: "~", false: "${…}"}[c[0] == '~'])
	}
	if !strings.ContainsAny(c, `/\`) {
		if _, err := p.LookPath(c); err != nil {
			return "", outcome.New(outcome.NotFound, "--command %s: no program of that name is on PATH", c)
		}
		return c, nil
	}
	if !filepath.IsAbs(c) {
		c = filepath.Join(p.Dir, c)
	}
	if !file.There(c) {
		return "", outcome.New(outcome.NotFound, "--command %s: there is no such file", c)
	}
	if !file.Program(c, p.Env.GOOS) {
		return "", outcome.New(outcome.Refused, "--command %s: it is not a program that can be started", c)
	}
	return c, nil
}

// same reports whether a registered command starts what would be registered.
func (p *planner) same(registered string) bool {
	if registered == p.command.word {
		return true
	}
	if p.command.own == "" || p.Command != "" {
		return false
	}
	if !strings.ContainsAny(registered, `/\`) {
		found, err := p.LookPath(registered)
		return err == nil && file.Same(found, p.command.own)
	}
	return filepath.IsAbs(registered) && file.Same(registered, p.command.own)
}
