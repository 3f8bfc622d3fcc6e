package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"fettler/shared/disk"
	"fettler/shared/outcome"
)

// Options say which files Load reads.
type Options struct {
	// Machine is the machine file, as MachineFile answers it; it may be absent.
	Machine string
	// Project is the project file; "" is none. It is required to be there,
	// so that a file that vanishes closes the boundary and never widens it.
	Project string
	// Folder is the launch folder, in which an overlay without a project
	// file is refused; "" looks nowhere.
	Folder string
	// GOOS is whose rules for paths apply; "" is this machine's.
	GOOS string
	// Disk is where declared folders are looked up; nil asks anew.
	Disk *disk.View
}

// Load reads the files, validates each wholly, and merges them.
func Load(o Options) (*Config, error) {
	if o.GOOS == "" {
		o.GOOS = runtime.GOOS
	}
	c := &Config{}
	var parts []*part
	add := func(file string, r role, required bool) (bool, error) {
		abs, err := filepath.Abs(file)
		if err != nil {
			return false, outcome.New(outcome.Invalid, "%s: %v", file, err)
		}
		text, err := readFile(abs)
		if errors.Is(err, fs.ErrNotExist) && !required {
			return false, nil
		}
		if err != nil {
			return false, unreadable(abs, err)
		}
		p, err := parsePart(abs, filepath.Dir(abs), o.GOOS, text, r)
		if err != nil {
			return false, err
		}
		parts = append(parts, p)
		return true, nil
	}
	if o.Machine != "" {
		there, err := add(o.Machine, machineFile, false)
		if err != nil {
			return nil, err
		}
		if there {
			c.Files.Machine = parts[len(parts)-1].src.file
		}
	}
	if o.Project == "" {
		if o.Folder != "" {
			lone := filepath.Join(o.Folder, OverlayName)
			if _, err := os.Lstat(lone); err == nil {
				return nil, outcome.New(outcome.Invalid, "%s is an overlay, and there is no %s beside it to lie over. Write that file, or rename this one to it", lone, ProjectName)
			}
		}
		if err := c.merge(parts, o.Disk); err != nil {
			return nil, err
		}
		return c, nil
	}
	if _, err := add(o.Project, projectFile, true); err != nil {
		return nil, err
	}
	c.Files.Project = parts[len(parts)-1].src.file
	there, err := add(Overlay(c.Files.Project), overlayFile, false)
	if err != nil {
		return nil, err
	}
	if there {
		c.Files.Overlay = parts[len(parts)-1].src.file
	}
	if err := c.merge(parts, o.Disk); err != nil {
		return nil, err
	}
	return c, nil
}

// Overlay is the overlay's path for a project file.
func Overlay(project string) string { return filepath.Join(filepath.Dir(project), OverlayName) }

func unreadable(file string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return outcome.New(outcome.Invalid, "%s is not there, and it says what fettle may do. Put it back, or start again without it", file).Because(err)
	}
	return outcome.New(outcome.Invalid, "%s cannot be read, and it says what fettle may do: %v", file, err).Because(err)
}

// readFile reads a configuration file, never more of it than is allowed, and
// never one that could block, such as a pipe.
func readFile(file string) ([]byte, error) {
	info, err := os.Lstat(file)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if info, err = os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return nil, errors.New("it is a link to something that is not there")
		}
	}
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	}
	return disk.ReadFile(file, info.Size(), maxBytes+1)
}

// merge lays the parts over one another: by section, then by named entry, a
// later entry standing whole in the place of the earlier one.
func (c *Config) merge(parts []*part, look *disk.View) error {
	var trees []treePart
	var tasks []taskPart
	var screens []screenPart
	var empty *part // the first part whose guardrails declare no tree
	for i, p := range parts {
		c.mergeTools(p)
		if g := p.guardrails; g != nil {
			if c.Guardrails == nil {
				c.Guardrails, empty = &Guardrails{}, p
			}
			c.Guardrails.From = append(c.Guardrails.From, p.src.file)
			for _, t := range g.trees {
				trees = lay(trees, t, func(a, b treePart) bool { return strings.EqualFold(a.Name, b.Name) })
			}
			for _, t := range g.tasks {
				tasks = lay(tasks, t, func(a, b taskPart) bool { return a.Name == b.Name })
			}
			for _, r := range g.replacements {
				c.Guardrails.Replacements = lay(c.Guardrails.Replacements, r, func(a, b Replacement) bool { return a.Name == b.Name })
			}
		}
		if s := p.screenings; s != nil {
			if c.Screenings == nil {
				c.Screenings = &Screenings{}
			}
			c.Screenings.From = append(c.Screenings.From, p.src.file)
			if s.models != "" {
				c.Screenings.Models, c.Screenings.ModelsFile = s.models, p.src.file
			}
			for _, e := range s.screen {
				e.machine = i == 0 && c.Files.Machine == p.src.file
				screens = lay(screens, e, func(a, b screenPart) bool { return sameKey(a.ScreenEntry, b.ScreenEntry) })
			}
		}
	}
	if c.Guardrails != nil {
		if len(trees) == 0 {
			return empty.src.says(empty.guardrails.off, `has a "guardrails" section that declares no trees. Add a "trees" object to it, or remove the section to use the launch folder as the tree.`)
		}
		if err := c.Guardrails.settle(trees, tasks, look); err != nil {
			return err
		}
	}
	if c.Screenings != nil {
		notes, err := c.Screenings.bind(screens, c.Guardrails)
		if err != nil {
			return err
		}
		c.Notes = append(c.Notes, notes...)
	}
	return nil
}

