package ooxml_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/document/conformance"
	"fettler/fettle/internal/document/ooxml"
)

const (
	sheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
	wordType  = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
)

func parts(main, typ string) []conformance.Part {
	return []conformance.Part{
		{Name: "[Content_Types].xml", Body: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/` + main + `" ContentType="` + typ + `"/></Types>`},
		{Name: "_rels/.rels", Body: `<Relationships><Relationship Id="r" Type="http://x/officeDocument" Target="` + main + `"/></Relationships>`},
		{Name: main, Body: `<a><b/></a>`},
	}
}

// K65: what a file is, its bytes tell; the reader is never asked its name.
func TestKind(t *testing.T) {
	for name, c := range map[string]struct {
		raw     []byte
		kind    document.Kind
		message string // part of the error, "" for none
	}{
		"workbook":          {conformance.Zip(t, parts("xl/workbook.xml", sheetType)...), document.Spreadsheet, ""},
		"macros":            {conformance.Zip(t, parts("xl/workbook.xml", "application/vnd.ms-excel.sheet.macroEnabled.main+xml")...), document.Spreadsheet, ""},
		"word":              {conformance.Zip(t, parts("word/document.xml", wordType)...), document.Word, ""},
		"word with macros":  {conformance.Zip(t, parts("word/document.xml", "application/vnd.ms-word.document.macroEnabled.main+xml")...), document.Word, ""},
		"odd place":         {conformance.Zip(t, parts("a/b.xml", sheetType)...), document.Spreadsheet, ""},
		"no content types":  {conformance.Zip(t, parts("word/document.xml", "")[1:]...), document.Word, ""},
		"binary workbook":   {conformance.Zip(t, parts("xl/workbook.bin", "application/vnd.ms-excel.sheet.binary.macroEnabled.main")...), "", ".xlsb"},
		"presentation":      {conformance.Zip(t, parts("ppt/presentation.xml", "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml")...), "", "PowerPoint"},
		"open document":     {conformance.Zip(t, conformance.Part{Name: "mimetype", Body: "application/vnd.oasis.opendocument.text"}), "", "OpenDocument text"},
		"other zip":         {conformance.Zip(t, conformance.Part{Name: "a.txt", Body: "x"}), "", ""},
		"other package":     {conformance.Zip(t, conformance.Part{Name: "[Content_Types].xml", Body: "<Types/>"}, conformance.Part{Name: "x.nuspec", Body: "x"}), "", ""},
		"no zip":            {[]byte("hello"), "", ""},
		"nothing":           {nil, "", ""},
		"damaged zip":       {[]byte("PK\x03\x04 and no more"), "", ""},
		"encrypted":         {ole("EncryptedPackage"), "", "encrypted"},
		"old word":          {ole("WordDocument"), "", ".doc"},
		"old excel":         {ole("Workbook"), "", ".xls"},
		"older excel":       {ole("Book"), "", ".xls"},
		"other OLE":         {ole("Contents"), "", "OLE"},
		"zip behind a head": {append([]byte("#!/bin/sh\n"), conformance.Zip(t, parts("xl/workbook.xml", sheetType)...)...), "", ""},
	} {
		kind, err := ooxml.Kind(conformance.Source(c.raw))
		if kind != c.kind || (err != nil) != (c.message != "") || err != nil && !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s: got %q, %v", name, kind, err)
		}
	}
}

