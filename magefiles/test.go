//go:build mage

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Test builds the programs and passes every test. It fetches ONNX Runtime for
// the tests that need it where npm can; where not they skip and say so. The transcripts run against
// the built programs, which Go's test cache does not know of, so they run anew
// each time.
func Test() error {
	if err := Build(); err != nil {
		return err
	}
	return test()
}

// Race is Test under the race detector. It needs a C compiler.
func Race() error {
	if err := Build(); err != nil {
		return err
	}
	return test("-race")
}

func test(flags ...string) error {
	lib, err := runtimeForTests()
	if err != nil {
		fmt.Println("the tests of ONNX Runtime skip, its library is not here:", err)
	}
	env, err := testEnv()
	if err != nil {
		return err
	}
	defer os.RemoveAll(envHome)
	// Named, because Go's test cache does not look at files outside a module.
	env = append(env, "FETTLER_ONNXRUNTIME="+lib)
	if slices.Contains(flags, "-race") {
		env = append(env, "CGO_ENABLED=1")
	}
	if err := run(env, "go", append(append([]string{"test", "-tags", "mage"}, flags...), "fettler/magefiles")...); err != nil {
		return err
	}
	args := append([]string{"test", "-timeout", "15m"}, flags...)
	for _, m := range modules {
		if m != "testdata" {
			args = append(args, "fettler/"+m+"/...")
		}
	}
	if err := run(env, "go", args...); err != nil {
		return err
	}
	return run(env, "go", append(append([]string{"test", "-count=1", "-timeout", "15m"}, flags...), "fettler/testdata/...")...)
}

var envHome string

// testEnv names the built programs, and a home folder that is nobody's: no
// test may read the real one.
func testEnv() ([]string, error) {
	bin, err := filepath.Abs("bin")
	if err != nil {
		return nil, err
	}
	if envHome, err = os.MkdirTemp("", "fettler-home"); err != nil {
		return nil, err
	}
	env := append(environ(), "FETTLER_BIN="+bin)
	for _, key := range []string{"GOPATH", "GOCACHE", "GOMODCACHE"} { // these lie below the home folder by default
		v, err := output("go", "env", key)
		if err != nil {
			return nil, err
		}
		env = append(env, key+"="+v)
	}
	return append(env, "HOME="+envHome, "USERPROFILE="+envHome, "XDG_CONFIG_HOME=", "CLAUDE_CONFIG_DIR=", "CLAUDE_CODE_SESSION_ID="), nil
}
