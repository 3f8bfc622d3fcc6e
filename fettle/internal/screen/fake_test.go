package screen

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fettler/shared/wire"
)

// TestMain makes this test program the sidecar too: started as burler-bridge
// is, it fails in the way that the file "mode" of its models directory says.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "--models" {
		fake(os.Args[2])
		return
	}
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		os.Exit(version(strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")))
	}
	os.Exit(m.Run())
}

// version answers as a program of that name.
func version(name string) int {
	if entries, _ := os.ReadDir("."); len(entries) > 0 || len(os.Environ()) > envFloor {
		return 1
	}
	switch name {
	case "hang":
		time.Sleep(time.Hour)
	case "die":
		return 3
	case "mute":
	case "flood":
		fmt.Println(strings.Repeat("x", 100<<10))
		fmt.Println("backend: out of sight")
	default:
		fmt.Println("burler-bridge 1.2.3\nbackend: " + name)
	}
	return 0
}

// fake answers lines from standard input. It counts its starts and questions
// in files beside the models, so that a test can see what was really asked.
func fake(models string) {
	raw, _ := os.ReadFile(filepath.Join(models, "mode"))
	mode := string(raw)
	note(models, "starts")
	if entries, _ := os.ReadDir("."); len(entries) > 0 || len(os.Environ()) > envFloor {
		note(models, "notempty")
	}
	if mode == "exit-at-start" {
		os.Exit(2)
	}
	in := bufio.NewReader(os.Stdin)
	for n := 1; ; n++ {
		text, err := in.ReadString('\n')
		if err != nil {
			return
		}
		note(models, "questions")
		var q wire.ScreenRequest
		_ = json.Unmarshal([]byte(text), &q)
		fmt.Fprintln(os.Stderr, q.Payload) // never to be seen
		switch mode {
		case "hang":
			time.Sleep(time.Hour)
		case "slow":
			time.Sleep(300 * time.Millisecond)
			fmt.Println(`{"ok":true,"findings":[]}`)
		case "die":
			os.Exit(3)
		case "crash":
			panic(q.Payload)
		case "die-second":
			if n == 2 {
				os.Exit(3)
			}
			fmt.Println(`{"ok":true,"findings":[]}`)
		case "hang-second":
			if n == 2 {
				time.Sleep(time.Hour)
			}
			fmt.Println(`{"ok":true,"findings":[]}`)
		case "half-a-line":
			fmt.Print(`{"ok":true,"findings":[]}`)
			return
		case "not-json":
			fmt.Println(q.Payload)
		case "no-findings":
			fmt.Println(`{"ok":true}`)
		case "wrong-category":
			fmt.Println(`{"ok":true,"findings":[{"category":"scientific","count":1}]}`)
		case "error":
			fmt.Println(`{"ok":false,"error":"the model went away"}`)
		case "echo":
			_ = json.NewEncoder(os.Stdout).Encode(wire.ScreenAnswer{Error: "cannot judge " + strings.ToUpper(q.Payload)})
		case "flood":
			for range 100 {
				fmt.Print(strings.Repeat(q.Payload+" ", 1<<20/(len(q.Payload)+1)))
			}
			fmt.Println()
		case "twice":
			fmt.Println(`{"ok":true,"findings":[]}`)
			fmt.Println(`{"ok":true,"findings":[]}`)
		case "found":
			fmt.Printf(`{"ok":true,"findings":[{"category":%q,"count":2,"spans":[[0,4],[5,9]]}]}`+"\n", q.Categories[0])
		default:
			fmt.Println(`{"ok":true,"findings":[]}`)
		}
	}
}

func note(models, name string) {
	f, err := os.OpenFile(filepath.Join(models, name), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, _ = f.WriteString("x")
		_ = f.Close()
	}
}

func noted(t *testing.T, models, name string) int {
	t.Helper()
	raw, _ := os.ReadFile(filepath.Join(models, name))
	return len(raw)
}
