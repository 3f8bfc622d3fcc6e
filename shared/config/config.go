// Package config reads the files that say what fettle may do: the machine
// file, a project's .fettler.json and its overlay .fettler.local.json, merged
// by section and then by named entry, a later file's entry standing whole.
//
// Call Find to look for a project file at or above a folder, MachineFile for
// where the machine file would be, and Load to read them. Load validates the
// whole grammar of all three sections, also where the level's work is done by
// another program, so that no configuration ever means less than it says: it
// answers a complete Config, or an *outcome.Error that names the file, and the
// line and column where there is one, and never falls back to anything.
//
// Files are JSON with comments and trailing commas. Keys count in their exact
// case, an unknown key is refused, and so is a key given twice, since two
// readers would read it as two things. Every path in a file resolves against
// the folder of the file that names it.
//
// Where the grammar could be read two ways, it is refused rather than guessed
// at: two trees on one folder, scope or screen keys that are one place once
// cleaned, an empty list of categories, a command line with a line break
// outside quotes, a path that begins with ~, and a Windows path on a machine
// without drives. In a command, braces before a name are read in pairs, each a
// literal brace, and one left over opens the name: {{x} is {x}, and {{{x} is a
// brace and the value of x.
//
// What it does not do: it opens no tree, finds none of the clients' folders
// and starts no task. A Config is a value for one call; nothing is cached.
package config

// Names of the files.
const (
	ProjectName = ".fettler.json"
	OverlayName = ".fettler.local.json"
)

// Config is the three sections as the files together state them.
type Config struct {
	Tools      Tools
	Guardrails *Guardrails // nil: the level is off
	Screenings *Screenings // nil: the level is off
	Files      Files
	// Notes are sentences that roots repeats: what was read and does not
	// apply here, such as a screen of the machine file for a tree this project lacks.
	Notes []string
}

// Files are the files that were read, absolute; "" is none.
type Files struct{ Machine, Project, Overlay string }

// Tools is the tools section.
type Tools struct {
	Generated   []string          // folder names that find and search skip; nil is DefaultGenerated
	Scratch     string            // absolute, or ""
	ScratchRoot string            // absolute, or ""
	ClientRoot  string            // absolute, or ""
	From        map[string]string // key → the file that supplied it
}

// Guardrails is the guardrails section.
type Guardrails struct {
	Trees        []Tree // in the order of the files; the first is the default tree
	Tasks        []Task
	Replacements []Replacement
	From         []string // the files that have the section
}

// Tree is a declared tree.
type Tree struct {
	Name    string
	Path    string // absolute; links are not resolved
	Written string // as the file writes it
	Can     Permissions
	CanSet  bool // false: Can is the default for where the tree is
	Scopes  []Scope
	File    string // the file that declares it
}

// Scope states permissions somewhere inside a tree.
type Scope struct {
	Path   string // clean, forward slashes, relative to the tree
	Can    Permissions
	CanSet bool // false: the nearest enclosing scope's, then the tree's
}

// Task is a declared task, its command line split and filled.
type Task struct {
	Name       string
	Run        string   // as the file writes it
	Argv       []string // what is launched, never empty
	Cwd        string   // absolute, or "" for the top of the default tree
	CwdWritten string
	File       string
}

// Replacement is a value that a task's command line may name.
type Replacement struct{ Name, Value, File string }

// Screenings is the screenings section.
type Screenings struct {
	Models     string // the directory of models, absolute; "" when none is named
	ModelsFile string
	Screen     []ScreenEntry
	From       []string
}

// ScreenEntry says what is screened in a tree, or in a scope of it.
type ScreenEntry struct {
	Tree       string // the name as the tree is declared
	Scope      string // clean; "" for the tree
	Categories Categories
	File       string
}

// Key is the entry's key as a file writes it.
func (e ScreenEntry) Key() string {
	if e.Scope == "" {
		return e.Tree
	}
	return e.Tree + "/" + e.Scope
}

// Task gives the declared task of that name.
func (g *Guardrails) Task(name string) (Task, bool) {
	for _, t := range g.Tasks {
		if t.Name == name {
			return t, true
		}
	}
	return Task{}, false
}

// DefaultGenerated are the folder names that find and search skip unless
// tools.generated replaces them.
func DefaultGenerated() []string {
	return []string{".git", "bin", "obj", "artifacts", "node_modules"}
}

// SkippedFolders is the list in force.
func (t Tools) SkippedFolders() []string {
	if t.Generated != nil {
		return t.Generated
	}
	return DefaultGenerated()
}
