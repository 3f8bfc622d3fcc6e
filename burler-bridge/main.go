// Command burler-bridge judges text with token classification models that a
// person installed: fettle starts it when a screened place wants a category
// that models judge. It reads one JSON object a line from standard input and
// answers each with one on standard output, which carries nothing else.
//
// docs/screenings.md says how to lay out a models directory.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"fettler/burler-bridge/internal/backend"
	"fettler/burler-bridge/internal/backend/ort"
	"fettler/burler-bridge/internal/backend/pure"
	"fettler/burler-bridge/internal/bridge"
	"fettler/shared/outcome"
	"fettler/shared/version"
)

const usage = `burler-bridge judges text with the models of a models directory.

  burler-bridge --models DIR [--onnxruntime PATH]
  burler-bridge --version

  --models DIR         the models directory: CATEGORY/{model.onnx, vocab.txt, labels.json, manifest.json}
  --onnxruntime PATH   ONNX Runtime's shared library; otherwise the one beside burler-bridge, otherwise pure Go
  --version            print the version and the backend

fettle starts it by itself. It reads one JSON object a line:
  {"op":"screen","categories":["clinical"],"payload":"..."}
`

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stderr)) }

// run is the whole program but for its exit.
func run(args []string, in io.Reader, stderr io.Writer) int {
	var models, library string
	var showVersion bool
	flags := flag.NewFlagSet("burler-bridge", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&models, "models", "", "")
	flags.StringVar(&library, "onnxruntime", "", "")
	flags.BoolVar(&showVersion, "version", false, "")
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(os.Stdout, usage)
		return 0
	case err == nil && flags.NArg() > 0:
		err = errors.New("burler-bridge takes no words, only --models, --onnxruntime and --version")
	case err == nil && models == "" && !showVersion:
		err = errors.New("burler-bridge needs --models DIR, the models directory")
	}
	if err != nil {
		fmt.Fprintf(stderr, "refused: %v\n", err)
		return outcome.Invalid.Code()
	}
	out, err := keepOutput()
	if err != nil {
		fmt.Fprintf(stderr, "standard output cannot be used: %v\n", err)
		return outcome.Fault.Code()
	}
	noCore()
	engine, note, err := choose(library)
	if err != nil {
		fmt.Fprintf(stderr, "refused: %v\n", err)
		return outcome.Invalid.Code()
	}
	if showVersion {
		fmt.Fprintf(out, "burler-bridge %s\nbackend: %s\n", version.String(), engine.Name())
		if note != "" {
			fmt.Fprintln(out, note)
		}
		return 0
	}
	if models, err = filepath.Abs(models); err != nil {
		fmt.Fprintf(stderr, "refused: %v\n", err)
		return outcome.Invalid.Code()
	}
	if note != "" {
		fmt.Fprintln(stderr, note)
	}
	fmt.Fprintf(stderr, "backend: %s\n", engine.Name())
	if err := bridge.New(models, engine).Serve(in, out); err != nil {
		fmt.Fprintln(stderr, "the input or the output broke off")
		return outcome.Fault.Code()
	}
	return 0
}

// choose picks the engine once: the library that was named, which must load;
// else the one beside this program; else Go alone. note says why a library
// that is there is not used.
func choose(named string) (engine backend.Backend, note string, err error) {
	if named != "" {
		path, err := filepath.Abs(named)
		if err != nil {
			return nil, "", err
		}
		b, err := ort.Load(path)
		if err != nil {
			return nil, "", err
		}
		return b, "", nil
	}
	if beside := library(); beside != "" {
		b, err := ort.Load(beside)
		if err == nil {
			return b, "", nil
		}
		note = fmt.Sprintf("%s beside burler-bridge is not used: %v", filepath.Base(beside), err)
	}
	p, err := pure.New()
	if err != nil {
		return nil, "", err
	}
	return p, note, nil
}

// library is ONNX Runtime's library beside the resolved executable, or empty.
func library() string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(exe); err == nil {
		exe = real
	}
	path := filepath.Join(filepath.Dir(exe), ort.FileName(runtime.GOOS))
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return path
}
