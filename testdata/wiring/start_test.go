package wiring

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fettler/shared/clients"
	"fettler/shared/config"
	"fettler/shared/jsonedit"
)

// What setup writes for each client starts a server, as that client would start
// it: the words of its own file, its own folder, and nothing else.
func TestRegistrationsStart(t *testing.T) {
	for _, c := range clients.All() {
		for _, reach := range []clients.Reach{clients.Global, clients.Repo} {
			if reach == clients.Repo && !c.Project {
				continue
			}
			m := newMachine(t)
			m.write(filepath.Join(m.project, config.ProjectName), `{"guardrails": {"trees": {"work": {"path": "."}}}}`)
			flag := map[clients.Reach]string{clients.Global: "--global", clients.Repo: "--local"}[reach]
			out := m.run(filepath.Join(bin, "fettle-setup"), "tools", c.Name, flag, "--json")
			if !strings.Contains(out, `"applied":true`) {
				t.Fatalf("%s %s: %s", c.Name, flag, out)
			}
			s := m.registration(c.Name, reach)
			dir := m.project
			if c.Elsewhere {
				dir = m.home
			}
			if tools := m.tools(dir, s); !strings.Contains(tools, " read ") || !strings.Contains(tools, " find ") || strings.Contains(tools, "setup") {
				t.Errorf("%s %s: %+v lists %s", c.Name, flag, s, tools)
			}
		}
	}
}

// registration reads fettler's entry out of what setup wrote.
func (m *machine) registration(client string, reach clients.Reach) clients.Server {
	m.t.Helper()
	for _, p := range clients.Of(m.places, client, reach, clients.Register) {
		raw, err := os.ReadFile(p.Path)
		if err != nil {
			continue
		}
		if p.Syntax == clients.TOML { // the two values are JSON's as well
			entry := map[string]string{}
			for _, line := range strings.Split(string(raw), "\n") {
				if k, v, ok := strings.Cut(line, " = "); ok {
					entry[k] = v
				}
			}
			raw = []byte(`{"` + p.Shape.Key + `":{"fettler":{"command":` + entry["command"] + `,"args":` + entry["args"] + `}}}`)
		}
		doc, err := jsonedit.Parse(raw, true)
		if err != nil {
			m.t.Fatal(err)
		}
		for _, s := range clients.Servers(p.Shape, doc) {
			if s.Name == clients.ServerName {
				return s
			}
		}
	}
	m.t.Fatalf("%s has no registration", client)
	return clients.Server{}
}

// tools starts a server and gives the names it lists, with a space around each.
func (m *machine) tools(dir string, s clients.Server) string {
	m.t.Helper()
	cmd := exec.Command(s.Command, s.Args...)
	cmd.Dir, cmd.Env = dir, m.vars()
	in, err := cmd.StdinPipe()
	if err != nil {
		m.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		m.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"roots","arguments":{}}}
`)
	names := " "
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var a struct {
			ID     int `json:"id"`
			Result struct {
				IsError bool `json:"isError"`
				Tools   []struct {
					Name string `json:"name"`
				} `json:"tools"`
			} `json:"result"`
		}
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			m.t.Fatalf("%s: %v", lines.Text(), err)
		}
		for _, tool := range a.Result.Tools {
			names += tool.Name + " "
		}
		if a.ID == 3 {
			if a.Result.IsError {
				m.t.Errorf("%v: roots answers %s", s, lines.Text())
			}
			break
		}
	}
	return names
}
