//go:build unix && !linux

package task

// wait returns when the leader has ended. Reaping it here leaves its number to
// the group for as long as anything of the group lives.
func (g *group) wait() { g.cmd.Wait() }

func killMarked(string) {}
