package match

import "math/bits"

// byteSet is a set of bytes.
type byteSet [4]uint64

func (s *byteSet) add(b byte)      { s[b>>6] |= 1 << (b & 63) }
func (s *byteSet) has(b byte) bool { return s[b>>6]&(1<<(b&63)) != 0 }

func (s *byteSet) addRange(lo, hi byte) {
	for b := int(lo); b <= int(hi); b++ {
		s.add(byte(b))
	}
}

func (s *byteSet) union(o *byteSet) {
	for i := range s {
		s[i] |= o[i]
	}
}

func (s *byteSet) size() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// bytes lists the set's bytes in order.
func (s *byteSet) bytes() []byte {
	var out []byte
	for b := range 256 {
		if s.has(byte(b)) {
			out = append(out, byte(b))
		}
	}
	return out
}

// often is how likely a byte of text is one of the set.
func (s *byteSet) often() float64 {
	var n float64
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			n += float64(frequency[64*i+bits.TrailingZeros64(w)])
		}
	}
	return n / 100_000
}

// wordSet is what \b takes for a word's bytes.
var wordSet = func() (s byteSet) {
	s.addRange('0', '9')
	s.addRange('A', 'Z')
	s.addRange('a', 'z')
	s.add('_')
	return s
}()

// frequency is how many of 100,000 bytes of source code and prose are the
// byte, never 0. It only steers: a wrong figure costs time, never a hit.
var frequency = [256]uint16{
	1, 1, 1, 1, 1, 1, 1, 1, 1, 2451, 2820, 1, 1, 1, 1, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	14252, 98, 958, 172, 150, 65, 96, 209, 984, 984, 348, 94, 1726, 490, 1321, 1540,
	2463, 1134, 916, 708, 690, 490, 641, 432, 567, 451, 901, 171, 523, 828, 583, 11,
	36, 729, 306, 521, 401, 650, 339, 189, 174, 512, 37, 76, 378, 328, 367, 461,
	402, 53, 522, 670, 639, 213, 262, 121, 141, 107, 44, 294, 223, 293, 12, 667,
	163, 3319, 945, 2101, 1923, 5447, 1488, 1016, 1315, 3149, 179, 377, 2162, 1275, 3339, 3084,
	1472, 77, 3283, 3190, 4430, 1538, 577, 414, 1361, 679, 97, 454, 102, 453, 10, 1,
	20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20,
	20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20,
	43, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20,
	20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20,
	20, 20, 59, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20,
	20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20,
	20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20,
	20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20,
}
