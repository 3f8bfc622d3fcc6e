package examine

import (
	"path/filepath"
	"slices"
	"strings"

	"fettler/fettle-doctor/internal/report"
	"fettler/shared/clients"
)

type started struct {
	verdict report.Verdict
	detail  string
}

// command finds what a registration starts, and starts it when that is this
// installation's own fettle. A registration's words are never printed: any of
// them may hold a secret.
func (d *doctor) command(c clients.Client, s registered) (report.Verdict, string) {
	word := s.Command
	switch {
	case word == "":
		return report.Broken, "the entry names no command"
	case strings.HasPrefix(word, "~"):
		return report.Broken, "the command begins with ~, which no client replaces. Write an absolute path"
	case strings.Contains(word, "${"):
		var ok bool
		if word, ok = d.expand(c, word); !ok {
			return report.Broken, "the command holds a variable that this client does not fill, or that is not set. Write an absolute path"
		}
	}
	path, relative := word, false
	if !strings.ContainsAny(word, `/\`) {
		found, err := d.LookPath(word)
		if err != nil {
			return report.Broken, "the command is not on PATH"
		}
		path = found
	} else if !filepath.IsAbs(path) {
		path, relative = filepath.Join(d.Dir, path), true
	}
	switch {
	case !there(path):
		return report.Broken, "the command resolves to nothing: no file is there any more"
	case !program(path, d.Env.GOOS):
		return report.Broken, "the command resolves to something that cannot be started"
	}
	tail := ""
	if relative {
		tail = "; its command is relative, and so depends on where the client starts it"
	}
	if d.fettle == "" || !same(path, d.fettle) {
		return report.Healthy, "registered, not started: the command is not this installation's fettle" + tail
	}
	switch {
	case len(s.Args) == 0 || s.Args[0] != "serve":
		return report.Broken, "its first argument is not serve, so it starts no server"
	case !startable(s.Args):
		return report.Healthy, "registered, not started: its arguments are not those that setup writes" + tail
	case d.Start == nil:
		return report.Healthy, "registered; starting it was skipped" + tail
	}
	key := strings.Join(append([]string{path}, s.Args...), "\x00")
	r, known := d.started[key]
	if !known {
		if n, err := d.Start(d.ctx, d.Dir, path, s.Args); err != nil {
			r = started{report.Broken, "registered, and the command does not serve: " + err.Error()}
		} else {
			r = started{report.Healthy, sentence("registered; starts and lists %d tools", n)}
		}
		d.started[key] = r
	}
	return r.verdict, r.detail + tail
}

// startable are the arguments that can do nothing but serve.
func startable(args []string) bool {
	rest := args[1:]
	return len(rest) == 0 || len(rest) == 1 && strings.HasPrefix(rest[0], "--config=") || len(rest) == 2 && rest[0] == "--config"
}

// expand fills the variables of a command where its client does.
func (d *doctor) expand(c clients.Client, word string) (string, bool) {
	if c.Name != clients.ClaudeCode {
		return "", false
	}
	for range 20 {
		i := strings.Index(word, "${")
		if i < 0 {
			return word, true
		}
		n := strings.IndexByte(word[i:], '}')
		if n < 0 {
			return "", false
		}
		name, fallback, has := strings.Cut(word[i+2:i+n], ":-")
		value := d.Env.Getenv(name)
		if value == "" && has {
			value = fallback
		}
		if value == "" || strings.Contains(value, "${") {
			return "", false
		}
		word = word[:i] + value + word[i+n+1:]
	}
	return "", false
}

// rejected names the file in which a person refused a project's server.
func (d *doctor) rejected(name string) string {
	for _, s := range d.settings {
		if slices.Contains(s.disabled, name) {
			return s.place.Path
		}
	}
	return ""
}

func (d *doctor) approved(name string) bool {
	return slices.ContainsFunc(d.settings, func(s *settings) bool { return s.enableAll || slices.Contains(s.enabled, name) })
}
