package pdf

import (
	"encoding/binary"
)

// trueTypeCharacters reads which characters an embedded TrueType program has
// for its glyphs, by number: the reverse of its Unicode cmap.
func trueTypeCharacters(b []byte) map[uint32]string {
	at := sfntTable(b, "cmap")
	if len(at) < 4 {
		return nil
	}
	var sub []byte
	for i := range min(int(be16(at, 2)), 64) {
		p := 4 + 8*i
		if p+8 > len(at) {
			break
		}
		platform, enc, off := be16(at, p), be16(at, p+2), int(be32(at, p+4))
		if off < len(at) && (platform == 3 && (enc == 1 || enc == 10) || platform == 0) {
			if f := be16(at[off:], 0); f == 4 || f == 12 {
				sub = at[off:]
			}
		}
	}
	out := map[uint32]string{}
	add := func(gid, c uint32) {
		if old, ok := out[gid]; gid != 0 && (!ok || len(old) > 1 && c < 0x80) && len(out) < 1<<16 {
			out[gid] = string(rune(c))
		}
	}
	switch be16(sub, 0) {
	case 4:
		n := int(be16(sub, 6)) / 2
		for i := range n {
			end, start := be16(sub, 14+2*i), be16(sub, 16+2*n+2*i)
			delta, rng := be16(sub, 16+4*n+2*i), be16(sub, 16+6*n+2*i)
			for c := uint32(start); c <= uint32(end) && c != 0xffff; c++ {
				gid := uint16(c) + delta
				if rng != 0 {
					if gid = be16(sub, 16+6*n+2*i+int(rng)+2*int(c-uint32(start))); gid != 0 {
						gid += delta
					}
				}
				add(uint32(gid), c)
			}
		}
	case 12:
		left := 1 << 17
		for i := range min(int(be32(sub, 12)), 1<<16) {
			p := 16 + 12*i
			start, end, gid := be32(sub, p), be32(sub, p+4), be32(sub, p+8)
			for c := start; c <= end && left > 0 && c < 0x110000; c++ {
				add(gid+c-start, c)
				left--
			}
		}
	}
	return out
}

func sfntTable(b []byte, tag string) []byte {
	for i := range min(int(be16(b, 4)), 128) {
		p := 12 + 16*i
		if p+16 > len(b) {
			return nil
		}
		if string(b[p:p+4]) == tag {
			off, n := int64(be32(b, p+8)), int64(be32(b, p+12))
			if off > int64(len(b)) {
				return nil
			}
			return b[off:min(off+n, int64(len(b)))]
		}
	}
	return nil
}

func be16(b []byte, i int) uint16 {
	if i < 0 || i+2 > len(b) {
		return 0
	}
	return binary.BigEndian.Uint16(b[i:])
}

func be32(b []byte, i int) uint32 {
	if i < 0 || i+4 > len(b) {
		return 0
	}
	return binary.BigEndian.Uint32(b[i:])
}
