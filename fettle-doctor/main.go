// Command fettle-doctor is not built yet: it answers --version and refuses all else.
package main

import (
	"fmt"
	"os"

	"fettler/shared/outcome"
	"fettler/shared/version"
)

func main() { os.Exit(run(os.Args[1:])) }

func run(words []string) int {
	if len(words) == 1 && words[0] == "--version" {
		fmt.Println("fettle-doctor " + version.String())
		return 0
	}
	e := outcome.New(outcome.Refused, "doctor is not built yet")
	fmt.Println("refused: " + e.Message)
	return e.Kind.Code()
}
