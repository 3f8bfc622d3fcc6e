package launch

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Signalled gives a context that ends when the program is asked to end, so that
// what it started and staged is cleaned up. A signal that was ignored when it
// began, as nohup has it, stays ignored.
func Signalled(ctx context.Context) (context.Context, context.CancelFunc) {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM} // on Windows also the closing of the console
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGQUIT} {
		if !signal.Ignored(s) {
			list = append(list, s)
		}
	}
	return signal.NotifyContext(ctx, list...)
}
