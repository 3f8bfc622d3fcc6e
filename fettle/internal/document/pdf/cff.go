package pdf

import (
	"sync"
)

// cffStrings is what the standard names of CFF read, from number 0 (no glyph)
// on: the standard encoding in its order and the accented letters behind it.
// The rest, expert glyphs, is left out.
var cffStrings = sync.OnceValue(func() []string {
	out := []string{""}
	for _, s := range standard() {
		if s != "" {
			out = append(out, s)
		}
	}
	for _, r := range "¹¬µ™Ð½±Þ¼÷¦°þ¾²®−ð×³©ÁÂÄÀÅÃÇÉÊËÈÍÎÏÌÑÓÔÖÒÕŠÚÛÜÙÝŸŽáâäàåãçéêëèíîïìñóôöòõšúûüùýÿž" {
		out = append(out, string(r))
	}
	return out
})

const cffStandard = 391 // names the format knows by number

// cffEncoding reads what the codes of an embedded CFF program read, where it
// has an encoding of its own.
func cffEncoding(b []byte) map[int]string {
	if len(b) < 4 {
		return nil
	}
	_, at := cffIndex(b, int(b[2])) // the font's name
	tops, at := cffIndex(b, at)
	names, _ := cffIndex(b, at)
	if len(tops) == 0 {
		return nil
	}
	top := cffDict(tops[0])
	enc, glyphs := top[16], top[17]
	if enc < 2 || glyphs <= 0 {
		return nil
	}
	programs, _ := cffIndex(b, glyphs)
	reads := func(sid int) string {
		if sid < cffStandard {
			if all := cffStrings(); sid < len(all) {
				return all[sid]
			}
			return ""
		}
		if sid -= cffStandard; sid < len(names) {
			s, _ := glyphRunes(string(names[sid]))
			return s
		}
		return ""
	}
	return cffCodes(b, enc, cffCharset(b, top[15], len(programs)), reads)
}

// cffIndex reads an INDEX: its items, and where the next thing begins.
func cffIndex(b []byte, at int) (items [][]byte, end int) {
	n := int(be16(b, at))
	if at < 0 || at+3 > len(b) || n == 0 {
		return nil, at + 2
	}
	size := int(b[at+2])
	if size < 1 || size > 4 || at+3+(n+1)*size > len(b) {
		return nil, len(b)
	}
	offset := func(i int) (o int) {
		for _, c := range b[at+3+i*size : at+3+(i+1)*size] {
			o = o<<8 | int(c)
		}
		return o + at + 2 + (n+1)*size
	}
	for i := range n {
		from, to := offset(i), offset(i+1)
		if from > to || to > len(b) {
			return items, len(b)
		}
		items = append(items, b[from:to])
	}
	return items, offset(n)
}

// cffDict reads the whole numbers of a DICT by their operators.
func cffDict(b []byte) map[int]int {
	out := map[int]int{}
	last := 0
	for i := 0; i < len(b); i++ {
		c := int(b[i])
		switch {
		case c == 12:
			i++ // two bytes: none that is wanted here
		case c < 22:
			out[c] = last
		case c == 28:
			last, i = int(int16(be16(b, i+1))), i+2
		case c == 29:
			last, i = int(int32(be32(b, i+1))), i+4
		case c == 30: // a real number ends with a nibble f
			for i++; i < len(b) && b[i]&0xf != 0xf && b[i]>>4 != 0xf; i++ {
			}
		case c >= 32 && c <= 246:
			last = c - 139
		case c >= 247 && c <= 250 && i+1 < len(b):
			last, i = (c-247)*256+int(b[i+1])+108, i+1
		case c >= 251 && c <= 254 && i+1 < len(b):
			last, i = -(c-251)*256-int(b[i+1])-108, i+1
		}
	}
	return out
}

// cffCharset is the names' numbers of the glyphs, in order.
func cffCharset(b []byte, at, glyphs int) []int {
	out := []int{0}
	if at <= 2 || at >= len(b) {
		for i := 1; i < glyphs; i++ {
			out = append(out, i)
		}
		return out
	}
	format := b[at]
	for at++; len(out) < glyphs && at+2 <= len(b); {
		first, left := int(be16(b, at)), 0
		at += 2
		switch {
		case format == 1 && at < len(b):
			left = int(b[at])
			at++
		case format == 2:
			left = int(be16(b, at))
			at += 2
		}
		for i := 0; i <= left && len(out) < glyphs; i++ {
			out = append(out, first+i)
		}
	}
	return out
}

func cffCodes(b []byte, at int, charset []int, reads func(int) string) map[int]string {
	out := map[int]string{}
	if at+2 > len(b) {
		return out
	}
	format, n := b[at], int(b[at+1])
	at += 2
	gid := 1
	set := func(c int) {
		if gid < len(charset) && c < 256 {
			if s := reads(charset[gid]); s != "" {
				out[c] = s
			}
		}
		gid++
	}
	for ; n > 0 && at < len(b); n-- {
		if format&0x7f == 0 {
			set(int(b[at]))
			at++
			continue
		}
		if at+1 >= len(b) {
			break
		}
		for i := 0; i <= int(b[at+1]); i++ {
			set(int(b[at]) + i)
		}
		at += 2
	}
	if format&0x80 != 0 && at < len(b) {
		n = int(b[at])
		for at++; n > 0 && at+3 <= len(b); n-- {
			if s := reads(int(be16(b, at+1))); s != "" {
				out[int(b[at])] = s
			}
			at += 3
		}
	}
	return out
}
