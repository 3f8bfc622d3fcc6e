//go:build !unix

package sibling

import "context"

// Become runs the sibling as a child with this process's streams: Windows has
// no replacing of a process.
func Become(name string, words []string) (int, error) {
	return Run(context.Background(), name, words)
}
