// Package launch builds what one call works with: it finds and reads the
// configuration, opens the boundary it states, and joins the document reader
// and the screen to it.
//
// Call New once with what the command line and the surroundings say, then Open
// for every call. A Launcher that has found a project file keeps to that file:
// a fresh search could find a broader one above. Nothing of a boundary is kept
// between calls.
package launch

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/ops"
	"fettler/shared/config"
	"fettler/shared/disk"
	"fettler/shared/level"
	"fettler/shared/outcome"
)

// Options are the command line's global flags and the surroundings.
type Options struct {
	Dir       string     // the launch folder; "" is the process's
	Env       config.Env // whose files and folders are looked for
	Config    string     // --config
	ConfigSet bool
	Roots     []string // --root [NAME=]PATH, in order
	NoConfig  bool
	Server    bool // many calls, by one process
}

// Launcher opens sessions.
type Launcher struct {
	o       Options
	mu      sync.Mutex
	project string  // the project file, once found
	known   *around // for that file
	shared  services
}

// New checks the flags against each other. It reads nothing yet.
func New(o Options) (*Launcher, error) {
	if o.Dir == "" {
		dir, err := os.Getwd()
		if err != nil {
			return nil, outcome.New(outcome.Denied, "the launch folder cannot be told: %v", err).Because(err)
		}
		o.Dir = dir
	}
	switch {
	case o.ConfigSet && o.Config == "":
		return nil, outcome.New(outcome.Invalid, "--config names no file")
	case o.ConfigSet && o.NoConfig:
		return nil, outcome.New(outcome.Invalid, "--config and --no-config say opposite things. Give one of them")
	case o.NoConfig && len(o.Roots) > 0:
		return nil, outcome.New(outcome.Invalid, "--root already looks for no file. Leave --no-config out")
	case o.ConfigSet && len(o.Roots) > 0:
		return nil, outcome.New(outcome.Invalid, "--root opens trees without a file, and --config names one. Give one of them")
	}
	l := &Launcher{o: o}
	if o.ConfigSet {
		l.project = o.Config
		if !filepath.IsAbs(l.project) {
			l.project = filepath.Join(o.Dir, l.project)
		}
	}
	l.shared = newServices(o.Server)
	return l, nil
}

// Close ends the workers that calls left warm.
func (l *Launcher) Close() { l.shared.close() }

