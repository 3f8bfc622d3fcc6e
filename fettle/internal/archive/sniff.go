package archive

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
)

// SniffLen is how many bytes Sniff wants to see.
const SniffLen = 512

// Sniff says which archive the bytes begin, "" for none. A gzip is looked
// into: what matters is whether a tar is underneath. A zip with something
// before it, as a self-extracting one has, begins like a program and is found
// by ZipBehind.
func Sniff(head []byte) Format {
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")), bytes.HasPrefix(head, []byte("PK\x07\x08")):
		return Zip
	case bytes.HasPrefix(head, []byte("\x1f\x8b\x08")):
		return Gzip
	case isTar(head):
		return Tar
	}
	return ""
}

// SniffGzip says whether a tar lies under a gzip.
func SniffGzip(src io.ReaderAt, size int64) Format {
	z, err := gzip.NewReader(bufio.NewReader(io.NewSectionReader(src, 0, size)))
	if err != nil {
		return Gzip
	}
	head := make([]byte, SniffLen)
	n, _ := io.ReadFull(z, head)
	if isTar(head[:n]) {
		return TarGz
	}
	return Gzip
}

// ZipBehind reports a zip that follows other bytes: its directory's end record
// closes the file.
func ZipBehind(src io.ReaderAt, size int64) bool {
	a := &Archive{src: src, size: size, limits: DefaultLimits}
	return a.openZip() == nil && len(a.Members) > 0
}
