package clients

import "slices"

// Group is why a built-in tool of Claude Code is in the inventory.
type Group string

// The groups.
const (
	Replaced   Group = "replaced by fettle"
	Gone       Group = "replaced by fettle, and gone from newer releases"
	Shell      Group = "a shell"
	Reader     Group = "reads what others put out"
	Reads      Group = "reads files too"
	Delegating Group = "hands work on"
	Sends      Group = "sends files out"
	Network    Group = "network and MCP"
	Other      Group = "other"
)

var inventory = []struct {
	group Group
	names []string
}{
	{Replaced, []string{"Read", "Write", "Edit", "NotebookEdit", "Grep", "Glob"}},
	{Gone, []string{"MultiEdit", "LS", "NotebookRead"}},
	{Shell, []string{"Bash", "PowerShell", "Monitor"}},
	{Reader, []string{"BashOutput", "TaskOutput"}},
	{Reads, []string{"LSP"}},
	{Delegating, []string{"Agent", "Task", "Skill", "SlashCommand", "Workflow", "CronCreate", "ScheduleWakeup", "RemoteTrigger", "SendMessage"}},
	{Sends, []string{"SendUserFile", "SendFile", "Artifact", "ShareOnboardingGuide", "PublishPlugin"}},
	{Network, []string{"WebFetch", "WebSearch", "ListMcpResourcesTool", "ReadMcpResourceTool", "ReadMcpResourceDirTool", "WaitForMcpServers", "RefreshMcpTools", "ToolSearch"}},
	{Other, []string{"REPL", "AskUserQuestion", "CronDelete", "CronList", "EndConversation", "EnterPlanMode", "ExitPlanMode", "EnterWorktree", "ExitWorktree",
		"ListAgents", "PushNotification", "ReportFindings", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "TaskStop", "KillShell", "KillBash", "TodoWrite",
		"Projects", "DesignSync", "ProposeGoal", "FetchInboxMessage"}},
}

// GroupOf gives the group of a built-in tool, "" for one the inventory does not know.
func GroupOf(tool string) Group {
	for _, g := range inventory {
		if slices.Contains(g.names, tool) {
			return g.group
		}
	}
	return ""
}

// DenyList are the eleven built-in tools that guardrails deny, in order.
func DenyList() []string {
	var out []string
	for _, g := range inventory {
		if g.group == Replaced || g.group == Shell || g.group == Reader {
			out = append(out, g.names...)
		}
	}
	return out
}
