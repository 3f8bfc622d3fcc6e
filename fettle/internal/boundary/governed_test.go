package boundary

import (
	"os"
	"path/filepath"
	"testing"

	"fettler/shared/config"
	"fettler/shared/outcome"
)

func TestGoverned(t *testing.T) {
	for _, c := range []struct {
		path             string
		anywhere, window bool
	}{
		{"/p/.fettler.json", true, true},
		{"/p/deep/er/.FETTLER.Json", true, true},
		{"/p/.fettler.local.json", true, true},
		{"/p/.mcp.json", true, true},
		{"/p/.picker.json", true, true},
		{"/p/.picker.local.json", true, true},
		{"/p/.claude/settings.json", true, true},
		{"/p/.Claude/settings.local.json", true, true},
		{"/p/.vscode/mcp.json", true, true},
		{"/home/x/.config/fettler/fettler.json", true, true},
		{"/p/.fettler\u200b.json", true, true}, // a disk that drops ignorable characters
		{"/p/.\uff46ettler.json", false, false},
		{"/p/.vscode/mcp.\u017fon", false, false},
		{"/p/.fettler.j\u017fon", true, true}, // long s folds to s
		{"/p/.fettler.json.bak", false, false},
		{"/p/.fettler.json.md", false, false},
		{"/p/settings.json", false, false},
		{"/p/.vscode/settings.json", false, false},
		{"/p/CLAUDE.md", false, false},
		{"/p/fettler.json", false, false},
		{"/p/.fettler.json/x", false, false},
		{`/p/.fettler.json. .`, false, true},
		{`/p/.fettler.json::$DATA`, false, true},
		{`/p/.claude./settings.json `, false, true},
		{`C:\p\.fettler.json`, false, true},
		{`C:\p\FETTLE~1.JSO`, false, true},
		{`C:\p\CLAUDE~1\SETTIN~1.JSO`, false, true},
		{`C:\p\MCP~1.JSO`, false, true},
		{`C:\p\FE12AB~1.JSO`, false, true}, // the form after four clashes
		{`C:\p\REPORT~1.DOC`, false, false},
	} {
		if _, got := Governed(c.path, false); got != c.anywhere {
			t.Errorf("%q: %v, want %v", c.path, got, c.anywhere)
		}
		if _, got := Governed(c.path, true); got != c.window {
			t.Errorf("%q on Windows: %v, want %v", c.path, got, c.window)
		}
	}
	if n := len(GovernedFiles()); n != 9 {
		t.Errorf("%d files are named, want nine", n)
	}
}

