package plan

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"fettler/shared/clients"
	"fettler/shared/jsonedit"
	"fettler/shared/outcome"
	"fettler/shared/tomldoc"
)

// registerTOML adds a table at the end, where TOML lets any table stand. The
// library reads; the writing is text, since it would write the whole file anew.
func (p *planner) registerTOML(place clients.Place, raw []byte, args []string) ([]jsonedit.Splice, error) {
	before, err := tomldoc.Parse(raw)
	if err != nil {
		return nil, err
	}
	want := map[string]any{"command": p.command.word, "args": anySlice(args)}
	holder, isTable := before[place.Shape.Key].(map[string]any)
	if before[place.Shape.Key] != nil && !isTable {
		return nil, outcome.New(outcome.Refused, "%s: %s is not a table. Setup leaves the file alone: mend it, then run setup again", place.Path, place.Shape.Key).At(place.Path)
	}
	eol := "\n"
	if bytes.Contains(raw, []byte("\r\n")) {
		eol = "\r\n"
	}
	var splices []jsonedit.Splice
	entry, taken := holder[clients.ServerName]
	if !taken {
		text := "[" + place.Shape.Key + "." + clients.ServerName + "]" + eol + "command = " + tomlString(p.command.word) + eol + "args = " + tomlList(args) + eol
		switch trimmed := bytes.TrimRight(raw, " \t\r\n"); {
		case len(trimmed) == 0:
		case raw[len(raw)-1] != '\n':
			text = eol + eol + text
		default:
			text = eol + text
		}
		splices = []jsonedit.Splice{{Start: len(raw), End: len(raw), Text: text}}
	} else {
		table, _ := entry.(map[string]any)
		command, _ := table["command"].(string)
		if command != "" && p.same(command) && reflect.DeepEqual(table["args"], want["args"]) {
			return nil, nil
		}
		if !p.Force {
			return nil, p.different(place.Path)
		}
		if splices = replaceTOML(raw, place.Shape.Key, p.command.word, args); splices == nil {
			return nil, unwritable(place.Path)
		}
	}
	after, err := tomldoc.Parse(jsonedit.Apply(raw, splices))
	if err != nil {
		return nil, unwritable(place.Path)
	}
	// Nothing but the entry may read otherwise than before.
	now, _ := after[place.Shape.Key].(map[string]any)
	got, _ := now[clients.ServerName].(map[string]any)
	if got["command"] != want["command"] || !reflect.DeepEqual(got["args"], want["args"]) {
		return nil, unwritable(place.Path)
	}
	for _, doc := range []map[string]any{before, after} {
		if m, ok := doc[place.Shape.Key].(map[string]any); ok {
			if delete(m, clients.ServerName); len(m) == 0 {
				delete(doc, place.Shape.Key)
			}
		}
	}
	if !reflect.DeepEqual(before, after) {
		return nil, unwritable(place.Path)
	}
	return splices, nil
}

func unwritable(path string) error {
	return outcome.New(outcome.Refused, "%s writes its servers in a way that setup cannot add to. Add the table mcp_servers.fettler with an editor", path).At(path)
}

var tomlKey = regexp.MustCompile(`^[ \t]*(command|args)[ \t]*=[ \t]*(.*?)[ \t]*\r?$`)

// replaceTOML finds the entry's table and the one-line values in it.
func replaceTOML(raw []byte, key, command string, args []string) []jsonedit.Splice {
	header := regexp.MustCompile(`^[ \t]*\[[ \t]*` + key + `[ \t]*\.[ \t]*"?` + clients.ServerName + `"?[ \t]*\][ \t]*(#.*)?\r?$`)
	var out []jsonedit.Splice
	in, seen := false, []string{}
	off := 0
	for _, line := range bytes.SplitAfter(raw, []byte("\n")) {
		bare := bytes.TrimSuffix(line, []byte("\n"))
		switch {
		case header.Match(bare):
			in = true
		case in && bytes.HasPrefix(bytes.TrimLeft(bare, " \t"), []byte("[")):
			in = false
		case in:
			if m := tomlKey.FindSubmatchIndex(bare); m != nil {
				name := string(bare[m[2]:m[3]])
				value := tomlString(command)
				if name == "args" {
					value = tomlList(args)
				}
				seen = append(seen, name)
				out = append(out, jsonedit.Splice{Start: off + m[4], End: off + m[5], Text: value})
			}
		}
		off += len(line)
	}
	if !slices.Contains(seen, "command") || !slices.Contains(seen, "args") {
		return nil
	}
	return out
}

// tomlString is a basic string: JSON's escapes are TOML's.
func tomlString(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.Encode(s)
	return strings.TrimSuffix(b.String(), "\n")
}

func tomlList(words []string) string {
	var out []string
	for _, w := range words {
		out = append(out, tomlString(w))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func anySlice(words []string) []any {
	var out []any
	for _, w := range words {
		out = append(out, w)
	}
	return out
}
