package plan

import (
	"path/filepath"
	"strings"

	"fettler/fettle-setup/internal/file"
	"fettler/shared/clients"
	"fettler/shared/config"
	"fettler/shared/jsonedit"
	"fettler/shared/outcome"
	"fettler/shared/wire"
)

// projectFile finds the project's file, once, and reads it where what it says
// counts: a registration alone does not need it to be in order.
func (p *planner) projectFile(read bool) error {
	if p.project == "" {
		found, err := config.Find(p.Dir, p.Env)
		if err != nil {
			return err
		}
		if p.found = found != ""; !p.found {
			found = filepath.Join(p.Dir, config.ProjectName)
		}
		p.project = found
	}
	if !p.found || !read || p.config != nil {
		return nil
	}
	var err error
	p.config, err = config.Load(config.Options{Project: p.project, GOOS: p.Env.GOOS})
	return err
}

// inProject refuses a folder that fettle itself opens nothing in.
func (p *planner) inProject() error {
	if p.found {
		return nil
	}
	err := config.LaunchFolder(p.Dir, p.Env)
	if err == nil {
		return nil
	}
	why, _, _ := strings.Cut(err.Error(), ", and no ")
	return outcome.New(outcome.Invalid, "%s. Run setup in a project's folder, or with --global", why).Because(err)
}

// starter adds a section of a project's file where there is none. Changing one
// that is there is a person's work.
func (p *planner) starter(section string) error {
	if section == "guardrails" && p.config != nil && p.config.Guardrails != nil || section == "screenings" && p.config != nil && p.config.Screenings != nil {
		p.report.Note("%s has a %s section, which was left as it is", p.project, section)
		p.swept = append(p.swept, p.project)
		return nil
	}
	value := jsonedit.Object{{Name: "trees", Value: jsonedit.Object{{Name: "work", Value: jsonedit.Object{
		{Name: "path", Value: "."},
		{Name: "can", Value: config.Work.Words()},
		{Name: "scopes", Value: jsonedit.Object{{Name: ".git", Value: jsonedit.Object{{Name: "can", Value: config.Look.Words()}}}}},
	}}}}}
	if section == "screenings" {
		value = jsonedit.Object{{Name: "screen", Value: jsonedit.Object{{Name: p.screened(), Value: config.Identifiers.Words()}}}}
	}
	p.add(p.project, filepath.Dir(p.project), step{"a starter " + section + " section", func(raw []byte) ([]jsonedit.Splice, error) {
		doc, err := jsonedit.Parse(raw, false)
		if err != nil {
			return nil, err
		}
		if doc.Root().Get(section).There() {
			return nil, nil
		}
		return doc.Add(nil, section, value)
	}})
	return nil
}

// screened is the tree that a starter section screens.
func (p *planner) screened() string {
	if p.config == nil || p.config.Guardrails == nil {
		return "work"
	}
	return p.config.Guardrails.Trees[0].Name
}

// screenings plans what that level adds, and says what is installed for it.
func (p *planner) screenings(reach clients.Reach) error {
	if reach == clients.Repo {
		if err := p.starter("screenings"); err != nil {
			return err
		}
	} else {
		p.report.Note("--global writes no screenings section. Run setup screenings with --local in a project, or write one into %s", config.MachineFile(p.Env))
	}
	if bridge := filepath.Join(p.Siblings, "burler-bridge"+suffix(p.Env.GOOS)); file.Program(bridge, p.Env.GOOS) {
		p.report.Note("burler-bridge is beside fettle")
	} else {
		p.report.Note("burler-bridge is not beside fettle, so only identifiers can be screened")
	}
	models := ""
	if p.config != nil && p.config.Screenings != nil {
		models = p.config.Screenings.Models
	}
	if models == "" {
		p.report.Note("%s", wire.NoModelsNamed)
		return nil
	}
	for _, category := range wire.ModelCategories {
		sentence, _ := wire.JudgedBy(models, category)
		p.report.Note("%s: %s", category, sentence)
	}
	return nil
}
