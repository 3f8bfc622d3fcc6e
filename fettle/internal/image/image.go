// Package image reads what a picture's header says: what it is and how large.
//
// Call Sniff with the beginning of a file and Parse for the dimensions. No
// pixel is decoded, so a header that claims 65535 by 65535 costs nothing.
package image

import (
	"encoding/binary"
	"errors"
	"io"
)

// Header is what a picture says about itself.
type Header struct {
	MIME          string
	Width, Height int
}

// SniffLen is how many bytes Sniff wants to see.
const SniffLen = 12

// ErrDamaged is a picture whose header does not say its dimensions.
var ErrDamaged = errors.New("the image is damaged: its header does not say its dimensions")

// Sniff gives the mime type of a picture that is read here, or "".
func Sniff(head []byte) string {
	h := string(head[:min(len(head), SniffLen)])
	switch {
	case len(h) >= 8 && h[:8] == "\x89PNG\r\n\x1a\n":
		return "image/png"
	case len(h) >= 3 && h[:3] == "\xff\xd8\xff":
		return "image/jpeg"
	case len(h) >= 6 && (h[:6] == "GIF87a" || h[:6] == "GIF89a"):
		return "image/gif"
	case len(h) >= 12 && h[:4] == "RIFF" && h[8:12] == "WEBP":
		return "image/webp"
	}
	return ""
}

// Parse reads the header of src.
func Parse(src io.ReaderAt, size int64) (Header, error) {
	b := make([]byte, min(size, 32))
	if n, err := src.ReadAt(b, 0); n < len(b) {
		return Header{}, err
	}
	h := Header{MIME: Sniff(b)}
	ok := false
	switch h.MIME {
	case "image/png":
		if ok = len(b) >= 24 && string(b[12:16]) == "IHDR"; ok {
			w, ht := binary.BigEndian.Uint32(b[16:]), binary.BigEndian.Uint32(b[20:])
			ok = w < 1<<31 && ht < 1<<31
			h.Width, h.Height = int(w), int(ht)
		}
	case "image/gif":
		if ok = len(b) >= 10; ok {
			h.Width, h.Height = int(binary.LittleEndian.Uint16(b[6:])), int(binary.LittleEndian.Uint16(b[8:]))
		}
	case "image/webp":
		h.Width, h.Height, ok = webp(b)
	case "image/jpeg":
		h.Width, h.Height, ok = frame(src, size)
	}
	if !ok || h.Width == 0 || h.Height == 0 {
		return Header{MIME: h.MIME}, ErrDamaged
	}
	return h, nil
}

func webp(b []byte) (w, h int, ok bool) {
	if len(b) < 30 {
		return 0, 0, false
	}
	switch string(b[12:16]) {
	case "VP8 ":
		if b[23] != 0x9d || b[24] != 0x01 || b[25] != 0x2a {
			return 0, 0, false
		}
		return int(binary.LittleEndian.Uint16(b[26:]) & 0x3fff), int(binary.LittleEndian.Uint16(b[28:]) & 0x3fff), true
	case "VP8L":
		if b[20] != 0x2f {
			return 0, 0, false
		}
		bits := binary.LittleEndian.Uint32(b[21:])
		return int(bits&0x3fff) + 1, int(bits>>14&0x3fff) + 1, true
	case "VP8X":
		return int24(b[24:]) + 1, int24(b[27:]) + 1, true
	}
	return 0, 0, false
}

// maxSegments bounds the walk through a JPEG's segments, which a hostile file
// could make as long as itself.
const maxSegments = 4096

// frame walks a JPEG's segments to the frame header.
func frame(src io.ReaderAt, size int64) (w, h int, ok bool) {
	at := int64(2)
	var b [9]byte
	for range maxSegments {
		if at+9 > size {
			return 0, 0, false
		}
		if n, _ := src.ReadAt(b[:], at); n < len(b) || b[0] != 0xff {
			return 0, 0, false
		}
		switch m := b[1]; {
		case m == 0xff: // fill byte
			at++
			continue
		case m == 0x01 || m >= 0xd0 && m <= 0xd8: // no length
			at += 2
			continue
		case m >= 0xc0 && m <= 0xcf && m != 0xc4 && m != 0xc8 && m != 0xcc:
			return int(binary.BigEndian.Uint16(b[7:])), int(binary.BigEndian.Uint16(b[5:])), true
		case m == 0xd9 || m == 0xda: // the picture itself, without a frame before it
			return 0, 0, false
		}
		n := int64(binary.BigEndian.Uint16(b[2:]))
		if n < 2 {
			return 0, 0, false
		}
		at += 2 + n
	}
	return 0, 0, false
}

func int24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
