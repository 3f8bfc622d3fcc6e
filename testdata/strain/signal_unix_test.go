//go:build unix

package strain

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fettler/testdata/client"
)

// A client that stops reading, while more is answered than a pipe holds, can
// still end the server: by a signal and by ending the input.
func TestClientStopsReading(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*exec.Cmd, io.Closer){
		"told to end": func(cmd *exec.Cmd, _ io.Closer) { _ = cmd.Process.Signal(syscall.SIGTERM) },
		"input ends":  func(_ *exec.Cmd, in io.Closer) { _ = in.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := project(t, map[string]string{"big.txt": strings.Repeat("a line of text\n", 2000)})
			cmd := exec.Command(filepath.Join(bin, "fettle"), "serve")
			cmd.Dir, cmd.Env = dir, client.Env(filepath.Dir(dir))
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, unread, err := os.Pipe() // stays open and is hardly read
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			cmd.Stdout = unread
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			unread.Close()
			if _, err := io.WriteString(in, hello); err != nil {
				t.Fatal(err)
			}
			if _, err := out.Read(make([]byte, 1)); err != nil { // it has started, and this is all that is read
				t.Fatal(err)
			}
			sent := make(chan struct{})
			go func() {
				defer close(sent)
				for i := range 200 {
					_, err := fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"read","arguments":{"paths":["big.txt"]}}}`+"\n", i+1)
					if err != nil {
						return
					}
				}
			}()
			select {
			case <-sent:
			case <-time.After(time.Second): // the server reads no more either
			}
			end(cmd, in)
			err = wait(cmd)
			if err != nil && strings.Contains(err.Error(), "hangs") {
				t.Error(err)
			}
		})
	}
}

// A signal in the middle of many changes: each is whole or was not made, and
// those that were made come before those that were not.
func TestToldToEndWhileWriting(t *testing.T) {
	t.Parallel()
	for round := range 4 {
		dir := project(t, nil)
		s := client.Start(t, bin, dir)
		text := strings.Repeat(fmt.Sprintf("round %d\n", round), 20_000)
		const n = 40
		for i := range n {
			s.Send("write", arguments{"path": fmt.Sprintf("f%02d.txt", i), "text": text})
		}
		time.Sleep(time.Duration(round) * 15 * time.Millisecond)
		_ = s.Cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-s.Ended:
		case <-time.After(patience):
			_ = s.Cmd.Process.Kill()
			t.Fatal("the server hangs")
		}
		next(t, dir)
		made := 0
		for i := range n {
			got, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("f%02d.txt", i)))
			if err == nil && string(got) != text {
				t.Fatalf("f%02d.txt is torn", i)
			}
			if err == nil {
				if made != i {
					t.Errorf("f%02d.txt was made although one before it was not", i)
				}
				made++
			}
		}
		t.Logf("%d of %d were made", made, n)
	}
}
