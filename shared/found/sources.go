package found

import (
	"path/filepath"
)

// Sources are the files in which the clients keep registrations, for this
// project first and then for every project, in the order in which the client
// takes a name. It only names files; Look reads those that are there.
func Sources(in Input) []Source {
	var out []Source
	project := func(client, file string, shape Shape) {
		// What a client starts for a project it starts in the project's folder.
		for _, dir := range []string{in.Launch, in.Project} {
			if dir == "" || dir == in.Launch && len(out) > 0 && out[len(out)-1].File == filepath.Join(dir, file) {
				continue
			}
			out = append(out, Source{Client: client, File: filepath.Join(dir, file), Shape: shape, Folder: dir})
		}
	}
	user := func(client, dir, file string, shape Shape) {
		if dir != "" {
			out = append(out, Source{Client: client, File: filepath.Join(dir, file), Shape: shape})
		}
	}
	home, get := in.Env.Home, in.Env.Getenv

	claude, settings := home, joined(home, ".claude")
	if dir := get("CLAUDE_CONFIG_DIR"); filepath.IsAbs(dir) {
		claude, settings = dir, dir
	}
	user("claude-code", claude, ".claude.json", Projects)
	project("claude-code", ".mcp.json", MCPServers)
	user("claude-code", claude, ".claude.json", MCPServers)
	project("claude-code", ".claude/settings.local.json", Settings)
	project("claude-code", ".claude/settings.json", Settings)
	user("claude-code", settings, "settings.json", Settings)

	project("vscode-copilot", ".vscode/mcp.json", Servers)
	for _, dir := range applications(in, "Code", "User") {
		user("vscode-copilot", dir, "mcp.json", Servers)
	}
	for _, dir := range applications(in, "Claude") {
		user("claude-desktop", dir, "claude_desktop_config.json", MCPServers)
	}
	project("github-copilot", ".github/mcp.json", MCPServers)
	copilot := get("COPILOT_HOME")
	if !filepath.IsAbs(copilot) {
		copilot = joined(home, ".copilot")
	}
	user("github-copilot", copilot, "mcp-config.json", MCPServers)
	return out
}

// applications are the folders in which the platform keeps a program's settings.
func applications(in Input, parts ...string) []string {
	var bases []string
	switch in.Env.GOOS {
	case "windows":
		bases = []string{in.Env.Getenv("APPDATA")}
		if parts[0] == "Claude" { // the store's package keeps its own
			if local := in.Env.Getenv("LOCALAPPDATA"); local != "" {
				bases = append(bases, filepath.Join(local, "Packages", "Claude_pzs8sxrjxfjjc", "LocalCache", "Roaming"))
			}
		}
	case "darwin":
		bases = []string{joined(in.Env.Home, "Library", "Application Support")}
	default:
		base := in.Env.Getenv("XDG_CONFIG_HOME")
		if !filepath.IsAbs(base) {
			base = joined(in.Env.Home, ".config")
		}
		bases = []string{base}
	}
	var out []string
	for _, b := range bases {
		if b != "" {
			out = append(out, filepath.Join(append([]string{b}, parts...)...))
		}
	}
	return out
}

// joined is Join that gives nothing below nothing.
func joined(base string, parts ...string) string {
	if base == "" {
		return ""
	}
	return filepath.Join(append([]string{base}, parts...)...)
}
