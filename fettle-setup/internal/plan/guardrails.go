package plan

import (
	"path/filepath"
	"slices"
	"strings"

	"fettler/fettle-setup/internal/file"
	"fettler/shared/clients"
	"fettler/shared/jsonedit"
)

// guardrails plans what that level adds to the registration.
func (p *planner) guardrails(c clients.Client, reach clients.Reach) error {
	if reach == clients.Repo {
		if err := p.starter("guardrails"); err != nil {
			return err
		}
	} else {
		p.report.Note("--global writes no guardrails section, because one there would apply to every project. Run setup guardrails %s --local in a project", c.Name)
	}
	denied := false
	settings := clients.Of(p.places, c.Name, reach, clients.Settings)
	if c.Name != clients.ClaudeCode {
		settings = nil
		p.report.Note("%s has no deny list that setup can write, so its own tools stay open to the model", c.Title)
		if p.Hooks {
			p.report.Note("%s has no session hook that setup can write", c.Title)
		}
	}
	for _, pl := range settings {
		if reach == clients.Repo || p.Deny {
			denied = true
			p.add(pl.Path, p.within(reach), step{"deny the built-in tools that go round fettle", func(raw []byte) ([]jsonedit.Splice, error) { return p.deny(pl, raw) }})
		} else {
			p.report.Note("the deny list was not written to %s, because it would hold in every project. Pass --deny to write it", pl.Path)
		}
		if p.Hooks {
			if err := p.hook(pl, reach); err != nil {
				return err
			}
		}
	}
	texts := clients.Of(p.places, c.Name, reach, clients.Instructions)
	for _, pl := range texts {
		text := block(denied)
		p.add(pl.Path, p.within(reach), step{"instructions for the model, between markers", func(raw []byte) ([]jsonedit.Splice, error) { return editBlock(pl.Path, raw, text) }})
	}
	if len(texts) == 0 {
		p.report.Note("%s has no instructions file at this reach", c.Title)
	}
	return nil
}

// deny adds the names that are not denied yet.
func (p *planner) deny(pl clients.Place, raw []byte) ([]jsonedit.Splice, error) {
	doc, err := jsonedit.Parse(raw, true)
	if err != nil {
		return nil, err
	}
	rules := doc.Root().Get("permissions")
	have, _ := rules.Get("deny").Texts()
	var missing []any
	for _, name := range clients.DenyList() {
		if !slices.Contains(have, name) {
			missing = append(missing, name)
		}
	}
	// Only the names are said: a rule's own text is a person's.
	var allowed []string
	for _, rule := range rules.Get("allow").Items() {
		text, _ := rule.Text()
		name, _, _ := strings.Cut(text, "(")
		if slices.Contains(clients.DenyList(), name) && !slices.Contains(allowed, name) {
			allowed = append(allowed, name)
		}
	}
	if len(allowed) > 0 {
		p.report.Note("%s also has allow entries for %s. Setup removes nothing: take them out with an editor", pl.Path, strings.Join(allowed, ", "))
	}
	if len(missing) == 0 {
		return nil, nil
	}
	return doc.Append([]string{"permissions", "deny"}, missing)
}

// hookTimeout is in seconds. Doctor takes a tenth of one.
const hookTimeout = 10

// hook adds the session hook that runs the doctor beside setup.
func (p *planner) hook(pl clients.Place, reach clients.Reach) error {
	doctor := filepath.Join(p.Siblings, "fettle-doctor"+suffix(p.Env.GOOS))
	if !file.Program(doctor, p.Env.GOOS) {
		p.report.Note("fettle-doctor is not beside fettle-setup, so no session hook was written")
		return nil
	}
	command := filepath.ToSlash(doctor) // a shell runs it, and a backslash is a shell's own
	if strings.ContainsAny(command, " ()&;'") {
		command = `"` + command + `"`
	}
	command += " --hook"
	if reach == clients.Repo {
		p.report.Note("the session hook in %s names a path of this machine", pl.Path)
	}
	p.add(pl.Path, p.within(reach), step{"run doctor when a session starts", func(raw []byte) ([]jsonedit.Splice, error) {
		doc, err := jsonedit.Parse(raw, true)
		if err != nil {
			return nil, err
		}
		for _, group := range doc.Root().At("hooks", "SessionStart").Items() {
			for _, h := range group.Get("hooks").Items() {
				at := h.Get("command")
				have, _ := at.Text()
				switch {
				case have == command:
					return nil, nil
				case !strings.Contains(have, "fettle-doctor") || !strings.Contains(have, "--hook"):
				case p.Force:
					return doc.Replace(at, command), nil
				default:
					p.report.Note("%s has a session hook that runs another fettle-doctor, and it was left. Pass --force to name this one", pl.Path)
					return nil, nil
				}
			}
		}
		return doc.Append([]string{"hooks", "SessionStart"}, []any{jsonedit.Object{{Name: "hooks", Value: []any{jsonedit.Object{
			{Name: "type", Value: "command"}, {Name: "command", Value: command}, {Name: "timeout", Value: hookTimeout}}}}}})
	}})
	return nil
}
