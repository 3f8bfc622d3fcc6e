//go:build race

package conformance

// Race says that the race detector is in, whose own memory is measured with a reader's.
const Race = true
