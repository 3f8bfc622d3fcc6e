//go:build mage

package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// dist is where Release puts what it makes.
const dist = "dist"

// documents go into every archive beside the programs.
var documents = []string{"README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md", noticesFile}

// Release builds the archives of a version, such as 3.0.0 or 3.1.0-rc.1, for
// every platform into dist, with checksums and an SBOM, and runs the README's
// session from this platform's archive. It fetches ONNX Runtime from npm.
func Release(version string) error {
	if err := releasable(version); err != nil {
		return err
	}
	if err := os.Setenv("FETTLER_VERSION", version); err != nil {
		return err
	}
	if err := errors.Join(committed(), noticesCurrent(), OnnxRuntimeAll()); err != nil {
		return err
	}
	when, err := releaseTime()
	if err != nil {
		return err
	}
	if err := os.RemoveAll(dist); err != nil {
		return err
	}
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return err
	}
	staged, err := os.MkdirTemp("", "fettler-release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(staged)
	for _, p := range platforms {
		fmt.Println("build", p[0], p[1])
		if err := build(filepath.Join(staged, p[0]+"-"+p[1]), p[0], p[1]); err != nil {
			return err
		}
	}
	extras, err := generated(filepath.Join(staged, runtime.GOOS+"-"+runtime.GOARCH))
	if err != nil {
		return err
	}
	sums := map[string]string{}
	for _, p := range platforms {
		if err := pack(sums, staged, p, extras, when); err != nil {
			return err
		}
	}
	bom, err := sbom(when)
	if err != nil {
		return err
	}
	if err := keep(sums, "fettler-"+version+".cdx.json", bom); err != nil {
		return err
	}
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(&list, "%s  %s\n", sums[name], name)
	}
	if err := os.WriteFile(filepath.Join(dist, "SHA256SUMS"), []byte(list.String()), 0o644); err != nil {
		return err
	}
	fmt.Print(list.String())
	if err := trial(filepath.Join(dist, archiveName(runtime.GOOS, runtime.GOARCH))); err != nil {
		return err
	}
	return trialBridge(filepath.Join(dist, bridgeName(runtime.GOOS, runtime.GOARCH)))
}

// Trial packs this platform's archive alone, unpacks it in an empty folder and
// runs the README's session from there: what Release does for all of them.
func Trial() error {
	if err := Build(); err != nil {
		return err
	}
	base, err := os.MkdirTemp("", "fettler-trial")
	if err != nil {
		return err
	}
	defer os.RemoveAll(base)
	files, err := collect("bin", runtime.GOOS, programs)
	if err != nil {
		return err
	}
	extras, err := generated("bin")
	if err != nil {
		return err
	}
	name := archiveName(runtime.GOOS, runtime.GOARCH)
	content, err := archived(name, topOf(name), append(files, extras...), time.Now())
	if err != nil {
		return err
	}
	path := filepath.Join(base, name)
	if err := os.WriteFile(path, content, 0o644); err != nil {
		return err
	}
	return trial(path)
}

// semantic is a version as semver.org has it, without a v before it.
var semantic = regexp.MustCompile(`^((?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*))(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`)

// releasable says why a version cannot be released: its form, or that the
// change log does not speak of it.
func releasable(version string) error {
	m := semantic.FindStringSubmatch(version)
	if m == nil {
		return fmt.Errorf("%q is no version; one is like 3.0.0 or 3.1.0-rc.1", version)
	}
	log, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(log)) {
		if h, ok := strings.CutPrefix(line, "## "); ok && strings.Fields(h + " -")[0] == m[1] {
			return nil
		}
	}
	return fmt.Errorf("CHANGELOG.md has no heading for %s", m[1])
}

// committed fails when tracked files differ from the commit, whose time and
// name a release bears.
func committed() error {
	changed, err := output("git", "status", "--porcelain", "--untracked-files=no")
	if err == nil && changed != "" {
		err = fmt.Errorf("commit first, these files differ from the commit:\n%s", changed)
	}
	return err
}

// archiveName is what a platform's archive is called.
func archiveName(goos, goarch string) string {
	ending := ".tar.gz"
	if goos == "windows" {
		ending = ".zip"
	}
	return "fettler-" + version() + "-" + goos + "-" + goarch + ending
}

