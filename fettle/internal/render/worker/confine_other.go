//go:build !unix

package worker

func confine() []string { return []string{"files and network"} }
