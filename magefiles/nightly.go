//go:build mage

package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"time"
)

// long sets how much the tests take that have a short form for every run: kills
// and swaps for each verb, a server's calls, the bytes at which its input ends,
// random paths, and every hostile path on both front ends. What is set in the
// environment already stays.
var long = [][2]string{
	{"FETTLER_KILLS", "1000"}, {"FETTLER_SWAPS", "10000"}, {"FETTLER_CALLS", "100000"}, {"FETTLER_CUTS", "1000"},
	{"FETTLER_PATHS", "1000000"}, {"FETTLER_HOSTILE", "all"},
}

// strained are the packages that hold those tests.
var strained = []string{"testdata/kills", "testdata/races", "testdata/strain", "testdata/hostile", "testdata/network"}

// Nightly is everything that shows what the documentation promises, in the
// sizes that take hours: lint, the other systems, the race detector, kills,
// swaps, calls and paths by the thousand, a long fuzz of each target (FUZZTIME,
// by default 2m), two builds compared and a release tried. One failure does not
// keep the rest from running.
func Nightly() error {
	if os.Getenv("FUZZTIME") == "" {
		os.Setenv("FUZZTIME", "2m")
	}
	var failed []error
	for _, s := range []struct {
		name string
		run  func() error
	}{
		{"lint", Lint}, {"cross-vet", CrossVet}, {"race", Race}, {"strain", Strain}, {"fuzz", Fuzz},
		{"reproducible", Reproducible}, {"release", func() error { return Release(version()) }},
	} {
		fmt.Println("==", s.name, time.Now().Format(time.TimeOnly))
		if err := s.run(); err != nil {
			fmt.Println("== failed:", s.name+":", err)
			failed = append(failed, fmt.Errorf("%s: %w", s.name, err))
		}
	}
	fmt.Println("== done", time.Now().Format(time.TimeOnly))
	return errors.Join(failed...)
}

// Strain runs the tests that kill, race and strain the built programs, in their
// long form, and prints what they counted.
func Strain() error {
	if err := Build(); err != nil {
		return err
	}
	env, err := testEnv()
	if err != nil {
		return err
	}
	defer os.RemoveAll(envHome)
	for _, v := range long {
		env = append(env, v[0]+"="+cmp.Or(os.Getenv(v[0]), v[1]))
	}
	flags := []string{"test", "-v", "-count=1", "-timeout", "6h"}
	// One package at a time: a kill should come at a random moment of a run,
	// not in the time that another test takes from it.
	var failed []error
	for _, p := range strained {
		failed = append(failed, run(env, "go", append(flags, "fettler/"+p)...))
	}
	return errors.Join(append(failed, run(env, "go", append(flags, "-run", "^TestOracle$", "fettler/fettle/internal/boundary")...))...)
}