// load reads the configuration as it is now.
func (l *Launcher) load(look *disk.View) (*config.Config, error) {
	o := config.Options{Disk: look}
	if l.o.NoConfig || len(l.o.Roots) > 0 {
		return config.Load(o)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	o.Machine = config.MachineFile(l.o.Env)
	if l.project == "" {
		found, err := config.Find(l.o.Dir, l.o.Env)
		if err != nil {
			return nil, err
		}
		l.project = found
		o.Folder = l.o.Dir
	}
	o.Project = l.project
	return config.Load(o)
}

// Levels says which levels are on now.
func (l *Launcher) Levels() (map[level.Level]bool, error) {
	c, err := l.load(disk.New())
	if err != nil {
		return map[level.Level]bool{level.Tools: true}, err
	}
	return levels(c), nil
}

func levels(c *config.Config) map[level.Level]bool {
	return map[level.Level]bool{
		level.Tools: true, level.Guardrails: c.Guardrails != nil, level.Screenings: c.Screenings != nil,
	}
}

// Open builds the session of one call. progress may be nil. The caller closes
// the session's boundary.
func (l *Launcher) Open(ctx context.Context, progress func(done, total int64, message string)) (*ops.Session, error) {
	look := disk.New()
	c, err := l.load(look)
	if err != nil {
		return nil, err
	}
	s := &ops.Session{Config: c, Notes: c.Notes, Render: l.shared.pool, Recall: l.shared.seen, Progress: progress}
	if s.Progress == nil {
		s.Progress = func(int64, int64, string) {}
	}
	o, err := l.boundary(c, look, s)
	if err != nil {
		return nil, err
	}
	o.Alone = !l.o.Server
	b, err := boundary.New(o)
	if err != nil {
		return nil, err
	}
	b.Recover() // what a call that was killed left half done
	s.Boundary = b
	s.Screen = l.shared.screener(c)
	return s, nil
}

// boundary gathers the trees of the call.
func (l *Launcher) boundary(c *config.Config, look *disk.View, s *ops.Session) (boundary.Options, error) {
	o := boundary.Options{Disk: look}
	switch {
	case len(l.o.Roots) > 0:
		s.Source = "--root"
		specs, err := l.rootSpecs()
		o.Trees = specs
		return o, err
	case l.o.NoConfig:
		s.Source = "the launch folder, with --no-config"
		o.Trees = []boundary.Spec{{Name: "work", Path: l.o.Dir, Can: config.Look, Fixed: "Without --no-config it might"}}
		return o, nil
	case c.Guardrails != nil:
		s.Source = strings.Join(c.Guardrails.From, " and ")
		for _, t := range c.Guardrails.Trees {
			o.Trees = append(o.Trees, spec(t, c.Screenings))
		}
	default:
		s.Source = "the launch folder"
		if err := config.LaunchFolder(l.o.Dir, l.o.Env); err != nil {
			return o, err
		}
		work := config.Tree{Name: "work", Path: l.o.Dir, Can: config.Work}
		o.Trees = []boundary.Spec{spec(work, c.Screenings)}
	}
	for _, f := range []string{c.Files.Project, c.Files.Machine} {
		if f != "" {
			o.Governed = append(o.Governed, f)
		}
	}
	if c.Files.Project != "" {
		o.Governed = append(o.Governed, config.Overlay(c.Files.Project))
	}
	around := l.around(c)
	o.Protected = func() []string {
		out := slices.Concat(around.protected, installed())
		if c.Screenings != nil && c.Screenings.Models != "" {
			out = append(out, c.Screenings.Models) // what a screen rests on
		}
		return out
	}
	return o, l.addFound(c, around, &o, s)
}

// spec turns a declared tree, and the screens that name it, into what the
// boundary takes. A screen on a scope without permissions is a scope of its own.
func spec(t config.Tree, s *config.Screenings) boundary.Spec {
	out := boundary.Spec{Name: t.Name, Path: t.Path, Can: t.Can}
	for _, sc := range t.Scopes {
		out.Scopes = append(out.Scopes, boundary.ScopeSpec{Path: sc.Path, Can: sc.Can, CanSet: sc.CanSet})
	}
	if s == nil {
		return out
	}
	for _, e := range s.Screen {
		if !strings.EqualFold(e.Tree, t.Name) {
			continue
		}
		if e.Scope == "" {
			out.Screen = e.Categories
			continue
		}
		for i := range out.Scopes {
			if out.Scopes[i].Path == e.Scope {
				out.Scopes[i].Screen, out.Scopes[i].ScreenSet = e.Categories, true
			}
		}
	}
	return out
}

// rootSpecs are the trees of --root: list and read, and nothing widens them.
func (l *Launcher) rootSpecs() ([]boundary.Spec, error) {
	var out []boundary.Spec
	for i, r := range l.o.Roots {
		name, p, named := strings.Cut(r, "=")
		if named && !config.TreeName(name) {
			if strings.ContainsAny(name, `/\`) { // an = inside a path
				named, p = false, r
			} else {
				return nil, outcome.New(outcome.Invalid, "--root %s: '%s' is not a tree's name: two or more characters, a letter first, then letters, digits, dots, underscores or hyphens", r, name)
			}
		}
		if !named {
			p, name = r, "root"
			if i > 0 {
				name = "root" + strconv.Itoa(i+1)
			}
		}
		if p == "" {
			return nil, outcome.New(outcome.Invalid, "--root %s names no folder", r)
		}
		if !filepath.IsAbs(p) {
			p = filepath.Join(l.o.Dir, p)
		}
		for _, o := range out {
			if strings.EqualFold(o.Name, name) {
				return nil, outcome.New(outcome.Invalid, "--root: two trees are called '%s'. Write --root NAME=PATH to name them", name)
			}
		}
		out = append(out, boundary.Spec{Name: name, Path: p, Can: config.Look,
			Fixed: "The tree was opened with --root, which grants list and read and nothing more. To write there, declare it in a .fettler.json"})
	}
	return out, nil
}
