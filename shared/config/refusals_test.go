package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettler/shared/outcome"
)

// Every refusal, the worded ones of the reference in its exact words. FILE
// stands for the file's path.
var refusals = []struct{ name, text, want string }{
	{"unknown at the top", `{"guards":{}}`, `FILE:1:2 has "guards" at the top. The top holds three sections, one per level: tools, guardrails, screenings.`},
	{"wrong case at the top", `{"Tools":{}}`, `has "Tools" at the top. The top holds three sections`},
	{"old trees", "{\n  \"trees\": { \"work\": { \"path\": \".\", \"screen\": true } },\n  \"tasks\": { \"build\": { \"run\": \"dotnet build\" } }\n}",
		`FILE:2:3 has "trees" at the top, which is the shape this version no longer reads. Rewrite the file with three sections, one per level. Your entries, rewritten: {"guardrails":{"trees":{"work":{"path":"."}},"tasks":{"build":{"run":"dotnet build"}}},"screenings":{"screen":{"work":true}}}`},
	{"old first key of several", `{"models":"../m","trees":{"work":{"path":"."}}}`, `has "models" at the top, which is the shape`},
	{"old, with scopes, comments and all four", `{ // c
  "replacements":{"a":"b"}, "models":"../m", "tasks":{},
  "trees":{"work":{"path":".","screen":["identifiers"],"scopes":{"rec":{"screen":true},"pub":{"can":["list"],"screen":false}}},},}`,
		`Your entries, rewritten: {"guardrails":{"trees":{"work":{"path":".","scopes":{"rec":{},"pub":{"can":["list"]}}}},"tasks":{},"replacements":{"a":"b"}},"screenings":{"models":"../m","screen":{"work":["identifiers"],"work/rec":true,"work/pub":false}}}`},
	{"old beside new", `{"tools":{"generated":["x"]},"guardrails":{"trees":{"work":{"path":"."}}},"tasks":{"a":{"run":"b && c"}},"screenings":{"screen":{"work":false}}}`,
		`has "tasks" at the top, which is the shape this version no longer reads. Rewrite the file with three sections, one per level. Your entries, rewritten: {"tools":{"generated":["x"]},"guardrails":{"trees":{"work":{"path":"."}},"tasks":{"a":{"run":"b && c"}}},"screenings":{"screen":{"work":false}}}`},
	{"screen in a tree", `{"guardrails":{"trees":{"work":{"path":".","screen":true}}}}`, `tree 'work' has a "screen". A screen now goes under "screenings", keyed by the tree or scope: {"screenings":{"screen":{"work":true}}}`},
	{"screen in a scope", `{"guardrails":{"trees":{"work":{"path":".","scopes":{"rec":{"can":[],"screen":["legal"]}}}}}}`, `tree 'work' has a "screen". A screen now goes under "screenings", keyed by the tree or scope: {"screenings":{"screen":{"work/rec":["legal"]}}}`},
	{"screen key without a tree", `{"screenings":{"screen":{"/records":true}}}`, `FILE:1:26 has a "screen" key that names no tree. Write the tree name first.`},
	{"screen key of no tree", `{"guardrails":{"trees":{"work":{"path":"."},"side":{"path":"d"}}},"screenings":{"screen":{"wrok":true}}}`, `the "screen" key "wrok" names no declared tree. The trees are: work, side`},
	{"screen key with guardrails off", `{"screenings":{"screen":{"app":true}}}`, `Guardrails are off, so the one tree is: work`},
	{"screen key of a found tree", `{"screenings":{"screen":{"scratch":true}}}`, `names no declared tree`},
	{"screen scope with guardrails off", `{"screenings":{"screen":{"work/records":true}}}`, `scopes are declared under guardrails, which are off`},
	{"screen scope undeclared", `{"guardrails":{"trees":{"work":{"path":".","scopes":{"a":{}}}}},"screenings":{"screen":{"work/b":true}}}`, `names no scope of tree 'work'. Its scopes are: a`},
	{"screen scope of a tree without", `{"guardrails":{"trees":{"work":{"path":"."}}},"screenings":{"screen":{"work/b":true}}}`, `tree 'work' declares none`},
	{"screen key twice", `{"screenings":{"screen":{"work":true,"Work":false}}}`, `name one place`},
	{"screen scope twice", `{"guardrails":{"trees":{"work":{"path":".","scopes":{"a":{}}}}},"screenings":{"screen":{"work/a":true,"work/./a":false}}}`, `name one place`},
	{"screen key with a backslash", `{"screenings":{"screen":{"work\\a":true}}}`, `holds a backslash`},
	{"screen scope with a backslash", `{"screenings":{"screen":{"work/a\\b":true}}}`, `holds a backslash`},
	{"screen key that leaves", `{"screenings":{"screen":{"work/../x":true}}}`, `leaves the tree`},
	{"screen key with a trailing slash", `{"screenings":{"screen":{"work/":true}}}`, `the path is empty`},
	{"screen word", `{"screenings":{"screen":{"work":["medical"]}}}`, `FILE:1:34: screen "work": "medical" is not a category. The four are: identifiers, clinical, legal, scientific`},
	{"screen old word", `{"screenings":{"screen":{"work":["phi"]}}}`, `Write "identifiers", "clinical" or both instead`},
	{"screen mixed", `{"screenings":{"screen":{"work":["legal","-clinical"]}}}`, `never both`},
	{"screen null", `{"screenings":{"screen":{"work":null}}}`, `must be true, false or a list of category words`},
	{"screen string", `{"screenings":{"screen":{"work":"legal"}}}`, `must be true, false or a list of category words`},
	{"screenings unknown key", `{"screenings":{"model":"x"}}`, `"screenings" has "model", which is no key of it. It holds: models, screen`},
	{"models with a backslash", `{"screenings":{"models":"..\\m"}}`, `Write "../m"`},
	{"no trees", `{"guardrails":{}}`, `FILE:1:2 has a "guardrails" section that declares no trees. Add a "trees" object to it, or remove the section to use the launch folder as the tree.`},
	{"empty trees", `{"guardrails":{"trees":{},"tasks":{"a":{"run":"b"}}}}`, `declares no trees`},
	{"reserved", `{"guardrails":{"trees":{"scratch":{"path":"d"}}}}`, `FILE:1:25 declares a tree called 'scratch'. fettle gives that name to the client's scratch folder and finds the folder itself. Remove the tree, or give it another name.`},
	{"reserved, tool-results", `{"guardrails":{"trees":{"tool-results":{"path":"d"}}}}`, `declares a tree called 'tool-results'. fettle gives that name to the client's tool-results folder`},
	{"reserved in another case", `{"guardrails":{"trees":{"Memory":{"path":"d"}}}}`, `declares a tree called 'Memory'. fettle gives that name to the client's memory folder`},
	{"tree name of one letter", `{"guardrails":{"trees":{"c":{"path":"."}}}}`, `cannot name a tree`},
	{"tree name with a colon", `{"guardrails":{"trees":{"a:b":{"path":"."}}}}`, `cannot name a tree`},
	{"tree names by case", `{"guardrails":{"trees":{"work":{"path":"."},"Work":{"path":"d"}}}}`, `differ only in case`},
	{"tree without a path", `{"guardrails":{"trees":{"work":{}}}}`, `tree 'work' has no "path"`},
	{"tree not an object", `{"guardrails":{"trees":{"work":"."}}}`, `tree 'work' is a string and must be an object`},
	{"tree unknown key", `{"guardrails":{"trees":{"work":{"path":".","Can":[]}}}}`, `It holds: path, can, scopes. Keys count in their exact case: write "can"`},
	{"tree absent", `{"guardrails":{"trees":{"work":{"path":"."},"gone":{"path":"nowhere"}}}}`, `FILE:1:60: tree 'gone' is declared on `},
	{"tree that is a file", `{"guardrails":{"trees":{"file":{"path":"f"}}}}`, `which is not a folder`},
	{"two trees on one folder", `{"guardrails":{"trees":{"work":{"path":"d"},"docs":{"path":"d/../d"}}}}`, `are one folder`},
	{"permission word", `{"guardrails":{"trees":{"work":{"path":".","can":["list","write"]}}}}`, `FILE:1:58: tree 'work': "write" is not a permission. The seven are: list, read, create, update, rename, delete, execute`},
	{"permission not a list", `{"guardrails":{"trees":{"work":{"path":".","can":"list"}}}}`, `must be a list of strings`},
	{"scope wildcard", `{"guardrails":{"trees":{"work":{"path":".","scopes":{"docs/*":{}}}}}}`, `holds a wildcard`},
	{"scope dot", `{"guardrails":{"trees":{"work":{"path":".","scopes":{"./":{}}}}}}`, `is the tree itself`},
	{"scope leaves", `{"guardrails":{"trees":{"work":{"path":".","scopes":{"a/../../b":{}}}}}}`, `leaves the tree`},
	{"scope absolute", `{"guardrails":{"trees":{"work":{"path":".","scopes":{"/etc":{}}}}}}`, `is absolute`},
	{"scope backslash", `{"guardrails":{"trees":{"work":{"path":".","scopes":{"a\\b":{}}}}}}`, `holds a backslash`},
	{"scope twice", `{"guardrails":{"trees":{"work":{"path":".","scopes":{"a/b":{},"a//b":{}}}}}}`, `declares the scope 'a/b' twice`},
	{"scope unknown key", `{"guardrails":{"trees":{"work":{"path":".","scopes":{"a":{"path":"x"}}}}}}`, `scope 'a' of tree 'work' has "path"`},
	{"guardrails unknown key", `{"guardrails":{"trees":{"work":{"path":"."}},"task":{}}}`, `It holds: trees, tasks, replacements`},
	{"task without run", `{"guardrails":{"trees":{"work":{"path":"."}},"tasks":{"a":{}}}}`, `task 'a' has no "run"`},
	{"task unknown key", `{"guardrails":{"trees":{"work":{"path":"."}},"tasks":{"a":{"run":"b","shell":true}}}}`, `It holds: run, cwd`},
	{"task open quote", `{"guardrails":{"trees":{"work":{"path":"."}},"tasks":{"a":{"run":"b \"c"}}}}`, `FILE:1:66: task 'a': the command line has a quote that is not closed`},
	{"task empty", `{"guardrails":{"trees":{"work":{"path":"."}},"tasks":{"a":{"run":" "}}}}`, `names no program`},
	{"task undeclared name", `{"guardrails":{"trees":{"work":{"path":"."}},"tasks":{"a":{"run":"b new {feature-branch}"}}}}`, `task 'a': {feature-branch} names no replacement`},
	{"task value empties the program", `{"guardrails":{"trees":{"work":{"path":"."}},"tasks":{"a":{"run":"{p} x"}},"replacements":{"p":""}}}`, `names no program once its values are filled in`},
	{"task cwd backslash", `{"guardrails":{"trees":{"work":{"path":"."}},"tasks":{"a":{"run":"b","cwd":"x\\y"}}}}`, `Write "x/y"`},
	{"task name", `{"guardrails":{"trees":{"work":{"path":"."}},"tasks":{"-a":{"run":"b"}}}}`, `cannot name a task`},
	{"replacement name", `{"guardrails":{"trees":{"work":{"path":"."}},"replacements":{"1a":"b"}}}`, `cannot name a replacement`},
	{"replacement not a string", `{"guardrails":{"trees":{"work":{"path":"."}},"replacements":{"a":1}}}`, `replacement 'a' is a number and must be a string`},
	{"replacement with NUL", `{"guardrails":{"trees":{"work":{"path":"."}},"replacements":{"a":"\u0000"}}}`, `NUL`},
	{"tools unknown key", `{"tools":{"cap":1}}`, `"tools" has "cap", which is no key of it. It holds: generated, scratch, scratch-root, client-root`},
	{"tools null", `{"tools":null}`, `"tools" is null and must be an object`},
	{"generated path", `{"tools":{"generated":["a/b"]}}`, `is not the name of a folder`},
	{"generated not a list", `{"tools":{"generated":"bin"}}`, `must be a list of strings`},
	{"scratch backslash", `{"tools":{"scratch":"a\\b"}}`, `holds a backslash`},
	{"scratch-root drive", `{"tools":{"scratch-root":"C:x"}}`, `names a drive and no folder`},
	{"client-root tilde", `{"tools":{"client-root":"~/.claude"}}`, `not expanded`},
	{"duplicate key", "{\"tools\":{},\n \"tools\":{}}", `FILE:2:2: the key "tools" is given twice; the first is on line 1`},
	{"duplicate key, escaped", `{"guardrails":{"trees":{"work":{"path":".","p\u0061th":"d"}}}}`, `the key "path" is given twice`},
	{"not JSON", `{"tools":{`, `FILE:1:11: the file is not JSON`},
	{"two values", `{} {}`, `FILE:1:4: the file is not JSON`},
	{"empty", " \n", `FILE:1:1: the file is empty`},
	{"not an object", `[]`, `the file is a list and must be an object`},
	{"half a surrogate", `{"tools":{"scratch":"\ud800x"}}`, `half a surrogate pair`},
	{"not UTF-8", "{\"tools\":{\"scratch\":\"a\xff\"}}", `FILE:1:23: a configuration is UTF-8 text`},
	{"column in characters", `{"screenings":{"screen":{"wörk":["phi"]}}}`, `FILE:1:34:`},
	{"deep", strings.Repeat("[", 100000), `brackets nest more than 32 deep`},
	{"large", `{"tools":{}}` + strings.Repeat(" ", maxBytes), `holds more than 1048576 bytes`},
}

func TestRefusals(t *testing.T) {
	for _, c := range refusals {
		t.Run(c.name, func(t *testing.T) {
			dir := project(t)
			file := filepath.Join(dir, ProjectName)
			put(t, file, c.text)
			got, err := Load(Options{Project: file})
			refused(t, got, err, strings.ReplaceAll(c.want, "FILE", file))
			if err != nil && !strings.HasPrefix(err.Error(), file) {
				t.Errorf("the message does not begin with the file: %v", err)
			}
			if err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("the message is not one line: %v", err)
			}
		})
	}
}

// project is a folder with a folder d and a file f in it.
func project(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "d"), 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "f"), "")
	return dir
}

func refused(t *testing.T, c *Config, err error, want string) {
	t.Helper()
	if c != nil {
		t.Error("a refused configuration came back all the same")
	}
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v\nwanted %s", err, want)
		return
	}
	if o := outcome.Of(err); o.Kind != outcome.Invalid {
		t.Errorf("the outcome is %s", o.Kind.Word())
	}
}
