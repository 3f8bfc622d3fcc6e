package found

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fettler/shared/config"
)

// sessionVariable carries the session's id, and wins when several variables
// hold the name of a session.
const sessionVariable = "CLAUDE_CODE_SESSION_ID"

const (
	memoryFolder  = "memory"
	resultsFolder = "tool-results"
	scratchFolder = "scratchpad"
)

// project is this project's folder below one root.
type project struct {
	root string // absolute
	dir  string
}

// session finds scratch, tool-results and memory.
func (in *Input) session(r *Result) {
	client := in.project([]string{in.clientRoot()})
	scratch := in.project(in.scratchRoots(r))
	id, route := in.current(client, scratch)

	if in.Tools.Scratch != "" {
		if in.Disk.Folder(in.Tools.Scratch) {
			r.Trees = append(r.Trees, Tree{"scratch", in.Tools.Scratch, config.Work, "named by hand" + in.from("scratch")})
		}
	} else if id != "" {
		in.open(r, scratch, Tree{"scratch", filepath.Join(scratch.dir, id, scratchFolder), config.Work,
			"this session's folder, " + route + in.from("scratch-root")})
	}
	if id != "" {
		in.open(r, client, Tree{"tool-results", filepath.Join(client.dir, id, resultsFolder), config.Look,
			"in the client's folder for this project, in this session's folder; " + route + in.from("client-root")})
	}
	in.open(r, client, Tree{"memory", filepath.Join(client.dir, memoryFolder), config.Work,
		"in the client's folder for this project" + in.from("client-root")})

	for _, p := range []project{client, scratch} {
		in.shut(r, p)
	}
}

// open adds a tree below a project's folder if it is there, and if the place
// it really is has the same role: a link to an older session, to a transcript
// or out of the root opens nothing.
func (in *Input) open(r *Result, p project, t Tree) {
	if p.dir == "" || !in.Disk.Folder(t.Path) {
		return
	}
	real, err := in.Disk.Real(t.Path)
	if err != nil {
		return
	}
	root, err := in.Disk.Real(p.root)
	if err != nil {
		return
	}
	got, err := filepath.Rel(root, real)
	if err != nil || !filepath.IsLocal(got) {
		return
	}
	want, err := filepath.Rel(p.root, t.Path)
	if err != nil {
		return
	}
	// All but the project's own name must agree: memory may be shared with
	// another project's, a session's folder is this session's.
	g, w := parts(got), parts(want)
	if len(g) != len(w) || !slices.Equal(g[1:], w[1:]) {
		return
	}
	t.Path = real
	r.Trees = append(r.Trees, t)
}

func parts(rel string) []string { return strings.Split(filepath.ToSlash(rel), "/") }

// shut closes the folder that holds sessions: the whole root, or where a
// declared tree or the project lies in it, this project's folder alone.
func (in *Input) shut(r *Result, p project) {
	for _, dir := range []string{p.root, p.dir} {
		if dir == "" || !in.Disk.Folder(dir) {
			continue
		}
		real, err := in.Disk.Real(dir)
		if err != nil || in.holdsDeclared(real) {
			continue
		}
		if !slices.Contains(r.Closed, real) {
			r.Closed = append(r.Closed, real)
		}
		return
	}
}

func (in *Input) holdsDeclared(dir string) bool {
	paths := []string{in.Launch, in.Project}
	for _, t := range in.Declared {
		paths = append(paths, t.Path)
	}
	for _, p := range paths {
		if real, err := in.Disk.Real(p); err == nil && within(dir, real) {
			return true
		}
	}
	return false
}

// within reports whether path is dir or below it; both are real.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// clientRoot is the folder that holds the client's per-project folders.
func (in *Input) clientRoot() string {
	if in.Tools.ClientRoot != "" {
		return in.Tools.ClientRoot
	}
	if dir := in.Env.Getenv("CLAUDE_CONFIG_DIR"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "projects")
	}
	if in.Env.Home == "" {
		return ""
	}
	return filepath.Join(in.Env.Home, ".claude", "projects")
}

