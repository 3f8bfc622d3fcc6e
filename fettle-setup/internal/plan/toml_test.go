package plan

import (
	"testing"

	"fettler/shared/clients"
	"fettler/shared/jsonedit"
	"fettler/shared/tomldoc"
)

// Whatever a TOML file holds, what is added is there and nothing else reads otherwise.
func FuzzTOML(f *testing.F) {
	for _, s := range []string{"", "a = 1", "[mcp_servers.x]\ncommand = 'y'\r\n", "[mcp_servers]\nfettler = 1", "mcp_servers = {}", "[[a]]\nb=1\n", "\"mcp_servers\".fettler.command = 'x'",
		"[mcp_servers.fettler]\ncommand = 'x'\nargs = []\n", "[mcp_servers.fettler.env]\nA='b'\n", "x = \"\"\"\n[mcp_servers.fettler]\ncommand = 1\nargs = 2\n\"\"\"\n"} {
		f.Add(s, false)
		f.Add(s, true)
	}
	place := clients.Place{Path: "config.toml", Syntax: clients.TOML, Shape: clients.Shape{Key: "mcp_servers"}}
	f.Fuzz(func(t *testing.T, in string, force bool) {
		p := &planner{Request: Request{Force: force}, command: command{word: "fettle"}}
		splices, err := p.registerTOML(place, []byte(in), []string{"serve"})
		if err != nil || len(splices) == 0 {
			return
		}
		out := jsonedit.Apply([]byte(in), splices)
		doc, err := tomldoc.Parse(out)
		if err != nil {
			t.Fatalf("%q became %q: %v", in, out, err)
		}
		servers, _ := doc["mcp_servers"].(map[string]any)
		if entry, _ := servers["fettler"].(map[string]any); entry["command"] != "fettle" {
			t.Fatalf("%q became %q", in, out)
		}
		if !force && !subsequence(in, string(out)) {
			t.Fatalf("%q became %q", in, out)
		}
		if again, err := p.registerTOML(place, out, []string{"serve"}); err != nil || len(again) != 0 {
			t.Fatalf("%q: a second run makes %v %v", in, again, err)
		}
	})
}