// ole is the beginning of a file in the old container, with one stream.
func ole(stream string) []byte {
	b := make([]byte, 2048)
	copy(b, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	e := b[1024:]
	for i, c := range stream {
		e[2*i] = byte(c)
	}
	binary.LittleEndian.PutUint16(e[64:], uint16(2*len(stream)+2))
	e[66] = 2
	return b
}

func open(t *testing.T, raw []byte) (*ooxml.Package, error) {
	t.Helper()
	return ooxml.Open(t.Context(), conformance.Source(raw))
}

func reason(err error) document.Reason {
	var e *document.Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return ""
}

// K59: streamed zips, zips behind other bytes, odd methods, encryption.
func TestOddZips(t *testing.T) {
	good := conformance.Zip(t, parts("xl/workbook.xml", sheetType)...) // Go writes data descriptors
	for name, raw := range map[string][]byte{"descriptors": good, "behind a head": append(bytes.Repeat([]byte("junk"), 300), good...)} {
		p, err := open(t, raw)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		x, err := p.Part(p.Main)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if ev, err := x.Next(); ev != ooxml.Start || err != nil {
			t.Errorf("%s: %v %v", name, ev, err)
		}
		x.Close()
	}
	for _, c := range []struct {
		method  uint16
		flags   uint16
		reason  document.Reason
		message string
	}{
		{12, 0, document.Unsupported, "bzip2"}, {93, 0, document.Unsupported, "Zstandard"}, {9, 0, document.Unsupported, "Deflate64"},
		{99, 0, document.Unsupported, "AES"}, {77, 0, document.Unsupported, "method 77"}, {99, 1, document.Password, "encrypted"}, {8, 1, document.Password, "encrypted"},
	} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, p := range parts("xl/workbook.xml", sheetType)[:2] {
			w, _ := z.Create(p.Name)
			io.WriteString(w, p.Body)
		}
		w, _ := z.CreateRaw(&zip.FileHeader{Name: "xl/workbook.xml", Method: c.method, Flags: c.flags, CompressedSize64: 3, UncompressedSize64: 3})
		io.WriteString(w, "abc")
		z.Close()
		p, err := open(t, b.Bytes())
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		if _, err := p.Part(p.Main); reason(err) != c.reason || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%+v: got %v", c, err)
		}
	}
}

func TestChecksumIsCompared(t *testing.T) {
	raw := conformance.Zip(t, conformance.Part{Name: "xl/workbook.xml", Body: "<a>hello</a>"})
	// A wrong checksum in the table of members.
	at := bytes.LastIndex(raw, []byte("PK\x01\x02"))
	raw[at+16] ^= 1
	p, err := open(t, raw)
	if err != nil {
		t.Fatal(err)
	}
	x, err := p.Part("XL\\WorkBook.xml")
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	for err == nil {
		_, err = x.Next()
	}
	if err == io.EOF {
		err = x.Drain()
	}
	if reason(err) != document.Damaged || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("got %v", err)
	}
}

func TestTableOfMembersIsBounded(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for range 60_000 {
		if _, err := z.CreateRaw(&zip.FileHeader{Name: strings.Repeat("n", 200), Method: zip.Store}); err != nil {
			t.Fatal(err)
		}
	}
	z.Close()
	if _, err := open(t, b.Bytes()); reason(err) != document.TooLarge {
		t.Errorf("got %v", err)
	}
}

func TestRelationshipTargets(t *testing.T) {
	raw := conformance.Zip(t, append(parts("xl/workbook.xml", sheetType), conformance.Part{Name: "xl/_rels/workbook.xml.rels", Body: `<Relationships>` +
		`<Relationship Id="1" Type="a/worksheet" Target="worksheets/s.xml"/><Relationship Id="2" Type="a/worksheet" Target="/xl/t.xml"/>` +
		`<Relationship Id="3" Type="a/worksheet" Target="..\xl\u.xml"/><Relationship Id="4" Type="a/worksheet" Target="../../../../etc/passwd"/>` +
		`<Relationship Id="5" Type="a/hyperlink" Target="https://example.org/" TargetMode="External"/></Relationships>`})...)
	p, err := open(t, raw)
	if err != nil {
		t.Fatal(err)
	}
	rels, err := p.Relationships("xl/workbook.xml")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"xl/worksheets/s.xml", "xl/t.xml", "xl/u.xml", "etc/passwd", "https://example.org/"}
	for i, r := range rels {
		if r.Target != want[i] || r.External != (i == 4) {
			t.Errorf("%s: got %q", r.ID, r.Target)
		}
	}
}
