// Package races swaps folders and files of a tree for links that lead out of
// it, over and over, while a running server works on the very paths. Nothing
// of the outside may be read, written or listed. FETTLER_SWAPS sets the swaps
// for each verb.
package races

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fettler/testdata/client"
	"fettler/testdata/laid"
	"fettler/testdata/programs"
)

var bin string

func TestMain(m *testing.M) { os.Exit(programs.Main(m, &bin)) }

// secret is in every file outside, and in the name of one.
const secret = "OUTSIDE-CONTENT"

func swaps() int64 {
	n, err := strconv.ParseInt(os.Getenv("FETTLER_SWAPS"), 10, 64)
	if err != nil {
		return 200
	}
	return n
}

// world is a tree with a folder `sub` and a file `one.txt` that are swapped,
// and an outside that has the same names.
type world struct {
	t              *testing.T
	base, app, out string
	sub            *os.Root // the real folder, wherever it is at the moment
	made           int
	before         string
}

func build(t *testing.T) *world {
	base := laid.Base(t)
	w := &world{t: t, base: base, app: filepath.Join(base, "app"), out: filepath.Join(base, "out")}
	laid.Files(t, base, map[string]string{
		"app/.fettler.json": `{"guardrails":{"trees":{"work":{"path":"."}}}}`,
		"app/a.zip":         laid.Zip(t, map[string]string{"member.txt": "inside\n"}),
		"app/sub/a.txt":     "inside\n", "app/sub/deep/b.txt": "inside\n", "app/sub/a.zip": laid.Zip(t, map[string]string{"member.txt": "inside\n"}), "app/one.txt": "inside\n",
		"out/a.txt": secret, "out/deep/b.txt": secret, "out/victim.txt": secret, "out/" + secret: secret, "out/deep/" + secret: secret,
		"out/a.zip": laid.Zip(t, map[string]string{secret: secret}),
	})
	for name, target := range map[string]string{"spare-sub": "../out", "spare-one": "../out/a.txt"} {
		if err := os.Symlink(target, filepath.Join(w.app, name)); err != nil {
			t.Skip("no links here:", err)
		}
	}
	var err error
	if w.sub, err = os.OpenRoot(filepath.Join(w.app, "sub")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.sub.Close() })
	w.before = w.picture()
	return w
}

// picture is every byte, mode and time outside.
func (w *world) picture() string {
	var sb strings.Builder
	err := filepath.WalkDir(w.out, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&sb, "%s %s %d ", p, info.Mode(), info.ModTime().UnixNano())
		if d.Type().IsRegular() {
			b, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			fmt.Fprintf(&sb, "%q", b)
		}
		sb.WriteByte('\n')
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return sb.String()
}

// swap exchanges the two pairs until it is told to stop, and puts them back.
func (w *world) swap(stop *atomic.Bool, count *atomic.Int64, done chan<- error) {
	in := func(n string) string { return filepath.Join(w.app, n) }
	steps := [][2]string{
		{"sub", "parked-sub"}, {"spare-sub", "sub"}, {"one.txt", "parked-one"}, {"spare-one", "one.txt"},
		{"sub", "spare-sub"}, {"parked-sub", "sub"}, {"one.txt", "spare-one"}, {"parked-one", "one.txt"},
	}
	for !stop.Load() {
		for _, s := range steps {
			// Something else than a name may have taken a place that stood empty
			// for a moment: a write, or a folder that a write made.
			// It goes on making while that is removed, so once may not be enough.
			err := os.Rename(in(s[0]), in(s[1]))
			for again := 0; err != nil && again < 100; again++ {
				if err = os.RemoveAll(in(s[1])); err == nil {
					err = os.Rename(in(s[0]), in(s[1]))
				}
			}
			if err != nil {
				done <- err
				return
			}
		}
		count.Add(4)
		time.Sleep(100 * time.Microsecond) // some calls shall meet the real ones
	}
	done <- nil
}

// victim makes a file in the real folder, whatever its name is at the moment.
func (w *world) victim() {
	if err := w.sub.WriteFile("victim.txt", []byte("inside\n"), 0o644); err != nil {
		w.t.Error(err)
	}
}

// fresh is a name that no call has used.
func (w *world) fresh(form string) string { w.made++; return fmt.Sprintf(form, w.made) }

type arguments = map[string]any

