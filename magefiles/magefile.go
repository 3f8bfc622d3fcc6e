//go:build mage

// Package main holds the build targets; run `go tool mage -l` at the top.
package main

// Build builds.
func Build() error { return nil }
