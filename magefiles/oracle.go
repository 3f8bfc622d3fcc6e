//go:build mage

package main

import (
	"os"
	"path/filepath"
)

// Oracle holds the credential net against gitleaks' rules, over the net's own
// vectors and the toolchain's source. Its module is no part of the workspace and
// of no other target: it fetches the many modules that gitleaks needs.
func Oracle() error {
	top, err := os.Getwd()
	if err != nil {
		return err
	}
	defer os.Chdir(top)
	if err := os.Chdir(filepath.Join("fettle", "internal", "credential", "oracle")); err != nil {
		return err
	}
	return run(append(environ(), "GOWORK=off"), "go", "test", "-count=1", "-v", "-timeout", "15m", ".")
}
