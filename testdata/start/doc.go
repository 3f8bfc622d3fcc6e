// Package start holds the test of what a program does before main: every
// package's initialisation is paid by every command, whatever it does. There is
// nothing to call; go test ./start runs it. It measures no time.
package start
