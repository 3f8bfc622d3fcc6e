package conformance

import (
	"archive/zip"
	"bytes"
	"testing"
)

// Part is a member of a zip under test.
type Part struct{ Name, Body string }

// Zip packs parts, in their order.
func Zip(t testing.TB, parts ...Part) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, p := range parts {
		w, err := z.Create(p.Name)
		if err == nil {
			_, err = w.Write([]byte(p.Body))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
