package verb

import (
	"encoding/json"
	"strings"
	"testing"

	"fettler/shared/level"
	"fettler/shared/outcome"
)

// wanted are the verbs and whether a model may have each.
var wanted = map[string]bool{
	"find": true, "search": true, "read": true, "write": true, "edit": true, "replace": true, "new": true, "mkdir": true, "move": true,
	"copy": true, "delete": true, "extract": true, "exec": true, "roots": true, "batch": true, "tasks": true, "run": true, "doctor": true, "setup": false,
}

// TestTable: what must hold for every declaration.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range All() {
		if model, ok := wanted[v.Name]; !ok || model != v.Model || seen[v.Name] {
			t.Errorf("%s does not belong here, or not so", v.Name)
		}
		seen[v.Name] = true
		if v.Summary == "" || v.Title == "" || v.Run == nil || strings.HasSuffix(v.Summary, ".") {
			t.Errorf("%s is declared in part", v.Name)
		}
		if guarded := v.Name == "tasks" || v.Name == "run"; guarded != (v.Level == level.Guardrails) {
			t.Errorf("%s is at level %s", v.Name, v.Level)
		}
		if v.ReadOnly && (v.Destructive || v.Lock == Exclusive) {
			t.Errorf("%s reads only, and changes", v.Name)
		}
		if v.Model && !v.ReadOnly && v.Lock == Shared {
			t.Errorf("%s changes and takes no turn", v.Name)
		}
		names := map[string]bool{}
		for i := range v.Params {
			p := &v.Params[i]
			if p.Help == "" || strings.HasSuffix(p.Help, ".") {
				t.Errorf("%s: %s says %q", v.Name, p.Name, p.Help)
			}
			if p.Source != Value {
				if target := v.Param(p.Fills); target == nil || !p.CLI {
					t.Errorf("%s: %s fills nothing, or over MCP too", v.Name, p.Name)
				}
			}
			if !p.CLI {
				if names[p.ToolName()] {
					t.Errorf("%s: %s is two arguments over MCP", v.Name, p.ToolName())
				}
				names[p.ToolName()] = true
			}
			if p.Short != "" && (v.Name != "search" || p.Short != "e") {
				t.Errorf("%s has the short flag -%s", v.Name, p.Short)
			}
		}
	}
	for name := range wanted {
		if !seen[name] {
			t.Errorf("%s is missing", name)
		}
	}
}

// Exact keys, no key twice, bounded depth: two readers must not differ.
func TestDecode(t *testing.T) {
	v := Lookup("read")
	for args, want := range map[string]string{
		`{"paths":["a"],"Tail":1}`:             "no argument called 'Tail'",
		`{"PATHS":["a"]}`:                      "no argument called 'PATHS'",
		`{"paths":["a"],"paths":["b"]}`:        "given twice",
		`{"paths":["a"]}{}`:                    "more than one",
		`{"paths":["a"],}`:                     "not valid JSON",
		`{"paths":` + strings.Repeat("[", 100): "nested",
		`{"paths":["a"],"tail":1e400}`:         "whole number",
		`{"paths":[null]}`:                     "array of strings",
	} {
		if _, err := v.Decode(json.RawMessage(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
	a, err := v.Decode(json.RawMessage(` {"paths":["a","b"],"tail":5,"numbered":null} `))
	if err != nil || len(a.Strings("paths")) != 2 || a.Int("tail") != 5 || a.Has("numbered") {
		t.Errorf("%v %v", a, err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("read", `{"paths":["a"]}`)
	f.Add("edit", `{"script":{"edits":[{"replace":"a","with":"b"}]}}`)
	f.Add("search", `{"patterns":["x"],"limit":"10"}`)
	f.Fuzz(func(t *testing.T, name, args string) {
		v := Lookup(name)
		if v == nil {
			return
		}
		a, err := v.Decode(json.RawMessage(args))
		if err != nil && outcome.Of(err).Kind != outcome.Invalid {
			t.Errorf("%s %q: %v", name, args, err)
		}
		if err == nil {
			for i := range v.Params {
				if p := &v.Params[i]; p.Required && !p.CLI && !a.Has(p.Name) {
					t.Errorf("%s %q: %s is missing and it is taken", name, args, p.Name)
				}
			}
		}
	})
}
