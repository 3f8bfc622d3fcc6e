package probe

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test's own program be the server.
func TestMain(m *testing.M) {
	if mode := os.Getenv("PROBE_SERVER"); mode != "" {
		serve(mode)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func serve(mode string) {
	in := bufio.NewScanner(os.Stdin)
	switch mode {
	case "silent":
		time.Sleep(time.Minute)
	case "noise":
		fmt.Println("Welcome!")
		return
	case "complains":
		fmt.Fprintln(os.Stderr, "no such file\nand more")
		return
	}
	for in.Scan() {
		switch line := in.Text(); {
		case strings.Contains(line, `"initialize"`) && mode == "error":
			fmt.Println(`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`)
		case strings.Contains(line, `"initialize"`):
			fmt.Println(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"fettle","version":"1"}}}`)
		case strings.Contains(line, `"tools/list"`) && mode == "none":
			fmt.Println(`{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}`)
		case strings.Contains(line, `"tools/list"`):
			fmt.Println(`{"jsonrpc":"2.0","method":"notifications/message"}`)
			fmt.Println(`{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"read"},{"name":"find"}]}}`)
		}
	}
	if mode == "lingers" {
		time.Sleep(time.Minute)
	}
}

func TestStart(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		mode, says string
		tools      int
	}{
		{"good", "", 2},
		{"lingers", "", 2},
		{"none", "it listed no tools", 0},
		{"error", "it answered with an error", 0},
		{"noise", "something on its output that is no message", 0},
		{"complains", "ended before it listed its tools. It said: no such file", 0},
	} {
		t.Setenv("PROBE_SERVER", c.mode)
		n, err := Start(context.Background(), t.TempDir(), exe, []string{"serve"})
		if n != c.tools || (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %d %v", c.mode, n, err)
		}
	}
	// One that says nothing is given up.
	t.Setenv("PROBE_SERVER", "silent")
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	if _, err := Start(ctx, t.TempDir(), exe, []string{"serve"}); err == nil {
		t.Error("a silent server was taken for a good one")
	}
	if _, err := Start(context.Background(), t.TempDir(), exe+"-nothing", nil); err == nil {
		t.Error("nothing was started")
	}
}
