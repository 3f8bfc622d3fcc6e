// Command maketiny writes a test model into a folder, for a test of the whole
// installation: a tiny one that finds the names "ann lee" and nothing else.
// With --base it has BERT-base's shape in int8 and finds nothing, for timing.
//
//	go run fettler/burler-bridge/internal/testmodel/maketiny [--base] DIR/clinical
package main

import (
	"fmt"
	"os"

	"fettler/burler-bridge/internal/testmodel"
)

func main() {
	base := len(os.Args) == 3 && os.Args[1] == "--base"
	if len(os.Args) != 2 && !base {
		fmt.Fprintln(os.Stderr, "usage: maketiny [--base] DIR")
		os.Exit(2)
	}
	words := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "patient", "ann", "lee"}
	label := map[string]int{"ann": 1, "lee": 2}
	o := testmodel.Options{Int8: true}
	if base {
		o, label = testmodel.Base(), nil
		for i := len(words); i < testmodel.BaseWords; i++ {
			words = append(words, string([]byte{'a' + byte(i/17576), 'a' + byte(i/676%26), 'a' + byte(i/26%26), 'a' + byte(i%26)}))
		}
	}
	if err := testmodel.Install(os.Args[len(os.Args)-1], words, label, []string{"O", "B-NAME", "I-NAME"}, o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
