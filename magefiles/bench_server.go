//go:build mage

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// serverResults compare the MCP server with the reference filesystem server
// from npm, with ripgrep, and with itself one call after another.
func serverResults(bin, work string) []result {
	if !wanted("server") {
		return nil
	}
	dir := filepath.Join(work, "server")
	if err := serverFiles(dir); err != nil {
		return []result{{pair: pair{name: "the server"}, why: err.Error()}}
	}
	ours := func() (*served, error) { return serve(bin, dir) }
	rs := referenceResults(ours, dir, work)
	return append(rs, repeatedSearch(bin), atOnce(ours))
}

// serverFiles makes a file of 10 KB, 10,000 files in folders of 100, and one
// of 4 MB.
func serverFiles(dir string) error {
	if err := os.MkdirAll(filepath.Join(dir, "big"), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "ten.txt"), bytes.Repeat([]byte("a line of text, 32 bytes long..\n"), 320), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "big", "big.txt"), bytes.Repeat([]byte("a line of text with wordsthatarelong in it, and nothing to find\n"), 64<<10), 0o644); err != nil {
		return err
	}
	for i := range 10_000 {
		sub := filepath.Join(dir, "many", fmt.Sprint(i%100))
		if err := os.MkdirAll(sub, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(sub, fmt.Sprintf("file-%d.txt", i)), []byte("x\n"), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// referenceResults are the rows whose peer is the reference server.
func referenceResults(ours func() (*served, error), dir, work string) []result {
	reference, version, err := referenceServer(work)
	if err != nil {
		return []result{{pair: pair{name: "server: to the reference filesystem server"}, why: "the reference server could not be had: " + err.Error()}}
	}
	peer := func() (*served, error) { return greet(exec.Command("node", reference, dir)) }
	named := []string{"server-filesystem " + version}
	rs := []result{alternate(pair{name: "server: spawn to initialize", bound: 0.1, peer: named}, started(ours), started(peer))}
	a, err := ours()
	if err != nil {
		return append(rs, result{pair: pair{name: "server: calls"}, why: err.Error()})
	}
	defer a.close()
	b, err := peer()
	if err != nil {
		return append(rs, result{pair: pair{name: "server: calls"}, why: err.Error()})
	}
	defer b.close()
	ten := filepath.Join(dir, "ten.txt")
	rs = append(rs, alternate(pair{name: "server: read of 10 KB, p50 of 40", bound: 0.25, peer: named},
		median(a, 40, "read", map[string]any{"paths": []string{"ten.txt"}}), median(b, 40, "read_text_file", map[string]any{"path": ten})))
	rest := result{pair: pair{name: "server: memory at rest, after 640 reads", bound: 0.4, peer: named}, oursKB: a.restKB(), peerKB: b.restKB()}
	if rest.oursKB == 0 || rest.peerKB == 0 {
		rest.why = "this system does not say what a process holds"
	} else {
		rest.ratio = float64(rest.oursKB) / float64(rest.peerKB)
		rest.low, rest.high = rest.ratio, rest.ratio
	}
	names := pair{name: "server: names over 10,000 files", bound: 0.1, peer: named}
	find, search := map[string]any{"pattern": "**/*-77*.txt"}, map[string]any{"path": dir, "pattern": "**/*-77*.txt"}
	if err := sameNames(a, b, find, search); err != nil {
		return append(rs, rest, result{pair: names, why: err.Error()})
	}
	return append(rs, rest, alternate(names, median(a, 1, "find", find), median(b, 1, "search_files", search)))
}

// sameNames compares how many files both servers name.
func sameNames(a, b *served, find, search any) error {
	x, err := a.call(1, "find", find)
	if err != nil {
		return err
	}
	y, err := b.call(1, "search_files", search)
	if err != nil {
		return err
	}
	var found struct {
		Count int `json:"count"`
	}
	if err := json.Unmarshal(x, &found); err != nil {
		return err
	}
	if n := len(strings.Fields(string(y))); n != found.Count || n == 0 {
		return fmt.Errorf("the answers differ: %d files and %d", found.Count, n)
	}
	return nil
}

// repeatedSearch is a literal search that a warm server was asked before,
// beside ripgrep, which starts anew.
func repeatedSearch(bin string) result {
	r := result{pair: pair{name: "server: a literal search asked before, counted, Go's sources", bound: 0.3, peer: []string{"rg"}}}
	fail := func(err error) result { r.why = err.Error(); return r }
	src, err := goSources()
	if err != nil {
		return fail(err)
	}
	s, err := serve(bin, src)
	if err != nil {
		return fail(err)
	}
	defer s.close()
	args := map[string]any{"patterns": []string{"unmarshal"}, "literal": true, "case_sensitive": true, "count": true, "include_generated": true, "no_documents": true}
	rg := []string{"rg", "-uu", "-c", "--sort=none", "-j" + strconv.Itoa(runtime.NumCPU()), "-F", "unmarshal", "."}
	text, err := s.call(1, "search", args)
	if err != nil {
		return fail(err)
	}
	o, err := timed(src, rg)
	if err != nil {
		return fail(err)
	}
	if err := sameHits(text, o.out); err != nil {
		return fail(fmt.Errorf("the answers differ: %w", err))
	}
	return alternate(r.pair, median(s, 1, "search", args), command(src, rg))
}

// atOnce is 50 calls sent together, to the same 50 one after another: each is
// work for one core.
func atOnce(ours func() (*served, error)) result {
	p := pair{name: "server: 50 calls at once, to one after another", peer: []string{"itself"}}
	// Half of what is between no gain and a gain of every core.
	p.bound = (1 + 1/float64(min(runtime.NumCPU(), 8))) / 2
	s, err := ours()
	if err != nil {
		return result{pair: p, why: err.Error()}
	}
	defer s.close()
	args := map[string]any{"patterns": []string{`[a-z]{12,}\d`}, "glob": "big/*", "case_sensitive": true, "count": true}
	calls := func(at int) side {
		return func() (time.Duration, error) {
			start := time.Now()
			for range 50 / at {
				if _, err := s.call(at, "search", args); err != nil {
					return 0, err
				}
			}
			return time.Since(start), nil
		}
	}
	return alternate(p, calls(50), calls(1))
}

// started times a server's start until it has answered the greeting.
func started(start func() (*served, error)) side {
	return func() (time.Duration, error) {
		begun := time.Now()
		s, err := start()
		if err != nil {
			return 0, err
		}
		took := time.Since(begun)
		s.close()
		return took, nil
	}
}

// median times n calls and gives the one in the middle.
func median(s *served, n int, tool string, args any) side {
	return func() (time.Duration, error) {
		var took []time.Duration
		for range n {
			start := time.Now()
			if _, err := s.call(1, tool, args); err != nil {
				return 0, err
			}
			took = append(took, s.got.Sub(start))
		}
		slices.Sort(took)
		return took[n/2], nil
	}
}

// alternate runs both once to warm up, and then by turns.
func alternate(p pair, ours, peer side) result {
	r := result{pair: p}
	if !wanted(p.name) {
		r.why = leftOut
		return r
	}
	r.byTurns(1, ours, peer)
	return r
}

// referenceServer installs the npm package into the benchmark's own folder.
func referenceServer(work string) (path, version string, err error) {
	dir := filepath.Join(work, "npm")
	if err := npmInstall(dir, "@modelcontextprotocol/server-filesystem"); err != nil {
		return "", "", err
	}
	top := filepath.Join(dir, "node_modules", "@modelcontextprotocol", "server-filesystem")
	var about struct {
		Version string `json:"version"`
	}
	if b, err := os.ReadFile(filepath.Join(top, "package.json")); err == nil {
		_ = json.Unmarshal(b, &about)
	}
	return filepath.Join(top, "dist", "index.js"), about.Version, nil
}
