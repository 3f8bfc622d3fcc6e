package config

import (
	"strings"
)

// part is what one file states, checked as far as one file can be.
type part struct {
	src        *source
	dir        string // the folder of the file
	goos       string
	tools      *toolsPart
	guardrails *guardrailsPart
	screenings *screeningsPart
}

// role is which of the three files a file is.
type role int

const (
	machineFile role = iota
	projectFile
	overlayFile
)

// parsePart reads one file's three sections.
func parsePart(file, dir, goos string, text []byte, r role) (*part, error) {
	src, root, err := parse(file, text)
	if err != nil {
		return nil, err
	}
	p := &part{src: src, dir: dir, goos: goos}
	if err := src.object(root, "the file"); err != nil {
		return nil, err
	}
	if err := p.top(root, r); err != nil {
		return nil, err
	}
	for _, m := range root.members {
		switch m.key {
		case "tools":
			err = p.readTools(m.value)
		case "guardrails":
			err = p.readGuardrails(m.value, m.off)
		case "screenings":
			err = p.readScreenings(m.value)
		}
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// top refuses what does not belong at the top: the old flat shape first, since
// its message shows the whole file rewritten.
func (p *part) top(root *node, r role) error {
	for _, m := range root.members {
		if oldKey(m.key) {
			return p.src.says(m.off, "has %q at the top, which is the shape this version no longer reads. Rewrite the file with three sections, one per level. Your entries, rewritten: %s", m.key, rewritten(root))
		}
	}
	for _, m := range root.members {
		switch m.key {
		case "tools", "screenings":
		case "guardrails":
			if r == machineFile {
				return p.src.says(m.off, `is the machine file, and it has a "guardrails" section. A tree, a task or an execute grant here would apply to every project on the machine, and no project reviewed it. Move the section to a project's .fettler.json.`)
			}
		default:
			return p.src.says(m.off, "has %q at the top. The top holds three sections, one per level: tools, guardrails, screenings.", m.key)
		}
	}
	return nil
}

// path reads a declared path and resolves it against the file's folder.
func (p *part) path(n *node, what string) (string, error) {
	s, err := p.src.string(n, what)
	if err != nil {
		return "", err
	}
	abs, err := resolve(s, p.dir, p.goos)
	if err != nil {
		return "", p.src.because(n.off, what, err)
	}
	return abs, nil
}

// toolsPart is a file's tools section: the keys it gives.
type toolsPart struct {
	generated                        []string
	scratch, scratchRoot, clientRoot string
}

func (p *part) readTools(n *node) error {
	if err := p.src.object(n, `"tools"`, "generated", "scratch", "scratch-root", "client-root"); err != nil {
		return err
	}
	t := &toolsPart{}
	for _, m := range n.members {
		var err error
		switch m.key {
		case "generated":
			t.generated, err = p.generated(m.value)
		case "scratch":
			t.scratch, err = p.path(m.value, `"scratch"`)
		case "scratch-root":
			t.scratchRoot, err = p.path(m.value, `"scratch-root"`)
		case "client-root":
			t.clientRoot, err = p.path(m.value, `"client-root"`)
		}
		if err != nil {
			return err
		}
	}
	p.tools = t
	return nil
}

// generated reads folder names: each one segment, matched by name at any depth.
func (p *part) generated(n *node) ([]string, error) {
	names, err := p.src.strings(n, `"generated"`)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		if name == "" || name == "." || name == ".." || strings.ContainsAny(name, `/\*?`) {
			return nil, p.src.refuse(n.elems[i].off, `"generated" holds %q, which is not the name of a folder. Write one name, without a path or a wildcard`, name)
		}
	}
	return names, nil
}
