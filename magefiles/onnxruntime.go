//go:build mage

package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// runtimePackage is the npm package that holds ONNX Runtime's library for
// every platform, pinned together with the hash of each library.
const runtimePackage = "onnxruntime-node@1.30.0"

// runtimeLibraries are the libraries in it: by platform the member's path, the
// name burler-bridge looks for beside itself, and the SHA-256.
var runtimeLibraries = map[string]struct{ member, name, sha256 string }{
	"linux-amd64":   {"linux/x64/libonnxruntime.so.1", "libonnxruntime.so", "ffb75a925ba05e47b235bb66e3e3911714a80b328a9c9425539feb204aa32a23"},
	"linux-arm64":   {"linux/arm64/libonnxruntime.so.1", "libonnxruntime.so", "1f549d46250b005580b597f4164984aaf75b3bcb9f3aeb07c7f8a8fe60b23c76"},
	"darwin-arm64":  {"darwin/arm64/libonnxruntime.1.dylib", "libonnxruntime.dylib", "685d2be5dba1309c89d3a5324b7fd06a5c42f1a61bfea32d14c4cc28d072121d"},
	"windows-amd64": {"win32/x64/onnxruntime.dll", "onnxruntime.dll", "508c362f5673483dd3a086379c392795b2e42d10d5e6f3f90ebd7ac21c97af67"},
	"windows-arm64": {"win32/arm64/onnxruntime.dll", "onnxruntime.dll", "6c3a2abf5c6aca11c48a0d338a91af309f2266f25ce2e4084e6a87bbcb0fbfd0"},
}

// OnnxRuntime fetches ONNX Runtime's library for this platform into
// bin/onnxruntime, where the tests of burler-bridge look for it. It asks npm.
func OnnxRuntime() error {
	platform := runtime.GOOS + "-" + runtime.GOARCH
	if _, ok := runtimeLibraries[platform]; !ok {
		return fmt.Errorf("%s has no ONNX Runtime for %s; burler-bridge runs models in Go alone there", runtimePackage, platform)
	}
	dir := filepath.Join("bin", "onnxruntime", platform)
	return fetchRuntime(map[string]string{platform: dir})
}

// runtimeForTests is the library's path for tests: what FETTLER_ONNXRUNTIME
// names, else what OnnxRuntime fetches. An error is no reason to fail tests: a
// machine without npm, or a registry that does not answer, has none.
func runtimeForTests() (string, error) {
	if path := os.Getenv("FETTLER_ONNXRUNTIME"); path != "" {
		return path, nil
	}
	if err := OnnxRuntime(); err != nil {
		return "", err
	}
	platform := runtime.GOOS + "-" + runtime.GOARCH
	return filepath.Abs(filepath.Join("bin", "onnxruntime", platform, runtimeLibraries[platform].name))
}

// OnnxRuntimeAll fetches it for every platform there is, as a release needs it.
func OnnxRuntimeAll() error {
	into := map[string]string{}
	for platform := range runtimeLibraries {
		into[platform] = filepath.Join("bin", "onnxruntime", platform)
	}
	return fetchRuntime(into)
}

// fetchRuntime puts the libraries of the platforms into their folders. What is
// there already and right is kept, and npm is asked only when one is missing.
func fetchRuntime(into map[string]string) error {
	wanted := map[string]string{} // member → platform
	for platform, dir := range into {
		lib := runtimeLibraries[platform]
		if sum, err := hashFile(filepath.Join(dir, lib.name)); err != nil || sum != lib.sha256 {
			wanted["package/bin/napi-v6/"+lib.member] = platform
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return errors.New("npm is needed to fetch ONNX Runtime: it is Node.js's package manager")
	}
	tmp, err := os.MkdirTemp("", "fettler-onnxruntime")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	// A registry that does not answer must not hold up the tests for long.
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "pack", "--silent", "--fetch-retries", "1", "--fetch-timeout", "60000", "--pack-destination", tmp, runtimePackage)
	cmd.Dir, cmd.Stderr, cmd.WaitDelay = tmp, os.Stderr, time.Second
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("npm pack %s: %w", runtimePackage, err)
	}
	packed, err := filepath.Glob(filepath.Join(tmp, "*.tgz"))
	if err != nil || len(packed) != 1 {
		return fmt.Errorf("npm pack %s left %d files", runtimePackage, len(packed))
	}
	f, err := os.Open(packed[0])
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	for members := tar.NewReader(z); len(wanted) > 0; {
		h, err := members.Next()
		if err == io.EOF {
			return fmt.Errorf("%s lacks %v", runtimePackage, wanted)
		}
		if err != nil {
			return err
		}
		platform, ok := wanted[h.Name]
		if !ok {
			continue
		}
		if err := placeRuntime(members, platform, into[platform]); err != nil {
			return err
		}
		delete(wanted, h.Name)
	}
	return nil
}

// placeRuntime writes one library, and takes it back when its hash is another.
func placeRuntime(from io.Reader, platform, dir string) error {
	lib := runtimeLibraries[platform]
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	path := filepath.Join(dir, lib.name)
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	h := sha256.New()
	_, err = io.Copy(io.MultiWriter(out, h), from)
	if closed := out.Close(); err == nil {
		err = closed
	}
	if sum := hex.EncodeToString(h.Sum(nil)); err == nil && sum != lib.sha256 {
		err = fmt.Errorf("%s for %s has SHA-256 %s, not %s", lib.name, platform, sum, lib.sha256)
	}
	if err != nil {
		_ = os.Remove(path)
		return err
	}
	fmt.Println("fetched", path)
	return nil
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
