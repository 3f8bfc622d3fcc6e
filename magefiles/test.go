//go:build mage

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
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

// Fuzz runs each fuzz target for FUZZTIME, by default 10s. A finding is saved
// beside its target and fails.
func Fuzz() error {
	per := os.Getenv("FUZZTIME")
	if per == "" {
		per = "10s"
	}
	env, err := testEnv()
	if err != nil {
		return err
	}
	defer os.RemoveAll(envHome)
	targets, err := fuzzTargets()
	if err != nil {
		return err
	}
	for _, t := range targets {
		fmt.Println("fuzz", t[0], t[1])
		if err := fuzz(env, per, t); err != nil {
			return err
		}
	}
	fmt.Println(len(targets), "targets for", per, "each")
	return nil
}

// fuzz runs one target. Go's fuzzer may report its own deadline as a failure
// when the time ends while a worker is busy; only an input that it wrote down
// is a finding.
func fuzz(env []string, per string, target [2]string) error {
	cmd := exec.Command("go", "test", "-run", "^$", "-fuzz", "^"+target[1]+"$", "-fuzztime", per, "-fuzzminimizetime", "10x", target[0])
	cmd.Env = env
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	text := string(out)
	if strings.Contains(text, "context deadline exceeded") && !strings.Contains(text, "Failing input written") && !strings.Contains(text, "panic") {
		fmt.Println("  the time ended while a worker was busy; nothing was found")
		return nil
	}
	fmt.Print(text)
	return fmt.Errorf("%s %s: %w", target[0], target[1], err)
}

var fuzzFunc = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(f \*testing\.F\)`)

// fuzzTargets finds the targets in the sources: package and function.
func fuzzTargets() ([][2]string, error) {
	var out [][2]string
	for _, m := range modules {
		err := filepath.WalkDir(m, func(p string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(p, "_test.go") {
				return err
			}
			src, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			for _, f := range fuzzFunc.FindAllSubmatch(src, -1) {
				out = append(out, [2]string{"fettler/" + filepath.ToSlash(filepath.Dir(p)), string(f[1])})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
