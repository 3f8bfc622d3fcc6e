//go:build mage

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Reproducible builds this platform's programs twice, the second time from a
// copy of the sources in another folder and with nothing compiled before, and
// compares them byte by byte.
func Reproducible() error {
	base, err := os.MkdirTemp("", "fettler-again")
	if err != nil {
		return err
	}
	defer os.RemoveAll(base)
	return reproducible(base, filepath.Join(base, "sources"))
}

// reproducible compares a build of the committed sources here with one of a
// copy of them elsewhere.
func reproducible(base, sources string) error {
	if err := committed(); err != nil {
		return err
	}
	if err := os.MkdirAll(sources, 0o755); err != nil {
		return err
	}
	tarball := filepath.Join(base, "sources.tar")
	if err := run(os.Environ(), "git", "archive", "-o", tarball, "HEAD"); err != nil {
		return err
	}
	if err := run(os.Environ(), "tar", "-xf", tarball, "-C", sources); err != nil {
		return err
	}
	stamp := version()
	here := filepath.Join(base, "here")
	if err := build(here, runtime.GOOS, runtime.GOARCH); err != nil {
		return err
	}
	there := filepath.Join(base, "there")
	cmd := exec.Command("go", "tool", "mage", "buildInto", there)
	cmd.Dir, cmd.Stdout, cmd.Stderr = sources, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "FETTLER_VERSION="+stamp, "GOCACHE="+filepath.Join(base, "cache"))
	if err := cmd.Run(); err != nil {
		return err
	}
	for _, p := range programs {
		name := executable(p[0], runtime.GOOS)
		a, err := hashFile(filepath.Join(here, name))
		if err != nil {
			return err
		}
		b, err := hashFile(filepath.Join(there, name))
		if err != nil {
			return err
		}
		if a != b {
			return fmt.Errorf("two builds of %s differ: %s and %s", name, a, b)
		}
		fmt.Println(a, name, "twice the same")
	}
	return nil
}

// BuildInto builds this platform's programs into a folder.
func BuildInto(dir string) error { return build(dir, runtime.GOOS, runtime.GOARCH) }
