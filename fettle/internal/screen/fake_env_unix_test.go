//go:build !windows

package screen

const envFloor = 0 // variables a process has that was given none
