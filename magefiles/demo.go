//go:build mage

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// demoFiles are the small project that Demo works in.
var demoFiles = map[string]string{
	".fettler.json": `{
  "guardrails": {
    "trees": {
      "work": { "path": ".", "scopes": { "secrets": { "can": [] }, "docs": { "can": ["list", "read"] } } }
    }
  }
}
`,
	"src/greet.go":     "package greet\n\n// Hello greets.\nfunc Hello(name string) string {\n\treturn \"Hello, \" + name\n}\n",
	"src/main.go":      "package main\n\nfunc main() {}\n",
	"docs/guide.md":    "# Guide\n\nSay Hello to everybody.\n",
	"secrets/plan.txt": "Hello from a hidden place\n",
}

// demoSession is what Demo types.
var demoSession = [][]string{
	{"roots"},
	{"find", "**/*.go"},
	{"search", "hello"},
	{"read", "src/greet.go", "--from", "3", "--to", "6"},
	{"edit", "src/greet.go", "--replace", "Hello, ", "--with", "Good day, ", "--dry-run"},
	{"edit", "src/greet.go", "--replace", "Hello, ", "--with", "Good day, "},
	{"read", "secrets/plan.txt"},
	{"write", ".fettler.json", "--text", "{}", "--overwrite"},
}

// Demo builds everything and runs a short real session in a small project of
// its own, as a person at a terminal would.
func Demo() error {
	if err := Build(); err != nil {
		return err
	}
	bin, err := filepath.Abs("bin")
	if err != nil {
		return err
	}
	base, err := os.MkdirTemp("", "fettler-demo")
	if err != nil {
		return err
	}
	defer os.RemoveAll(base)
	project := filepath.Join(base, "project")
	if err := writeFiles(project, demoFiles); err != nil {
		return err
	}
	for _, words := range demoSession {
		fmt.Println("\n$ fettle", strings.Join(words, " "))
		cmd := exec.Command(filepath.Join(bin, "fettle"), words...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = project, os.Stdout, os.Stderr
		cmd.Env = append(os.Environ(), "HOME="+base, "USERPROFILE="+base, "XDG_CONFIG_HOME=")
		err := cmd.Run()
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() > 1 {
			fmt.Println("(exit", fmt.Sprint(exit.ExitCode())+")")
			continue
		}
		if err != nil {
			return fmt.Errorf("fettle %s: %w", words[0], err)
		}
	}
	return nil
}
