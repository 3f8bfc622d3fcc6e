package clients

import (
	"strings"

	"fettler/shared/found"
	"fettler/shared/jsonedit"
)

// Server is one registration. Its environment and its headers, where secrets
// are kept, are not read.
type Server struct {
	Name     string
	Command  string   // "" for one that is reached over the network
	Args     []string // may hold secrets: never printed
	Disabled bool     // the entry itself says so
	Project  string   // the folder it is filed under, as the file spells it; "" for the file's own
	Broken   string   // what makes the entry no registration
	Node     jsonedit.Node
}

// Servers reads the registrations of a parsed file, in the file's order. Of two
// of one name, and of two holders of one name, the last counts, as for the clients.
func Servers(s Shape, doc *jsonedit.Doc) []Server {
	out := servers(s, doc.Root().Get(s.Key), "")
	if s.ByProject {
		for _, p := range doc.Root().Get("projects").Members() {
			out = append(out, servers(s, p.Get(s.Key), p.Name)...)
		}
	}
	return out
}

func servers(s Shape, holder jsonedit.Node, project string) []Server {
	var out []Server
	members := holder.Members()
	last := make(map[string]int, len(members))
	for i, m := range members {
		last[m.Name] = i
	}
	for i, m := range members {
		if last[m.Name] != i {
			continue
		}
		v := Server{Name: m.Name, Project: project, Node: m.Node, Disabled: m.Get("disabled").True() || m.Get("enabled").False()}
		command, ok := m.Get("command").Text()
		args := m.Get("args")
		switch {
		case !m.IsObject():
			v.Broken = "the entry is not an object"
		case s.OneList:
			list, all := m.Get("command").Texts()
			if all && len(list) > 0 {
				command, v.Args = list[0], list[1:]
			} else if !m.Get("url").There() {
				v.Broken = "the entry's command is not a list of words"
			}
		case m.Get("url").There() || m.Get("serverUrl").There() || m.Get("httpUrl").There():
		case !ok || command == "":
			v.Broken = "the entry has no command"
		default:
			list, all := args.Texts()
			if v.Args = list; args.There() && !all {
				v.Broken = "the entry's args are not a list of words"
			}
		}
		v.Command = command
		out = append(out, v)
	}
	return out
}

// Entry is what a registration of fettle is written as.
func Entry(s Shape, command string, args []string) jsonedit.Object {
	var o jsonedit.Object
	for _, f := range s.Extra {
		if !f.Last {
			o = append(o, jsonedit.Member{Name: f.Name, Value: f.Value})
		}
	}
	if s.OneList {
		o = append(o, jsonedit.Member{Name: "command", Value: append([]string{command}, args...)})
	} else {
		o = append(o, jsonedit.Member{Name: "command", Value: command}, jsonedit.Member{Name: "args", Value: args})
	}
	for _, f := range s.Extra {
		if f.Last {
			o = append(o, jsonedit.Member{Name: f.Name, Value: f.Value})
		}
	}
	return o
}

// Sources lists, in the clients' order, the files whose registrations may name
// a companion server, and those that may say a person rejected one.
func Sources(all []Place) []found.Source {
	out := make([]found.Source, 0, len(all))
	add := func(p Place, shape found.Shape) {
		out = append(out, found.Source{Client: p.Client, File: p.Path, Shape: shape})
	}
	for _, c := range table {
		for _, reach := range []Reach{Managed, Repo, Global} {
			for p := range each(all, c.Name, reach, Register) {
				if p.Shape.ByProject {
					add(p, found.Projects)
				}
				switch p.Shape.Key {
				case "mcpServers":
					add(p, found.MCPServers)
				case "servers":
					add(p, found.Servers)
				}
			}
			if c.Name != ClaudeCode {
				continue
			}
			for _, purpose := range []Purpose{Personal, Settings} {
				for p := range each(all, c.Name, reach, purpose) {
					add(p, found.Settings)
				}
			}
		}
	}
	return out
}

// Folded is a project's key with what spellings differ in taken out: case, the
// two separators, a last one. Equal folded keys may name one folder.
func Folded(key string) string {
	f := strings.TrimRight(strings.ToLower(strings.ReplaceAll(key, `\`, "/")), "/")
	if f == "" {
		return "/"
	}
	return f
}
