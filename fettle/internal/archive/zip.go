package archive

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"
)

func (a *Archive) openZip() error {
	if err := a.countZip(); err != nil {
		return err
	}
	z, err := zip.NewReader(a.src, a.size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return err
	}
	for _, f := range z.File {
		m := Member{
			Name: f.Name, Size: int64(min(f.UncompressedSize64, 1<<62)), Modified: f.Modified, Mode: f.Mode(), body: f,
		}
		if m.Modified.Year() < 1980 { // where a zip's dates begin: none was given
			m.Modified = time.Time{}
		}
		if f.NonUTF8 && !utf8.ValidString(f.Name) {
			m.Name = fromCP437(f.Name)
		}
		switch {
		case f.Flags&0x1 != 0 || f.Method == 99:
			m.Unsupported = "it is encrypted"
		case f.Method != zip.Store && f.Method != zip.Deflate:
			m.Unsupported = fmt.Sprintf("its compression method is %d%s", f.Method, methodName(f.Method))
		}
		if err := a.list(m); err != nil {
			return err
		}
	}
	return nil
}

func methodName(m uint16) string {
	name := map[uint16]string{1: "shrunk", 6: "imploded", 9: "Deflate64", 12: "bzip2", 14: "LZMA", 20: "Zstandard", 93: "Zstandard", 95: "xz", 96: "JPEG", 97: "WavPack", 98: "PPMd"}[m]
	if name == "" {
		return ""
	}
	return " (" + name + ")"
}

func openZipMember(m *Member) (io.ReadCloser, error) {
	return m.body.(*zip.File).Open()
}

// countZip walks the central directory before archive/zip does, which makes a
// structure of every header it meets whatever the file says their number is.
// Every place is counted from which archive/zip may choose to read.
func (a *Archive) countZip() error {
	tail := make([]byte, min(a.size, 66<<10))
	if n, err := a.src.ReadAt(tail, a.size-int64(len(tail))); n < len(tail) {
		return err
	}
	le := binary.LittleEndian
	end := -1
	for i := len(tail) - 22; i >= 0; i-- {
		if le.Uint32(tail[i:]) == 0x06054b50 && i+22+int(le.Uint16(tail[i+20:])) <= len(tail) {
			end = i
			break
		}
	}
	if end < 0 {
		return zip.ErrFormat
	}
	size, offset := int64(le.Uint32(tail[end+12:])), int64(le.Uint32(tail[end+16:]))
	places := []int64{a.size - int64(len(tail)) + int64(end) - size, offset}
	if loc := end - 20; loc >= 0 && le.Uint32(tail[loc:]) == 0x07064b50 { // zip64
		var rec [56]byte
		at := int64(le.Uint64(tail[loc+8:]))
		if at >= 0 && at <= a.size-56 {
			if n, err := a.src.ReadAt(rec[:], at); n < len(rec) {
				return err
			}
			places = append(places, at-int64(le.Uint64(rec[40:])), int64(le.Uint64(rec[48:])))
		}
	}
	for _, at := range places {
		if at < 0 || at >= a.size {
			continue
		}
		if a.headers(at) > a.limits.Members {
			return a.limits.tooMany()
		}
	}
	return nil
}

// headers counts the directory headers from a place on, to just above the limit.
func (a *Archive) headers(at int64) int {
	r := bufio.NewReaderSize(io.NewSectionReader(a.src, at, a.size-at), 64<<10)
	count := 0
	for count <= a.limits.Members {
		h, err := r.Peek(46)
		if err != nil || binary.LittleEndian.Uint32(h) != 0x02014b50 {
			break
		}
		count++
		rest := int(binary.LittleEndian.Uint16(h[28:])) + int(binary.LittleEndian.Uint16(h[30:])) + int(binary.LittleEndian.Uint16(h[32:]))
		if _, err := r.Discard(46 + rest); err != nil {
			break
		}
	}
	return count
}
