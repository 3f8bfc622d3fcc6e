package examine

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"fettler/fettle-doctor/internal/report"
	"fettler/fettle-doctor/internal/rule"
	"fettler/shared/clients"
	"fettler/shared/config"
)

// guardrails looks for ways round the boundary that the section declares.
func (d *doctor) guardrails() {
	claude := d.wanted(clients.ClaudeCode) && (d.installed(clients.ClaudeCode) || d.claudeHere())
	if claude {
		d.shellAllows()
		d.replacedAllows()
		d.notDenied()
		d.directories()
		d.personal()
		d.contradictions()
		d.unknownTools()
		d.modes()
		d.unreadableSettings()
		d.deadRules()
	}
	d.instructions()
	d.approvals()
	d.tasks()
	d.otherServers()
	d.companionsInside()
	for _, t := range d.config.Guardrails.Trees {
		for _, s := range t.Scopes {
			if s.CanSet && s.Can != config.Nothing && !s.Can.Has(config.List) {
				d.note("the scope %s of tree %s grants %s without list, so nothing in it can be reached", s.Path, t.Name, s.Can)
			}
		}
	}
}

func (d *doctor) note(format string, args ...any) {
	g := &d.report.Levels.Guardrails
	g.Notes = append(g.Notes, sentence(format, args...))
}

// claudeHere reports whether the project holds any of Claude Code's files.
func (d *doctor) claudeHere() bool {
	return slices.ContainsFunc(d.places, func(p clients.Place) bool {
		return p.Client == clients.ClaudeCode && p.Reach == clients.Repo && p.Purpose != clients.Instructions && there(p.Path)
	})
}

// shellAllows is 2.6.
func (d *doctor) shellAllows() {
	for _, r := range d.rules("allow") {
		if what := r.Writes(); what != "" && !d.overruled(r.Tool) {
			d.find("2.6", report.Serious, r.from.place.Path, "%s lets %s run %s without asking, which writes past fettle. Remove the entry", r.entry(), r.Tool, what)
		}
	}
}

// replacedAllows is 2.7.
func (d *doctor) replacedAllows() {
	for _, r := range d.rules("allow") {
		if g := clients.GroupOf(r.Tool); g != clients.Replaced && g != clients.Gone || d.overruled(r.Tool) {
			continue
		}
		reach := ""
		if !r.Bare && !r.Dead() && !d.insideTrees(d.base(r.from).Path(r.Spec)) {
			reach = ", and reaches outside every declared tree"
		}
		d.find("2.7", report.Serious, r.from.place.Path, "%s allows %s, which fettle replaces%s. Remove the entry, then run fettle setup guardrails claude-code", r.entry(), r.Tool, reach)
	}
}

