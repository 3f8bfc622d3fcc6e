package conformance

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"fettler/fettle/internal/document"
)

const child = "FETTLER_CONFORMANCE_CHILD"

// Measured is what rendering a document took in a process of its own.
type Measured struct {
	Lines, Bytes int
	Error        string
	Reason       document.Reason
	PeakMB       int // resident memory at its highest; 0 where the system does not tell
	Took         time.Duration
}

// Main is a TestMain for a package that calls Measure. In the child that
// Measure starts it renders what stands on its input and ends.
func Main(m *testing.M, render document.Render) {
	if os.Getenv(child) == "" {
		os.Exit(m.Run())
	}
	stat, err := os.Stdin.Stat()
	if err != nil {
		panic(err)
	}
	var out counter
	begin := time.Now()
	err = document.Guard(context.Background(), render, document.Source{ReaderAt: os.Stdin, Size: stat.Size()}, &out)
	res := Measured{Lines: out.lines, Bytes: out.bytes, Took: time.Since(begin), PeakMB: peak()}
	if err != nil {
		res.Error = err.Error()
	}
	if e, ok := err.(*document.Error); ok {
		res.Reason = e.Reason
	}
	if err := json.NewEncoder(os.Stdout).Encode(res); err != nil {
		panic(err)
	}
}

// counter is a sink that keeps nothing, within the bound of a rendering.
type counter struct{ lines, bytes int }

func (c *counter) Mark(string) error { return nil }
func (c *counter) Note(string) error { return nil }
func (c *counter) Engine(string)     {}
func (c *counter) Line(s string) error {
	if c.lines >= document.MaxLines || c.bytes+len(s) > document.DefaultBytes {
		return document.ErrFull
	}
	c.lines++
	c.bytes += len(s)
	return nil
}

// peak is the most memory this process had, in MB.
func peak() int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for s := bufio.NewScanner(bytes.NewReader(status)); s.Scan(); {
		var kb int
		if n, _ := fmt.Sscanf(s.Text(), "VmHWM: %d kB", &kb); n == 1 {
			return kb / 1024
		}
	}
	return 0
}

// Measure renders a file in a process of its own, which the package's
// TestMain must have given to Main.
func Measure(t testing.TB, file *os.File) Measured {
	t.Helper()
	if _, err := file.Seek(0, 0); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), child+"=1")
	cmd.Stdin = file
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the child that renders: %v\n%.2000s", err, stderr.String())
	}
	var m Measured
	if err := json.Unmarshal(out, &m); err != nil {
		t.Fatal(err)
	}
	return m
}
