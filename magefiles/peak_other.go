//go:build mage && !unix

package main

import "os"

// peakKB is unknown here.
func peakKB(*os.ProcessState) int64 { return 0 }
