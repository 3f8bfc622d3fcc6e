package rule

import (
	"path"
	"slices"
	"strings"
)

// writers change files by their nature.
var writers = []string{
	"cp", "mv", "rm", "rmdir", "mkdir", "touch", "tee", "dd", "ln", "install", "truncate", "chmod", "chown", "rsync", "scp", "patch", "unlink", "shred",
	"tar", "unzip", "wget", "del", "erase", "move", "copy", "xcopy", "robocopy", "ren", "md", "rd",
	"set-content", "add-content", "clear-content", "out-file", "tee-object", "new-item", "remove-item", "move-item", "copy-item", "rename-item", "set-item",
	"sc", "ac", "ni", "ri", "mi", "ci", "invoke-expression", "iex",
}

// interpreters run whatever they are told to.
var interpreters = []string{"sh", "bash", "dash", "zsh", "ksh", "fish", "pwsh", "powershell", "cmd", "python", "python3", "node", "deno", "bun", "perl", "ruby", "php", "eval", "awk"}

// flagged change files with a flag or a word.
var flagged = map[string][]string{
	"sed":  {"-i", "--in-place"},
	"find": {"-delete", "-exec", "-execdir", "-fprint"},
	"curl": {"-o", "-O", "--output", "--remote-name"},
	"sort": {"-o", "--output"},
	"git":  {"apply", "am", "checkout", "restore", "reset", "clean", "rm", "mv", "stash", "switch", "pull", "merge", "rebase"},
}

// carriers start the command that follows them.
var carriers = []string{"sudo", "doas", "env", "command", "nohup", "time", "xargs", "exec", "busybox", "npx"}

// Writes says which writing a shell rule lets through, in words of the lists
// above; "" is none.
func (r Rule) Writes() string {
	if !r.Shell() {
		return ""
	}
	if r.Bare || r.Spec == ":*" {
		return "any command"
	}
	spec := strings.TrimSuffix(strings.TrimSuffix(r.Spec, ":*"), "*")
	if strings.Contains(strings.NewReplacer("2>&1", "", ">/dev/null", "", "> /dev/null", "", "->", "", "=>", "").Replace(spec), ">") {
		return "a redirect"
	}
	for _, part := range strings.FieldsFunc(spec, func(c rune) bool { return strings.ContainsRune("|;&\n`()", c) }) {
		words := strings.Fields(part)
		for len(words) > 0 && (strings.Contains(words[0], "=") || slices.Contains(carriers, base(words[0]))) {
			words = words[1:]
		}
		if len(words) == 0 {
			continue
		}
		name := base(words[0])
		switch {
		case slices.Contains(writers, name), slices.Contains(interpreters, name):
			return name
		case strings.HasPrefix(name, "python3."):
			return "python3"
		}
		for _, flag := range flagged[name] {
			for _, w := range words[1:] {
				if w == flag || strings.HasPrefix(flag, "-") && len(flag) == 2 && name == "sed" && strings.HasPrefix(w, flag) || strings.HasPrefix(w, flag+"=") {
					return name + " " + flag
				}
			}
		}
	}
	return ""
}

// base is a command's own name: no folder, no .exe, no quotes, no case.
func base(word string) string {
	word = strings.Trim(word, `"'`)
	return strings.TrimSuffix(strings.ToLower(path.Base(strings.ReplaceAll(word, `\`, "/"))), ".exe")
}
