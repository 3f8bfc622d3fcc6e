//go:build mage

package main

// Docs writes the generated parts of README.md and docs.
func Docs() error { return run(environ(), "go", "run", "fettler/fettle/internal/docgen", ".") }
