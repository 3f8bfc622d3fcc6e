// Command fettle-setup writes the registration of fettle, and what a level adds
// to it, into a client's files. It takes the arguments of `fettle setup`.
package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"fettler/fettle-setup/internal/front"
	"fettler/shared/config"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(words []string, out, faults io.Writer) int {
	siblings := ""
	if exe, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real
		}
		siblings = filepath.Dir(exe)
	}
	dir, err := os.Getwd()
	return front.Run(words, front.Surroundings{
		Env: config.System(), Dir: dir, DirErr: err, Siblings: siblings, LookPath: exec.LookPath, Out: out, Faults: faults,
	})
}
