package strain

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"fettler/testdata/client"
	"fettler/testdata/laid"
)

// count is a number from the environment, or else what a short run takes.
func count(variable string, short int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	return short
}

// A server that answered many calls of every kind is no larger and holds no
// more files open than one that answered a quarter of them. FETTLER_CALLS sets
// the calls.
func TestSoak(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/proc is Linux's")
	}
	files := map[string]string{"a.zip": laid.Zip(t, map[string]string{"member.txt": "member\n"}), "n.ipynb": `{"cells":[{"cell_type":"code","metadata":{},"outputs":[],"source":["x = 1\n"]}],"metadata":{},"nbformat":4,"nbformat_minor":5}`}
	for i := range 50 {
		files[fmt.Sprintf("d%d/f%d.txt", i%5, i)] = strings.Repeat("a line of text\n", 100)
	}
	dir := project(t, files)
	s := client.Start(t, bin, dir)
	calls := []struct {
		verb, outcome string
		args          arguments
	}{
		{"find", "ok", arguments{"pattern": "**/*.txt"}}, {"search", "ok", arguments{"patterns": []string{"of t[aeiou]xt"}}}, {"read", "ok", arguments{"paths": []string{"d1/f1.txt", "d2/f2.txt"}}},
		{"read", "ok", arguments{"paths": []string{"n.ipynb"}}}, {"read", "ok", arguments{"paths": []string{"a.zip"}}}, {"write", "ok", arguments{"path": "made.txt", "text": "one two\n", "overwrite": true}},
		{"edit", "ok", arguments{"path": "made.txt", "script": arguments{"edits": []any{arguments{"replace": "two", "with": "three"}}}}}, {"replace", "ok", arguments{"find": "three", "with": "four", "glob": "made.txt"}},
		{"copy", "ok", arguments{"from": "d1", "to": "copied", "recursive": true}}, {"move", "ok", arguments{"from": "copied", "to": "moved"}}, {"delete", "ok", arguments{"path": "moved", "recursive": true}},
		{"extract", "ok", arguments{"archive": "a.zip", "into": "out", "overwrite": true}}, {"roots", "ok", arguments{}}, {"tasks", "ok", arguments{}}, {"read", "outside-root", arguments{"paths": []string{"../x"}}},
		{"read", "not-found", arguments{"paths": []string{"absent"}}}, {"write", "governed", arguments{"path": ".mcp.json", "text": "{}"}}, {"frob", "error", arguments{}}, {"read", "invalid", arguments{"frob": 1}},
		{"batch", "ok", arguments{"script": arguments{"operations": []any{arguments{"op": "new", "path": "b.txt"}, arguments{"op": "delete", "path": "b.txt"}}}}},
	}
	n := count("FETTLER_CALLS", 2000)
	var quarter [2]int
	for i := range n {
		c := calls[i%len(calls)]
		if r := s.Call(c.verb, c.args); r.Outcome != c.outcome {
			t.Fatalf("call %d, %s %v: %s %s, want %s", i, c.verb, c.args, r.Text, r.Message, c.outcome)
		}
		if i == n/4 {
			quarter = usage(t, s.Cmd.Process.Pid)
		}
	}
	end := usage(t, s.Cmd.Process.Pid)
	t.Logf("after %d calls %d kB and %d open files, after %d calls %d kB and %d", n/4, quarter[0], quarter[1], n, end[0], end[1])
	if end[0] > quarter[0]+quarter[0]/4+8<<10 {
		t.Errorf("memory grew from %d to %d kB", quarter[0], end[0])
	}
	if end[1] > quarter[1]+3 {
		t.Errorf("open files grew from %d to %d", quarter[1], end[1])
	}
}

// usage is the resident memory in kB and the number of open files of a process.
func usage(t *testing.T, pid int) (out [2]int) {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if v, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			out[0], _ = strconv.Atoi(strings.Fields(v)[0])
		}
	}
	fds, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		t.Fatal(err)
	}
	out[1] = len(fds)
	return out
}
