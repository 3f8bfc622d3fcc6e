package render

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"strings"
	"testing"

	"fettler/fettle/internal/document"
)

func zipped(t testing.TB, members ...string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		f, err := w.Create(members[i])
		if err != nil {
			t.Fatal(err)
		}
		f.Write([]byte(members[i+1]))
	}
	w.Close()
	return b.String()
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

func tarred(name, body string) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	w.WriteHeader(&tar.Header{Name: name, Size: int64(len(body)), Mode: 0o644})
	w.Write([]byte(body))
	w.Close()
	return b.String()
}

func workbook(t testing.TB) string {
	return zipped(t, "[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
		"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>`)
}

// K65: the bytes decide, whatever the name says.
func TestSniff(t *testing.T) {
	book := workbook(t)
	z := zipped(t, "a.txt", "x")
	nb := `{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`
	for _, c := range []struct{ name, body, want string }{
		{"empty", "", "text"}, {"a.csv", "a,b\n", "text"}, {"u.csv", "\xff\xfea\x00,\x00", "text"},
		{"a.pdf", "%PDF-1.4\n", "pdf"}, {"a.txt", "%PDF-2.0\n", "pdf"}, {"junk", "\x00\x01junk\n%PDF-1.4", "pdf"},
		{"sniff.go", `bytes.HasPrefix(head, "%PDF-")`, "text"},
		{"book.docx", book, "spreadsheet"}, {"book.zip", book, "spreadsheet"}, {"book", book, "spreadsheet"},
		{"a.zip", z, "archive"}, {"a.xlsx", z, "archive"}, {"setup.exe", "MZ" + strings.Repeat("\x00stub", 500) + z, "archive"},
		{"a.gz", gzipped(tarred("a", "x")), "archive"}, {"a.txt.gz", gzipped("text"), "gzip"}, {"a", tarred("a", "x"), "archive"},
		{"p.txt", "\x89PNG\r\n\x1a\n\x00", "image"},
		{"n.ipynb", nb, "notebook"}, {"n.json", nb, "text"}, {"n.ipynb", `{"a": 1}`, "text"}, {"n.ipynb", "nbformat", "text"},
		{"latin", "caf\xe9", "binary"}, {"nul", "a\x00b", "binary"}, {"elf", "\x7fELF\x02\x01\x01\x00", "binary"},
		{"half", strings.Repeat("x", headLen-1) + "é", "text"}, {"wide", strings.Repeat("é", headLen), "text"}, {"odd", "x" + strings.Repeat("é€", headLen), "text"},
	} {
		w, err := Sniff(c.name, strings.NewReader(c.body), int64(len(c.body)))
		if err != nil || w.Word() != c.want {
			t.Errorf("%s: %s, %v; want %s", c.name, w.Word(), err, c.want)
		}
		if w.Kind != Text && w.Kind != Binary && c.name != "setup.exe" && !Candidate(c.name, []byte(c.body)) {
			t.Errorf("%s is no candidate", c.name)
		}
	}
	if w, _ := Sniff("x", strings.NewReader("\x7fELF\x02\x01\x01\x00"), 8); !strings.Contains(w.Name, "ELF") {
		t.Error(w.Name)
	}
}

func TestLegacyIsNamed(t *testing.T) {
	ole := oleMagic + strings.Repeat("\x00", 1024)
	_, err := Sniff("a.doc", strings.NewReader(ole), int64(len(ole)))
	var d *document.Error
	if !errors.As(err, &d) || d.Reason != document.Unsupported {
		t.Error(err)
	}
}

func FuzzSniff(f *testing.F) {
	f.Add("a", []byte(workbook(f)))
	f.Add("a.ipynb", []byte(`{"nbformat":4}`))
	f.Add("a", []byte(gzipped("x")))
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		w, err := Sniff(name, bytes.NewReader(b), int64(len(b)))
		var d *document.Error
		if err != nil && !errors.As(err, &d) {
			t.Fatal(err)
		}
		if err == nil && w.Word() == "" {
			t.Fatal("no word")
		}
	})
}
