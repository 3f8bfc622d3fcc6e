package render

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/document"
	"fettler/fettle/internal/render/worker"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// The test's own program is the worker, with engines that misbehave.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "be-a-worker" {
		missing = worker.Confine()
		if err := worker.Serve(os.Stdin, os.Stdout, engines); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var missing []string

var engines = worker.Engines{
	"echo": func(_ context.Context, src document.Source, out document.Sink) error {
		b, err := io.ReadAll(io.NewSectionReader(src, 0, src.Size))
		if err != nil {
			return err
		}
		out.Engine("echo")
		out.Mark("page 1")
		out.Note("a note")
		return out.Line(string(b))
	},
	"pid": func(_ context.Context, _ document.Source, out document.Sink) error {
		return out.Line(fmt.Sprint(os.Getpid()))
	},
	"surroundings": func(_ context.Context, _ document.Source, out document.Sink) error {
		wd, _ := os.Getwd()
		return out.Line(fmt.Sprintf("%q in %d files", os.Environ(), entries(wd)))
	},
	"reach": func(_ context.Context, _ document.Source, out document.Sink) error {
		_, err := os.ReadFile("/etc/passwd")
		_, err2 := net.DialTimeout("tcp", "127.0.0.1:1", time.Second)
		return out.Line(fmt.Sprintf("%v, %v, missing %q", err, err2, missing))
	},
	"hang": func(context.Context, document.Source, document.Sink) error { select {} },
	"slow": func(ctx context.Context, _ document.Source, _ document.Sink) error { <-ctx.Done(); return ctx.Err() },
	"panic": func(context.Context, document.Source, document.Sink) error {
		panic("a library gave up")
	},
	"die": func(context.Context, document.Source, document.Sink) error {
		go panic("in a goroutine of a library")
		select {}
	},
	"eat": func(context.Context, document.Source, document.Sink) error {
		var all [][]byte
		for {
			b := make([]byte, 16<<20)
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
			all = append(all, b)
			runtime.KeepAlive(all)
		}
	},
	"gulp": func(_ context.Context, src document.Source, _ document.Sink) error {
		b := make([]byte, 1<<40+src.Size)
		return fmt.Errorf("%d", len(b))
	},
	"flood": func(_ context.Context, _ document.Source, out document.Sink) error {
		for {
			if err := out.Line("again"); err != nil {
				return err
			}
		}
	},
	"password": func(context.Context, document.Source, document.Sink) error {
		return document.Errorf(document.Password, "it needs a password")
	},
	"nonsense": func(context.Context, document.Source, document.Sink) error {
		os.Stdout.WriteString("hello")
		select {}
	},
	"dirty": func(_ context.Context, _ document.Source, out document.Sink) error {
		out.Line("a\nb\r\nc\xff\x00")
		return out.Line(strings.Repeat("é", maxLine))
	},
}

func entries(dir string) int {
	all, _ := os.ReadDir(dir)
	return len(all)
}

func pool(t *testing.T, o Options) *Pool {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Program = func() (string, []string, error) { return exe, []string{"be-a-worker"}, nil }
	p := New(o)
	t.Cleanup(p.Close)
	return p
}

func lines(t *testing.T, p *Pool, kind document.Kind, body string, screen config.Categories) []string {
	t.Helper()
	r, err := p.RenderBytes(context.Background(), []byte(body), kind, screen)
	if err != nil {
		t.Fatal(err)
	}
	return r.Lines
}

func TestRender(t *testing.T) {
	p := pool(t, Options{})
	r, err := p.RenderBytes(context.Background(), []byte("héllo"), "echo", 0)
	if err != nil {
		t.Fatal(err)
	}
	if r.Kind != "echo" || r.Served != "echo" || !slices.Equal(r.Lines, []string{"héllo"}) || r.Cite(1) != "page 1" || len(r.Notes) != 1 {
		t.Errorf("%+v", r)
	}
	if got := lines(t, p, "surroundings", "", 0)[0]; got != `[] in 0 files` && runtime.GOOS != "windows" {
		t.Error(got)
	}
	got := lines(t, p, "dirty", "", 0)
	if got[0] != "a b c\ufffd" || len(got[1]) != maxLine {
		t.Errorf("%q, %d bytes", got[0], len(got[1]))
	}
	if r, err := p.RenderBytes(context.Background(), nil, "flood", 0); err != nil || !r.Cut || len(r.Lines) != document.MaxLines {
		t.Error(err)
	}
}

func TestWorkersAreKeptAndNotShared(t *testing.T) {
	p := pool(t, Options{Workers: 2})
	a := lines(t, p, "pid", "", 0)[0]
	if b := lines(t, p, "pid", "", 0)[0]; b != a {
		t.Error("a second document got another worker")
	}
	// Security rule 11.
	c := lines(t, p, "pid", "", config.Clinical)[0]
	if c == a {
		t.Error("a screened place shares a worker with one that is not")
	}
	if b := lines(t, p, "pid", "", 0)[0]; b != a {
		t.Error("the first worker was ended without need")
	}
	d := lines(t, p, "pid", "", config.Legal)[0]
	if d == a || d == c {
		t.Error("shared")
	}
	if n := len(p.idle); n > 2 {
		t.Errorf("%d workers with room for 2", n)
	}
}

