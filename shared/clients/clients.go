// Package clients is the one table of where the clients of MCP servers keep
// things: which files, on which platform, under which environment variable, in
// which syntax and shape.
//
// Call Places for every file of a project and a home. fettle-setup writes and
// fettle-doctor reads only what Places names; Protected are those of them that
// fettle's verbs never write; Sources are those that may name a companion server.
// Servers reads the registrations out of a file's bytes. Everything here is a pure
// function of its arguments: each platform's rules can be tested on any.
//
// What it does not do: it opens no file, and it knows nothing that is not in
// the clients' documentation or in a public report about them, as of Dated.
package clients

import (
	"iter"
	"path"
	"slices"
	"strings"

	"fettler/shared/config"
)

// Dated is the day the table and the inventory of built-in tools were drawn.
const Dated = "2026-12-02"

// ServerName is what fettle is registered as, everywhere.
const ServerName = "fettler"

// BackupSuffix ends the name of the copy that setup leaves of what it changed.
const BackupSuffix = ".fettler-backup"

// The clients' names on the command line.
const (
	ClaudeCode    = "claude-code"
	ClaudeDesktop = "claude-desktop"
	VSCode        = "vscode-copilot"
	Copilot       = "github-copilot"
	Cursor        = "cursor"
	Codex         = "codex"
	Gemini        = "gemini"
	Windsurf      = "windsurf"
	Zed           = "zed"
	OpenCode      = "opencode"
)

// Client is one program that starts MCP servers.
type Client struct {
	Name  string
	Title string
	// Project holds when the client reads registrations from a project.
	Project bool
	// Elsewhere holds when it starts servers outside any project, so that a
	// registration has to name the configuration file.
	Elsewhere bool
	// Rewrites holds when it writes its file from memory while it runs, and so
	// may undo a change made meanwhile.
	Rewrites bool
	// Later holds for clients beyond the four that the documentation names.
	Later bool
}

var table = []Client{
	{Name: ClaudeCode, Title: "Claude Code", Project: true},
	{Name: ClaudeDesktop, Title: "Claude Desktop", Elsewhere: true, Rewrites: true},
	{Name: VSCode, Title: "Copilot in VS Code", Project: true},
	{Name: Copilot, Title: "GitHub Copilot CLI", Project: true},
	{Name: Cursor, Title: "Cursor", Project: true, Later: true},
	{Name: Codex, Title: "Codex CLI", Project: true, Later: true},
	{Name: Gemini, Title: "Gemini CLI", Project: true, Later: true},
	{Name: Windsurf, Title: "Windsurf", Later: true},
	{Name: Zed, Title: "Zed", Project: true, Later: true},
	{Name: OpenCode, Title: "opencode", Project: true, Later: true},
}

// All lists the clients, the four of the documentation first.
func All() []Client { return slices.Clone(table) }

// Find gives the client of that exact name.
func Find(name string) (Client, bool) {
	i := slices.IndexFunc(table, func(c Client) bool { return c.Name == name })
	if i < 0 {
		return Client{}, false
	}
	return table[i], true
}

// Names lists the clients' names.
func Names() []string {
	var out []string
	for _, c := range table {
		out = append(out, c.Name)
	}
	return out
}

// Reach is how far a file counts.
type Reach string

// The reaches. Repo is what --local writes; Managed is an administrator's and
// only ever read.
const (
	Global  Reach = "global"
	Repo    Reach = "repo"
	Managed Reach = "managed"
)

// Purpose is what a file is for. One file may serve several, in several places.
type Purpose string

// The purposes.
const (
	Register     Purpose = "register"     // holds the registrations
	Settings     Purpose = "settings"     // holds permissions, hooks or approvals
	Personal     Purpose = "personal"     // the same, of one person in one project: never written
	Instructions Purpose = "instructions" // text for the model
)

// Syntax is what a client's own reader takes.
type Syntax string

// The syntaxes. Strict means that one comment or one trailing comma makes the
// client drop the whole file.
const (
	Strict   Syntax = "json"
	Comments Syntax = "jsonc"
	TOML     Syntax = "toml"
	Text     Syntax = "text"
)

// Shape is how a file holds its registrations: the key, and what an entry needs
// besides a command and its arguments.
type Shape struct {
	Key   string // "mcpServers", "servers", "mcp_servers", "context_servers", "mcp"
	Extra []Field
	// OneList holds where the command and its arguments are one list.
	OneList bool
	// ByProject holds where {"projects":{FOLDER:{KEY:…}}} is read too.
	ByProject bool
}

// Field is a member of an entry.
type Field struct {
	Name  string
	Value any
	Last  bool // after the command and its arguments
}

// Place is one file of a client.
type Place struct {
	Client  string
	Reach   Reach
	Purpose Purpose
	Path    string // absolute
	Syntax  Syntax
	Shape   Shape
	// Shared holds for a file the client reads and setup leaves to another
	// Place: an alternative, or another client's.
	Shared bool
}

// Places lists every file of every client for a project's folder, each
// platform's way. A home or a variable that is not known leaves its files out.
func Places(e config.Env, project string) []Place {
	p := &places{e: e, project: project, out: make([]Place, 0, 64)}
	p.claudeCode()
	p.claudeDesktop()
	p.vscode()
	p.copilot()
	p.later()
	return p.out
}

// Of narrows a list of places.
func Of(all []Place, client string, reach Reach, purpose Purpose) []Place {
	return slices.Collect(each(all, client, reach, purpose))
}

// each is Of without a list: fettle asks it a hundred times at every start.
func each(all []Place, client string, reach Reach, purpose Purpose) iter.Seq[Place] {
	return func(yield func(Place) bool) {
		for i := range all {
			p := &all[i]
			if p.Client == client && p.Reach == reach && p.Purpose == purpose && !yield(*p) {
				return
			}
		}
	}
}

// Protected lists, of a project folder's places, the files that none of
// fettle's verbs may write. Instruction files are not among them, since they persuade
// and permit nothing; nor is a project's editor configuration.
func Protected(all []Place) []string {
	out := make([]string, 0, len(all))
	for _, p := range all {
		if p.Purpose == Instructions || p.Purpose == Settings && p.Client == VSCode && p.Reach == Repo {
			continue
		}
		if !slices.Contains(out, p.Path) {
			out = append(out, p.Path)
		}
	}
	return out
}

type places struct {
	e       config.Env
	project string
	out     []Place
}

// join writes a path the platform's way; "" stays unknown.
func join(goos, dir string, names ...string) string {
	if dir == "" {
		return ""
	}
	if goos == "windows" {
		return strings.Join(append([]string{strings.TrimRight(dir, `\/`)}, names...), `\`)
	}
	return path.Clean(dir + "/" + strings.Join(names, "/"))
}

func (p *places) join(dir string, names ...string) string { return join(p.e.GOOS, dir, names...) }

// add keeps a place whose path is known.
func (p *places) add(pl Place, dir string, names ...string) {
	if pl.Path = p.join(dir, names...); pl.Path != "" {
		p.out = append(p.out, pl)
	}
}

// named gives an environment variable's folder, or the one below home. A relative
// one counts for nothing: what it is relative to is the client's affair.
func (p *places) named(variable string, below ...string) string {
	if dir := p.e.Getenv(variable); absolute(dir, p.e.GOOS) {
		return dir
	}
	return p.join(p.e.Home, below...)
}

func absolute(dir, goos string) bool {
	if goos == "windows" {
		return len(dir) > 2 && dir[1] == ':' && (dir[2] == '\\' || dir[2] == '/') || strings.HasPrefix(dir, `\\`)
	}
	return path.IsAbs(dir)
}
