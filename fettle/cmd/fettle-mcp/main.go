// Command fettle-mcp is what `fettle serve` becomes: the MCP server on
// standard input and output. It is a program of its own because linking the
// protocol's library costs every start, and the terminal's should be fast.
//
// It takes the global flags of fettle but --no-config and --json, and nothing else.
package main

import (
	"context"
	"fmt"
	"os"

	"fettler/fettle/internal/launch"
	"fettler/fettle/internal/mcp"
	"fettler/shared/config"
	"fettler/shared/outcome"
	"fettler/shared/version"
)

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(words []string) int {
	if len(words) == 1 && words[0] == "--version" {
		fmt.Println("fettle-mcp " + version.String())
		return 0
	}
	if len(words) == 1 && words[0] == "--help" {
		fmt.Println("usage: fettle-mcp [--config PATH | --root [NAME=]PATH…]\n\nThe MCP server that fettle serve becomes, on standard input and output. See fettle help serve.")
		return 0
	}
	o, err := mcp.Flags(words)
	if err == nil {
		o.Env, o.Server = config.System(), true
		var l *launch.Launcher
		if l, err = launch.New(o); err == nil {
			defer l.Close()
			ctx, stop := launch.Signalled(context.Background())
			defer stop()
			if err = mcp.New(l).Alone().Serve(ctx, input(), os.Stdout); err == nil {
				return 0
			}
		}
	}
	// Standard output is the protocol's, so a refusal to start goes to the other stream.
	e := outcome.Of(err)
	fmt.Fprintln(os.Stderr, "refused: "+e.Message)
	return e.Kind.Code()
}
