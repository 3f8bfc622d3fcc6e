// Package rule reads Claude Code's permission rules the way the client does.
//
// Parse takes one apart. Path says which place a rule about a path means, Dead
// whether its tool never looks at paths, and Writes which command that changes
// files a shell rule lets through. Everything is pure.
//
// A rule's own text may hold anything, a secret included, so nothing here gives
// it back but words that are compiled in.
package rule

import (
	"path"
	"slices"
	"strings"

	"fettler/shared/clients"
)

// Rule is one entry of allow, ask or deny.
type Rule struct {
	Tool string
	Spec string // what the parentheses hold
	Bare bool   // the whole tool: no parentheses, or all of it
}

// Parse takes a rule apart.
func Parse(text string) Rule {
	text = strings.TrimSpace(text)
	tool, rest, narrowed := strings.Cut(text, "(")
	if !narrowed {
		return Rule{Tool: tool, Bare: true}
	}
	spec := strings.TrimSuffix(rest, ")")
	return Rule{Tool: tool, Spec: spec, Bare: spec == "*" || spec == ""}
}

// MCP gives the server of a rule about one, "" for any other.
func (r Rule) MCP() (server, tool string) {
	rest, ok := strings.CutPrefix(r.Tool, "mcp__")
	if !ok {
		return "", ""
	}
	server, tool, _ = strings.Cut(rest, "__")
	return server, tool
}

// Known gives the tool's name when the inventory has it, and so it can be printed.
func (r Rule) Known() (string, bool) {
	return r.Tool, clients.GroupOf(r.Tool) != ""
}

// Dead reports a rule about a path on a tool that never consults one: only Read
// and Edit rules are looked at for files.
func (r Rule) Dead() bool {
	return !r.Bare && slices.Contains([]string{"Write", "NotebookEdit", "Glob", "MultiEdit"}, r.Tool)
}

// Shell reports a rule about one of the shells.
func (r Rule) Shell() bool { return clients.GroupOf(r.Tool) == clients.Shell }

// Base is what a rule's path may be relative to.
type Base struct {
	Settings string // the folder that the settings file's own paths start at
	Dir      string // the current folder
	Home     string
}

// Path gives the place that a rule's path means: //x is absolute, ~/x is below
// the home folder, /x starts at the settings file's folder, and x at the
// current one. What follows the first wildcard is cut off, to a whole folder.
func (b Base) Path(spec string) string {
	if i := strings.IndexAny(spec, "*?["); i >= 0 {
		spec = spec[:strings.LastIndexByte(spec[:i], '/')+1]
	}
	switch {
	case strings.HasPrefix(spec, "//"):
		return path.Clean(spec[1:])
	case spec == "~" || strings.HasPrefix(spec, "~/"):
		return path.Join(b.Home, strings.TrimPrefix(spec, "~"))
	case strings.HasPrefix(spec, "/"):
		return path.Join(b.Settings, spec)
	}
	return path.Join(b.Dir, spec)
}

// Folder gives the place that an additional directory means: there a first / is
// the root, unlike in a rule.
func (b Base) Folder(dir string) string {
	dir = strings.ReplaceAll(dir, `\`, "/")
	switch {
	case dir == "~" || strings.HasPrefix(dir, "~/"):
		return path.Join(b.Home, strings.TrimPrefix(dir, "~"))
	case strings.HasPrefix(dir, "/") || len(dir) > 1 && dir[1] == ':':
		return path.Clean(dir)
	}
	return path.Join(b.Dir, dir)
}
