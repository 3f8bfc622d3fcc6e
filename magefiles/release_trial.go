//go:build mage

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// readmeTime is the modified time of the files in the README's session.
var readmeTime = time.Date(2026, 12, 2, 9, 30, 0, 0, time.UTC)

// trial unpacks an archive into an empty folder, makes the demo's project
// beside it, and types the README's session: every answer must be the one that
// the README shows.
func trial(archive string) error {
	return unpacked(archive, func(base, bin string) error { return tryOut(archive, base, bin) })
}

func tryOut(archive, base, bin string) error {
	if err := complete(bin); err != nil {
		return fmt.Errorf("%s: %w", archive, err)
	}
	project := filepath.Join(base, "project")
	if err := writeFiles(project, demoFiles); err != nil {
		return err
	}
	for name := range demoFiles {
		if err := os.Chtimes(filepath.Join(project, filepath.FromSlash(name)), readmeTime, readmeTime); err != nil {
			return err
		}
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		return err
	}
	want, err := firstSession(string(readme))
	if err != nil {
		return err
	}
	var got strings.Builder
	code := 0
	for line := range strings.Lines(want) {
		typed, ok := strings.CutPrefix(strings.TrimSpace(line), "$ ")
		switch {
		case !ok:
			continue
		case typed == "echo $?":
			fmt.Fprintf(&got, "$ echo $?\n%d\n", code)
			continue
		}
		fmt.Fprintf(&got, "$ %s\n", typed)
		words := strings.Fields(strings.ReplaceAll(typed, `"`, ""))
		cmd := exec.Command(filepath.Join(bin, words[0]), words[1:]...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = project, &got, &got
		cmd.Env = []string{"HOME=" + base, "USERPROFILE=" + base, "TMPDIR=" + base, "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
		err := cmd.Run()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			return err
		}
		code = cmd.ProcessState.ExitCode()
	}
	if blankless(got.String()) != blankless(want) {
		return fmt.Errorf("the README's session is\n%s\nand from %s it is\n%s", want, archive, got.String())
	}
	fmt.Println("the README's session runs from", archive)
	return nil
}

func blankless(s string) string {
	var out strings.Builder
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

// firstSession is the first block of a page that shows something typed.
func firstSession(page string) (string, error) {
	for i, block := range strings.Split(page, "```") {
		if i%2 == 1 && strings.HasPrefix(strings.TrimSpace(block), "$ ") {
			return block, nil
		}
	}
	return "", errors.New("the README shows no session")
}

// unpacked unpacks an archive into a temporary folder of its own and calls use
// with that folder and with the one at the archive's top.
func unpacked(archive string, use func(base, top string) error) error {
	base, err := os.MkdirTemp("", "fettler-trial")
	if err != nil {
		return err
	}
	defer os.RemoveAll(base)
	top, err := unpack(archive, filepath.Join(base, "unpacked"))
	if err != nil {
		return err
	}
	return use(base, top)
}

// unpack puts an archive's files into dir, which must not be there, and gives
// the one folder at its top.
func unpack(archive, dir string) (string, error) {
	raw, err := os.ReadFile(archive)
	if err != nil {
		return "", err
	}
	if strings.HasSuffix(archive, ".zip") {
		z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
		if err != nil {
			return "", err
		}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				return "", err
			}
			if err := lay(dir, f.Name, f.Mode(), r); err != nil {
				return "", err
			}
		}
	} else {
		g, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			return "", err
		}
		for t := tar.NewReader(g); ; {
			h, err := t.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				return "", err
			}
			if err := lay(dir, h.Name, h.FileInfo().Mode(), t); err != nil {
				return "", err
			}
		}
	}
	tops, err := os.ReadDir(dir)
	if err != nil || len(tops) != 1 {
		return "", fmt.Errorf("%s holds %d entries at its top (%v)", archive, len(tops), err)
	}
	return filepath.Join(dir, tops[0].Name()), nil
}

// complete looks whether a release's folder holds everything, and whether each
// program starts and is of this version.
func complete(bin string) error {
	for _, name := range append([]string{"completions/fettle.bash", "completions/_fettle", "completions/fettle.fish", "completions/fettle.ps1", "man/man1/fettle.1", "docs/verbs.md"}, documents...) {
		if info, err := os.Stat(filepath.Join(bin, name)); err != nil || info.Size() == 0 {
			return fmt.Errorf("%s is missing or empty (%v)", name, err)
		}
	}
	for _, p := range programs {
		out, err := output(filepath.Join(bin, executable(p[0], runtime.GOOS)), "--version")
		if first, _, _ := strings.Cut(out, "\n"); err != nil || first != p[0]+" "+version() {
			return fmt.Errorf("%s --version is %q (%v)", p[0], out, err)
		}
	}
	return nil
}

// trialBridge unpacks an archive of burler-bridge with ONNX Runtime: it must
// find the library that lies beside it.
func trialBridge(archive string) error {
	if _, ok := runtimeLibraries[runtime.GOOS+"-"+runtime.GOARCH]; !ok {
		return nil
	}
	return unpacked(archive, func(_, bin string) error {
		out, err := output(filepath.Join(bin, executable("burler-bridge", runtime.GOOS)), "--version")
		if err != nil || !strings.Contains(out, "backend: ONNX Runtime") {
			return fmt.Errorf("burler-bridge of %s says %q (%v)", archive, out, err)
		}
		fmt.Println("burler-bridge of", archive, "finds its ONNX Runtime")
		return nil
	})
}

func lay(dir, name string, mode os.FileMode, from io.Reader) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("a member leaves the folder: %s", name)
	}
	p := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		return err
	}
	out, err := os.OpenFile(p, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode.Perm())
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, from); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}
