//go:build mage

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// packed is one file of an archive.
type packed struct {
	name    string
	content []byte
	mode    fs.FileMode
}

// archived packs the files below a folder of the archive's own name. Order,
// time and owner are fixed, so that the same files give the same bytes.
func archived(name, top string, files []packed, when time.Time) ([]byte, error) {
	when = when.UTC() // a zip holds the time of its zone too
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b packed) int { return strings.Compare(a.name, b.name) })
	var out bytes.Buffer
	var err error
	if strings.HasSuffix(name, ".zip") {
		err = zipped(&out, top, files, when)
	} else {
		err = tarred(&out, top, files, when)
	}
	return out.Bytes(), err
}

func tarred(out *bytes.Buffer, top string, files []packed, when time.Time) error {
	z, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, f := range files {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: top + "/" + f.name, Size: int64(len(f.content)), Mode: int64(f.mode), ModTime: when, Format: tar.FormatPAX}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(f.content); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

func zipped(out *bytes.Buffer, top string, files []packed, when time.Time) error {
	z := zip.NewWriter(out)
	for _, f := range files {
		h := &zip.FileHeader{Name: top + "/" + f.name, Method: zip.Deflate, Modified: when}
		h.SetMode(f.mode)
		w, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := w.Write(f.content); err != nil {
			return err
		}
	}
	return z.Close()
}
