//go:build mage

package main

import "os"

// Docs writes the generated parts of README.md and docs.
func Docs() error { return run(os.Environ(), "go", "run", "fettler/fettle/internal/docgen", ".") }
