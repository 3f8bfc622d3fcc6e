// Package models runs the whole installation with a real, tiny model: fettle
// beside burler-bridge, from a read to its refusal.
package models

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fettler/testdata/programs"
)

var bin string

func TestMain(m *testing.M) { os.Exit(programs.Main(m, &bin)) }

// project lays out a screened project and its models directory.
func project(t *testing.T) string {
	t.Helper()
	top := t.TempDir()
	made, err := exec.Command("go", "run", "fettler/burler-bridge/internal/testmodel/maketiny", filepath.Join(top, "models", "clinical")).CombinedOutput()
	if err != nil {
		t.Fatalf("%s%v", made, err)
	}
	for name, text := range map[string]string{
		".fettler.json": `{"guardrails":{"trees":{"work":{"path":".","can":["list","read"]}}},"screenings":{"models":"../models","screen":{"work":["identifiers","clinical"]}}}`,
		"named.txt":     "patient Ann Lee\nSSN 078-05-1123\nAnn\n",
		"clean.txt":     "patient\n",
	} {
		path := filepath.Join(top, "p", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(top, "p")
}

func fettle(t *testing.T, dir, input string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(filepath.Join(bin, "fettle"), args...)
	home := t.TempDir()
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(input)
	cmd.Env = append(os.Environ(), "HOME="+home, "USERPROFILE="+home, "XDG_CONFIG_HOME=", "CLAUDE_CONFIG_DIR=", "CLAUDE_CODE_SESSION_ID=")
	out, err := cmd.Output()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func TestTheWholeInstallationScreens(t *testing.T) {
	dir := project(t)
	out, code := fettle(t, dir, "", "read", "named.txt")
	if code != 13 || !strings.Contains(out, "would disclose regulated data: 1 in identifiers, 2 in clinical.") {
		t.Errorf("%d %s", code, out)
	}
	if out, code = fettle(t, dir, "", "read", "clean.txt"); code != 0 || !strings.Contains(out, "patient") {
		t.Errorf("%d %s", code, out)
	}
	if out, code = fettle(t, dir, "", "roots"); code != 0 || !strings.Contains(out, "clinical: testmodel/tiny @ 1\n") || !strings.Contains(out, "\nbackend     pure Go (") && !strings.Contains(out, "\nbackend     ONNX Runtime ") {
		t.Errorf("%d %s", code, out)
	}
	if out, code = fettle(t, dir, "", "roots", "--json"); code != 0 || !strings.Contains(out, `"clinical":"testmodel/tiny @ 1"`) || !strings.Contains(out, `"backend":"`) {
		t.Errorf("%d %s", code, out)
	}
}

// A server keeps the sidecar warm over calls and ends it with itself.
func TestAServerScreens(t *testing.T) {
	dir := project(t)
	lines := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"
	for i, file := range []string{"named.txt", "clean.txt", "named.txt"} {
		lines += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"read","arguments":{"paths":[%q]}}}`+"\n", i+2, file)
	}
	out, code := fettle(t, dir, lines, "serve")
	if code != 0 {
		t.Fatalf("%d %s", code, out)
	}
	answers := map[float64]string{}
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		var a struct {
			ID     float64         `json:"id"`
			Result json.RawMessage `json:"result"`
		}
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		answers[a.ID] = string(a.Result)
	}
	for id, want := range map[float64]string{2: "1 in identifiers, 2 in clinical", 3: "patient", 4: "1 in identifiers, 2 in clinical"} {
		if !strings.Contains(answers[id], want) {
			t.Errorf("call %v: %s", id, answers[id])
		}
	}
	if strings.Contains(out, "078-05") || strings.Contains(out, "Lee") {
		t.Error("the text got out")
	}
}
