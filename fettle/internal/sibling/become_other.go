//go:build !unix

package sibling

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"

	"fettler/shared/outcome"
)

// Become runs the sibling as a child with this process's streams and gives its
// exit code: Windows has no replacing of a process. Ctrl+C reaches both, and
// how it ends is the child's to say.
func Become(name string, words []string) (int, error) {
	p, err := Path(name)
	if err != nil {
		return outcome.Of(err).Kind.Code(), err
	}
	signal.Ignore(os.Interrupt)
	cmd := exec.Command(p, words...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	if err != nil {
		return outcome.Fault.Code(), err
	}
	return 0, nil
}
