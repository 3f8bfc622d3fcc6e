// Package programs gives tests the built executables.
//
// Main is what a TestMain calls: it runs the tests with the folder that
// FETTLER_BIN names, as the mage targets set it, or one that it builds into
// and removes again. Dir is for whoever wants the folder alone.
package programs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

var all = map[string]string{
	"fettle": "fettler/fettle", "fettle-mcp": "fettler/fettle/cmd/fettle-mcp", "fettle-reader": "fettler/fettle/cmd/fettle-reader",
	"fettle-setup": "fettler/fettle-setup", "fettle-doctor": "fettler/fettle-doctor", "burler-bridge": "fettler/burler-bridge",
}

// Dir gives the folder of the programs and what removes it again.
func Dir() (dir string, clean func(), err error) {
	if bin := os.Getenv("FETTLER_BIN"); bin != "" {
		return bin, func() {}, nil
	}
	dir, err = os.MkdirTemp("", "fettler-bin")
	if err != nil {
		return "", nil, err
	}
	clean = func() { os.RemoveAll(dir) }
	for name, pkg := range all {
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		cmd := exec.Command("go", "build", "-tags", "urfave_cli_no_template", "-o", filepath.Join(dir, name), pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			clean()
			return "", nil, fmt.Errorf("building %s: %w\n%s", name, err, out)
		}
	}
	return dir, clean, nil
}

// Tests is what Main runs: a *testing.M.
type Tests interface{ Run() int }

// Main sets *bin to the folder of the programs, with links resolved, runs the
// tests and gives the exit code.
func Main(m Tests, bin *string) int {
	dir, clean, err := Dir()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer clean()
	*bin = dir
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		*bin = real
	}
	return m.Run()
}
