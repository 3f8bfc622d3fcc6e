package conformance

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Bomb is a member that unpacks to far more than it takes: a head, a body
// said many times, and a tail.
type Bomb struct {
	Name             string
	Head, Body, Tail string
	Times            int
	Claim            uint64 // the size its header claims, 0 for the true one
}

// BombFile packs parts and bombs into a temporary file. The body is packed
// once and its packed bytes are repeated, so that this costs little; the
// checksum is wrong, and a reader that gets that far is too far.
func BombFile(t testing.TB, parts []Part, bombs ...Bomb) *os.File {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "bomb.zip"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	z := zip.NewWriter(file)
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range parts {
		w, err := z.Create(p.Name)
		must(err)
		_, err = io.WriteString(w, p.Body)
		must(err)
	}
	for _, b := range bombs {
		head, body, tail := squeeze(t, b.Head, false), squeeze(t, b.Body, false), squeeze(t, b.Tail, true)
		size := uint64(len(b.Head) + len(b.Body)*b.Times + len(b.Tail))
		if b.Claim != 0 {
			size = b.Claim
		}
		w, err := z.CreateRaw(&zip.FileHeader{
			Name: b.Name, Method: zip.Deflate, CRC32: 1, UncompressedSize64: size,
			CompressedSize64: uint64(len(head) + len(body)*b.Times + len(tail)),
		})
		must(err)
		_, err = w.Write(head)
		must(err)
		for range b.Times {
			_, err = w.Write(body)
			must(err)
		}
		_, err = w.Write(tail)
		must(err)
	}
	must(z.Close())
	return file
}

// squeeze packs text into whole bytes that others may follow.
func squeeze(t testing.TB, text string, last bool) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	if err == nil && last {
		err = w.Close()
	} else if err == nil {
		err = w.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