// By identity and through links: a tree rooted at .claude does not escape,
// nor does the file that --config names, under any of its names.
func TestGovernedPlaces(t *testing.T) {
	w := makeWorld(t)
	w.mkdir(t, "T/.claude", "T/bin")
	w.write(t, "T/.claude/settings.json", "{}")
	w.write(t, "T/odd-name.json", "{}")
	w.write(t, "T/bin/fettle", "")
	w.link(t, ".claude/settings.json", "T/innocent")
	if err := os.Link(filepath.Join(w.T, "odd-name.json"), filepath.Join(w.T, "twin")); err != nil {
		t.Skip(err)
	}
	b := open(t, Options{
		Trees:     []Spec{{Name: "work", Path: w.T, Can: config.Work}, {Name: "claude", Path: filepath.Join(w.T, ".claude"), Can: config.Work}},
		Governed:  []string{filepath.Join(w.T, "odd-name.json"), filepath.Join(w.T, "absent.local.json")},
		Protected: func() []string { return []string{filepath.Join(w.T, "bin")} },
	})
	for p, want := range map[string]outcome.Kind{
		"claude:settings.json": outcome.Governed, "innocent": outcome.Governed, ".claude/settings.json": outcome.Governed,
		".claude/settings.local.json": outcome.Governed, "odd-name.json": outcome.Governed, "twin": outcome.Governed,
		"absent.local.json": outcome.Governed, "ABSENT.local.json": outcome.Governed,
		"bin/fettle": outcome.Refused, "bin/new": outcome.Refused, "bin": outcome.Refused,
	} {
		pl, err := b.Locate(p, 0, "")
		if err != nil {
			t.Fatal(p, err)
		}
		wantKind(t, pl.Governed(), want)
	}
	pl, err := b.Locate("a.txt", 0, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := pl.Governed(); err != nil {
		t.Error(err)
	}
}

func TestParseOnWindows(t *testing.T) {
	tree := &Tree{Name: "work"}
	find := func(n string) *Tree {
		if n == "work" {
			return tree
		}
		return nil
	}
	for _, c := range []struct {
		raw, path string
		absolute  bool
		refused   bool
	}{
		{raw: `a\b`, path: "a/b"},
		{raw: `work:a\..\b`, path: "b"},
		{raw: `C:\x\y`, path: "C:/x/y", absolute: true},
		{raw: `\x`, path: "/x", absolute: true},
		{raw: `C:x`, refused: true},
		{raw: `\\server\share\x`, refused: true},
		{raw: `\\?\C:\x`, refused: true},
		{raw: `\\.\pipe\x`, refused: true},
		{raw: `a.txt:stream`, refused: true},
		{raw: `a.txt::$DATA`, refused: true},
		{raw: `a.txt.`, refused: true},
		{raw: `dir \x`, refused: true},
		{raw: `NUL`, refused: true},
		{raw: `x\con.txt`, refused: true},
		{raw: `COM¹.log`, refused: true},
		{raw: `aux .c`, refused: true},
		{raw: `context`, path: "context"},
		{raw: `com10`, path: "com10"},
		{raw: `..\x`, path: "../x"},
	} {
		w, err := parse(c.raw, find, true)
		if (err != nil) != c.refused {
			t.Errorf("%q: %v, refused %v wanted", c.raw, err, c.refused)
			continue
		}
		if err == nil && (w.path != c.path || w.absolute != c.absolute) {
			t.Errorf("%q: %q absolute %v", c.raw, w.path, w.absolute)
		}
	}
	// Elsewhere a backslash and a colon are letters of a name.
	for raw, want := range map[string]string{`a\b`: `a\b`, `C:x`: "C:x", "a:b": "a:b", "nowhere:x": "nowhere:x", "NUL": "NUL"} {
		w, err := parse(raw, find, false)
		if err != nil || w.path != want || w.absolute {
			t.Errorf("%q: %q %v", raw, w.path, err)
		}
	}
}

// A path asks for a folder by the separator at its end, whichever the system has.
func TestAsFolder(t *testing.T) {
	for raw, want := range map[string][2]bool{"a/": {true, true}, `a\`: {false, true}, "a": {}, `a\b`: {}, "/": {true, true}} {
		for i, windows := range []bool{false, true} {
			p := &Place{b: &Boundary{windows: windows}}
			p.want.raw = raw
			if p.AsFolder() != want[i] {
				t.Errorf("%q, windows %v: %v", raw, windows, p.AsFolder())
			}
		}
	}
}

func TestFold(t *testing.T) {
	for _, pair := range [][2]string{{"ABC", "abc"}, {"Stra\u00dfe", "STRASSE"}, {"e\u0301", "\u00c9"}, {"\u212a", "k"}, {"a\u200db", "AB"}, {"\u03a3", "\u03c2"}} {
		if Fold(pair[0]) != Fold(pair[1]) {
			t.Errorf("%q and %q are told apart", pair[0], pair[1])
		}
	}
	if Fold("a") == Fold("b") || Fold("a.txt") == Fold("a_txt") {
		t.Error("different names fold to one")
	}
}

// FuzzParse: nothing that is written is taken for a place above a tree.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"a", "../a", "work:x", "a/../..", `C:\x`, "//x", "a\x00", "./.././b", "work:../x"} {
		f.Add(s, false)
		f.Add(s, true)
	}
	tree := &Tree{Name: "work"}
	f.Fuzz(func(t *testing.T, raw string, windows bool) {
		w, err := parse(raw, func(n string) *Tree {
			if n == "work" {
				return tree
			}
			return nil
		}, windows)
		if err != nil {
			return
		}
		for i, seg := range split(w.path) {
			if seg == ".." && i > 0 && split(w.path)[i-1] != ".." {
				t.Errorf("%q: %q climbs in its middle", raw, w.path)
			}
			if seg == "." || seg == "" && !w.absolute {
				t.Errorf("%q: %q is not clean", raw, w.path)
			}
		}
	})
}
