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
	// A walk leaves little behind, so collecting earlier costs no time that can be
	// measured, and keeps the peak on a large tree near that on a small one.
	debug.SetGCPercent(40)
	os.Exit(run())
}

func run() int {
	return cli.Run(context.Background(), os.Args[1:], launch.Options{Env: config.System()}, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
}