// scratchRoots are the folders that may hold every project's scratch folders.
func (in *Input) scratchRoots(r *Result) []string {
	if set := in.Tools.ScratchRoot; set != "" {
		if in.Disk.Folder(set) && !in.Disk.Mine(set) {
			r.Notes = append(r.Notes, fmt.Sprintf("the scratch root %s belongs to another user and is not used%s", set, in.from("scratch-root")))
			return nil
		}
		return []string{set}
	}
	temps := []string{in.Env.Temp}
	if in.Env.GOOS == "darwin" {
		temps = append(temps, "/tmp") // where the client keeps it, whatever TMPDIR says
	}
	var roots []string
	for _, t := range temps {
		if t == "" {
			continue
		}
		if in.Env.UID >= 0 {
			roots = append(roots, filepath.Join(t, "claude-"+strconv.Itoa(in.Env.UID)))
		}
		roots = append(roots, filepath.Join(t, "claude"))
	}
	// The temporary folder is everybody's: someone else may have made the name first.
	return slices.DeleteFunc(roots, func(root string) bool { return !in.Disk.Mine(root) })
}

// project finds this project's folder below the first root that has one.
func (in *Input) project(roots []string) project {
	paths := []string{filepath.Clean(in.Launch)}
	if real, err := in.Disk.Real(in.Launch); err == nil {
		paths = append(paths, real)
	}
	first := project{}
	for _, root := range roots {
		if root == "" || !in.Disk.Folder(root) {
			continue
		}
		if first.root == "" {
			first.root = root
		}
		for _, name := range slugs(paths, in.Env.GOOS) {
			if len(name) <= longest && in.Disk.Folder(filepath.Join(root, name)) {
				return project{root, filepath.Join(root, name)}
			}
		}
		if dir := in.cut(root, paths); dir != "" {
			return project{root, dir}
		}
	}
	return first
}

// cut finds the folder of a path so long that the client cut its name and
// added a hash. The hash is the client's secret, so the name is matched by its
// beginning, and several matches open none.
func (in *Input) cut(root string, paths []string) string {
	found := ""
	for _, p := range paths {
		name := clientSlug(p)
		if len(name) <= longest {
			continue
		}
		entries, err := in.Disk.List(root)
		if err != nil {
			return ""
		}
		for _, e := range entries {
			if !e.Folder || !strings.HasPrefix(e.Name, name[:longest]) || e.Name == found {
				continue
			}
			if found != "" {
				return ""
			}
			found = e.Name
		}
	}
	if found == "" {
		return ""
	}
	return filepath.Join(root, found)
}

// current is this session's id, and by what route it is known.
func (in *Input) current(projects ...project) (id, route string) {
	sessions := map[string]bool{} // name → it has a folder
	var folders []Entry
	for _, p := range projects {
		if p.dir == "" {
			continue
		}
		entries, err := in.Disk.List(p.dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			switch {
			case e.Name == memoryFolder || strings.HasPrefix(e.Name, "."):
			case e.Folder:
				sessions[e.Name] = true
				folders = append(folders, e)
			default:
				// A session whose folder is not made yet has its transcript:
				// then no older session stands in for it.
				if id, ok := strings.CutSuffix(e.Name, ".jsonl"); ok && !sessions[id] {
					sessions[id] = false
				}
			}
		}
	}
	if id, variable := in.named(sessions); id != "" {
		return id, "named by the environment variable " + variable
	}
	newest := Entry{}
	for _, e := range folders {
		if e.Changed == nil {
			continue
		}
		at := e.Changed()
		if newest.Name == "" || at.After(newest.at) || at.Equal(newest.at) && e.Name > newest.Name {
			newest = e
			newest.at = at
		}
	}
	if newest.Name == "" {
		return "", ""
	}
	return newest.Name, "the newest, since no environment variable names one"
}

// named gives the session that a value of the environment names exactly.
func (in *Input) named(sessions map[string]bool) (id, variable string) {
	if len(sessions) == 0 {
		return "", ""
	}
	if id := in.Env.Getenv(sessionVariable); id != "" {
		if _, ok := sessions[id]; ok {
			return id, sessionVariable
		}
	}
	environ := slices.Sorted(slices.Values(in.Env.Environ))
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		if hasFolder := sessions[value]; hasFolder && name != "" {
			return value, name
		}
	}
	return "", ""
}
