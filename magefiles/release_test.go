//go:build mage

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestReleasable(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("CHANGELOG.md", []byte("# Changes\n\n## 3.0.0 (unreleased)\n\n## 2.1.0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for version, want := range map[string]bool{
		"3.0.0": true, "3.0.0-rc.1": true, "3.0.0+0123456789ab": true, "3.0.0-a.b+c-d": true, "2.1.0": true,
		"": false, "v3.0.0": false, "3.0": false, "3.0.0.0": false, "03.0.0": false, "3.0.0-": false, "3.0.0+": false, "3.0.0 -X a=b": false,
		"3.0.0-../x": false, "3.1.0": false, "3.0.0\n": false, "--help": false,
	} {
		if err := releasable(version); (err == nil) != want {
			t.Errorf("%q: %v", version, err)
		}
	}
}

// packs is what the archive tests pack, in an order that is not the archive's.
var packs = []packed{{"tool", []byte("#!/bin/sh\n"), 0o755}, {"README.md", []byte("read me\n"), 0o644}, {"docs/a.md", nil, 0o644}}

// The same files give the same bytes, in whatever order and time zone.
func TestArchivesAreReproducible(t *testing.T) {
	when := time.Unix(1_800_000_000, 0)
	for _, name := range []string{"a.tar.gz", "a.zip"} {
		first, err := archived(name, "a", packs, when.UTC())
		if err != nil {
			t.Fatal(err)
		}
		other := slices.Clone(packs)
		slices.Reverse(other)
		second, err := archived(name, "a", other, when.In(time.FixedZone("far", 9*3600)))
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s is not the same twice (%v)", name, err)
		}
	}
}

func TestTarKeepsTheExecuteBit(t *testing.T) {
	raw, err := archived("a.tar.gz", "a", packs, time.Unix(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, h.FileInfo().Mode().String()+" "+h.Name+" "+h.Uname)
	}
	want := []string{"-rw-r--r-- a/README.md ", "-rw-r--r-- a/docs/a.md ", "-rwxr-xr-x a/tool "}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestZip(t *testing.T) {
	raw, err := archived("a.zip", "a", packs, time.Unix(1_800_000_000, 0))
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range z.File {
		got = append(got, f.Mode().String()+" "+f.Name)
	}
	if want := []string{"-rw-r--r-- a/README.md", "-rw-r--r-- a/docs/a.md", "-rwxr-xr-x a/tool"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What is packed is there again, and a member that climbs is refused.
func TestUnpack(t *testing.T) {
	for _, name := range []string{"a.tar.gz", "a.zip"} {
		base := t.TempDir()
		raw, err := archived(name, "a", packs, time.Unix(1_800_000_000, 0))
		if err == nil {
			err = os.WriteFile(filepath.Join(base, name), raw, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		top, err := unpack(filepath.Join(base, name), filepath.Join(base, "new"))
		if err != nil || top != filepath.Join(base, "new", "a") {
			t.Fatalf("%s: %s %v", name, top, err)
		}
		for _, p := range packs {
			b, err := os.ReadFile(filepath.Join(top, p.name))
			if err != nil || !bytes.Equal(b, p.content) {
				t.Errorf("%s: %s is %q (%v)", name, p.name, b, err)
			}
		}
		if info, err := os.Stat(filepath.Join(top, "tool")); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm()&0o100 == 0) {
			t.Errorf("%s: the tool cannot be started (%v)", name, err)
		}
		raw, err = archived(name, "..", packs, time.Unix(1_800_000_000, 0))
		if err == nil {
			err = os.WriteFile(filepath.Join(base, name), raw, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := unpack(filepath.Join(base, name), filepath.Join(base, "other")); err == nil || !strings.Contains(err.Error(), "leaves the folder") {
			t.Errorf("%s: a climbing member: %v", name, err)
		}
	}
}

func TestNames(t *testing.T) {
	t.Setenv("FETTLER_VERSION", "3.0.0")
	for got, want := range map[string]string{
		archiveName("linux", "amd64"): "fettler-3.0.0-linux-amd64.tar.gz", archiveName("windows", "arm64"): "fettler-3.0.0-windows-arm64.zip",
		bridgeName("darwin", "arm64"): "burler-bridge-onnxruntime-3.0.0-darwin-arm64.tar.gz", topOf(archiveName("windows", "amd64")): "fettler-3.0.0-windows-amd64",
		topOf(archiveName("linux", "arm64")): "fettler-3.0.0-linux-arm64", executable("fettle", "windows"): "fettle.exe", executable("fettle", "linux"): "fettle",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// The bill names what the programs link, each thing once, and depends on
// nothing that it does not name.
func TestBillOfMaterials(t *testing.T) {
	t.Chdir("..")
	t.Setenv("FETTLER_VERSION", "3.0.0")
	raw, err := sbom(time.Unix(1_800_000_000, 0).UTC())
	if err != nil {
		t.Fatal(err)
	}
	var bom struct {
		BomFormat, SpecVersion string
		Metadata               struct {
			Timestamp string
			Component component
		}
		Components   []component
		Dependencies []struct {
			Ref       string
			DependsOn []string
		}
	}
	if err := json.Unmarshal(raw, &bom); err != nil {
		t.Fatal(err)
	}
	if bom.BomFormat != "CycloneDX" || bom.SpecVersion != "1.5" || bom.Metadata.Component.Version != "3.0.0" || bom.Metadata.Timestamp != "2027-01-15T08:00:00Z" {
		t.Errorf("%+v", bom)
	}
	known := map[string]bool{bom.Metadata.Component.Ref: true}
	var names []string
	for _, c := range bom.Components {
		if known[c.Ref] {
			t.Errorf("%s is there twice", c.Ref)
		}
		known[c.Ref] = true
		names = append(names, c.Name)
		if c.Version == "" || len(c.Licenses) != 1 || c.Licenses[0].License.ID == "" || strings.ContainsAny(c.Purl, "+ ") {
			t.Errorf("%+v", c)
		}
		if strings.Contains(c.Name, "/") && (len(c.Hashes) != 1 || len(c.Hashes[0].Content) != 64) {
			t.Errorf("%s has no hash", c.Name)
		}
	}
	for _, want := range []string{"std", "PDFium", "ONNX Runtime for linux-amd64", "github.com/mark3labs/mcp-go"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is missing from %q", want, names)
		}
	}
	for _, d := range bom.Dependencies {
		for _, ref := range append(d.DependsOn, d.Ref) {
			if !known[ref] {
				t.Errorf("%s is depended on and not named", ref)
			}
		}
	}
}

func TestLicenceID(t *testing.T) {
	for text, want := range map[string]string{
		"Apache License\n   Version 2.0, January 2004":                                         "Apache-2.0",
		"PERMISSION is hereby granted, free\nof charge":                                        "MIT",
		"Redistribution and use in source\nNeither the name may be used to endorse or promote": "BSD-3-Clause",
		"Redistribution and use in source":                                                     "BSD-2-Clause",
		"All rights reserved":                                                                  "",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "LICENSE"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := licenceID(dir); got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q (%v), want %q", text, got, err, want)
		}
	}
}

func TestFirstSession(t *testing.T) {
	got, err := firstSession("text\n```json\n{}\n```\nmore\n```\n$ fettle find\nx\n```\n```\n$ other\n```\n")
	if err != nil || got != "\n$ fettle find\nx\n" {
		t.Errorf("%q %v", got, err)
	}
	if _, err := firstSession("no session"); err == nil {
		t.Error("a page without a session has none")
	}
}
