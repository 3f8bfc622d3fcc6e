#include "textflag.h"

// func pairs32(base *byte, n int, at *[3]int, bytes *[6]byte) int
//
// Looks at places base..base+n-1, 32 at a time, n being a multiple of 32. A
// place agrees when for each of the three distances the byte there, with the
// case bits set, is the one that is wanted. Gives the first that does, or -1.
// It reads base[max(at)+n-1] and nothing behind it.
TEXT ·pairs32(SB), NOSPLIT, $0-40
	MOVQ base+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ at+16(FP), BX
	MOVQ 0(BX), R8
	MOVQ 8(BX), R9
	MOVQ 16(BX), R10
	ADDQ SI, R8
	ADDQ SI, R9
	ADDQ SI, R10
	MOVQ bytes+24(FP), BX
	VPBROADCASTB 0(BX), Y0 // the case bits, then the bytes
	VPBROADCASTB 1(BX), Y1
	VPBROADCASTB 2(BX), Y2
	VPBROADCASTB 3(BX), Y3
	VPBROADCASTB 4(BX), Y4
	VPBROADCASTB 5(BX), Y5
	XORQ AX, AX

loop:
	CMPQ AX, CX
	JGE  none
	VPOR (R8)(AX*1), Y0, Y6
	VPCMPEQB Y3, Y6, Y6
	VPOR (R9)(AX*1), Y1, Y7
	VPCMPEQB Y4, Y7, Y7
	VPAND Y6, Y7, Y6
	VPOR (R10)(AX*1), Y2, Y8
	VPCMPEQB Y5, Y8, Y8
	VPAND Y6, Y8, Y6
	VPMOVMSKB Y6, DX
	ADDQ $32, AX
	TESTL DX, DX
	JZ   loop
	BSFL DX, DX
	LEAQ -32(AX)(DX*1), AX
	VZEROUPPER
	MOVQ AX, ret+32(FP)
	RET

none:
	VZEROUPPER
	MOVQ $-1, ret+32(FP)
	RET
