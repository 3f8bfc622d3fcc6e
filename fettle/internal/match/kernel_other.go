//go:build !amd64

package match

const vectors = false

func pairs32(*byte, int, *[3]int, *[6]byte) int { panic("no vectors here") }
