//go:build mage

package main

// Promises writes docs/promises.md from the transcripts, and fails when a
// promise of the documentation has no test.
func Promises() error {
	return run(environ(), "go", "run", "fettler/testdata/promises/write", ".")
}

// promisesCurrent fails when the page is not as Promises would write it.
func promisesCurrent() error {
	return run(environ(), "go", "run", "fettler/testdata/promises/write", "-check", ".")
}
