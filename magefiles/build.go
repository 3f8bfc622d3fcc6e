//go:build mage

// Package main holds the project's targets. Run `go tool mage -l` at the top
// for the list; `go tool mage demo` and `go tool mage test` are all that a
// fresh machine needs.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/magefile/mage/mg"
)

// programs are the six executables, by name and package.
var programs = [][2]string{
	{"fettle", "fettler/fettle"},
	{"fettle-mcp", "fettler/fettle/cmd/fettle-mcp"},
	{"fettle-reader", "fettler/fettle/cmd/fettle-reader"},
	{"fettle-setup", "fettler/fettle-setup"},
	{"fettle-doctor", "fettler/fettle-doctor"},
	{"burler-bridge", "fettler/burler-bridge"},
}

// modules are the folders of the workspace that hold Go.
var modules = []string{"shared", "fettle", "fettle-setup", "fettle-doctor", "burler-bridge", "testdata"}

// Build builds the six programs into bin, stamped with the version.
func Build() error { return build("bin", runtime.GOOS, runtime.GOARCH) }

// build puts the programs for a platform into dir. -trimpath and no build
// identity make two builds of one commit equal.
func build(dir, goos, goarch string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	env := append(environ(), "GOOS="+goos, "GOARCH="+goarch)
	flags := "-s -w -buildid= -X fettler/shared/version.number=" + version()
	for _, p := range programs {
		out := filepath.Join(dir, executable(p[0], goos))
		if err := run(env, "go", "build", "-ldflags", flags, "-o", out, p[1]); err != nil {
			return err
		}
	}
	return nil
}

// executable is what a program's file is called on a platform.
func executable(name, goos string) string {
	if goos == "windows" {
		return name + ".exe"
	}
	return name
}

// version is FETTLER_VERSION, else what git calls this commit, else the
// newest heading of the change log.
func version() string {
	if v := os.Getenv("FETTLER_VERSION"); v != "" {
		return v
	}
	base := "0.0.0"
	if log, err := os.ReadFile("CHANGELOG.md"); err == nil {
		for line := range strings.Lines(string(log)) {
			if v, ok := strings.CutPrefix(line, "## "); ok && v[0] >= '0' && v[0] <= '9' {
				base = strings.Fields(v)[0]
				break
			}
		}
	}
	if rev, err := output("git", "rev-parse", "--short=12", "HEAD"); err == nil {
		return base + "+" + rev
	}
	return base
}

// Install builds the programs into the folder where go install puts its own.
func Install() error {
	dir, err := output("go", "env", "GOBIN")
	if err != nil {
		return err
	}
	if dir == "" {
		gopath, err := output("go", "env", "GOPATH")
		if err != nil {
			return err
		}
		dir = filepath.Join(filepath.SplitList(gopath)[0], "bin")
	}
	if err := build(dir, runtime.GOOS, runtime.GOARCH); err != nil {
		return err
	}
	fmt.Println("installed into", dir)
	return nil
}

// Cross builds every program for linux, darwin and windows on amd64 and arm64.
func Cross() error {
	dir, err := os.MkdirTemp("", "fettler-cross")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for _, goarch := range []string{"amd64", "arm64"} {
			fmt.Println("cross", goos, goarch)
			if err := build(filepath.Join(dir, goos+"-"+goarch), goos, goarch); err != nil {
				return err
			}
		}
	}
	return nil
}

// CrossVet vets every package, tests too, for darwin and windows.
func CrossVet() error {
	for _, goos := range []string{"darwin", "windows"} {
		env := append(environ(), "GOOS="+goos, "GOARCH=arm64")
		if err := run(env, "go", append([]string{"vet"}, packages()...)...); err != nil {
			return err
		}
	}
	return nil
}

// environ is this process's environment with the flags that every build and
// test shares, so that each package is compiled once for all of them.
func environ() []string {
	return append(os.Environ(), "CGO_ENABLED=0", strings.TrimSpace("GOFLAGS="+os.Getenv("GOFLAGS")+" -trimpath -buildvcs=false -tags="+tags))
}

// tags leave out of the command-line library what fettle does not use: its help
// is written with text/template, which brings net/url and a quarter of the
// program with it.
const tags = "urfave_cli_no_template"

// packages are the patterns of every module.
func packages() []string {
	var out []string
	for _, m := range modules {
		out = append(out, "fettler/"+m+"/...")
	}
	return out
}

// run runs a command at the top with this process's streams.
func run(env []string, name string, args ...string) error {
	if mg.Verbose() {
		fmt.Println(name, strings.Join(args, " "))
	}
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = env, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}

// output is a command's standard output without the space around it.
func output(name string, args ...string) (string, error) { return outputEnv(nil, name, args...) }

// outputEnv is output in an environment; nil is this process's own.
func outputEnv(env []string, name string, args ...string) (string, error) {
	var out bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Stdout = env, &out
	err := cmd.Run()
	return strings.TrimSpace(out.String()), err
}
