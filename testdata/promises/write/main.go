// Command write writes docs/promises.md, or with -check says whether it is as
// it would be written and every promise has its test. Its last argument is the
// project's top. It is no part of a release.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"fettler/testdata/promises"
)

func main() {
	check := len(os.Args) > 1 && os.Args[1] == "-check"
	if err := run(os.Args[len(os.Args)-1], check); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(top string, check bool) error {
	book, err := promises.Load(top)
	if err != nil {
		return err
	}
	if err := book.Check(); err != nil {
		return err
	}
	file := filepath.Join(top, filepath.FromSlash(promises.PageFile))
	page := book.Page()
	if !check {
		return os.WriteFile(file, page, 0o644)
	}
	if old, err := os.ReadFile(file); err != nil || !bytes.Equal(old, page) {
		return errors.New(promises.PageFile + " is not current; run go tool mage promises")
	}
	return nil
}
