package found

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"fettler/shared/disk"
	"fettler/shared/jsonc"
)

// Shape is how a client's file holds its registrations.
type Shape string

// The shapes.
const (
	// MCPServers is {"mcpServers":{NAME:{command,args}}}.
	MCPServers Shape = "mcpServers"
	// Servers is {"servers":{NAME:{command,args}}}.
	Servers Shape = "servers"
	// Projects is {"projects":{FOLDER:{"mcpServers":…}}}.
	Projects Shape = "projects"
	// Settings registers nothing and may reject what others register:
	// {"disabledMcpjsonServers":[NAME]}.
	Settings Shape = "settings"
)

// Source is one file that may hold registrations. Sources are given in the
// client's order: the first registration of a name is the one it uses.
type Source struct {
	Client string
	File   string // absolute
	Shape  Shape
	// Folder is what a relative root resolves against; "" is the file's folder.
	Folder string
}

// Registration is a server that a client starts.
type Registration struct {
	Client, Name, Command string
	Args                  []string
	File                  string // the file that holds it
	Folder                string // what a relative root resolves against
}

// maxRegistrations bounds a client's file. Some clients keep histories in it.
const maxRegistrations = 64 << 20

func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, os.ErrInvalid
	}
	return disk.ReadFile(path, info.Size(), maxRegistrations)
}

// registrations reads the sources. A file that is absent or broken registers
// nothing, as for its client; doctor is who reports it. Reading is cheap where
// there is nothing to find: no file without the word --root is taken apart.
func (in *Input) registrations() []Registration {
	var out []Registration
	texts := map[string][]byte{} // a file may be two sources
	text := func(file string) []byte {
		b, known := texts[file]
		if !known {
			b, _ = in.Disk.Read(file)
			texts[file] = b
		}
		return b
	}
	names := in.projectNames()
	for _, s := range in.Sources {
		if s.Shape == Settings || !bytes.Contains(text(s.File), []byte("--root")) {
			continue
		}
		out = append(out, Parse(s, text(s.File), names, in.Env.GOOS)...)
	}
	if len(out) == 0 {
		return nil
	}
	rejected := map[string]bool{}
	for _, s := range in.Sources {
		for _, name := range Rejected(s, text(s.File), names, in.Env.GOOS) {
			rejected[name] = true
		}
	}
	kept := out[:0]
	for _, r := range out {
		if !rejected[r.Name] {
			kept = append(kept, r)
		}
	}
	return kept
}

// projectNames are the spellings under which a client may file this project.
func (in *Input) projectNames() []string {
	names := []string{in.Launch, in.Project}
	for _, p := range names[:2] {
		if real, err := in.Disk.Real(p); err == nil {
			names = append(names, real)
		}
	}
	return names
}

// object reads an object with its keys in their exact case. Go's decoder into
// a struct would fold them, and the client does not.
func object(raw []byte) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m
}

// document is a file as strict JSON, whatever its client allows in it.
func document(b []byte) map[string]json.RawMessage {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	if m := object(b); m != nil {
		return m
	}
	if len(b) > 1<<20 {
		return nil // only small files are written by hand, with comments
	}
	v, fault := jsonc.Parse(b, jsonc.Most)
	if fault != nil {
		return nil
	}
	v.Standardize()
	return object(v.Pack())
}

// Parse gives the registrations that hold --root, in the order of their names.
func Parse(s Source, b []byte, projects []string, goos string) []Registration {
	doc := document(b)
	folder := s.Folder
	if folder == "" {
		folder = filepath.Dir(s.File)
	}
	key := "mcpServers"
	if s.Shape == Servers {
		key = "servers"
	}
	if s.Shape != Projects {
		return servers(s, doc[key], folder)
	}
	var out []Registration
	for _, p := range ofProject(doc, projects, goos) {
		out = append(out, servers(s, p.entry["mcpServers"], p.folder)...)
	}
	return out
}

func servers(s Source, raw json.RawMessage, folder string) []Registration {
	all := object(raw)
	var out []Registration
	for _, name := range sortedKeys(all) {
		entry := object(all[name])
		r := Registration{Client: s.Client, Name: name, File: s.File, Folder: folder}
		var off bool
		if json.Unmarshal(entry["disabled"], &off) == nil && off {
			continue
		}
		json.Unmarshal(entry["command"], &r.Command) // absent or odd: empty, and no program's name
		if json.Unmarshal(entry["args"], &r.Args) != nil {
			continue
		}
		for _, a := range r.Args {
			if a == "--root" || strings.HasPrefix(a, "--root=") {
				out = append(out, r)
				break
			}
		}
	}
	return out
}

type projectEntry struct {
	folder string
	entry  map[string]json.RawMessage
}

// ofProject gives the entries filed under this project's folder.
func ofProject(doc map[string]json.RawMessage, projects []string, goos string) []projectEntry {
	all := object(doc["projects"])
	var out []projectEntry
	for _, key := range sortedKeys(all) {
		for _, p := range projects {
			if sameSpelling(key, p, goos) {
				out = append(out, projectEntry{p, object(all[key])})
				break
			}
		}
	}
	return out
}

// sameSpelling compares folders by name: without a last separator, and on
// Windows without case and without the difference of the two separators.
func sameSpelling(a, b, goos string) bool {
	if goos == "windows" {
		a, b = strings.ToLower(strings.ReplaceAll(a, `\`, "/")), strings.ToLower(strings.ReplaceAll(b, `\`, "/"))
	}
	return strings.TrimRight(a, "/") == strings.TrimRight(b, "/")
}

// Rejected gives the names of servers that a person refused in a client's file.
func Rejected(s Source, b []byte, projects []string, goos string) []string {
	if !bytes.Contains(b, []byte("disabled")) {
		return nil
	}
	doc := document(b)
	entries := []map[string]json.RawMessage{doc}
	if s.Shape == Projects {
		for _, p := range ofProject(doc, projects, goos) {
			entries = append(entries, p.entry)
		}
	}
	var out []string
	for _, e := range entries {
		for _, key := range []string{"disabledMcpjsonServers", "disabledMcpServers"} {
			var names []string
			if json.Unmarshal(e[key], &names) == nil {
				out = append(out, names...)
			}
		}
	}
	return out
}
