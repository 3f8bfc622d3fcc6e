// Package probe starts fettle as a client would and asks it for its tools.
//
// Start is all of it. The caller has made sure that the command is this
// installation's own fettle: nothing else is ever started. What the server says
// is bounded in time and in size.
package probe

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Timeout is how long the server has for both answers.
const Timeout = 3 * time.Second

const requests = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"fettle-doctor","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
`

// Start gives the number of tools that command lists, started in dir.
func Start(ctx context.Context, dir, command string, args []string) (tools int, err error) {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, command, args...)
	cmd.Dir = dir
	cmd.WaitDelay = 200 * time.Millisecond
	said := &tail{}
	cmd.Stderr = said
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, errors.New("it does not start")
	}
	tools, err = converse(in, out)
	in.Close()
	if err == nil {
		// A server ends with its input; one that does not is ended.
		time.AfterFunc(200*time.Millisecond, cancel)
	} else {
		cancel()
	}
	io.Copy(io.Discard, io.LimitReader(out, 1<<20))
	cmd.Wait()
	switch {
	case err == nil:
		return tools, nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		err = fmt.Errorf("it did not list its tools within %v", Timeout)
	}
	if s := said.String(); s != "" {
		err = fmt.Errorf("%w. It said: %s", err, s)
	}
	return 0, err
}

func converse(in io.Writer, out io.Reader) (int, error) {
	go io.WriteString(in, requests) // a server that reads nothing must not hold this up
	lines := bufio.NewScanner(io.LimitReader(out, 8<<20))
	lines.Buffer(nil, 4<<20)
	greeted := false
	for lines.Scan() {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Result struct {
				ServerInfo *struct{}         `json:"serverInfo"`
				Tools      []json.RawMessage `json:"tools"`
			} `json:"result"`
			Error *struct{} `json:"error"`
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			return 0, errors.New("it put something on its output that is no message")
		}
		switch id := string(m.ID); {
		case (id == "1" || id == "2") && m.Error != nil:
			return 0, errors.New("it answered with an error")
		case id == "1":
			greeted = m.Result.ServerInfo != nil
		case id == "2" && greeted && len(m.Result.Tools) > 0:
			return len(m.Result.Tools), nil
		case id == "2":
			return 0, errors.New("it listed no tools")
		}
	}
	return 0, errors.New("it ended before it listed its tools")
}

// tail keeps the first line of what a program complains about.
type tail struct {
	mu sync.Mutex
	b  []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if room := 400 - len(t.b); room > 0 {
		t.b = append(t.b, p[:min(room, len(p))]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	line, _, _ := strings.Cut(strings.TrimSpace(string(t.b)), "\n")
	return strings.ToValidUTF8(strings.TrimSpace(line), "?")
}
