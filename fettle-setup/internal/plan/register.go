package plan

import (
	"slices"

	"fettler/fettle-setup/internal/file"
	"fettler/shared/clients"
	"fettler/shared/config"
	"fettler/shared/jsonedit"
	"fettler/shared/outcome"
)

// register plans the registration of one client.
func (p *planner) register(c clients.Client, reach clients.Reach) error {
	place := p.place(c, reach)
	if place.Path == "" {
		return outcome.New(outcome.Refused, "the folder where %s keeps its file is not known: HOME, or the variable for it, is not set", c.Title)
	}
	args := []string{"serve"}
	if c.Elsewhere {
		if err := p.projectFile(false); err != nil {
			return err
		}
		if p.found {
			args = append(args, "--config", p.project)
		} else {
			p.report.Note("%s starts servers outside any project, where fettle opens nothing, and no %s is at or above %s to name. Write one, then run setup again there with --force", c.Title, config.ProjectName, p.Dir)
		}
	}
	if c.Rewrites {
		p.report.Note("quit %s before setup and start it after: while it runs it may write its own copy of the file over the change", c.Title)
	}
	if c.Name == clients.ClaudeCode && reach == clients.Repo {
		p.report.Note("%s asks a person once before it starts a project's server", c.Title)
	}
	what := "register " + clients.ServerName
	if place.Syntax == clients.TOML {
		p.add(place.Path, p.within(reach), step{what, func(raw []byte) ([]jsonedit.Splice, error) { return p.registerTOML(place, raw, args) }})
		return nil
	}
	p.add(place.Path, p.within(reach), step{what, func(raw []byte) ([]jsonedit.Splice, error) { return p.registerJSON(place, raw, args) }})
	return nil
}

// place picks the file to write: of several the one that is there, else the one
// whose folder is.
func (p *planner) place(c clients.Client, reach clients.Reach) clients.Place {
	all := clients.Of(p.places, c.Name, reach, clients.Register)
	if len(all) == 0 {
		return clients.Place{}
	}
	var own []clients.Place
	for _, pl := range all {
		// A shared place counts where it is the same file by another name.
		if !pl.Shared || clients.Dir(pl.Path) == clients.Dir(all[0].Path) && pl.Syntax == all[0].Syntax {
			own = append(own, pl)
		}
	}
	there := slices.DeleteFunc(slices.Clone(own), func(pl clients.Place) bool { return !file.There(pl.Path) })
	if len(there) > 1 {
		p.report.Note("%s has more than one file of its kind; %s is the one that was used, and %s was left alone", c.Title, there[0].Path, there[1].Path)
	}
	if len(there) > 0 {
		return there[0]
	}
	for _, pl := range own {
		if file.There(clients.Dir(pl.Path)) {
			return pl
		}
	}
	if len(own) > 2 { // the first is a package's own, which is there or is not
		return own[1]
	}
	return own[0]
}

func (p *planner) registerJSON(place clients.Place, raw []byte, args []string) ([]jsonedit.Splice, error) {
	doc, err := jsonedit.Parse(raw, place.Syntax == clients.Strict)
	if err != nil {
		return nil, err
	}
	if root := doc.Root(); slices.Contains(root.Twice(), place.Shape.Key) {
		p.report.Note("%s holds %q more than once. Clients read the last one, and so did setup. Merge them by hand", place.Path, place.Shape.Key)
	}
	holder := doc.Root().Get(place.Shape.Key)
	entry := holder.Get(clients.ServerName)
	if !entry.There() {
		return doc.Add([]string{place.Shape.Key}, clients.ServerName, clients.Entry(place.Shape, p.command.word, args))
	}
	if p.holds(place, doc, args) {
		return nil, nil
	}
	if !p.Force {
		return nil, p.different(place.Path)
	}
	words := append([]string{p.command.word}, args...)
	switch command := entry.Get("command"); {
	case !command.There() || !entry.IsObject():
		return doc.Replace(entry, clients.Entry(place.Shape, p.command.word, args)), nil
	case place.Shape.OneList:
		return doc.Replace(command, words), nil
	default:
		out := doc.Replace(command, p.command.word)
		if a := entry.Get("args"); a.There() {
			return append(out, doc.Replace(a, args)...), nil
		}
		more, err := doc.Add([]string{place.Shape.Key, clients.ServerName}, "args", args)
		return append(out, more...), err
	}
}

// holds reports whether the registration that is there starts the same thing.
func (p *planner) holds(place clients.Place, doc *jsonedit.Doc, args []string) bool {
	for _, s := range clients.Servers(place.Shape, doc) {
		if s.Name == clients.ServerName && s.Project == "" {
			if s.Disabled {
				p.report.Note("fettler is registered in %s and disabled there. Enable it by hand", place.Path)
			}
			return s.Broken == "" && s.Command != "" && p.same(s.Command) && slices.Equal(s.Args, args)
		}
	}
	return false
}

func (p *planner) different(path string) error {
	return outcome.New(outcome.TargetExists, "%s holds another %s entry. Pass --force to give it this command, or change it with an editor", path, clients.ServerName).At(path)
}
