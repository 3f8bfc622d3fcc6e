//go:build mage

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// serverResults compare the MCP server with the reference filesystem server,
// both driven by the benchmark client that lies beside the project.
func serverResults(bin, work string) []result {
	client, err := filepath.Abs("../shared/tools/mcp-bench.mjs")
	if err == nil {
		_, err = os.Stat(client)
	}
	if err != nil {
		return []result{{pair: pair{name: "the server"}, why: "the benchmark client is not beside the project"}}
	}
	dir := filepath.Join(work, "server")
	if err := os.MkdirAll(filepath.Join(dir, "many"), 0o755); err != nil {
		return []result{{pair: pair{name: "the server"}, why: err.Error()}}
	}
	os.WriteFile(filepath.Join(dir, "ten.txt"), bytes.Repeat([]byte("a line of text, 32 bytes long..\n"), 320), 0o644)
	for i := range 10_000 {
		sub := filepath.Join(dir, "many", fmt.Sprint(i%100))
		os.MkdirAll(sub, 0o755)
		os.WriteFile(filepath.Join(sub, fmt.Sprintf("file-%d.txt", i)), []byte("x\n"), 0o644)
	}
	reference, err := referenceServer(work)
	if err != nil {
		return []result{{pair: pair{name: "the server"}, why: "the reference server could not be had: " + err.Error()}}
	}
	drive := func(cmd []string, tool, args string, n int) (bench, error) {
		words := append([]string{client, "--json", "--list", "--n", fmt.Sprint(n), "--tool", tool, "--args", args, "--"}, cmd...)
		c := exec.Command("node", words...)
		c.Dir = dir
		out, err := c.Output()
		if err != nil {
			return bench{}, err
		}
		var b bench
		return b, json.Unmarshal(out[bytes.IndexByte(out, '{'):], &b.raw)
	}
	ours := []string{filepath.Join(bin, "fettle"), "serve"}
	peer := []string{"node", reference, dir}
	var rs []result
	for _, c := range []struct {
		name, tool, args, peerTool, peerArgs, field string
		n                                           int
		bound                                       float64
	}{
		{"server: spawn to initialize", "read", `{"paths":["ten.txt"]}`, "read_text_file", `{"path":"ten.txt"}`, "start", 20, 0.1},
		{"server: read of 10 KB, p50", "read", `{"paths":["ten.txt"]}`, "read_text_file", `{"path":"ten.txt"}`, "p50", 400, 0.25},
		{"server: names over 10,000 files", "find", `{"pattern":"**/*-77*.txt"}`, "search_files", `{"path":".","pattern":"**/*-77*.txt"}`, "p50", 12, 0.1},
		{"server: memory at rest", "read", `{"paths":["ten.txt"]}`, "read_text_file", `{"path":"ten.txt"}`, "rss", 20, 0.4},
	} {
		r := result{pair: pair{name: c.name, bound: c.bound, peer: []string{"server-filesystem"}}}
		a, errA := drive(ours, c.tool, c.args, c.n)
		b, errB := drive(peer, c.peerTool, c.peerArgs, c.n)
		switch {
		case errA != nil:
			r.why = errA.Error()
		case errB != nil:
			r.why = errB.Error()
		default:
			x, y := a.value(c.field), b.value(c.field)
			if x <= 0 || y <= 0 {
				r.why = "the client gave no figure for " + c.field
			} else {
				r.ratio, r.low, r.high = x/y, x/y, x/y
			}
		}
		rs = append(rs, r)
	}
	return rs
}

// bench is the client's report, whose field names are looked up loosely.
type bench struct{ raw map[string]any }

func (b bench) value(field string) float64 {
	key := map[string]string{"start": "startup_ms_p50", "p50": "us_p50", "rss": "rss_idle_kib"}[field]
	f, _ := b.raw[key].(float64)
	if n, _ := b.raw["errors"].(float64); n > 0 {
		return 0
	}
	return f
}

// referenceServer installs the npm package into the benchmark's own folder.
func referenceServer(work string) (string, error) {
	dir := filepath.Join(work, "npm")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	cmd := exec.Command("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", dir, "@modelcontextprotocol/server-filesystem")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, bytes.TrimSpace(out))
	}
	return filepath.Join(dir, "node_modules", "@modelcontextprotocol", "server-filesystem", "dist", "index.js"), nil
}
