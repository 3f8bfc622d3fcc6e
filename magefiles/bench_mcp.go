//go:build mage

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// served is a running `fettle serve` that a benchmark calls tools of, one call
// or several at a time, from one goroutine.
type served struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	next int
	got  time.Time // when the last answer was there, not yet taken apart
}

// serve starts a server in dir and greets it. The folder is a tree of its own:
// neither the project's configuration nor a home's is looked for.
func serve(bin, dir string, flags ...string) (*served, error) {
	cmd := exec.Command(filepath.Join(bin, "fettle"), append([]string{"serve", "--root", "work=" + dir}, flags...)...)
	cmd.Dir = dir
	return greet(cmd)
}

// greet starts any server.
func greet(cmd *exec.Cmd) (*served, error) {
	s := &served{cmd: cmd}
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReaderSize(out, 1<<20)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	err = s.send("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "bench", "version": "1"}})
	if err == nil {
		_, err = s.answer()
	}
	if err == nil {
		_, err = io.WriteString(s.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *served) close() {
	s.in.Close()
	_ = s.cmd.Wait()
}

func (s *served) send(method string, params any) error {
	s.next++
	b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": s.next, "method": method, "params": params})
	if err != nil {
		return err
	}
	_, err = s.in.Write(append(b, '\n'))
	return err
}

// answer reads the next answer, whichever call it is of.
func (s *served) answer() (json.RawMessage, error) {
	for {
		line, err := s.out.ReadBytes('\n')
		s.got = time.Now()
		if err != nil {
			return nil, err
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal(line, &m); err != nil {
			return nil, err
		}
		switch {
		case len(m.ID) == 0 || m.Method != "": // a notification, or a question of the server's
		case len(m.Error) > 0:
			return nil, fmt.Errorf("the server answered %s", m.Error)
		default:
			return m.Result, nil
		}
	}
}

// call calls a tool n times at once and gives the text of the last answer.
func (s *served) call(n int, tool string, arguments any) ([]byte, error) {
	for range n {
		if err := s.send("tools/call", map[string]any{"name": tool, "arguments": arguments}); err != nil {
			return nil, err
		}
	}
	var text []byte
	for range n {
		raw, err := s.answer()
		if err != nil {
			return nil, err
		}
		var r struct {
			IsError bool `json:"isError"`
			Content []struct {
				Text string `json:"text"`
			} `json:"content"`
		}
		if err := json.Unmarshal(raw, &r); err != nil {
			return nil, err
		}
		if len(r.Content) != 1 || r.IsError {
			return nil, errors.New("the tool refused: " + string(raw[:min(len(raw), 300)]))
		}
		text = []byte(r.Content[0].Text)
	}
	return text, nil
}

// restKB is what the server and the processes below it hold now, where the
// system tells it.
func (s *served) restKB() int64 {
	var sum int64
	var add func(pid string)
	add = func(pid string) {
		status, _ := os.ReadFile("/proc/" + pid + "/status")
		for line := range strings.Lines(string(status)) {
			if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
				n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
				sum += n
			}
		}
		tasks, _ := filepath.Glob("/proc/" + pid + "/task/*/children")
		for _, t := range tasks {
			kids, _ := os.ReadFile(t)
			for _, k := range strings.Fields(string(kids)) {
				add(k)
			}
		}
	}
	add(strconv.Itoa(s.cmd.Process.Pid))
	return sum
}
