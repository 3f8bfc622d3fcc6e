package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fettler/fettle/internal/launch"
	"fettler/fettle/internal/verb"
	"fettler/shared/config"
)

// start makes a server on a fresh folder that holds files, which a client has greeted.
func start(t testing.TB, files map[string]string) (*Server, string) {
	t.Helper()
	base := t.TempDir()
	dir := filepath.Join(base, "project")
	for name, content := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := config.Env{GOOS: "linux", Home: filepath.Join(base, "home"), Temp: filepath.Join(base, "tmp"), Getenv: func(string) string { return "" }}
	l, err := launch.New(launch.Options{Dir: dir, Env: env, Server: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	s := New(l)
	s.greeted = true
	return s, dir
}

// reply is one line the server wrote.
type reply struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// exchange sends the input whole and gives every line of the output.
func exchange(t testing.TB, s *Server, input string) []reply {
	t.Helper()
	var out bytes.Buffer
	if err := s.Serve(context.Background(), strings.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	var rs []reply
	for line := range strings.Lines(out.String()) {
		var r reply
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("a line of the output is no JSON: %q", line)
		}
		rs = append(rs, r)
	}
	return rs
}

func byID(rs []reply, id string) *reply {
	for i := range rs {
		if string(rs[i].ID) == id {
			return &rs[i]
		}
	}
	return nil
}

func call(id, tool, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", id, tool, args)
}

// text is the JSON document that a tool answered.
func text(t testing.TB, r *reply) map[string]any {
	t.Helper()
	if r == nil || r.Error != nil {
		t.Fatalf("no result: %+v", r)
	}
	var c struct {
		Content []struct{ Type, Text string }
	}
	if err := json.Unmarshal(r.Result, &c); err != nil || len(c.Content) == 0 {
		t.Fatalf("no content in %s", r.Result)
	}
	var doc map[string]any
	if err := json.Unmarshal([]byte(c.Content[0].Text), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"

// K97: what is not a message is answered with the protocol's code, and the loop goes on.
func TestLoopSurvives(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		code int
	}{
		"not JSON":        {`{"jsonrpc":`, -32700},
		"not UTF-8":       {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", -32700},
		"a batch":         {`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, -32600},
		"a null id":       {`{"jsonrpc":"2.0","id":null,"method":"tools/call"}`, -32600},
		"an object id":    {`{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600},
		"no version":      {`{"id":1,"method":"ping"}`, -32600},
		"no method":       {`{"jsonrpc":"2.0","id":1}`, -32600},
		"unknown method":  {`{"jsonrpc":"2.0","id":1,"method":"no/such"}`, -32601},
		"unknown tool":    {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"setup"}}`, -32602},
		"no params":       {`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, -32602},
		"a number":        {`7`, -32700},
		"a deep bomb":     {strings.Repeat("[", 100000), -32600},
		"a deep argument": {`{"jsonrpc":"2.0","id":1,"method":"x","params":` + strings.Repeat("[", 20000), -32700},
		"a long line":     {`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", maxLine) + `"}`, -32600},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := start(t, nil)
			rs := exchange(t, s, c.line+"\n"+`{"jsonrpc":"2.0","id":"after","method":"ping"}`)
			if len(rs) != 2 || rs[0].Error == nil || rs[0].Error.Code != c.code {
				t.Fatalf("%d replies, the first %+v %+v; want code %d", len(rs), rs[0], rs[0].Error, c.code)
			}
			if after := byID(rs, `"after"`); after == nil || after.Error != nil {
				t.Error("the loop did not go on")
			}
		})
	}
}

// K97: before it is greeted a server answers a ping and nothing else.
func TestInitializeFirst(t *testing.T) {
	s, _ := start(t, map[string]string{"a.txt": "x"})
	s.greeted = false
	ping := `{"jsonrpc":"2.0","id":7,"method":"ping"}` + "\n"
	early := call("1", "read", `{"paths":["a.txt"]}`) + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n" + ping
	early += `{"jsonrpc":"2.0","method":"initialize","params":{}}` + "\n" + `{"jsonrpc":"2.0","id":8,"method":"initialize","params":{"protocolVersion":7}}` + "\n" +
		`{"jsonrpc":"2.0","id":9,"method":"tools/list"}` + "\n" // neither a notification nor a wrong one is a greeting
	rs := exchange(t, s, early+hello+call("3", "read", `{"paths":["a.txt"]}`))
	for _, id := range []string{"1", "2", "9"} {
		if r := byID(rs, id); r == nil || r.Error == nil || r.Error.Code != -32600 || r.Error.Message != "the first request is initialize" {
			t.Errorf("request %s: %+v", id, r)
		}
	}
	if r := byID(rs, "7"); r == nil || r.Error != nil {
		t.Errorf("ping: %+v", r)
	}
	if doc := text(t, byID(rs, "3")); doc["ok"] != true {
		t.Error(doc)
	}
}

// Ids come back as they were sent, past what a float64 holds; a byte-order
// mark, CRLF and a last line without a newline are taken.
func TestLoopReads(t *testing.T) {
	s, _ := start(t, map[string]string{"a.txt": "x\n"})
	in := "\xef\xbb\xbf" + strings.ReplaceAll(hello, "\n", "\r\n") + "\r\n" +
		`{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}` + "\r\n" +
		call(`"é"`, "read", `{"paths":["a.txt"]}`) + `{"jsonrpc":"2.0","id":1.50,"method":"ping"}`
	rs := exchange(t, s, in)
	for _, id := range []string{"0", "12345678901234567890", `"é"`, "1.50"} {
		if r := byID(rs, id); r == nil || r.Error != nil {
			t.Errorf("no reply under id %s", id)
		}
	}
	if len(rs) != 4 {
		t.Errorf("%d replies, want 4", len(rs))
	}
}

// Every call that was sent is answered, also when the input ends at once.
func TestNoReplyIsLost(t *testing.T) {
	s, _ := start(t, map[string]string{"a.txt": "x\n"})
	var in strings.Builder
	in.WriteString(hello)
	for i := 1; i <= 200; i++ {
		in.WriteString(call(fmt.Sprint(i), "read", `{"paths":["a.txt"]}`))
	}
	rs := exchange(t, s, in.String())
	if len(rs) != 201 {
		t.Fatalf("%d replies, want 201", len(rs))
	}
	for i := 1; i <= 200; i++ {
		if text(t, byID(rs, fmt.Sprint(i)))["ok"] != true {
			t.Fatalf("call %d was not ok", i)
		}
	}
}

// The boundary is the files as they are at the call, and a broken one refuses.
func TestConfigurationIsReadAgain(t *testing.T) {
	s, dir := start(t, map[string]string{"a.txt": "x\n", "secret/b.txt": "y\n"})
	ask := func(path string) map[string]any {
		return text(t, byID(exchange(t, s, call("1", "read", fmt.Sprintf(`{"paths":[%q]}`, path))), "1"))
	}
	if d := ask("secret/b.txt"); d["ok"] != true {
		t.Fatal(d)
	}
	file := filepath.Join(dir, ".fettler.json")
	put := func(content string) {
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(`{"guardrails":{"trees":{"work":{"path":".","scopes":{"secret":{"can":[]}}}}}}`)
	if d := ask("secret/b.txt"); d["outcome"] != "outside-root" {
		t.Errorf("a file written between calls does not bind: %v", d)
	}
	put(`{"guardrails":`)
	if d := ask("a.txt"); d["outcome"] != "invalid" {
		t.Errorf("a broken file does not refuse: %v", d)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if d := ask("secret/b.txt"); d["ok"] == true {
		t.Errorf("a file that vanished widened the boundary: %v", d)
	}
}

// No tool offers what would widen the boundary, and every tool has all hints.
func TestTools(t *testing.T) {
	for _, v := range verb.All() {
		if v.Name == "setup" && v.Model {
			t.Error("setup is a tool")
		}
		var schema struct {
			Properties           map[string]json.RawMessage
			AdditionalProperties *bool
		}
		if err := json.Unmarshal(v.Schema(), &schema); err != nil {
			t.Fatal(v.Name, err)
		}
		if schema.AdditionalProperties == nil || *schema.AdditionalProperties {
			t.Errorf("%s takes arguments that are not declared", v.Name)
		}
		for name, p := range schema.Properties {
			if strings.Contains(name, "root") || strings.Contains(name, "config") || strings.Contains(name, "credential") {
				t.Errorf("%s offers %s", v.Name, name)
			}
			if strings.Contains(string(p), "anyOf") || strings.Contains(string(p), "oneOf") {
				t.Errorf("%s: %s may be one of two types", v.Name, name)
			}
		}
	}
	names := map[string]bool{}
	for _, st := range tools(true) {
		a := st.Tool.Annotations
		if a.Title == "" || a.ReadOnlyHint == nil || a.DestructiveHint == nil || a.IdempotentHint == nil || a.OpenWorldHint == nil {
			t.Errorf("%s lacks a hint or a title", st.Tool.Name)
		}
		names[st.Tool.Name] = true
	}
	if names["setup"] || names["serve"] || !names["read"] {
		t.Errorf("the wrong tools are offered: %v", names)
	}
}

// A client that cancels gets no answer to that call, and the server goes on.
func TestCancel(t *testing.T) {
	s, _ := start(t, map[string]string{"a.txt": "x\n"})
	// A turn that is held keeps the call waiting, so that it can be cancelled.
	wait, done := s.turns.ask(verb.Exclusive)
	if err := wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- s.Serve(context.Background(), inR, outW); outW.Close() }()
	go func() {
		io.WriteString(inW, call("1", "read", `{"paths":["a.txt"]}`))
		io.WriteString(inW, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`+"\n")
		io.WriteString(inW, `{"jsonrpc":"2.0","id":2,"method":"ping"}`+"\n")
		inW.Close()
	}()
	var ids []string
	sc := bufio.NewScanner(outR)
	for sc.Scan() {
		var r reply
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, string(r.ID))
	}
	done()
	if err := <-served; err != nil {
		t.Fatal(err)
	}
	if len(ids) != 1 || ids[0] != "2" {
		t.Errorf("answered %v, want only 2", ids)
	}
}

// A call whose turn has not come when the server ends was cancelled; that is no
// fault. A task that got no place takes none away.
func TestEndBeforeTheTurn(t *testing.T) {
	s, _ := start(t, map[string]string{"a.txt": "x"})
	_, done := s.turns.ask(verb.Exclusive)
	defer done()
	in, feed := io.Pipe()
	defer feed.Close()
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		io.WriteString(feed, hello+call("1", "write", `{"path":"b.txt","text":"x"}`))
		io.WriteString(feed, "\n") // read when the call has been queued
		cancel()
	}()
	var out bytes.Buffer
	_ = s.Serve(ctx, in, &out)
	if got := out.String(); !strings.Contains(got, `the call was cancelled`) || strings.Contains(got, `"error"`) {
		t.Errorf("the answer is %s", got)
	}

	tasks := newTurns()
	for range atOnce {
		wait, _ := tasks.ask(verb.Free)
		if err := wait(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	wait, done := tasks.ask(verb.Free)
	if err := wait(ctx); err == nil {
		t.Fatal("more tasks at once than there may be")
	}
	done()
	if len(tasks.tasks) != atOnce {
		t.Errorf("%d tasks hold a place of %d", len(tasks.tasks), atOnce)
	}
}

// Turns come in the order of arrival: reads together, a change alone.
func TestTurns(t *testing.T) {
	q := newTurns()
	var mu sync.Mutex
	var log []string
	note := func(s string) { mu.Lock(); log = append(log, s); mu.Unlock() }
	var wg sync.WaitGroup
	release := make(chan struct{})
	run := func(name string, l verb.Lock, hold chan struct{}) {
		wait, done := q.ask(l)
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer done()
			if wait(context.Background()) != nil {
				return
			}
			note(name)
			if hold != nil {
				<-hold
			}
			note("-" + name)
		}()
	}
	run("r1", verb.Shared, release)
	run("w1", verb.Exclusive, nil)
	run("r2", verb.Shared, nil)
	run("t", verb.Free, nil)
	waitFor(t, func() bool { mu.Lock(); defer mu.Unlock(); return len(log) == 3 }) // r1, t, -t
	close(release)
	wg.Wait()
	got := strings.Join(log, " ")
	if !strings.HasSuffix(got, "-r1 w1 -w1 r2 -r2") {
		t.Errorf("turns came as %s", got)
	}
}

func waitFor(t *testing.T, cond func() bool) {
	t.Helper()
	for range 2000 {
		if cond() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("waited in vain")
}

// A client that stops reading does not keep the server from ending.
func TestClientStopsReading(t *testing.T) {
	s, _ := start(t, map[string]string{"a.txt": strings.Repeat("x\n", 1000)})
	inR, inW := io.Pipe()
	_, outW := io.Pipe() // nobody reads
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, inR, outW) }()
	go func() {
		for i := range 50 {
			io.WriteString(inW, call(fmt.Sprint(i), "read", `{"paths":["a.txt"]}`))
		}
	}()
	time.Sleep(50 * time.Millisecond)
	cancel()
	select {
	case <-served:
	case <-time.After(10 * time.Second):
		t.Fatal("the server did not end")
	}
	inR.Close()
	outW.Close()
}

func FuzzLoop(f *testing.F) {
	f.Add(hello)
	f.Add(call("1", "read", `{"paths":["a.txt"]}`))
	f.Add("\xef\xbb\xbf{}\r\n\r\n[]\nnull")
	f.Add(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	f.Fuzz(func(t *testing.T, input string) {
		s, _ := start(t, map[string]string{"a.txt": "x\n"})
		exchange(t, s, input)
	})
}

// What is listed follows the configuration also where the call is refused,
// since a tree that it declares cannot be opened.
func TestListFollowsARefusedCall(t *testing.T) {
	s, dir := start(t, map[string]string{
		"mine/a": "", "other/a": "",
		".mcp.json": `{"mcpServers":{"lib":{"command":"x","args":["--root","other"]}}}`,
	})
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"roots","arguments":{}}}` + "\n"
	if got := exchange(t, s, call); len(got) != 1 {
		t.Fatalf("%d lines: %v", len(got), got)
	}
	if err := os.WriteFile(filepath.Join(dir, ".fettler.json"), []byte(`{"guardrails":{"trees":{"lib":{"path":"mine"}}}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	got := exchange(t, s, call)
	if len(got) != 2 || got[0].Method != "notifications/tools/list_changed" || !bytes.Contains(got[1].Result, []byte(`"isError":true`)) {
		t.Fatalf("%v", got)
	}
}