func TestIdleWorkersEnd(t *testing.T) {
	p := pool(t, Options{Idle: time.Millisecond})
	a := lines(t, p, "pid", "", 0)[0]
	for range 500 {
		p.mu.Lock()
		n := len(p.idle)
		p.mu.Unlock()
		if n == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if b := lines(t, p, "pid", "", 0)[0]; b == a {
		t.Error("an idle worker was not ended")
	}
}

// Whatever a document does to its worker, the next one is served.
func TestMisbehaviour(t *testing.T) {
	for kind, want := range map[document.Kind]struct {
		reason document.Reason
		words  string
	}{
		"hang":     {document.TooLarge, "longer than 300ms"},
		"slow":     {document.TooLarge, "longer than 300ms"},
		"panic":    {document.Damaged, "gave up"},
		"die":      {document.Damaged, "died"},
		"eat":      {document.TooLarge, "memory"},
		"gulp":     {document.Damaged, ""},
		"nonsense": {document.Damaged, "nonsense"},
		"password": {document.Password, "needs a password"},
		"unknown":  {document.Unsupported, "no engine"},
	} {
		t.Run(string(kind), func(t *testing.T) {
			o := Options{Time: 300 * time.Millisecond}
			if kind == "eat" {
				o.Time, o.Memory = 20*time.Second, 256<<20
			}
			p := pool(t, o)
			_, err := p.RenderBytes(context.Background(), []byte("x"), kind, 0)
			var d *document.Error
			if !errors.As(err, &d) || d.Reason != want.reason || !strings.Contains(d.Message, want.words) {
				t.Errorf("%v", err)
			}
			if got := lines(t, p, "echo", "still here", 0); got[0] != "still here" {
				t.Error(got)
			}
		})
	}
}

func TestCancelKills(t *testing.T) {
	p := pool(t, Options{})
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(200*time.Millisecond, cancel)
	if _, err := p.RenderBytes(ctx, nil, "hang", 0); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if got := lines(t, p, "echo", "next", 0); got[0] != "next" {
		t.Error(got)
	}
}

func TestManyAtOnce(t *testing.T) {
	p := pool(t, Options{Workers: 2})
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			body := strings.Repeat(fmt.Sprint(i), 100_000)
			r, err := p.RenderBytes(context.Background(), []byte(body), "echo", config.Categories(i%2))
			if err != nil || r.Lines[0] != body {
				t.Errorf("%d: %v", i, err)
			}
		})
	}
	wg.Wait()
}

func TestConfined(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("landlock is Linux's")
	}
	p := pool(t, Options{})
	got := lines(t, p, "reach", "", 0)[0]
	if strings.Contains(got, "no landlock") {
		t.Skipf("this kernel has no landlock: %s", got)
	}
	if strings.Count(got, "permission denied") != 2 || !strings.Contains(got, "missing []") {
		t.Error(got)
	}
}

func TestNoReader(t *testing.T) {
	p := New(Options{})
	_, err := p.RenderBytes(context.Background(), nil, document.PDF, 0)
	if o := outcome.Of(err); o.Kind != outcome.Refused || !strings.Contains(o.Message, "fettle-reader is not beside fettle") {
		t.Error(err)
	}
}

func TestCacheOnIdentityLengthAndTime(t *testing.T) {
	const still = 20 * time.Millisecond
	p := pool(t, Options{Still: still})
	dir := t.TempDir()
	old := time.Now().Add(-time.Hour)
	write := func(name, body string, at time.Time) {
		full := filepath.Join(dir, name)
		if err := os.WriteFile(full, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		os.Chtimes(full, at, at)
		time.Sleep(2 * still)
	}
	// again gives which rendering a file is answered with.
	again := func(name string) string {
		b, err := boundary.New(boundary.Options{Trees: []boundary.Spec{{Name: "work", Path: dir, Can: config.Look}}})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		place, err := b.Locate(name, config.Read, "")
		if err != nil {
			t.Fatal(err)
		}
		f, err := place.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r, err := p.Render(context.Background(), f, place.Info, "echo", 0)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%p", r)
	}
	// ask writes a file before.
	ask := func(name, body string, at time.Time) string {
		write(name, body, at)
		return again(name)
	}
	first := ask("d", "one", old)
	if again("d") != first {
		t.Error("the same file was rendered again")
	}
	if runtime.GOOS != "windows" && ask("d", "two", old) == first {
		t.Error("a file of the same length whose time was put back was answered from memory")
	}
	if ask("d", "two", old.Add(time.Second)) == first {
		t.Error("a file with another time was answered from memory")
	}
	if ask("d", "three", old) == first {
		t.Error("a file with another length was answered from memory")
	}
	if ask("e", "one", old) == first {
		t.Error("another file was answered from memory")
	}
	now := time.Now().Add(time.Hour)
	if ask("d", "new", now) == again("d") {
		t.Error("a file that is still being written was remembered")
	}
}

func TestCacheBound(t *testing.T) {
	c := cache{limit: 10_000}
	for i := range 100 {
		c.put(key{size: int64(i)}, &document.Rendering{Lines: []string{strings.Repeat("x", 1000)}})
	}
	if c.used > c.limit || c.order.Len() > 10 || c.get(key{size: 99}) == nil || c.get(key{size: 0}) != nil {
		t.Errorf("%d bytes, %d renderings", c.used, c.order.Len())
	}
	c.put(key{size: -1}, &document.Rendering{Lines: []string{strings.Repeat("x", 9000)}})
	if c.get(key{size: -1}) != nil || c.get(key{size: 99}) == nil {
		t.Error("one rendering took the whole cache")
	}
}
