package examine

import (
	"path/filepath"

	"fettler/fettle-doctor/internal/rule"
	"fettler/shared/clients"
	"fettler/shared/jsonedit"
)

// settings is what of one Claude Code settings file counts here.
type settings struct {
	place     clients.Place
	err       error
	rules     []listed
	dirs      []string
	mode      string
	noBypass  bool // disableBypassPermissionsMode
	autoBash  bool
	enableAll bool
	enabled   []string
	disabled  []string
}

// listed is a rule with its place in a list.
type listed struct {
	rule.Rule
	list  string // allow, ask or deny
	index int
	from  *settings
}

// entry names a rule without its text.
func (l listed) entry() string { return sentence("permissions.%s[%d]", l.list, l.index) }

// readSettings reads Claude Code's settings files, and the approvals that its
// own file keeps for this project.
func (d *doctor) readSettings() {
	for _, p := range d.places {
		if p.Client != clients.ClaudeCode || p.Purpose != clients.Settings && p.Purpose != clients.Personal {
			continue
		}
		doc, r, err := d.parse(p)
		if !r.exists {
			continue
		}
		s := &settings{place: p, err: err}
		d.settings = append(d.settings, s)
		if err != nil {
			continue
		}
		s.read(doc.Root())
	}
	for _, p := range clients.Of(d.places, clients.ClaudeCode, clients.Global, clients.Register) {
		doc, _, err := d.parse(p)
		if doc == nil || err != nil {
			continue
		}
		for _, m := range doc.Root().Get("projects").Members() {
			if clients.Folded(m.Name) == clients.Folded(filepath.ToSlash(d.Dir)) {
				s := &settings{place: p}
				s.approvals(m.Node)
				d.settings = append(d.settings, s)
			}
		}
	}
}

func (s *settings) read(root jsonedit.Node) {
	perms := root.Get("permissions")
	for _, list := range []string{"allow", "ask", "deny"} {
		for i, item := range perms.Get(list).Items() {
			if text, ok := item.Text(); ok {
				s.rules = append(s.rules, listed{rule.Parse(text), list, i, s})
			}
		}
	}
	s.dirs, _ = perms.Get("additionalDirectories").Texts()
	s.mode, _ = perms.Get("defaultMode").Text()
	s.noBypass = perms.Get("disableBypassPermissionsMode").There()
	s.autoBash = root.At("sandbox", "autoAllowBashIfSandboxed").True()
	s.approvals(root)
}

func (s *settings) approvals(n jsonedit.Node) {
	s.enableAll = n.Get("enableAllProjectMcpServers").True()
	s.enabled, _ = n.Get("enabledMcpjsonServers").Texts()
	s.disabled, _ = n.Get("disabledMcpjsonServers").Texts()
	more, _ := n.Get("disabledMcpServers").Texts()
	s.disabled = append(s.disabled, more...)
}

// rules gives the rules of one list, from every file: arrays merge.
func (d *doctor) rules(list string) []listed {
	var out []listed
	for _, s := range d.settings {
		for _, r := range s.rules {
			if r.list == list {
				out = append(out, r)
			}
		}
	}
	return out
}

// overruled reports whether a whole tool is denied or asked about, either of
// which beats allow wherever it stands.
func (d *doctor) overruled(tool string) bool {
	for _, list := range []string{"deny", "ask"} {
		for _, r := range d.rules(list) {
			if r.Tool == tool && r.Bare {
				return true
			}
		}
	}
	return false
}

func (d *doctor) denied(tool string) bool {
	for _, r := range d.rules("deny") {
		if r.Tool == tool && r.Bare {
			return true
		}
	}
	return false
}
