package config

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func load(t *testing.T, dir string, files map[string]string) (*Config, error) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		put(t, file, text)
	}
	o := Options{Machine: filepath.Join(dir, "fettler/fettler.json"), Folder: dir}
	if _, there := files[ProjectName]; there {
		o.Project = filepath.Join(dir, ProjectName)
	}
	return Load(o)
}

func mustLoad(t *testing.T, dir string, files map[string]string) *Config {
	t.Helper()
	c, err := load(t, dir, files)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestNoFile(t *testing.T) {
	c := mustLoad(t, project(t), nil)
	if c.Guardrails != nil || c.Screenings != nil || c.Files != (Files{}) || !slices.Equal(c.Tools.SkippedFolders(), DefaultGenerated()) {
		t.Errorf("%+v", c)
	}
}

func TestWholeFile(t *testing.T) {
	dir := project(t)
	c := mustLoad(t, dir, map[string]string{ProjectName: "\ufeff" + `{
  // a comment
  "tools": { "generated": [], "scratch": "d", "client-root": "/srv/clients", },
  "guardrails": {
    "trees": {
      "zeta": { "path": "d" },
      "work": { "path": ".", "scopes": { "secrets": { "can": [] }, "docs/a": {} } },
      "shut": { "path": "d/x", "can": [] }
    },
    "tasks": { "build": { "run": "make {target} \"a b\"", "cwd": "d" }, "all": { "run": "make" } },
    "replacements": { "target": "x y" }
  },
  "screenings": { "models": "../m", "screen": { "WORK": ["identifiers"], "work/docs/a": true, "zeta": false } }
} // no line feed after this`, "d/x/keep": ""})

	g := c.Guardrails
	if got := treeNames(g.Trees); !slices.Equal(got, []string{"zeta", "work", "shut"}) {
		t.Errorf("the order is %v", got)
	}
	if z := g.Trees[0]; z.CanSet || z.Can != Look || z.Written != "d" || z.Path != filepath.Join(dir, "d") {
		t.Errorf("%+v", z)
	}
	if w := g.Trees[1]; w.Can != Work || !reflect.DeepEqual(w.Scopes, []Scope{{"secrets", Nothing, true}, {"docs/a", Nothing, false}}) {
		t.Errorf("%+v", w)
	}
	if s := g.Trees[2]; !s.CanSet || s.Can != Nothing {
		t.Errorf("%+v", s)
	}
	build, ok := g.Task("build")
	if !ok || !slices.Equal(build.Argv, []string{"make", "x y", "a b"}) || build.Cwd != filepath.Join(dir, "d") || build.Run != `make {target} "a b"` {
		t.Errorf("%+v", build)
	}
	if all, _ := g.Task("all"); all.Cwd != "" {
		t.Errorf("%+v", all)
	}
	if c.Tools.Generated == nil || len(c.Tools.SkippedFolders()) != 0 || c.Tools.ClientRoot != "/srv/clients" {
		t.Errorf("%+v", c.Tools)
	}
	s := c.Screenings
	if s.Models != filepath.Join(filepath.Dir(dir), "m") {
		t.Errorf("models: %s", s.Models)
	}
	for _, w := range []struct {
		tree, scope string
		want        Categories
		set         bool
	}{{"work", "", Identifiers, true}, {"work", "docs/a", All, true}, {"zeta", "", None, true}, {"shut", "", None, false}} {
		if got, set := s.Of(w.tree, w.scope); got != w.want || set != w.set {
			t.Errorf("%s/%s: %v %v", w.tree, w.scope, got, set)
		}
	}
	if s.Screen[0].Tree != "work" {
		t.Errorf("a key keeps its own case: %+v", s.Screen[0])
	}
}

// The default is decided by where the tree is, not by how its path is spelled.
func TestDefaultByPlace(t *testing.T) {
	dir := project(t)
	abs := filepath.ToSlash(dir)
	c := mustLoad(t, dir, map[string]string{ProjectName: `{"guardrails":{"trees":{"here":{"path":"` + abs + `/d/.."},"above":{"path":".."},"below":{"path":"d"}}}}`})
	want := map[string]Permissions{"here": Work, "above": Look, "below": Look}
	for _, tree := range c.Guardrails.Trees {
		if tree.Can != want[tree.Name] {
			t.Errorf("%s: %v", tree.Name, tree.Can)
		}
	}
	link := filepath.Join(dir, "d", "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip("no links here")
	}
	c = mustLoad(t, dir, map[string]string{ProjectName: `{"guardrails":{"trees":{"here":{"path":"d/link"}}}}`})
	if c.Guardrails.Trees[0].Can != Work {
		t.Error("a link to the file's own folder is that folder")
	}
}

func TestMerge(t *testing.T) {
	dir := project(t)
	machine := filepath.Join(dir, "fettler", "fettler.json")
	overlay := filepath.Join(dir, OverlayName)
	c := mustLoad(t, dir, map[string]string{
		"fettler/fettler.json": `{"tools":{"generated":["m"],"scratch-root":"s"},"screenings":{"models":"mm","screen":{"work":true,"other":true,"work/nope":true}}}`,
		ProjectName: `{"tools":{"scratch":"d"},
		  "guardrails":{"trees":{"work":{"path":".","can":["list"],"scopes":{"a":{}}},"side":{"path":"d"}},
		    "tasks":{"one":{"run":"a {v}","cwd":"d"},"two":{"run":"b"}},"replacements":{"v":"project"}},
		  "screenings":{"screen":{"side":["legal"]}}}`,
		OverlayName: `{"tools":{"generated":["o"]},
		  "guardrails":{"trees":{"Work":{"path":"."},"more":{"path":"fettler"}},"tasks":{"one":{"run":"c {v}"}},"replacements":{"v":"overlay"}},
		  "screenings":{"screen":{"side":false}}}`,
	})
	if c.Files != (Files{machine, filepath.Join(dir, ProjectName), overlay}) {
		t.Errorf("%+v", c.Files)
	}
	// An entry named in both is the overlay's entirely, in the place it had.
	if got := treeNames(c.Guardrails.Trees); !slices.Equal(got, []string{"Work", "side", "more"}) {
		t.Errorf("%v", got)
	}
	if w := c.Guardrails.Trees[0]; w.CanSet || w.Can != Work || len(w.Scopes) != 0 || w.File != overlay {
		t.Errorf("%+v", w)
	}
	one, _ := c.Guardrails.Task("one")
	if one.Cwd != "" || !slices.Equal(one.Argv, []string{"c", "overlay"}) {
		t.Errorf("%+v", one)
	}
	if _, ok := c.Guardrails.Task("two"); !ok {
		t.Error("an entry only the project names is gone")
	}
	if !slices.Equal(c.Tools.Generated, []string{"o"}) || c.Tools.From["generated"] != overlay || c.Tools.From["scratch-root"] != machine {
		t.Errorf("%+v", c.Tools)
	}
	if c.Tools.ScratchRoot != filepath.Join(dir, "fettler", "s") || c.Tools.Scratch != filepath.Join(dir, "d") {
		t.Errorf("a path resolves against its own file: %+v", c.Tools)
	}
	if got, _ := c.Screenings.Of("side", ""); got != None {
		t.Errorf("side: %v", got)
	}
	if got, _ := c.Screenings.Of("work", ""); got != All {
		t.Errorf("work: %v", got)
	}
	if c.Screenings.Models != filepath.Join(dir, "fettler", "mm") || len(c.Screenings.From) != 3 || len(c.Guardrails.From) != 2 {
		t.Errorf("%+v", c.Screenings)
	}
	// What the machine file says of trees that are not here is said, not refused.
	if len(c.Notes) != 2 || !strings.Contains(c.Notes[0], "screens other") || !strings.Contains(c.Notes[1], "screens work/nope") {
		t.Errorf("%q", c.Notes)
	}
}

func TestOverlayAlone(t *testing.T) {
	dir := project(t)
	c, err := load(t, dir, map[string]string{OverlayName: "{}"})
	refused(t, c, err, filepath.Join(dir, OverlayName)+" is an overlay, and there is no .fettler.json beside it")

	// Values of the overlay complete a project file; trees may be in either.
	c = mustLoad(t, dir, map[string]string{
		ProjectName: `{"guardrails":{"tasks":{"a":{"run":"b {v}"}}}}`,
		OverlayName: `{"guardrails":{"trees":{"work":{"path":"."}},"replacements":{"v":"w"}}}`,
	})
	if a, _ := c.Guardrails.Task("a"); !slices.Equal(a.Argv, []string{"b", "w"}) {
		t.Errorf("%+v", a)
	}
}

func TestMachineFileGuardrails(t *testing.T) {
	dir := project(t)
	c, err := load(t, dir, map[string]string{"fettler/fettler.json": `{"guardrails":{"trees":{"work":{"path":"."}}}}`})
	refused(t, c, err, filepath.Join(dir, "fettler", "fettler.json")+`:1:2 is the machine file, and it has a "guardrails" section. A tree, a task or an execute grant here would apply to every project on the machine, and no project reviewed it. Move the section to a project's .fettler.json.`)
}

// The project's own file stays exact about which trees there are.
func TestMachineScreensWorkWithoutAProject(t *testing.T) {
	c := mustLoad(t, project(t), map[string]string{"fettler/fettler.json": `{"screenings":{"screen":{"work":["identifiers"]}}}`})
	if got, set := c.Screenings.Of("work", ""); !set || got != Identifiers || c.Guardrails != nil {
		t.Errorf("%+v", c.Screenings)
	}
}

// A file that vanished or turned unreadable closes the boundary.
func TestVanished(t *testing.T) {
	dir := project(t)
	file := filepath.Join(dir, ProjectName)
	c, err := Load(Options{Project: file})
	refused(t, c, err, file+" is not there")

	if err := os.Mkdir(file, 0o755); err != nil {
		t.Fatal(err)
	}
	c, err = Load(Options{Project: file})
	refused(t, c, err, "not a regular file")

	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "gone"), file); err != nil {
		t.Skip("no links here")
	}
	c, err = Load(Options{Project: file})
	refused(t, c, err, "a link to something that is not there")

	// An overlay or machine file that is there and broken is never passed over.
	c, err = Load(Options{Machine: file, Folder: filepath.Join(dir, "d")})
	refused(t, c, err, "a link to something that is not there")
}

