// Command fettle-reader turns a stranger's document into lines. fettle starts
// it, sends documents as bytes on its standard input and reads lines from its
// standard output, in the framing of shared/wire. It is given no path, no
// environment and an empty folder, and gives up files and network before the
// first byte where the system lets it.
package main

import (
	"fmt"
	"os"

	"fettler/fettle/internal/render/worker"
	"fettler/shared/version"
)

func main() {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "--version":
			fmt.Println("fettle-reader", version.String())
			return
		case "--confinement":
			// What doctor asks: what cannot be taken away on this system.
			for _, m := range worker.Confine() {
				fmt.Println(m)
			}
			return
		case "--serve":
			if err := serve(len(os.Args) > 2 && os.Args[2] == "--warm"); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		}
	}
	fmt.Println("refused: fettle-reader is started by fettle and reads documents from it")
	os.Exit(2)
}

func serve(warm bool) error {
	worker.Confine()
	all, end := engines(warm)
	defer end()
	return worker.Serve(os.Stdin, os.Stdout, all)
}
