package clients

// mcpServers is the shape most clients share.
var mcpServers = Shape{Key: "mcpServers"}

// Claude Code. With CLAUDE_CONFIG_DIR set, all of its own files are inside it.
func (p *places) claudeCode() {
	config := p.e.Getenv("CLAUDE_CONFIG_DIR")
	if !absolute(config, p.e.GOOS) {
		config = ""
	}
	state, dir := config, config
	if config == "" {
		state, dir = p.e.Home, p.join(p.e.Home, ".claude")
	}
	global := Place{Client: ClaudeCode, Reach: Global, Syntax: Strict}
	repo := Place{Client: ClaudeCode, Reach: Repo, Syntax: Strict}
	reg := Shape{Key: "mcpServers", ByProject: true}

	p.add(as(global, Register, reg), state, ".claude.json")
	p.add(as(global, Settings, Shape{}), dir, "settings.json")
	p.add(text(global), dir, "CLAUDE.md")
	p.add(as(repo, Register, mcpServers), p.project, ".mcp.json")
	p.add(as(repo, Settings, Shape{}), p.project, ".claude", "settings.json")
	p.add(as(repo, Personal, Shape{}), p.project, ".claude", "settings.local.json")
	p.add(text(repo), p.project, "CLAUDE.md")

	managed := Place{Client: ClaudeCode, Reach: Managed, Syntax: Strict}
	at := map[string]string{"darwin": "/Library/Application Support/ClaudeCode", "windows": `C:\Program Files\ClaudeCode`}[p.e.GOOS]
	if at == "" {
		at = "/etc/claude-code"
	}
	p.add(as(managed, Settings, Shape{}), at, "managed-settings.json")
	p.add(as(managed, Register, mcpServers), at, "managed-mcp.json")
}

// Claude Desktop has no project. On Windows the store's package keeps its own
// copy of the folder, so that one comes first where it is there.
func (p *places) claudeDesktop() {
	pl := as(Place{Client: ClaudeDesktop, Reach: Global, Syntax: Strict}, Register, mcpServers)
	const file = "claude_desktop_config.json"
	switch p.e.GOOS {
	case "windows":
		p.add(pl, p.e.Getenv("LOCALAPPDATA"), "Packages", "Claude_pzs8sxrjxfjjc", "LocalCache", "Roaming", "Claude", file)
		p.add(pl, p.e.Getenv("APPDATA"), "Claude", file)
		p.add(pl, p.e.Getenv("LOCALAPPDATA"), "Claude-Data", file)
	default:
		p.add(pl, p.appData(), "Claude", file)
	}
}

// appData is where programs keep their files.
func (p *places) appData() string {
	switch p.e.GOOS {
	case "windows":
		return p.e.Getenv("APPDATA")
	case "darwin":
		return p.join(p.e.Home, "Library", "Application Support")
	}
	return p.named("XDG_CONFIG_HOME", ".config")
}

// Copilot in VS Code reads JSON with comments. Profiles keep a mcp.json of
// their own, which is left to a person.
func (p *places) vscode() {
	servers := Shape{Key: "servers", Extra: []Field{{Name: "type", Value: "stdio"}}}
	global := Place{Client: VSCode, Reach: Global, Syntax: Comments}
	repo := Place{Client: VSCode, Reach: Repo, Syntax: Comments}
	user := p.join(p.appData(), "Code", "User")
	p.add(as(global, Register, servers), user, "mcp.json")
	p.add(as(global, Settings, Shape{}), user, "settings.json")
	p.add(as(repo, Register, servers), p.project, ".vscode", "mcp.json")
	p.add(as(repo, Settings, Shape{}), p.project, ".vscode", "settings.json")
	p.add(text(repo), p.project, ".github", "copilot-instructions.md")
	p.add(shared(as(Place{Client: VSCode, Reach: Repo, Syntax: Strict}, Register, mcpServers)), p.project, ".mcp.json")
}

