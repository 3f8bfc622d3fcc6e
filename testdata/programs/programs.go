// Package programs gives tests the built executables.
//
// Dir is all of it: the folder named by FETTLER_BIN, as the mage targets set
// it, or one that it builds into. Call it from TestMain, and clean after.
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
		cmd := exec.Command("go", "build", "-o", filepath.Join(dir, name), pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			clean()
			return "", nil, fmt.Errorf("building %s: %w\n%s", name, err, out)
		}
	}
	return dir, clean, nil
}
