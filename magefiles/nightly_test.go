//go:build mage

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every size that a test reads from the environment is set by the long run,
// which runs the package that reads it.
func TestStrainKnowsEverySize(t *testing.T) {
	t.Chdir("..")
	var known []string
	for _, v := range long {
		known = append(known, v[0])
	}
	read := regexp.MustCompile(`"(FETTLER_[A-Z_]+)"`)
	seen := map[string]bool{}
	err := filepath.WalkDir("testdata", func(p string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(p, "_test.go") {
			return err
		}
		src, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		for _, m := range read.FindAllStringSubmatch(string(src), -1) {
			if strings.HasPrefix(m[1], "FETTLER_TEST_") { // a test speaking with itself
				continue
			}
			seen[m[1]] = true
			if dir := filepath.ToSlash(filepath.Dir(p)); !slices.Contains(known, m[1]) || !slices.Contains(strained, dir) {
				t.Errorf("%s reads %s, which the long run does not set or does not run", p, m[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	seen["FETTLER_PATHS"] = true // package boundary's, run by name
	for _, name := range known {
		if !seen[name] {
			t.Errorf("no test reads %s", name)
		}
	}
}
