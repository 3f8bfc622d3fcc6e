package testmodel

import (
	"os"
	"path/filepath"
	"runtime"
)

// Library is ONNX Runtime's shared library for tests: what FETTLER_ONNXRUNTIME
// names, else what the mage target onnxRuntime put into the tree's build
// folder; empty when it is not there.
func Library() string {
	if path := os.Getenv("FETTLER_ONNXRUNTIME"); path != "" {
		return path
	}
	_, here, _, ok := runtime.Caller(0)
	if !ok {
		return ""
	}
	top := filepath.Join(filepath.Dir(here), "..", "..", "..")
	for _, name := range []string{"libonnxruntime.so", "libonnxruntime.dylib", "onnxruntime.dll"} {
		path := filepath.Join(top, "bin", "onnxruntime", runtime.GOOS+"-"+runtime.GOARCH, name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}
