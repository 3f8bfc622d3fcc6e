//go:build mage

package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// component is a part of a CycloneDX bill of materials.
type component struct {
	Type     string     `json:"type"`
	Ref      string     `json:"bom-ref"`
	Name     string     `json:"name"`
	Version  string     `json:"version"`
	Purl     string     `json:"purl,omitempty"`
	Hashes   []hash     `json:"hashes,omitempty"`
	Licenses []licensed `json:"licenses,omitempty"`
}

type hash struct {
	Alg     string `json:"alg"`
	Content string `json:"content"`
}

type licensed struct {
	License struct {
		ID   string `json:"id,omitempty"`
		Name string `json:"name,omitempty"`
	} `json:"license"`
}

// sbom is a CycloneDX bill of what the programs link, on any platform. A hash is
// the go.sum one of the module's files, which is SHA-256 over their hashes.
func sbom(when time.Time) ([]byte, error) {
	modules, err := linkedModules()
	if err != nil {
		return nil, err
	}
	toolchain, err := output("go", "env", "GOVERSION")
	if err != nil {
		return nil, err
	}
	components := []component{goModule("std", strings.TrimPrefix(toolchain, "go"), "BSD-3-Clause")}
	for _, m := range modules {
		id, err := licenceID(m.dir)
		if err != nil {
			return nil, err
		}
		c := goModule(m.path, m.version, id)
		if raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.sum, "h1:")); err == nil && len(raw) == 32 {
			c.Hashes = []hash{{"SHA-256", hex.EncodeToString(raw)}}
		}
		components = append(components, c)
	}
	inside := refs(components)
	pdfium := component{Type: "library", Ref: "pdfium", Name: "PDFium", Version: "as in go-pdfium " + pdfiumReviewed, Licenses: spdx("BSD-3-Clause")}
	runtimes := onnxRuntimes()
	components = append(append(components, pdfium), runtimes...)
	self, bridge := "fettler", "burler-bridge-onnxruntime"
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	err = enc.Encode(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata": map[string]any{
			"timestamp": when.Format(time.RFC3339),
			"component": component{Type: "application", Ref: self, Name: "fettler", Version: version(), Licenses: spdx("MIT")},
		},
		"components": append(components, component{Type: "application", Ref: bridge, Name: bridge, Version: version(), Licenses: spdx("MIT")}),
		"dependencies": []any{
			map[string]any{"ref": self, "dependsOn": inside},
			map[string]any{"ref": goModule("github.com/klippa-app/go-pdfium", pdfiumReviewed, "").Ref, "dependsOn": []string{pdfium.Ref}},
			map[string]any{"ref": bridge, "dependsOn": append(inside, refs(runtimes)...)},
		},
	})
	return out.Bytes(), err
}

// goModule is a module of Go as a component. A purl spells a plus as %2B.
func goModule(path, version, licence string) component {
	purl := "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")
	return component{Type: "library", Ref: purl, Name: path, Version: version, Purl: purl, Licenses: spdx(licence)}
}

// onnxRuntimes are the libraries that go with burler-bridge, one a platform.
func onnxRuntimes() []component {
	name, release, _ := strings.Cut(runtimePackage, "@")
	var out []component
	for _, platform := range slices.Sorted(maps.Keys(runtimeLibraries)) {
		lib := runtimeLibraries[platform]
		purl := "pkg:npm/" + name + "@" + release + "#bin/napi-v6/" + lib.member
		out = append(out, component{Type: "library", Ref: purl, Name: "ONNX Runtime for " + platform, Version: release, Purl: purl, Hashes: []hash{{"SHA-256", lib.sha256}}, Licenses: spdx("MIT")})
	}
	return out
}

func refs(components []component) []string {
	out := make([]string, 0, len(components))
	for _, c := range components {
		out = append(out, c.Ref)
	}
	return out
}

func spdx(id string) []licensed {
	var l licensed
	l.License.ID = id
	return []licensed{l}
}

// licenceID tells the SPDX name of a module's licence by words that only that
// licence holds. One that is not known fails, so that somebody looks at it.
func licenceID(dir string) (string, error) {
	text, err := licence(dir)
	if err != nil {
		return "", err
	}
	words := strings.ToLower(strings.Join(strings.Fields(text), " "))
	switch {
	case strings.Contains(words, "apache license version 2.0"):
		return "Apache-2.0", nil
	case strings.Contains(words, "permission is hereby granted, free of charge"):
		return "MIT", nil
	case strings.Contains(words, "redistribution and use") && strings.Contains(words, "to endorse or promote"):
		return "BSD-3-Clause", nil
	case strings.Contains(words, "redistribution and use"):
		return "BSD-2-Clause", nil
	}
	return "", fmt.Errorf("the licence of %s is none that a release knows", dir)
}

// onnxRuntimeLicence goes with ONNX Runtime's library.
const onnxRuntimeLicence = `ONNX Runtime, https://github.com/microsoft/onnxruntime, from ` + runtimePackage + ` of npm.
What it contains of others is in ThirdPartyNotices.txt there.

MIT License

Copyright (c) Microsoft Corporation

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`