// The Copilot CLI. A project's .mcp.json is Claude Code's as well, so the entry
// there is the plain one, which both read.
func (p *places) copilot() {
	global := Place{Client: Copilot, Reach: Global, Syntax: Strict}
	repo := Place{Client: Copilot, Reach: Repo, Syntax: Strict}
	local := Shape{Key: "mcpServers", Extra: []Field{{Name: "type", Value: "local"}, {Name: "tools", Value: []string{"*"}, Last: true}}}
	p.add(as(global, Register, local), p.named("COPILOT_HOME", ".copilot"), "mcp-config.json")
	p.add(as(repo, Register, mcpServers), p.project, ".mcp.json")
	p.add(shared(as(repo, Register, mcpServers)), p.project, ".github", "mcp.json")
	p.add(text(repo), p.project, ".github", "copilot-instructions.md")
}

// Clients beyond the four.
func (p *places) later() {
	home := p.e.Home
	both := func(client string, syntax Syntax, shape Shape, dir string, file string, project ...string) {
		p.add(as(Place{Client: client, Reach: Global, Syntax: syntax}, Register, shape), dir, file)
		if len(project) > 0 {
			p.add(as(Place{Client: client, Reach: Repo, Syntax: syntax}, Register, shape), p.project, project...)
		}
	}
	agents := func(client, file, dir string) {
		if dir != "" {
			p.add(text(Place{Client: client, Reach: Global}), dir, file)
		}
		p.add(text(Place{Client: client, Reach: Repo}), p.project, file)
	}

	both(Cursor, Strict, mcpServers, p.join(home, ".cursor"), "mcp.json", ".cursor", "mcp.json")
	agents(Cursor, "AGENTS.md", "")

	codex := p.named("CODEX_HOME", ".codex")
	both(Codex, TOML, Shape{Key: "mcp_servers"}, codex, "config.toml", ".codex", "config.toml")
	agents(Codex, "AGENTS.md", codex)

	gemini := p.join(home, ".gemini")
	both(Gemini, Comments, mcpServers, gemini, "settings.json", ".gemini", "settings.json")
	agents(Gemini, "GEMINI.md", gemini)

	both(Windsurf, Strict, mcpServers, p.join(home, ".codeium", "windsurf"), "mcp_config.json")

	zed := p.join(p.xdg(), "zed")
	if p.e.GOOS == "windows" {
		zed = p.join(p.e.Getenv("APPDATA"), "Zed")
	}
	both(Zed, Comments, Shape{Key: "context_servers"}, zed, "settings.json", ".zed", "settings.json")
	agents(Zed, "AGENTS.md", "")

	open := p.join(p.xdg(), "opencode")
	list := Shape{Key: "mcp", OneList: true, Extra: []Field{{Name: "type", Value: "local"}, {Name: "enabled", Value: true, Last: true}}}
	both(OpenCode, Comments, list, open, "opencode.json", "opencode.json")
	agents(OpenCode, "AGENTS.md", open)
	for _, reach := range []Reach{Global, Repo} {
		dir := open
		if reach == Repo {
			dir = p.project
		}
		p.add(shared(as(Place{Client: OpenCode, Reach: reach, Syntax: Comments}, Register, list)), dir, "opencode.jsonc")
	}
}

// xdg is the folder of programs that follow the freedesktop rules everywhere.
func (p *places) xdg() string { return p.named("XDG_CONFIG_HOME", ".config") }

func as(p Place, purpose Purpose, shape Shape) Place {
	p.Purpose, p.Shape = purpose, shape
	return p
}

func text(p Place) Place {
	p.Purpose, p.Syntax = Instructions, Text
	return p
}

func shared(p Place) Place {
	p.Shared = true
	return p
}

// Installed lists what is there when a client is installed: a file or a folder
// of its own. Any one of them is enough.
func Installed(all []Place, client string) []string {
	var out []string
	for _, p := range all {
		if p.Client != client || p.Reach != Global {
			continue
		}
		out = append(out, p.Path)
		if client == ClaudeCode && p.Purpose == Register {
			continue // its folder may be the home folder itself
		}
		out = append(out, Dir(p.Path))
	}
	return out
}

// Dir is the folder of a path of any platform.
func Dir(p string) string {
	for i := len(p) - 1; i > 0; i-- {
		if p[i] == '/' || p[i] == '\\' {
			return p[:i]
		}
	}
	return p
}
