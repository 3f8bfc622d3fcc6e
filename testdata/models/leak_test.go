package models

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever is asked of a screened file, nothing that the programs write holds
// more than four characters in a row of it, whether the screen found something
// or could not run. The text is of capitals and digits that no fixed sentence has.
func TestNothingWrittenRepeatsTheText(t *testing.T) {
	if shared("says aBcDe", "xAbCdEx") == "" || shared("says abcd", "abcd e") != "" {
		t.Fatal("shared does not see what it should")
	}
	dir := project(t)
	file := filepath.Join(dir, "f.txt")
	config := filepath.Join(dir, ".fettler.json")
	settings := `{"guardrails":{"trees":{"work":{"path":".","can":["list","read","create","update","delete"]}}},"screenings":{"models":"../models","screen":{"work":["identifiers","clinical"]}}}`
	if err := os.WriteFile(config, []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, state := range []string{"both find", "the model finds", "the model is gone"} {
		if state == "the model is gone" {
			if err := os.RemoveAll(filepath.Join(dir, "..", "models", "clinical")); err != nil {
				t.Fatal(err)
			}
		}
		text := secretText(state == "both find")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{
			{"read", "f.txt"}, {"read", "f.txt", "--numbered"}, {"read", "f.txt", "--tail", "3"},
			{"search", "[A-Z]"}, {"search", "[A-Z]", "--count", "--json"}, {"search", "[A-Z]", "--files-only"},
			{"search", "[A-Z]", "--context", "2", "--limit", "3", "--json"},
			{"edit", "f.txt", "--replace", "KEY", "--with", "x", "--all", "--dry-run"}, {"edit", "f.txt", "--replace", "key", "--with", "x", "--json"},
			{"replace", "KEY", "x", "--glob", "f.txt", "--dry-run", "--json"}, {"replace", "KEY", "x", "--glob", "f.txt"},
		} {
			out, code := everything(t, dir, args)
			if code != 13 {
				t.Errorf("%s, %q: exit %d\n%s", state, args, code, out)
			}
			if part := shared(out, text); part != "" {
				t.Errorf("%s, %q: it says %q\n%s", state, args, part, out)
			}
		}
		if now, err := os.ReadFile(file); err != nil || string(now) != text {
			t.Error("the file changed")
		}
	}
}

// secretText is ten random lines around a name, and where wanted a number.
func secretText(number bool) string {
	const letters = "BCDFGHJKLMNPQRSTVWXZ0123456789"
	var sb strings.Builder
	for range 10 {
		for range 20 + rand.IntN(40) {
			sb.WriteByte(letters[rand.IntN(len(letters))])
		}
		sb.WriteString(" KEY")
		if number {
			fmt.Fprintf(&sb, " 078-05-%04d", 1000+rand.IntN(9000))
		}
		sb.WriteString(" Ann Lee\n")
	}
	return sb.String()
}

// everything is what a command writes, to both its streams.
func everything(t *testing.T, dir string, args []string) (string, int) {
	t.Helper()
	cmd := exec.Command(filepath.Join(bin, "fettle"), args...)
	home := t.TempDir()
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+home, "USERPROFILE="+home, "XDG_CONFIG_HOME=", "CLAUDE_CONFIG_DIR=", "CLAUDE_CODE_SESSION_ID=")
	out, err := cmd.CombinedOutput()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// shared is five characters in a row that out has of text, in any case.
func shared(out, text string) string {
	out, text = strings.ToLower(out), strings.ToLower(text)
	for i := 0; i+5 <= len(text); i++ {
		if strings.Contains(out, text[i:i+5]) {
			return text[i : i+5]
		}
	}
	return ""
}
