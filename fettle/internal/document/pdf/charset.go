package pdf

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

var (
	byteCodes   = codeSpace{1, 0, 0x80}
	doubleBytes = codeSpace{2, 0x8140, 0xfefe}
)

// predefined knows the CMaps whose codes are characters of a character set.
func predefined(name string) (encoding.Encoding, []codeSpace) {
	switch {
	case strings.Contains(name, "UCS2"), strings.Contains(name, "UTF16"):
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), []codeSpace{{4, 0xd800dc00, 0xdbffdfff}, {2, 0, 0xffff}}
	case strings.Contains(name, "RKSJ"):
		return japanese.ShiftJIS, []codeSpace{byteCodes, {1, 0xa0, 0xdf}, {2, 0x8140, 0x9ffc}, {2, 0xe040, 0xfcfc}}
	case name == "EUC-H", name == "EUC-V":
		return japanese.EUCJP, []codeSpace{byteCodes, {2, 0x8ea0, 0x8edf}, {2, 0xa1a1, 0xfefe}}
	case name == "H", name == "V":
		return jis{}, []codeSpace{{2, 0x2121, 0x7e7e}}
	case strings.HasPrefix(name, "GBK"), strings.HasPrefix(name, "GB-"):
		return simplifiedchinese.GBK, []codeSpace{byteCodes, doubleBytes}
	case strings.HasPrefix(name, "B5pc"), strings.HasPrefix(name, "ETen"):
		return traditionalchinese.Big5, []codeSpace{byteCodes, doubleBytes}
	case strings.HasPrefix(name, "KSC"):
		return korean.EUCKR, []codeSpace{byteCodes, doubleBytes}
	}
	return nil, nil
}

// jis is the two-byte code of JIS X 0208, which is EUC without its high bits.
type jis struct{ encoding.Encoding }

func (jis) NewDecoder() *encoding.Decoder {
	return &encoding.Decoder{Transformer: transform.Chain(high{}, japanese.EUCJP.NewDecoder())}
}

type high struct{ transform.NopResetter }

func (high) Transform(dst, src []byte, _ bool) (nDst, nSrc int, err error) {
	n := min(len(dst), len(src))
	for i := range n {
		dst[i] = src[i] | 0x80
	}
	if n < len(src) {
		err = transform.ErrShortDst
	}
	return n, n, err
}