func FuzzParse(f *testing.F) {
	for _, c := range refusals {
		if len(c.text) < 2000 {
			f.Add(c.text)
		}
	}
	f.Add(`{"tools":{"generated":["bin"]},"guardrails":{"trees":{"work":{"path":"."}}},"screenings":{"screen":{"work":["-legal"]}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parsePart("/p/.fettler.json", "/p", "linux", []byte(text), projectFile)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "/p/.fettler.json") {
				t.Fatalf("the file is not named: %v", err)
			}
			// A message that shows the file rewritten shows a file that reads.
			if _, now, ok := strings.Cut(err.Error(), "Your entries, rewritten: "); ok {
				if _, _, err := parse("/p/new", []byte(now)); err != nil {
					t.Fatalf("%q was rewritten to what does not parse: %v", text, err)
				}
			}
			return
		}
		if g := p.guardrails; g != nil {
			for _, tree := range g.trees {
				if !TreeName(tree.Name) || ReservedName(tree.Name) || !filepath.IsAbs(tree.Path) {
					t.Fatalf("%+v was let through", tree)
				}
				for _, s := range tree.Scopes {
					if !filepath.IsLocal(s.Path) {
						t.Fatalf("scope %q leaves its tree", s.Path)
					}
				}
			}
			for _, task := range g.tasks {
				if len(task.Argv) == 0 || task.Argv[0] == "" {
					t.Fatalf("%+v was let through", task)
				}
			}
		}
	})
}
