package launch

import (
	"path/filepath"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/ops"
	"fettler/fettle/internal/sibling"
	"fettler/shared/config"
	"fettler/shared/found"
)

// protect names what fettle never writes besides the nine: its own programs,
// and the models that a screen rests on.
func (l *Launcher) protect(c *config.Config, o *boundary.Options) {
	if c.Screenings != nil && c.Screenings.Models != "" {
		o.Protected = append(o.Protected, c.Screenings.Models)
	}
	dir, err := sibling.Dir()
	if err != nil {
		return
	}
	for _, name := range []string{"fettle", "fettle-mcp", "fettle-reader", "fettle-setup", "fettle-doctor", "burler-bridge"} {
		o.Protected = append(o.Protected, filepath.Join(dir, name+sibling.Suffix()))
	}
	for _, lib := range []string{"libonnxruntime.so", "libonnxruntime.dylib", "onnxruntime.dll"} {
		o.Protected = append(o.Protected, filepath.Join(dir, lib))
	}
}

// addFound adds the trees that fettle finds itself. They come after the
// declared ones, which they never widen.
func (l *Launcher) addFound(c *config.Config, o *boundary.Options, s *ops.Session) error {
	in := found.Input{Launch: l.o.Dir, Env: l.o.Env, Tools: c.Tools, Disk: found.OS()}
	if c.Files.Project != "" {
		in.Project = filepath.Dir(c.Files.Project)
	}
	if c.Guardrails != nil {
		in.Declared = c.Guardrails.Trees
	}
	in.Sources = found.Sources(in)
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
