package found

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettler/shared/config"
	"fettler/shared/outcome"
)

// A companion is another server whose registration passes --root PATH. The
// model reaches that folder through it, so fettle opens the folder as a tree
// named for the server.

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// companions opens them, or refuses a name that is declared on another folder.
func (in *Input) companions(r *Result) error {
	byName := map[string][]Registration{}
	for _, reg := range in.registrations() {
		if !ours(reg) {
			key := strings.ToLower(reg.Name)
			byName[key] = append(byName[key], reg)
		}
	}
	for _, name := range sortedKeys(byName) {
		reg, root, why := in.choose(byName[name])
		switch {
		case why != "":
			r.Notes = append(r.Notes, fmt.Sprintf("the server %s, registered in %s, is not opened as a tree: %s", reg.Name, reg.File, why))
			continue
		case root == "":
			continue // not there, or not yet
		}
		how := fmt.Sprintf("the root of the server %s, registered in %s", reg.Name, reg.File)
		d := in.declared(reg.Name)
		if d == nil {
			r.Trees = append(r.Trees, Tree{reg.Name, root, config.Work, how})
			continue
		}
		if real, err := in.Disk.Real(d.Path); err != nil || real != root {
			return outcome.New(outcome.Invalid, "%s: tree '%s' is declared on %s, and fettle also opens %s under that name: %s. Give the declared tree another name.",
				d.File, d.Name, d.Path, root, how)
		}
		r.Paired = append(r.Paired, Tree{reg.Name, root, config.Work, how})
	}
	return nil
}

func (in *Input) declared(name string) *config.Tree {
	for i := range in.Declared {
		if strings.EqualFold(in.Declared[i].Name, name) {
			return &in.Declared[i]
		}
	}
	return nil
}

// ours reports whether the registration starts fettle itself, under any name.
func ours(r Registration) bool {
	if strings.EqualFold(r.Name, "fettler") || strings.EqualFold(r.Name, "fettle") {
		return true
	}
	for _, word := range append([]string{r.Command}, r.Args...) {
		base := word[strings.LastIndexAny(word, `/\`)+1:]
		switch strings.TrimSuffix(strings.ToLower(base), ".exe") {
		case "fettle", "fettle-mcp":
			return true
		}
	}
	return false
}

// choose takes one of the registrations of a name: of one client the first,
// which is the one it uses. Clients that disagree on the folder leave it shut.
func (in *Input) choose(regs []Registration) (reg Registration, root, why string) {
	reg = regs[0]
	root, why = in.root(reg)
	seen := map[string]bool{reg.Client: true}
	for _, other := range regs[1:] {
		if seen[other.Client] {
			continue
		}
		seen[other.Client] = true
		again, reason := in.root(other)
		switch {
		case reason != "":
			return other, "", reason
		case root == "":
			reg, root = other, again
		case again != "" && again != root:
			return other, "", fmt.Sprintf("%s registers that name with another root, %s", reg.File, root)
		}
	}
	return reg, root, why
}

// root is where a registration's root really is, "" when nothing is there, or
// the reason why it is not opened.
func (in *Input) root(r Registration) (root, why string) {
	if !config.TreeName(r.Name) {
		return "", "its name cannot name a tree"
	}
	if config.ReservedName(r.Name) || strings.EqualFold(r.Name, "work") {
		return "", "fettle uses that name for a tree of its own"
	}
	var given []string
	for i, a := range r.Args {
		if v, ok := strings.CutPrefix(a, "--root="); ok {
			given = append(given, v)
		} else if a == "--root" && i+1 < len(r.Args) {
			given = append(given, r.Args[i+1])
		}
	}
	switch {
	case len(given) > 1:
		return "", "it passes --root more than once"
	case len(given) == 0 || given[0] == "":
		return "", "its --root names no folder"
	case strings.Contains(given[0], "${"):
		return "", "its --root holds a variable, which only the client fills in"
	}
	path := given[0]
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.Folder, path)
	}
	path = filepath.Clean(path)
	there := in.Disk.Folder(path)
	real, err := in.Disk.Real(path)
	if there && err == nil {
		if d := in.declared(r.Name); d != nil {
			if at, err := in.Disk.Real(d.Path); err == nil && at == real {
				return real, "" // the same pairing written by hand: the declared tree stands
			}
		}
	}
	if why := in.broad(path); why != "" {
		return "", why
	}
	if !there || err != nil {
		return "", ""
	}
	if why := in.broad(real); why != "" {
		return "", why
	}
	return real, ""
}

// broad says why a root is more than a companion's folder.
func (in *Input) broad(path string) string {
	if what := config.Broad(path, in.Env); what != "" {
		return fmt.Sprintf("its root %s is %s", path, what)
	}
	homes := in.reals(in.Env.Home)
	for _, home := range homes {
		if within(path, home) {
			return fmt.Sprintf("its root %s is the home folder or a folder above it", path)
		}
		if rel, err := filepath.Rel(home, path); err == nil && filepath.IsLocal(rel) && strings.HasPrefix(rel, ".") {
			return fmt.Sprintf("its root %s lies in a dot-folder of the home folder", path)
		}
	}
	for _, p := range append(in.reals(in.Project), in.reals(in.Launch)...) {
		if within(path, p) {
			return fmt.Sprintf("its root %s holds the project", path)
		}
	}
	return ""
}

// reals are a path and where it really is.
func (in *Input) reals(path string) []string {
	if path == "" || path == string(os.PathSeparator) {
		return nil
	}
	out := []string{filepath.Clean(path)}
	if real, err := in.Disk.Real(path); err == nil && real != out[0] {
		out = append(out, real)
	}
	return out
}
