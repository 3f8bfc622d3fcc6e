// Command fettle finds, searches, reads and changes files inside a boundary
// that a person wrote. It is the terminal front end; `fettle serve` becomes
// the MCP server, and `fettle setup` and `fettle doctor` run the programs
// beside it.
package main

import (
	"context"
	"os"
	"runtime/debug"

	"fettler/fettle/internal/cli"
	"fettler/fettle/internal/launch"
	"fettler/shared/config"
)

func main() {
	// A walk leaves little behind. Collecting a little earlier keeps the peak on
	// five copies of a tree within a fifth of that on one; much earlier, a tenth
	// of a search's time is spent on it.
	debug.SetGCPercent(60)
	os.Exit(run())
}

func run() int {
	return cli.Run(context.Background(), os.Args[1:], launch.Options{Env: config.System()}, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
}