// notDenied is 2.8.
func (d *doctor) notDenied() {
	var missing []string
	for _, name := range clients.DenyList() {
		if !d.denied(name) {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return
	}
	lsp := ""
	if !d.denied("LSP") {
		lsp = " (LSP reads files too)"
	}
	d.find("2.8", report.Note, "", "not denied: %s%s. Run fettle setup guardrails claude-code --local", strings.Join(missing, ", "), lsp)
}

func (d *doctor) base(s *settings) rule.Base {
	dir := filepath.ToSlash(filepath.Dir(s.place.Path))
	if s.place.Reach == clients.Repo { // a project's rules start at the project
		dir = filepath.ToSlash(d.Dir)
	}
	return rule.Base{Settings: dir, Dir: filepath.ToSlash(d.Dir), Home: filepath.ToSlash(d.Env.Home)}
}

func real(path string) string {
	for p, rest := filepath.Clean(path), ""; ; p = filepath.Dir(p) {
		if r, err := filepath.EvalSymlinks(p); err == nil {
			return filepath.Join(r, rest)
		}
		if p == filepath.Dir(p) {
			return filepath.Clean(path)
		}
		rest = filepath.Join(filepath.Base(p), rest)
	}
}

func within(path, folder string) bool {
	rel, err := filepath.Rel(real(folder), real(path))
	return err == nil && filepath.IsLocal(rel)
}

// insideTrees compares by name: where a rule's path leads is not doctor's to look at.
func (d *doctor) insideTrees(path string) bool {
	return slices.ContainsFunc(d.config.Guardrails.Trees, func(t config.Tree) bool {
		for _, top := range []string{filepath.Clean(t.Path), real(t.Path)} {
			if rel, err := filepath.Rel(top, filepath.FromSlash(path)); err == nil && filepath.IsLocal(rel) {
				return true
			}
		}
		return false
	})
}

// directories is 2.9.
func (d *doctor) directories() {
	for _, s := range d.settings {
		for i, dir := range s.dirs {
			if !d.insideTrees(d.base(s).Folder(dir)) {
				d.find("2.9", report.Note, s.place.Path, "permissions.additionalDirectories[%d] is outside every declared tree. Pick one: declare the folder as a tree, or remove the entry", i)
			}
		}
	}
}

// instructions is 2.10.
func (d *doctor) instructions() {
	for _, c := range clients.All() {
		if !d.wanted(c.Name) || !d.installed(c.Name) && !(c.Name == clients.ClaudeCode && d.claudeHere()) {
			continue
		}
		for _, p := range clients.Of(d.places, c.Name, clients.Repo, clients.Instructions) {
			r := d.read(p.Path)
			if !r.exists || r.err != nil || strings.Contains(strings.ToLower(string(r.raw)), "fettle") || d.has("2.10", p.Path) {
				continue
			}
			d.find("2.10", report.Note, p.Path, "the instructions never mention fettler. Add a line that does, or run fettle setup guardrails %s --local", c.Name)
		}
	}
}

func (d *doctor) has(check, where string) bool {
	return slices.ContainsFunc(d.report.Findings, func(f report.Finding) bool { return f.Check == check && f.Where == where })
}

// personal is 2.13.
func (d *doctor) personal() {
	for _, p := range clients.Of(d.places, clients.ClaudeCode, clients.Repo, clients.Personal) {
		if d.read(p.Path).exists {
			d.find("2.13", report.Note, p.Path, "one person's settings of this project are there, which nobody reviewed. Read them")
		}
	}
}

// contradictions is B.17.
func (d *doctor) contradictions() {
	var said []string
	for _, a := range d.rules("allow") {
		for _, r := range d.rules("deny") {
			if a.Tool != r.Tool || a.Shell() && !a.Bare || slices.Contains(said, a.Tool) {
				continue
			}
			said = append(said, a.Tool)
			d.find("B.17", report.Serious, a.from.place.Path, "%s is both allowed (%s) and denied (%s in %s). Deny wins. Remove it from one of the two", d.toolName(a), a.entry(), r.entry(), r.from.place.Path)
		}
	}
}

var plainWord = regexp.MustCompile(`^[A-Z][A-Za-z]{1,31}$`)

// toolName gives a rule's tool where it cannot be a secret.
func (d *doctor) toolName(r listed) string {
	if name, ok := r.Known(); ok || plainWord.MatchString(name) {
		return name
	}
	if server, _ := r.MCP(); server != "" {
		return "a tool of the server " + server
	}
	return "a tool"
}

// unknownTools is 2.18.
func (d *doctor) unknownTools() {
	for _, list := range []string{"allow", "ask", "deny"} {
		for _, r := range d.rules(list) {
			if _, known := r.Known(); known || strings.HasPrefix(r.Tool, "mcp__") || r.Tool == "*" {
				continue
			}
			d.find("2.18", report.Note, r.from.place.Path, "%s names %s, which the list of built-in tools of %s does not know. Decide by hand whether it goes round fettle", r.entry(), d.toolName(r), clients.Dated)
		}
	}
}

// modes is what of 2.14 is Claude Code's.
func (d *doctor) modes() {
	noBypass := false
	for _, s := range d.settings {
		noBypass = noBypass || s.noBypass
		if s.mode == "bypassPermissions" || s.mode == "acceptEdits" {
			d.find("2.14", report.Serious, s.place.Path, "permissions.defaultMode is %s, so tools run without asking. Turn it off", s.mode)
		}
		if s.autoBash && !d.overruled("Bash") {
			d.find("2.14", report.Serious, s.place.Path, "sandbox.autoAllowBashIfSandboxed is on, so the shell runs without asking. Turn it off")
		}
	}
	if !noBypass {
		d.note("no settings file holds permissions.disableBypassPermissionsMode, so a person can start Claude Code with every check off")
	}
}

// unreadableSettings is 2.x.
func (d *doctor) unreadableSettings() {
	for _, s := range d.settings {
		if s.err != nil {
			d.find("2.x", report.Serious, s.place.Path, "%s. Mend it: until then nothing in it counts, its deny list included", unreadable(s.err))
		}
	}
}

// deadRules are notes: a rule that never matches denies nothing.
func (d *doctor) deadRules() {
	for _, list := range []string{"deny", "ask", "allow"} {
		for _, r := range d.rules(list) {
			if r.Dead() {
				d.note("%s in %s is dead: %s never consults a path. Write the rule for Read or Edit", r.entry(), r.from.place.Path, r.Tool)
			}
		}
	}
}
