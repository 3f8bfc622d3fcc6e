// Package testdata is the tests that need the built programs: transcripts of
// what they answer, and what the source tree as a whole promises. It is no part
// of any program.
package testdata
