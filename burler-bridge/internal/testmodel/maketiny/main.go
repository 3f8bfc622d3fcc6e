// Command maketiny writes a tiny test model into a folder, for a test of the
// whole installation: it finds the names "ann lee" and nothing else.
//
//	go run fettler/burler-bridge/internal/testmodel/maketiny DIR/clinical
package main

import (
	"fmt"
	"os"

	"fettler/burler-bridge/internal/testmodel"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: maketiny DIR")
		os.Exit(2)
	}
	words := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "patient", "ann", "lee"}
	label := map[string]int{"ann": 1, "lee": 2}
	if err := testmodel.Install(os.Args[1], words, label, []string{"O", "B-NAME", "I-NAME"}, testmodel.Options{Int8: true}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
