package match

import "golang.org/x/sys/cpu"

// vectors says that the processor has what kernel_amd64.s is written with.
var vectors = cpu.X86.HasAVX2

// pairs32 is pairs.find over a whole number of blocks, candidates unchecked.
//
//go:noescape
func pairs32(base *byte, n int, at *[3]int, bytes *[6]byte) int
