package config

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// guardrailsPart is a file's guardrails section before the files are merged.
type guardrailsPart struct {
	off          int
	trees        []treePart
	tasks        []taskPart
	replacements []Replacement
}

type treePart struct {
	Tree
	src     *source
	off     int // of the name
	pathOff int
	dir     string
}

// taskPart is a task whose line is split and not yet filled: a value may come
// from a later file.
type taskPart struct {
	Task
	src    *source
	runOff int
}

// reserved are the names of the trees fettle opens itself.
var reserved = []string{"scratch", "tool-results", "memory"}

// ReservedName reports whether fettle opens a tree of that name itself, so
// that nothing declared or found may take it.
func ReservedName(name string) bool {
	for _, r := range reserved {
		if strings.EqualFold(name, r) {
			return true
		}
	}
	return false
}

// TreeName reports whether name can name a tree: two or more characters, a
// letter first, then letters, digits, dots, underscores and hyphens. One
// letter would read as a drive in tree:path.
func TreeName(name string) bool {
	return utf8.RuneCountInString(name) >= 2 && isIdentifier(name)
}

func (p *part) readGuardrails(n *node, off int) error {
	if err := p.src.object(n, `"guardrails"`, "trees", "tasks", "replacements"); err != nil {
		return err
	}
	p.guardrails = &guardrailsPart{off: off}
	for _, m := range n.members {
		what := `"` + m.key + `"`
		if err := p.src.object(m.value, what); err != nil {
			return err
		}
		for _, e := range m.value.members {
			var err error
			switch m.key {
			case "trees":
				err = p.readTree(e)
			case "tasks":
				err = p.readTask(e)
			case "replacements":
				err = p.readReplacement(e)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *part) readTree(m member) error {
	switch {
	case ReservedName(m.key):
		return p.src.says(m.off, "declares a tree called '%s'. fettle gives that name to the client's %s folder and finds the folder itself. Remove the tree, or give it another name.", m.key, strings.ToLower(m.key))
	case !TreeName(m.key):
		return p.src.refuse(m.off, "%q cannot name a tree. A name is two or more characters: a letter first, then letters, digits, dots, underscores or hyphens", m.key)
	}
	for _, t := range p.guardrails.trees {
		if strings.EqualFold(t.Name, m.key) {
			return p.src.refuse(m.off, "the trees '%s' and '%s' differ only in case, and names are compared without it. Give one another name", t.Name, m.key)
		}
	}
	what := "tree '" + m.key + "'"
	if err := p.noScreen(m.value, m.key, ""); err != nil {
		return err
	}
	if err := p.src.object(m.value, what, "path", "can", "scopes"); err != nil {
		return err
	}
	t := treePart{Tree: Tree{Name: m.key, File: p.src.file}, src: p.src, off: m.off, pathOff: m.off, dir: p.dir}
	at := m.value.get("path")
	if at == nil {
		return p.src.refuse(m.off, `%s has no "path". Write the folder it opens, such as "." for this file's own`, what)
	}
	var err error
	if t.Path, err = p.path(at, what+`'s "path"`); err != nil {
		return err
	}
	t.Written, t.pathOff = at.str, at.off
	if can := m.value.get("can"); can != nil {
		if t.Can, err = p.permissions(can, what); err != nil {
			return err
		}
		t.CanSet = true
	}
	if scopes := m.value.get("scopes"); scopes != nil {
		if t.Scopes, err = p.readScopes(scopes, m.key); err != nil {
			return err
		}
	}
	p.guardrails.trees = append(p.guardrails.trees, t)
	return nil
}

// noScreen refuses a screen inside a tree or scope, showing where it goes.
func (p *part) noScreen(n *node, tree, scope string) error {
	for _, m := range n.members {
		if m.key == "screen" {
			return p.src.refuse(m.off, `tree '%s' has a "screen". A screen now goes under "screenings", keyed by the tree or scope: {"screenings":{"screen":{%s:%s}}}`,
				tree, quoteJSON(ScreenEntry{Tree: tree, Scope: scope}.Key()), m.value.compact())
		}
	}
	return nil
}

func (p *part) readScopes(n *node, tree string) ([]Scope, error) {
	if err := p.src.object(n, "tree '"+tree+`'s "scopes"`); err != nil {
		return nil, err
	}
	var scopes []Scope
	written := map[string]string{}
	for _, m := range n.members {
		clean, err := inside(m.key)
		if err != nil {
			return nil, p.src.because(m.off, "tree '"+tree+"' has a scope", err)
		}
		if first, twice := written[clean]; twice {
			return nil, p.src.refuse(m.off, "tree '%s' declares the scope '%s' twice, as %q and as %q. Keep one", tree, clean, first, m.key)
		}
		written[clean] = m.key
		what := "scope '" + m.key + "' of tree '" + tree + "'"
		if err := p.noScreen(m.value, tree, clean); err != nil {
			return nil, err
		}
		if err := p.src.object(m.value, what, "can"); err != nil {
			return nil, err
		}
		s := Scope{Path: clean}
		if can := m.value.get("can"); can != nil {
			if s.Can, err = p.permissions(can, what); err != nil {
				return nil, err
			}
			s.CanSet = true
		}
		scopes = append(scopes, s)
	}
	return scopes, nil
}

func (p *part) permissions(n *node, what string) (Permissions, error) {
	words, err := p.src.strings(n, what+`'s "can"`)
	if err != nil {
		return 0, err
	}
	for i := range words {
		if _, err := ParsePermissions(words[i : i+1]); err != nil {
			return 0, p.src.because(n.elems[i].off, what, err)
		}
	}
	return ParsePermissions(words)
}

func (p *part) readTask(m member) error {
	what := "task '" + m.key + "'"
	if !taskName(m.key) {
		return p.src.refuse(m.off, "%q cannot name a task. A name has no space at its ends, no control character and no hyphen first", m.key)
	}
	if err := p.src.object(m.value, what, "run", "cwd"); err != nil {
		return err
	}
	run := m.value.get("run")
	if run == nil {
		return p.src.refuse(m.off, `%s has no "run". Write the command line it runs`, what)
	}
	line, err := p.src.string(run, what+`'s "run"`)
	if err != nil {
		return err
	}
	t := taskPart{Task: Task{Name: m.key, Run: line, File: p.src.file}, src: p.src, runOff: run.off}
	if t.Argv, err = SplitCommand(line); err != nil {
		return p.src.because(run.off, what, err)
	}
	if cwd := m.value.get("cwd"); cwd != nil {
		if t.Cwd, err = p.path(cwd, what+`'s "cwd"`); err != nil {
			return err
		}
		t.CwdWritten = cwd.str
	}
	p.guardrails.tasks = append(p.guardrails.tasks, t)
	return nil
}

func taskName(name string) bool {
	if name == "" || strings.TrimSpace(name) != name || name[0] == '-' {
		return false
	}
	return strings.IndexFunc(name, unicode.IsControl) < 0
}

func (p *part) readReplacement(m member) error {
	if !isIdentifier(m.key) {
		return p.src.refuse(m.off, "%q cannot name a replacement. A name is a letter, then letters, digits, dots, underscores or hyphens", m.key)
	}
	value, err := p.src.string(m.value, "replacement '"+m.key+"'")
	if err != nil {
		return err
	}
	p.guardrails.replacements = append(p.guardrails.replacements, Replacement{Name: m.key, Value: value, File: p.src.file})
	return nil
}
