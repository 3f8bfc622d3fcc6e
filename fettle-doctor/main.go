// Command fettle-doctor reports how fettle is wired into the clients here, and
// what goes round it. It takes the arguments of `fettle doctor` and writes nothing.
package main

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"

	"fettler/fettle-doctor/internal/front"
	"fettler/shared/config"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	siblings := ""
	if exe, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real
		}
		siblings = filepath.Dir(exe)
	}
	dir, err := os.Getwd()
	return front.Run(ctx, os.Args[1:], front.Surroundings{
		Env: config.System(), Dir: dir, DirErr: err, Siblings: siblings, LookPath: exec.LookPath, Out: os.Stdout, Faults: os.Stderr,
	})
}
