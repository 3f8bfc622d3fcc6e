//go:build unix

package sibling

import (
	"os"
	"syscall"

	"fettler/shared/outcome"
)

// Become replaces this process by the sibling. It returns only when it cannot.
func Become(name string, words []string) (int, error) {
	p, err := Path(name)
	if err != nil {
		return outcome.Of(err).Kind.Code(), err
	}
	err = syscall.Exec(p, append([]string{p}, words...), os.Environ())
	return outcome.Fault.Code(), err
}
