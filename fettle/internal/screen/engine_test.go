package screen

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"fettler/shared/config"
)

// bridge makes this test program a burler-bridge of that name in a folder of its own.
func bridge(t *testing.T, name string) string {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(t.TempDir(), name)
	if os.Link(own, path) != nil {
		raw, err := os.ReadFile(own)
		if err == nil {
			err = os.WriteFile(path, raw, 0o700)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func judges(t *testing.T, program func() (string, error), models string, want config.Categories) ([]Judged, string) {
	t.Helper()
	h := newHost(program, times{look: 2 * time.Second})
	return h.With(models).Judges(context.Background(), want)
}

func TestJudges(t *testing.T) {
	dir := directory(t, "", "clinical")
	program := bridge(t, "engine of steam")
	got, engine := judges(t, func() (string, error) { return program, nil }, dir, config.All)
	want := []Judged{{"identifiers", "six patterns inside fettle", true}, {"clinical", "org/name @ abc", true},
		{"legal", "no model installed - reads here will refuse", false}, {"scientific", "no model installed - reads here will refuse", false}}
	if !slices.Equal(got, want) || engine != "engine of steam" {
		t.Errorf("%+v on %q, want %+v", got, engine, want)
	}
	if n := noted(t, dir, "starts"); n > 0 {
		t.Error("saying what judges started the models")
	}
	never := func() (string, error) { t.Error("burler-bridge was looked for"); return "", nil }
	if got, engine := judges(t, never, "", config.Legal); engine != "" || got[0].By != `no "models" directory is named, so clinical, legal, scientific screen nothing here` {
		t.Error(got, engine)
	}
	judges(t, never, dir, config.Identifiers|config.Legal) // which has no model
}

// A program that cannot judge is not said to.
func TestJudgesOfABridgeThatFails(t *testing.T) {
	dir := directory(t, "", "clinical")
	for name, want := range map[string]struct {
		by, engine string
	}{
		"die":   {"org/name @ abc - burler-bridge would not start, so reads here will refuse", ""},
		"hang":  {"org/name @ abc - burler-bridge did not answer within 2 seconds, so reads here will refuse", ""},
		"mute":  {"org/name @ abc", "unknown, burler-bridge does not name it"},
		"flood": {"org/name @ abc", "unknown, burler-bridge does not name it"},
	} {
		program := bridge(t, name)
		got, engine := judges(t, func() (string, error) { return program, nil }, dir, config.Clinical)
		if got[0].By != want.by || got[0].OK != (want.engine != "") || engine != want.engine {
			t.Errorf("%s: %+v on %q", name, got, engine)
		}
	}
	missing := func() (string, error) { return "", errors.New("burler-bridge is not beside fettle") }
	if got, _ := judges(t, missing, dir, config.Clinical); got[0].OK || got[0].By != "org/name @ abc - burler-bridge is not beside fettle, so reads here will refuse" {
		t.Error(got)
	}
}

// The program is asked once, and again when it or a library beside it changes.
func TestTheEngineIsAskedOnce(t *testing.T) {
	program := bridge(t, "a")
	h := newHost(func() (string, error) { return program, nil }, brisk)
	ask := func(want string) {
		t.Helper()
		if name, err := h.engine(context.Background()); err != nil || name != want {
			t.Errorf("%q %v, want %q", name, err, want)
		}
	}
	ask("a")
	h.asked.name = "remembered"
	ask("remembered")
	put(t, filepath.Join(filepath.Dir(program), "libonnxruntime.so"), "x")
	ask("a")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	h.asked.key = ""
	if _, err := h.engine(ctx); !errors.Is(err, errCancelled) {
		t.Error(err)
	}
	ask("a") // the cancelled call is not remembered
}
