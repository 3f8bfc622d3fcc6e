package pdf

import (
	"encoding/binary"
	"maps"
	"testing"
)

// index writes a CFF INDEX with offsets of one byte.
func index(items ...string) string {
	out := string([]byte{0, byte(len(items)), 1})
	at := 1
	out += string([]byte{byte(at)})
	for _, s := range items {
		at += len(s)
		out += string([]byte{byte(at)})
	}
	for _, s := range items {
		out += s
	}
	return out
}

func cffProgram() []byte {
	top := func(charset, enc, glyphs int) string {
		return string([]byte{28, 0, byte(charset), 15, 28, 0, byte(enc), 16, 28, 0, byte(glyphs), 17})
	}
	build := func(t string) string {
		return "\x01\x00\x04\x01" + index("F") + index(t) + index("beta", "uni0416") + "\x00\x00"
	}
	n := len(build(top(0, 0, 0)))
	charset := "\x00\x00\x22\x01\x87\x01\x88" // A, beta, uni0416
	enc := "\x81\x01\x41\x01\x01\x50\x00\xaa" // from 65: two; and 0x50 is copyright
	return []byte(build(top(n, n+len(charset), n+len(charset)+len(enc))) + charset + enc + index("", "a", "b", "c"))
}

func TestCFFEncoding(t *testing.T) {
	if n := len(cffStrings()); n != 229 {
		t.Fatalf("%d standard names, want 229", n)
	}
	got := cffEncoding(cffProgram())
	if want := map[int]string{65: "A", 66: "β", 0x50: "©"}; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// trueType is a program with one cmap subtable.
func trueType(sub []byte) []byte {
	b := append([]byte("\x00\x01\x00\x00\x00\x01"), make([]byte, 6)...)
	b = append(b, "cmap\x00\x00\x00\x00\x00\x00\x00\x1c"...)
	b = binary.BigEndian.AppendUint32(b, uint32(12+len(sub)))
	b = append(b, "\x00\x00\x00\x01\x00\x03\x00\x01\x00\x00\x00\x0c"...)
	return append(b, sub...)
}

func TestTrueTypeCharacters(t *testing.T) {
	words := func(v ...uint16) (b []byte) {
		for _, w := range v {
			b = binary.BigEndian.AppendUint16(b, w)
		}
		return b
	}
	four := words(4, 0, 0, 4, 0, 0, 0, 0x42, 0xffff, 0, 0x41, 0xffff, 0xffc9, 1, 0, 0) // A, B are 10, 11
	twelve := words(12, 0, 0, 0, 0, 0, 0, 1, 0, 0x416, 0, 0x417, 0, 5)
	for name, c := range map[string]struct {
		sub  []byte
		want map[uint32]string
	}{"4": {four, map[uint32]string{10: "A", 11: "B"}}, "12": {twelve, map[uint32]string{5: "Ж", 6: "З"}}} {
		if got := trueTypeCharacters(trueType(c.sub)); !maps.Equal(got, c.want) {
			t.Errorf("format %s: got %v, want %v", name, got, c.want)
		}
	}
}

func FuzzPrograms(f *testing.F) {
	f.Add(cffProgram())
	f.Add(trueType([]byte{0, 4, 0, 0, 0, 0, 0, 4}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if n := len(cffEncoding(b)); n > 256 {
			t.Fatalf("%d codes", n)
		}
		trueTypeCharacters(b)
	})
}