// lay puts e over the entry of the same name, or at the end.
func lay[E any](list []E, e E, same func(a, b E) bool) []E {
	if i := slices.IndexFunc(list, func(other E) bool { return same(other, e) }); i >= 0 {
		list[i] = e
		return list
	}
	return append(list, e)
}

func (c *Config) mergeTools(p *part) {
	t := p.tools
	if t == nil {
		return
	}
	from := func(key string) {
		if c.Tools.From == nil {
			c.Tools.From = map[string]string{}
		}
		c.Tools.From[key] = p.src.file
	}
	if t.generated != nil {
		c.Tools.Generated = t.generated
		from("generated")
	}
	for _, k := range []struct {
		key, value string
		into       *string
	}{
		{"scratch", t.scratch, &c.Tools.Scratch},
		{"scratch-root", t.scratchRoot, &c.Tools.ScratchRoot},
		{"client-root", t.clientRoot, &c.Tools.ClientRoot},
	} {
		if k.value != "" {
			*k.into = k.value
			from(k.key)
		}
	}
}

// settle gives each tree its default and fills each task.
func (g *Guardrails) settle(trees []treePart, tasks []taskPart, look *disk.View) error {
	real := map[string]string{} // where a tree really is → its name
	for _, t := range trees {
		at, err := folder(t.Path, look)
		if err != nil {
			return t.src.refuse(t.pathOff, "tree '%s' is declared on %s, %v. Make the folder, or change the tree's path", t.Name, t.Path, err)
		}
		if first, twice := real[at]; twice {
			return t.src.refuse(t.pathOff, "the trees '%s' and '%s' are one folder, %s, and could state two rules for it. Declare it once, with scopes for what differs", first, t.Name, t.Path)
		}
		real[at] = t.Name
		if !t.CanSet {
			t.Can = Look
			if sameFolder(at, t.dir) {
				t.Can = Work
			}
		}
		g.Trees = append(g.Trees, t.Tree)
	}
	value := func(name string) (string, bool) {
		i := slices.IndexFunc(g.Replacements, func(r Replacement) bool { return r.Name == name })
		if i < 0 {
			return "", false
		}
		return g.Replacements[i].Value, true
	}
	for _, t := range tasks {
		argv := make([]string, len(t.Argv))
		for i, word := range t.Argv {
			filled, err := fill(word, value)
			if err != nil {
				return t.src.refuse(t.runOff, `task '%s': %v, so the task cannot say what it runs. Declare the name under "replacements", or write {{ for a literal brace`, t.Name, err)
			}
			argv[i] = filled
		}
		if argv[0] == "" {
			return t.src.refuse(t.runOff, "task '%s': the command line names no program once its values are filled in", t.Name)
		}
		t.Argv = argv
		g.Tasks = append(g.Tasks, t.Task)
	}
	return nil
}

// folder is where a declared folder really is.
func folder(path string, look *disk.View) (string, error) {
	real, err := look.Real(path)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			return "", fmt.Errorf("which the operating system does not let fettle reach")
		}
		return "", fmt.Errorf("and there is no such folder")
	}
	info, err := look.Stat(real)
	if err != nil || !info.IsDir() {
		return "", fmt.Errorf("which is not a folder")
	}
	return real, nil
}

// sameFolder compares by identity, so that a link, or another spelling of the
// case, is the same folder.
func sameFolder(a, b string) bool {
	if a == b {
		return true
	}
	ai, aerr := os.Stat(a)
	bi, berr := os.Stat(b)
	return aerr == nil && berr == nil && os.SameFile(ai, bi)
}
