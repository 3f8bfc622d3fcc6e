// Package network watches the programs' system calls while every verb is used:
// none of them makes a socket or sets up a ring that could. It needs strace.
package network

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"fettler/testdata/client"
	"fettler/testdata/laid"
	"fettler/testdata/programs"
)

var bin string

func TestMain(m *testing.M) {
	if os.Getenv("FETTLER_TEST_DIAL") != "" {
		if c, err := net.Dial("tcp", "127.0.0.1:1"); err == nil { // nobody listens: that it asks is enough
			c.Close()
		}
		os.Exit(0)
	}
	os.Exit(programs.Main(m, &bin))
}

// watched are the calls that reach a network, or could without being seen, and
// the one that shows which programs ran.
const watched = "trace=%network,io_uring_setup,execve"

var (
	reaches = regexp.MustCompile(`(?m)^\d+ +(?:socket|socketpair|connect|bind|listen|accept4?|sendto|sendmsg|sendmmsg|recvfrom|recvmsg|io_uring_setup)\(.*$`)
	started = regexp.MustCompile(`(?m)^\d+ +execve\("([^"]+)"`)
)

// project is a folder with something for every verb.
func project(t *testing.T) string {
	t.Helper()
	base := laid.Base(t)
	dir := filepath.Join(base, "project")
	made, err := exec.Command("go", "run", "fettler/burler-bridge/internal/testmodel/maketiny", filepath.Join(base, "models", "clinical")).CombinedOutput()
	if err != nil {
		t.Fatalf("%s%v", made, err)
	}
	laid.Files(t, dir, map[string]string{
		".fettler.json": `{"guardrails":{"trees":{"work":{"path":".","can":["list","read","create","update","rename","delete","execute"],"scopes":{"ward":{}}}},"tasks":{"true":{"run":"true"}}},
			"screenings":{"models":"../models","screen":{"work/ward":["clinical"]}}}`,
		"a.txt": "hello\n", "ward/w.txt": "patient\n", "a.zip": laid.Zip(t, map[string]string{"m.txt": "member"}),
		"a.docx": laid.Zip(t, map[string]string{
			"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
			"_rels/.rels":         `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
			"word/document.xml":   `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Words.</w:t></w:r></w:p></w:body></w:document>`,
		}),
		"a.pdf": "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj\ntrailer<</Root 1 0 R>>\n",
	})
	return dir
}

// session uses every verb once; the first word is the outcome that is wanted.
var session = []string{
	`ok find {"pattern":"**"}`, `ok search {"patterns":["h.llo"]}`, `ok read {"paths":["a.txt"]}`, `ok read {"paths":["a.docx"]}`, ` read {"paths":["a.pdf"]}`, `ok read {"paths":["a.zip"]}`, ` read {"paths":["ward/w.txt"]}`,
	`ok write {"path":"b.txt","text":"x\n"}`, `ok edit {"path":"b.txt","script":{"edits":[{"replace":"x","with":"y"}]}}`, `ok replace {"find":"y","with":"z","glob":"b.txt"}`, `ok new {"path":"n"}`, `ok mkdir {"path":"d"}`,
	`ok copy {"from":"a.txt","to":"d/c.txt"}`, `ok move {"from":"d","to":"e"}`, `ok exec {"path":"b.txt","executable":true}`, `ok delete {"path":"e","recursive":true}`, `ok extract {"archive":"a.zip","into":"out"}`,
	`ok batch {"script":{"operations":[{"op":"new","path":"bb"}]}}`, `ok roots {}`, `ok tasks {}`, `ok run {"name":"true"}`, ` doctor {}`,
}

// talk gives a program lines and takes as many back before its input ends: a
// server gives what still runs then a few seconds only, and one that is watched
// is slow.
func talk(t *testing.T, cmd *exec.Cmd, input string) string {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(2*time.Minute, func() { in.Close() })
	defer late.Stop()
	if _, err := io.WriteString(in, input); err != nil {
		t.Error(err)
	}
	var said strings.Builder
	lines := bufio.NewReader(out)
	for want := strings.Count(input, "\n"); ; want-- {
		if want == 0 {
			in.Close()
		}
		line, err := lines.ReadString('\n')
		said.WriteString(line)
		if err != nil {
			break
		}
	}
	_ = cmd.Wait() // fettle doctor says by its code what it found
	return said.String()
}

func TestNoProgramUsesTheNetwork(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not here to watch with")
	}
	watch := func(env []string, dir, input string, words ...string) (trace, out string) {
		t.Helper()
		log := filepath.Join(t.TempDir(), "trace")
		cmd := exec.Command(strace, append([]string{"-f", "-qq", "-s", "256", "-e", watched, "-o", log}, words...)...)
		cmd.Env, cmd.Dir = env, dir
		said := talk(t, cmd, input)
		raw, err := os.ReadFile(log)
		if err != nil || len(raw) == 0 {
			t.Skipf("strace may not watch here: %v", err)
		}
		return string(raw), said
	}
	// That it would be seen.
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if trace, _ := watch(append(os.Environ(), "FETTLER_TEST_DIAL=1"), ".", "", self); !reaches.MatchString(trace) {
		t.Fatalf("a program that asks for a connection is not noticed:\n%s", trace)
	}

	dir := project(t)
	env := append(client.Env(filepath.Dir(dir)), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	var input strings.Builder
	fmt.Fprintln(&input, `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	for i, s := range session {
		f := strings.SplitN(s, " ", 3)
		fmt.Fprintf(&input, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", i, f[1], f[2])
	}
	ran := map[string]bool{}
	for _, c := range []struct {
		input string
		words []string
	}{
		{"", []string{"fettle-setup", "guardrails", "claude-code", "--local", "--hooks"}}, {"", []string{"fettle", "setup", "tools", "vscode-copilot"}},
		{input.String(), []string{"fettle", "serve"}}, {"", []string{"fettle", "doctor"}}, {"", []string{"fettle-doctor", "--hook"}}, {"", []string{"fettle", "read", "ward/w.txt", "a.docx"}},
	} {
		trace, out := watch(env, dir, c.input, append([]string{filepath.Join(bin, c.words[0])}, c.words[1:]...)...)
		for _, line := range reaches.FindAllString(trace, -1) {
			t.Errorf("%v: %s", c.words, line)
		}
		for _, m := range started.FindAllStringSubmatch(trace, -1) {
			if filepath.Dir(m[1]) == bin { // these are there, so starting them works
				ran[filepath.Base(m[1])] = true
			}
		}
		if c.input == "" {
			continue
		}
		for i, s := range session {
			outcome, verb, _ := strings.Cut(s, " ")
			if outcome != "" && !regexp.MustCompile(fmt.Sprintf(`"id":%d,.*\\"outcome\\":\\"%s\\"`, i, outcome)).MatchString(out) {
				t.Errorf("%s did not answer %s:\n%s", verb, outcome, out)
			}
		}
	}
	for _, program := range []string{"fettle", "fettle-mcp", "fettle-reader", "fettle-setup", "fettle-doctor", "burler-bridge"} {
		if !ran[program] {
			t.Errorf("%s did not run, so this shows nothing of it", program)
		}
	}
}
