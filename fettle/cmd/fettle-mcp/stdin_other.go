//go:build !unix

package main

import "os"

// input is standard input, which the runtime waits for as it may here.
func input() *os.File { return os.Stdin }
