package image

import (
	"bytes"
	"encoding/binary"
	"errors"
	stdimage "image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"
)

func pngHeader(w, h uint32) []byte {
	b := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR")
	b = binary.BigEndian.AppendUint32(b, w)
	return append(binary.BigEndian.AppendUint32(b, h), 8, 6, 0, 0, 0)
}

func samples(t testing.TB) map[string][]byte {
	img := stdimage.NewPaletted(stdimage.Rect(0, 0, 7, 5), color.Palette{color.Black, color.White})
	var p, j, g bytes.Buffer
	for _, err := range []error{png.Encode(&p, img), jpeg.Encode(&j, img, nil), gif.Encode(&g, img, nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return map[string][]byte{
		"image/png": p.Bytes(), "image/jpeg": j.Bytes(), "image/gif": g.Bytes(),
		"image/webp": []byte("RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\x06\x00\x00\x04\x00\x00"),
	}
}

func TestParse(t *testing.T) {
	for mime, b := range samples(t) {
		h, err := Parse(bytes.NewReader(b), int64(len(b)))
		if err != nil || h != (Header{mime, 7, 5}) {
			t.Errorf("%s: %+v, %v", mime, h, err)
		}
	}
	for name, b := range map[string]string{
		"lossy":    "RIFF\x00\x00\x00\x00WEBPVP8 \x00\x00\x00\x00\x00\x00\x00\x9d\x01\x2a\x07\x00\x05\x00",
		"lossless": "RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00\x2f\x06\x00\x01\x00\x00\x00\x00\x00\x00",
	} {
		if h, err := Parse(bytes.NewReader([]byte(b)), int64(len(b))); err != nil || h.Width != 7 || h.Height != 5 {
			t.Errorf("%s: %+v, %v", name, h, err)
		}
	}
}

// K61: the size is known without decoding anything.
func TestHugeClaims(t *testing.T) {
	for _, side := range [][2]uint32{{9600, 7734}, {65535, 65535}} {
		b := pngHeader(side[0], side[1])
		h, err := Parse(bytes.NewReader(b), int64(len(b)))
		if err != nil || h.Width != int(side[0]) || h.Height != int(side[1]) {
			t.Errorf("%+v, %v", h, err)
		}
	}
}

func TestDamaged(t *testing.T) {
	for _, b := range [][]byte{
		pngHeader(0, 1), pngHeader(1<<31, 1), pngHeader(1, 1)[:20],
		[]byte("\xff\xd8\xff\xda\x00\x02aaaaaaa"), []byte("\xff\xd8\xff\xe0\x00\x00aaaaaaaa"), []byte("\xff\xd8\xff"),
		[]byte("GIF89a"), []byte("RIFF\x00\x00\x00\x00WEBPXXXX"), bytes.Repeat([]byte{0xff, 0xd8}, 1<<16),
	} {
		if h, err := Parse(bytes.NewReader(b), int64(len(b))); !errors.Is(err, ErrDamaged) {
			t.Errorf("%.20q: %+v, %v", b, h, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, b := range samples(f) {
		f.Add(b)
	}
	f.Add([]byte("\xff\xd8\xff\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := Parse(bytes.NewReader(b), int64(len(b)))
		if err == nil && (h.Width <= 0 || h.Height <= 0 || h.MIME == "") {
			t.Fatalf("%+v", h)
		}
	})
}
