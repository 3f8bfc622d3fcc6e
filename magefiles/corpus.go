//go:build mage

package main

import (
	"errors"
	"os"
	"path/filepath"
)

// Corpus measures the document readers over a folder of public documents that
// is no part of the project, FETTLER_CORPUS or ../shared/corpus, each PDF in a
// process under fettle-reader's limits, and writes the table in docs/corpus.md.
// It takes minutes and wants pdftotext and pdfinfo. FETTLER_EVERY=10 takes
// every tenth PDF and writes no table.
func Corpus() error {
	root := os.Getenv("FETTLER_CORPUS")
	if root == "" {
		root = filepath.Join("..", "shared", "corpus")
	}
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	if _, err := os.Stat(root); err != nil {
		return errors.New("there are no documents in " + root + "; name a folder that holds pdf/ and office/ in FETTLER_CORPUS")
	}
	env := append(os.Environ(), "FETTLER_CORPUS="+root)
	if os.Getenv("FETTLER_EVERY") == "" {
		table, err := filepath.Abs(filepath.Join("docs", "corpus.md"))
		if err != nil {
			return err
		}
		env = append(env, "FETTLER_TABLE="+table)
	}
	if err := run(env, "go", "test", "-count=1", "-timeout", "90m", "-v", "-run", "^TestCorpus$", "fettler/fettle/internal/document/pdf"); err != nil {
		return err
	}
	return run(env, "go", "test", "-count=1", "-timeout", "30m", "-v", "-run", "^TestOfficeCorpus$", "fettler/fettle/internal/document/conformance")
}
