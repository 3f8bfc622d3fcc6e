package front

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fettler/shared/config"
)

func run(t *testing.T, words ...string) (int, string) {
	t.Helper()
	top := t.TempDir()
	os.WriteFile(filepath.Join(top, "fettle"), []byte("#!/bin/sh\n"), 0o755)
	os.MkdirAll(filepath.Join(top, "home", ".claude"), 0o755)
	os.Mkdir(filepath.Join(top, "p"), 0o755)
	var out strings.Builder
	code := Run(context.Background(), words, Surroundings{Env: config.Env{GOOS: "linux", Home: filepath.Join(top, "home"), UID: -1, Getenv: func(string) string { return "" }},
		Dir: filepath.Join(top, "p"), Siblings: top, LookPath: func(string) (string, error) { return "", errors.New("no") }, Out: &out, Faults: &out})
	return code, out.String()
}

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"--gob"}, "refused: no such flag: --gob. Run fettle help for the list\n"},
		{[]string{"--client"}, "refused: --client needs a value. Write --NAME= to pass an empty one\n"},
		{[]string{"x"}, "refused: doctor takes no arguments; 'x' is extra\n"},
	} {
		if code, out := run(t, c.words...); code != 2 || out != c.want {
			t.Errorf("%q: %d %q", c.words, code, out)
		}
	}
	// A hook answers 0 whatever is wrong with it.
	if code, out := run(t, "--hook", "--gob"); code != 0 || out != "" {
		t.Errorf("%d %q", code, out)
	}
}

func TestAnswers(t *testing.T) {
	code, out := run(t, "--json")
	var m map[string]any
	if err := json.Unmarshal([]byte(out), &m); err != nil || code != 1 {
		t.Fatalf("%d %v %s", code, err, out)
	}
	for _, key := range []string{"ok", "outcome", "installation", "levels", "clients", "findings"} {
		if _, there := m[key]; !there {
			t.Errorf("%s is missing", key)
		}
	}
	row := m["clients"].([]any)[0].(map[string]any)
	if row["reach"] != "global" || row["verdict"] != "absent" {
		t.Errorf("%v", row)
	}
	if code, out := run(t, "--hook"); code != 0 || !strings.Contains(out, "absent") {
		t.Errorf("%d %q", code, out)
	}
	if code, out := run(t, "--client", "zed", "--quiet"); code != 0 || out != "" {
		t.Errorf("%d %q", code, out)
	}
}
