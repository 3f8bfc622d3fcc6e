package launch

import (
	"path/filepath"
	"slices"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/ops"
	"fettler/fettle/internal/sibling"
	"fettler/shared/clients"
	"fettler/shared/config"
	"fettler/shared/found"
)

// addFound adds the trees that fettle finds itself. They come after the
// declared ones, which they never widen.
func (l *Launcher) addFound(c *config.Config, around *around, o *boundary.Options, s *ops.Session) error {
	in := found.Input{Launch: l.o.Dir, Env: l.o.Env, Tools: c.Tools, Disk: found.OS(o.Disk), Sources: around.sources}
	if c.Files.Project != "" {
		in.Project = filepath.Dir(c.Files.Project)
	}
	if c.Guardrails != nil {
		in.Declared = c.Guardrails.Trees
	}
	r, err := found.Look(in)
	if err != nil {
		return err
	}
	for _, t := range r.Trees {
		o.Trees = append(o.Trees, boundary.Spec{Name: t.Name, Path: t.Path, Can: t.Can, Found: t.How})
	}
	o.Closed = append(o.Closed, r.Closed...)
	s.Notes = append(s.Notes, r.Notes...)
	return nil
}

// project is a folder that a client may take for the project, and the clients'
// files for it.
type project struct {
	dir    string
	places []clients.Place
}

// around is what follows from names alone, which stay: where files would be, and
// not whether they are there.
type around struct {
	file string // the project file it is for
	// protected are the clients' files that fettle never writes.
	protected []string
	// sources are the files that may name companions.
	sources []found.Source
}

// around gives it for where the client started fettle, and for where the
// project file lies.
func (l *Launcher) around(c *config.Config) *around {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known != nil && l.known.file == c.Files.Project {
		return l.known
	}
	dirs := []string{l.o.Dir}
	if p := c.Files.Project; p != "" && filepath.Dir(p) != l.o.Dir {
		dirs = append(dirs, filepath.Dir(p))
	}
	l.known = &around{file: c.Files.Project}
	var projects []project
	for _, dir := range dirs {
		p := project{dir, clients.Places(l.o.Env, dir)}
		projects = append(projects, p)
		l.known.protected = append(l.known.protected, clients.Protected(p.places)...)
	}
	l.known.sources = registrations(projects)
	return l.known
}

// installed are fettle's own programs, and the library that the sidecar loads,
// where they lie now.
func installed() []string {
	dir, err := sibling.Dir()
	if err != nil {
		return nil
	}
	var out []string
	for _, name := range []string{"fettle", "fettle-mcp", "fettle-reader", "fettle-setup", "fettle-doctor", "burler-bridge"} {
		out = append(out, filepath.Join(dir, name+sibling.Suffix()))
	}
	for _, lib := range []string{"libonnxruntime.so", "libonnxruntime.dylib", "onnxruntime.dll"} {
		out = append(out, filepath.Join(dir, lib))
	}
	return out
}

// registrations are the files that may name companions. What a client starts
// for a project it starts in the project's folder, so that is what a relative
// root in such a file means, wherever below the folder the file lies.
func registrations(projects []project) []found.Source {
	var own []found.Source
	rest := make([]found.Source, 0, 64)
	for _, p := range projects {
		for _, s := range clients.Sources(p.places) {
			switch rel, err := filepath.Rel(p.dir, s.File); {
			case slices.Contains(own, s) || slices.Contains(rest, s):
			case s.Shape == found.Projects:
				own = append(own, s) // one person's entry for this project comes before the project's
			default:
				if err == nil && filepath.IsLocal(rel) {
					s.Folder = p.dir
				}
				rest = append(rest, s)
			}
		}
	}
	return append(own, rest...)
}
