//go:build mage

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Lint checks formatting, vet, staticcheck, known vulnerabilities where the
// database answers, that every module stands alone and is tidy, the layers,
// and that what is generated is current.
func Lint() error {
	unformatted, err := output("gofmt", append([]string{"-l"}, append(modules, "magefiles")...)...)
	if err != nil {
		return err
	}
	if unformatted != "" {
		return errors.New("not gofmt'd: " + strings.ReplaceAll(unformatted, "\n", ", "))
	}
	if err := run(environ(), "go", append([]string{"vet"}, packages()...)...); err != nil {
		return err
	}
	if err := run(environ(), "go", append([]string{"tool", "staticcheck"}, packages()...)...); err != nil {
		return err
	}
	for _, tool := range [][]string{{"vet"}, {"tool", "staticcheck"}} {
		if err := run(environ(), "go", append(tool, "-tags", "mage", "fettler/magefiles")...); err != nil {
			return err
		}
	}
	if err := alone(); err != nil {
		return err
	}
	if err := run(environ(), "go", "run", "fettler/fettle/internal/docgen", "-check", "."); err != nil {
		return err
	}
	if err := Layers(); err != nil {
		return err
	}
	if err := noticesCurrent(); err != nil {
		return err
	}
	if err := promisesCurrent(); err != nil {
		return err
	}
	return vulnerabilities()
}

// alone checks that each module builds without the workspace and is tidy.
func alone() error {
	top, err := os.Getwd()
	if err != nil {
		return err
	}
	defer os.Chdir(top)
	env := append(environ(), "GOWORK=off")
	for _, m := range modules {
		if err := os.Chdir(filepath.Join(top, m)); err != nil {
			return err
		}
		if err := run(env, "go", "build", "./..."); err != nil {
			return fmt.Errorf("module %s alone: %w", m, err)
		}
		if err := run(env, "go", "mod", "tidy", "-diff"); err != nil {
			return fmt.Errorf("module %s is not tidy: %w", m, err)
		}
	}
	return nil
}

// vulnerabilities runs govulncheck, and says so when its database cannot be
// reached: that is no finding.
func vulnerabilities() error {
	out, err := output("go", append([]string{"tool", "govulncheck"}, packages()...)...)
	if err == nil {
		fmt.Println("govulncheck: no known vulnerability is called")
		return nil
	}
	if strings.Contains(out, "Vulnerability #") {
		fmt.Println(out)
		return errors.New("govulncheck found something")
	}
	fmt.Println("govulncheck: its database did not answer, so nothing was checked")
	return nil
}

// layer gives fettle's packages from the top down. A package may import only
// what stands on a lower line than itself, and what lies below itself.
var layer = [][]string{
	{"docgen"},
	{"cli", "mcp"},
	{"launch", "verb"},
	{"ops"},
	{"screen", "credential", "task", "render"},
	{"document", "archive", "image"},
	{"change", "scan", "walk", "recall"},
	{"match", "glob"},
	{"text", "boundary"},
	{"term", "sibling", "checkout", "parallel"},
}

// Layers checks that imports in fettle point down only, that no module
// imports another program's, and that shared stays small.
func Layers() error {
	rank := map[string]int{}
	for i, names := range layer {
		for _, n := range names {
			rank[n] = i
		}
	}
	out, err := output("go", "list", "-f", `{{.ImportPath}} {{join .Imports ","}}`, "fettler/fettle/...", "fettler/fettle-setup/...", "fettler/fettle-doctor/...", "fettler/burler-bridge/...", "fettler/shared/...")
	if err != nil {
		return err
	}
	var bad []string
	for line := range strings.Lines(out) {
		from, list, _ := strings.Cut(strings.TrimSpace(line), " ")
		for to := range strings.SplitSeq(list, ",") {
			if why := upward(rank, from, to); why != "" {
				bad = append(bad, from+" imports "+to+": "+why)
			}
		}
	}
	if len(bad) > 0 {
		return errors.New(strings.Join(bad, "\n"))
	}
	return nil
}

func upward(rank map[string]int, from, to string) string {
	module := func(p string) string { m, _, _ := strings.Cut(strings.TrimPrefix(p, "fettler/"), "/"); return m }
	if !strings.HasPrefix(to, "fettler/") {
		if module(from) == "shared" && strings.Contains(to, ".") && !strings.HasPrefix(to, "github.com/tailscale/hujson") && !strings.HasPrefix(to, "golang.org/x/text") && !strings.HasPrefix(to, "github.com/pelletier/go-toml") {
			return "shared uses the standard library and the configuration parsers only"
		}
		return ""
	}
	if module(from) != module(to) && module(to) != "shared" {
		return "no module imports another program's"
	}
	const inside = "fettler/fettle/internal/"
	f, okFrom := strings.CutPrefix(from, inside)
	t, okTo := strings.CutPrefix(to, inside)
	if !okFrom || !okTo {
		return ""
	}
	f, _, _ = strings.Cut(f, "/")
	t, _, _ = strings.Cut(t, "/")
	rf, known := rank[f]
	rt, knownTo := rank[t]
	switch {
	case f == t:
		return ""
	case !known:
		return f + " has no place in the layers"
	case !knownTo:
		return t + " has no place in the layers"
	case rt <= rf:
		return "arrows point down"
	}
	return ""
}
