package examine

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"fettler/fettle-doctor/internal/report"
	"fettler/shared/clients"
	"fettler/shared/config"
	"fettler/shared/jsonedit"
)

// approvals is what of 2.14 is VS Code's, by the names it has had.
func (d *doctor) approvals() {
	if !d.wanted(clients.VSCode) {
		return
	}
	for _, p := range d.places {
		if p.Client != clients.VSCode || p.Purpose != clients.Settings {
			continue
		}
		doc, r, err := d.parse(p)
		if !r.exists {
			continue
		}
		if err != nil {
			d.find("2.x", report.Serious, p.Path, "%s. Mend it", unreadable(err))
			continue
		}
		root := doc.Root()
		for _, key := range []string{"chat.tools.autoApprove", "chat.tools.global.autoApprove"} {
			if root.Get(key).True() {
				d.find("2.14", report.Serious, p.Path, "%s is on, so every tool runs without asking. Turn it off", key)
			}
		}
		for _, some := range [][2]string{{"chat.tools.terminal.autoApprove", "commands in the terminal run"}, {"chat.tools.edits.autoApprove", "files are changed"}} {
			key, what := some[0], some[1]
			n := root.Get(key)
			if n.True() || slices.ContainsFunc(n.Members(), func(m jsonedit.Named) bool { return m.True() || m.Get("approve").True() }) {
				d.find("2.14", report.Serious, p.Path, "%s lets some through, so %s without asking. Turn it off", key, what)
			}
		}
		if v, ok := root.Get("chat.permissions.default").Text(); ok && v != "default" {
			d.find("2.14", report.Serious, p.Path, "chat.permissions.default is not \"default\", so tools may run without asking. Turn it off")
		}
	}
}

var (
	placeholder = regexp.MustCompile(`\{[A-Za-z][A-Za-z0-9._-]*\}`)
	shellNames  = []string{"sh", "bash", "dash", "zsh", "ksh", "fish", "pwsh", "powershell", "cmd", "python", "python3", "node", "perl", "ruby", "deno", "bun", "php", "wsl"}
)

// tasks is 2.16.
func (d *doctor) tasks() {
	for _, t := range d.config.Guardrails.Tasks {
		words, err := config.SplitCommand(t.Run)
		if err != nil {
			continue
		}
		shell := false
		for i, w := range words {
			flag := strings.ToLower(w)
			if shell && slices.Contains([]string{"-c", "-command", "/c", "/k", "-e"}, flag) && i+1 < len(words) {
				handed := words[i+1 : i+2]
				if flag == "-command" || flag[0] == '/' { // the rest is one string to these
					handed = words[i+1:]
				}
				if slices.ContainsFunc(handed, func(w string) bool { return placeholder.MatchString(strings.ReplaceAll(w, "{{", "")) }) {
					d.find("2.16", report.Note, t.File, "task '%s' fills a declared value into a string that it hands a shell, where a quote in the value changes what runs. Split the task, or pass the value as an argument of its own", t.Name)
				}
				break
			}
			base := strings.TrimSuffix(strings.ToLower(w[strings.LastIndexAny(w, `/\`)+1:]), ".exe")
			shell = shell || slices.Contains(shellNames, base)
		}
	}
}

// mcpName is how Claude Code spells a server in a tool's name.
func mcpName(server string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, server)
}

// otherServers is 2.17.
func (d *doctor) otherServers() {
	beside := map[string]bool{}
	for _, s := range d.servers {
		if s.Name == clients.ServerName && d.installed(s.client) {
			beside[s.client] = true
		}
	}
	var said []string
	for _, s := range d.servers {
		key := s.client + "\x00" + s.Name
		if s.Name == clients.ServerName || !beside[s.client] || s.Disabled || !d.wanted(s.client) || slices.Contains(said, key) {
			continue
		}
		if s.client == clients.ClaudeCode {
			if d.rejected(s.Name) != "" || d.deniesServer(s.Name) {
				continue
			}
			d.find("2.17", report.Note, s.where, "the server %s is registered beside fettler, and what it does is not bounded here. Decide: deny mcp__%s__*, or keep it", s.Name, mcpName(s.Name))
		} else {
			d.find("2.17", report.Note, s.where, "the server %s is registered beside fettler in %s, and what it does is not bounded here. Decide: remove or disable it there, or keep it", s.Name, s.client)
		}
		said = append(said, key)
	}
}

func (d *doctor) deniesServer(name string) bool {
	return slices.ContainsFunc(d.rules("deny"), func(r listed) bool {
		server, tool := r.MCP()
		return server == mcpName(name) && (tool == "" || tool == "*")
	})
}

// companionsInside is 2.19: a companion writes where its root is, whatever the
// tree around it says.
func (d *doctor) companionsInside() {
	var said []string
	for _, s := range d.servers {
		root := rootOf(s.Args)
		if root == "" || s.Disabled || s.Name == clients.ServerName || d.isFettle(s.Command) || s.client == clients.ClaudeCode && d.rejected(s.Name) != "" || strings.Contains(root, "${") {
			continue
		}
		if !filepath.IsAbs(root) {
			folder := filepath.Dir(s.where)
			if s.reach == clients.Repo {
				folder = d.Dir
			}
			root = filepath.Join(folder, root)
		}
		for _, t := range d.config.Guardrails.Trees {
			if !there(root) || !within(root, t.Path) || strings.EqualFold(t.Name, s.Name) && real(root) == real(t.Path) || slices.Contains(said, s.Name) {
				continue
			}
			said = append(said, s.Name)
			d.find("2.19", report.Serious, s.where, "the root of the server %s lies inside the declared tree %s, so it writes there whatever the tree says. Move one of them", s.Name, t.Name)
		}
	}
}

func (d *doctor) isFettle(command string) bool {
	base := strings.ToLower(command[strings.LastIndexAny(command, `/\`)+1:])
	return strings.TrimSuffix(base, ".exe") == "fettle"
}

func rootOf(args []string) string {
	for i, a := range args {
		if v, ok := strings.CutPrefix(a, "--root="); ok {
			return v
		}
		if a == "--root" && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

// spellings is 2.11: one folder under two keys, so that what was allowed under
// one does not count under the other.
func (d *doctor) spellings() {
	if !d.wanted(clients.ClaudeCode) {
		return
	}
	for _, p := range clients.Of(d.places, clients.ClaudeCode, clients.Global, clients.Register) {
		doc, _, err := d.parse(p)
		if doc == nil || err != nil {
			continue
		}
		by := map[string][]string{}
		var order []string
		for _, m := range doc.Root().Get("projects").Members() {
			f := clients.Folded(m.Name)
			if len(by[f]) == 0 {
				order = append(order, f)
			}
			by[f] = append(by[f], m.Name)
		}
		for _, f := range order {
			names := by[f]
			if len(names) < 2 {
				continue
			}
			reads := ""
			if slices.Contains(names, d.Dir) {
				reads = "; started here, the client reads " + d.Dir
			}
			d.find("2.11", report.Serious, p.Path, "%d project entries name one folder: %s%s. Merge them by hand", len(names), strings.Join(names, ", "), reads)
		}
		for _, key := range doc.Root().Twice() {
			if key == "mcpServers" || key == "projects" {
				d.find("2.11", report.Serious, p.Path, "%s is there more than once, and the client reads the last. Merge them by hand", key)
			}
		}
	}
}