// bridgeName is what the archive of burler-bridge with ONNX Runtime is called.
func bridgeName(goos, goarch string) string {
	return strings.Replace(archiveName(goos, goarch), "fettler-", "burler-bridge-onnxruntime-", 1)
}

// topOf is the one folder that an archive holds: its own name.
func topOf(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, ".tar.gz"), ".zip")
}

// releaseTime is the time of the commit: every file of a release bears it.
func releaseTime() (time.Time, error) {
	stamp := os.Getenv("SOURCE_DATE_EPOCH")
	if stamp == "" {
		var err error
		if stamp, err = output("git", "log", "-1", "--format=%ct"); err != nil {
			return time.Time{}, fmt.Errorf("git does not tell the commit's time; set SOURCE_DATE_EPOCH: %w", err)
		}
	}
	n, err := strconv.ParseInt(stamp, 10, 64)
	return time.Unix(n, 0).UTC(), err
}

// generated are the shells' completion scripts and the manual page, as the
// programs of this platform in dir, and their sources, say them.
func generated(dir string) ([]packed, error) {
	fettle := filepath.Join(dir, executable("fettle", runtime.GOOS))
	var out []packed
	for shell, name := range map[string]string{"bash": "fettle.bash", "zsh": "_fettle", "fish": "fettle.fish", "pwsh": "fettle.ps1"} {
		script, err := output(fettle, "completion", shell)
		if err != nil {
			return nil, fmt.Errorf("fettle completion %s: %w", shell, err)
		}
		out = append(out, packed{"completions/" + name, []byte(script + "\n"), 0o644})
	}
	page, err := output("go", "run", "fettler/fettle/internal/docgen", "-man", ".")
	if err != nil {
		return nil, fmt.Errorf("the manual page: %w", err)
	}
	return append(out, packed{"man/man1/fettle.1", []byte(page + "\n"), 0o644}), nil
}

// pack makes a platform's archive, and the one of burler-bridge with ONNX
// Runtime where there is a library for it.
func pack(sums map[string]string, staged string, p [2]string, extras []packed, when time.Time) error {
	platform := p[0] + "-" + p[1]
	fmt.Println("pack", p[0], p[1])
	save := func(name string, files []packed) error {
		content, err := archived(name, topOf(name), files, when)
		if err != nil {
			return err
		}
		return keep(sums, name, content)
	}
	files, err := collect(filepath.Join(staged, platform), p[0], programs)
	if err != nil {
		return err
	}
	if err := save(archiveName(p[0], p[1]), append(files, extras...)); err != nil {
		return err
	}
	lib, ok := runtimeLibraries[platform]
	if !ok {
		fmt.Println("there is no ONNX Runtime for", platform)
		return nil
	}
	library, err := os.ReadFile(filepath.Join("bin", "onnxruntime", platform, lib.name))
	if err != nil {
		return err
	}
	if files, err = collect(filepath.Join(staged, platform), p[0], programs[len(programs)-1:]); err != nil {
		return err
	}
	return save(bridgeName(p[0], p[1]), append(files, packed{lib.name, library, 0o755}, packed{"LICENSE-onnxruntime", []byte(onnxRuntimeLicence), 0o644}))
}

// collect reads the programs and the documents of one archive.
func collect(dir, goos string, which [][2]string) ([]packed, error) {
	var out []packed
	for _, p := range which {
		name := executable(p[0], goos)
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		out = append(out, packed{name, b, 0o755})
	}
	for _, name := range documents {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		out = append(out, packed{name, b, 0o644})
	}
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) == 0 {
		return nil, errors.Join(err, errors.New("there are no pages in docs"))
	}
	for _, page := range pages {
		b, err := os.ReadFile(page)
		if err != nil {
			return nil, err
		}
		out = append(out, packed{filepath.ToSlash(page), b, 0o644})
	}
	return out, nil
}

// keep writes a file of the release and remembers its checksum.
func keep(sums map[string]string, name string, content []byte) error {
	sums[name] = fmt.Sprintf("%x", sha256.Sum256(content))
	return os.WriteFile(filepath.Join(dist, name), content, 0o644)
}
