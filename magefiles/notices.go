//go:build mage

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// noticesFile holds the licences of everything that the programs link.
const noticesFile = "THIRD-PARTY-NOTICES"

// platforms are what a release is built for.
var platforms = [][2]string{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"}}

// linked is a module that at least one program links on at least one platform.
type linked struct{ path, version, sum, dir string }

// linkedModules asks the toolchain what the six programs really link, on every
// platform of a release: a module that only tests use is not among them.
func linkedModules() ([]linked, error) {
	found := map[string]linked{}
	for _, p := range platforms {
		args := []string{"list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Sum}}\t{{.Dir}}{{end}}{{end}}"}
		for _, prog := range programs {
			args = append(args, prog[1])
		}
		out, err := outputEnv(append(environ(), "GOOS="+p[0], "GOARCH="+p[1]), "go", args...)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(out) {
			f := strings.Split(strings.TrimRight(line, "\n"), "\t")
			// The workspace's own modules replace each other and have no version.
			if len(f) == 4 && !strings.HasPrefix(f[0], "fettler/") {
				found[f[0]] = linked{f[0], f[1], f[2], f[3]}
			}
		}
	}
	all := make([]linked, 0, len(found))
	for _, m := range found {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b linked) int { return strings.Compare(a.path, b.path) })
	if len(all) == 0 {
		return nil, errors.New("the programs link no module at all, which cannot be")
	}
	return all, nil
}

// licenceFiles are the names, in lower case, under which modules keep what
// must travel with their code.
var licenceFiles = []string{"license", "licence", "license.txt", "license.md", "copying", "copying.txt", "notice", "notice.txt", "patents"}

// licence is the text that a module asks to be kept with it. A module without
// one must not be linked.
func licence(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	licensed := false
	for _, e := range entries {
		name := strings.ToLower(e.Name())
		if e.IsDir() || !slices.Contains(licenceFiles, name) {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		licensed = licensed || strings.HasPrefix(name, "lic") || strings.HasPrefix(name, "copying")
		if text.Len() > 0 {
			text.WriteString("\n" + e.Name() + ":\n\n")
		}
		for line := range strings.Lines(strings.ReplaceAll(string(b), "\r\n", "\n")) {
			text.WriteString(strings.TrimRight(line, " \t\n") + "\n")
		}
	}
	if !licensed {
		return "", fmt.Errorf("%s has no licence file", dir)
	}
	return strings.Trim(text.String(), "\n") + "\n", nil
}

// notices is the whole file. Modules under the same words share them.
func notices() ([]byte, error) {
	modules, err := linkedModules()
	if err != nil {
		return nil, err
	}
	goroot, err := output("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	modules = append([]linked{{path: "The Go standard library and runtime", dir: goroot}}, modules...)
	var texts []string
	under := map[string][]string{}
	for _, m := range modules {
		if m.path == "github.com/klippa-app/go-pdfium" && m.version != pdfiumReviewed {
			return nil, fmt.Errorf("notices_pdfium.go was reviewed for go-pdfium %s, and %s is linked", pdfiumReviewed, m.version)
		}
		text, err := licence(m.dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.path, err)
		}
		if under[text] == nil {
			texts = append(texts, text)
		}
		under[text] = append(under[text], strings.TrimSpace(m.path+" "+m.version))
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "Fettler's programs contain the following software of others.\nMade by `go tool mage notices` from what the programs link; %d modules beside Go itself.\n", len(modules)-1)
	rule := strings.Repeat("=", 78)
	for _, text := range texts {
		fmt.Fprintf(&out, "\n%s\n%s\n%s\n\n%s", rule, strings.Join(under[text], "\n"), rule, text)
	}
	fmt.Fprintf(&out, "\n%s\n%s\n%s\n\n%s", rule, pdfiumTitle, rule, pdfiumNotice)
	return out.Bytes(), nil
}

// Notices writes THIRD-PARTY-NOTICES from the modules that the programs link.
func Notices() error {
	text, err := notices()
	if err != nil {
		return err
	}
	return os.WriteFile(noticesFile, text, 0o644)
}

// noticesCurrent fails when the file is not as Notices would write it.
func noticesCurrent() error {
	text, err := notices()
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(noticesFile); err != nil || !bytes.Equal(old, text) {
		return errors.New(noticesFile + " is not current; run go tool mage notices")
	}
	return nil
}