// verbs are the calls that run while names are swapped.
var verbs = []struct {
	name  string
	calls func(w *world) []call
}{
	{"read", func(w *world) []call {
		return []call{{"read", arguments{"paths": []string{"sub/a.txt"}}}, {"read", arguments{"paths": []string{"one.txt", "sub/deep/b.txt"}}}, {"read", arguments{"paths": []string{"sub/a.zip"}}}}
	}},
	{"find", func(w *world) []call {
		return []call{{"find", arguments{"pattern": "**", "kind": "any"}}, {"find", arguments{"pattern": "sub/**"}}}
	}},
	{"search", func(w *world) []call {
		return []call{{"search", arguments{"patterns": []string{"side"}}}, {"search", arguments{"patterns": []string{"CONTENT"}, "glob": "sub/**"}}}
	}},
	{"write", func(w *world) []call {
		return []call{{"write", arguments{"path": "sub/a.txt", "text": "inside again\n", "overwrite": true}}, {"write", arguments{"path": w.fresh("sub/made-%d.txt"), "text": "x"}},
			{"write", arguments{"path": w.fresh("sub/made-%d/x.txt"), "text": "x"}}, {"write", arguments{"path": "one.txt", "text": "inside\n", "append": true}}}
	}},
	{"edit", func(w *world) []call {
		return []call{{"edit", arguments{"path": "sub/deep/b.txt", "script": arguments{"edits": []any{arguments{"insertAfter": 0, "text": "inside"}}}}},
			{"edit", arguments{"path": "one.txt", "script": arguments{"edits": []any{arguments{"insertAfter": 0, "text": "inside"}}}}}}
	}},
	{"replace", func(w *world) []call {
		return []call{{"replace", arguments{"find": "side", "with": "SIDE"}}, {"replace", arguments{"find": "SIDE", "with": "side"}}}
	}},
	{"move", func(w *world) []call {
		w.victim()
		to := w.fresh("moved-%d.txt")
		return []call{{"move", arguments{"from": "sub/victim.txt", "to": to}}, {"move", arguments{"from": to, "to": w.fresh("sub/back-%d.txt")}}, {"move", arguments{"from": "sub/victim.txt", "to": "one.txt", "overwrite": true}}}
	}},
	{"copy", func(w *world) []call {
		return []call{{"copy", arguments{"from": "sub/a.txt", "to": w.fresh("copied-%d.txt")}}, {"copy", arguments{"from": "sub/deep", "to": w.fresh("copied-%d"), "recursive": true}},
			{"copy", arguments{"from": "a.zip", "to": w.fresh("sub/copied-%d.zip")}}, {"copy", arguments{"from": "one.txt", "to": w.fresh("copied-%d.txt")}}}
	}},
	{"delete", func(w *world) []call {
		w.victim()
		return []call{{"delete", arguments{"path": "sub/victim.txt"}}}
	}},
	{"extract", func(w *world) []call {
		return []call{{"extract", arguments{"archive": "a.zip", "into": w.fresh("sub/out-%d")}}, {"extract", arguments{"archive": "sub/a.zip", "into": w.fresh("unpacked-%d")}}}
	}},
}

type call struct {
	verb      string
	arguments arguments
}

func TestSwappedWhileWorking(t *testing.T) {
	want := swaps()
	for _, v := range verbs {
		t.Run(v.name, func(t *testing.T) {
			w := build(t)
			s := client.Start(t, bin, w.app)
			var stop atomic.Bool
			var swapped atomic.Int64
			done := make(chan error, 1)
			go w.swap(&stop, &swapped, done)
			outcomes := map[string]int{}
			for calls := int64(0); swapped.Load() < want || calls < want/2 || outcomes["ok"] == 0 && calls < 50*want; {
				for _, c := range v.calls(w) {
					r := s.Call(c.verb, c.arguments)
					calls++
					outcomes[r.Outcome]++
					if strings.Contains(r.Text, secret) {
						t.Errorf("%s %v: %s", c.verb, c.arguments, r.Text)
					}
					if r.Outcome == "" || r.Outcome == "fault" || r.Outcome == "error" {
						t.Errorf("%s %v: %s %s", c.verb, c.arguments, r.Text, r.Message)
					}
				}
				if t.Failed() {
					break
				}
			}
			stop.Store(true)
			if err := <-done; err != nil {
				t.Fatal(err)
			}
			t.Logf("%d swaps, answers %v", swapped.Load(), outcomes)
			if outcomes["ok"] == 0 {
				t.Error("no call met the real folder, so this shows nothing")
			}
			s.Call("roots", arguments{})
			w.examine()
		})
	}
}

// examine looks at both sides when all is still.
func (w *world) examine() {
	if now := w.picture(); now != w.before {
		w.t.Errorf("the outside was\n%sand is\n%s", w.before, now)
	}
	err := filepath.WalkDir(w.app, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if strings.HasPrefix(d.Name(), ".fettler-tmp~") {
			// A folder that somebody else takes away in the middle of a change
			// takes along what is staged in it. Every verb hides it.
			w.t.Logf("left over: %s", p)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		b, err := os.ReadFile(p)
		if bytes.Contains(b, []byte(secret)) {
			w.t.Errorf("%s holds what is outside", p)
		}
		return err
	})
	if err != nil {
		w.t.Error(err)
	}
}
