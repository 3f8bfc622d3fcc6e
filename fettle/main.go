// Command fettle finds, searches, reads and changes files inside a boundary
// that a person wrote. It is the terminal front end; `fettle serve` becomes
// the MCP server, and `fettle setup` and `fettle doctor` run the programs
// beside it.
package main

import (
	"context"
	"os"

	"fettler/fettle/internal/cli"
	"fettler/fettle/internal/launch"
	"fettler/shared/config"
)

func main() {
	collectLate()
	os.Exit(run())
}

func run() int {
	return cli.Run(context.Background(), os.Args[1:], launch.Options{Env: config.System()}, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
}
