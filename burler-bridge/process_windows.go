package main

import "os"

// keepOutput keeps standard output for the protocol: what Go code prints
// reaches standard error instead.
func keepOutput() (*os.File, error) {
	out := os.Stdout
	os.Stdout = os.Stderr
	return out, nil
}

func noCore() {}
