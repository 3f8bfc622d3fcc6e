package mcp

import (
	"fmt"
	"os"
)

// logFault puts a fault on standard error, which is the only place that is not
// the protocol's.
func logFault(err error) { fmt.Fprintln(os.Stderr, "fettle-mcp: fault:", err) }
