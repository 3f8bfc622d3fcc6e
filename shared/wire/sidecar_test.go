package wire

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestReadScreenAnswer(t *testing.T) {
	asked := []string{"clinical", "legal"}
	for line, want := range map[string]error{
		`{"ok":true,"findings":[]}`: nil,
		`{"ok":true,"findings":[{"category":"clinical","count":1,"spans":[[0,4]]}]}`: nil,
		`{"ok":true,"findings":[{"category":"legal","count":0}]}`:                    nil,
		`{"ok":false,"error":"x"}`:      nil,
		`{"ok":false}`:                  nil,
		``:                              ErrNotJSON,
		`nonsense`:                      ErrNotJSON,
		`[]`:                            ErrNotJSON,
		`{"ok":true,"findings":[]} {}`:  ErrNotJSON,
		`{"ok":true,"findings":[]`:      ErrNotJSON,
		`{"ok":true,"ok":false}`:        ErrNotJSON,
		`{"findings":[]}`:               ErrNoVerdict,
		`{"ok":null,"findings":[]}`:     ErrNoVerdict,
		`{"ok":"true","findings":[]}`:   ErrNoVerdict,
		`{"OK":true,"findings":[]}`:     ErrNoVerdict,
		`{"ok":true}`:                   ErrNoFindings,
		`{"ok":true,"findings":null}`:   ErrNoFindings,
		`{"ok":true,"findings":{}}`:     ErrNoFindings,
		`{"ok":true,"Findings":[]}`:     ErrNoFindings,
		`{"ok":true,"findings":[1]}`:    ErrBadFinding,
		`{"ok":true,"findings":[null]}`: ErrBadFinding,
		`{"ok":true,"findings":[{"category":"clinical"}]}`:                           ErrBadFinding,
		`{"ok":true,"findings":[{"category":"clinical","count":-1}]}`:                ErrBadFinding,
		`{"ok":true,"findings":[{"category":"clinical","count":1.5}]}`:               ErrBadFinding,
		`{"ok":true,"findings":[{"count":1}]}`:                                       ErrBadFinding,
		`{"ok":true,"findings":[{"category":"clinical","count":0,"spans":[[0,1]]}]}`: ErrBadFinding,
		`{"ok":true,"findings":[{"category":"clinical","count":1,"spans":"x"}]}`:     ErrBadFinding,
		`{"ok":true,"findings":[{"category":"scientific","count":1}]}`:               ErrWrongAnswer,
		`{"ok":true,"findings":[{"category":"identifiers","count":0}]}`:              ErrWrongAnswer,
	} {
		if _, err := ReadScreenAnswer([]byte(line), asked); err != want {
			t.Errorf("%s: %v, want %v", line, err, want)
		}
	}
}

func TestScreenAnswerRoundTrip(t *testing.T) {
	for _, a := range []ScreenAnswer{
		{OK: true, Findings: []Finding{}},
		{OK: true, Findings: []Finding{{Category: "legal", Count: 1, Spans: [][2]int{{0, 4}}}}},
		{Error: "no model"},
	} {
		raw, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ReadScreenAnswer(raw, []string{"legal"})
		if err != nil || !reflect.DeepEqual(got, a) {
			t.Errorf("%s: %+v, %v", raw, got, err)
		}
	}
	raw, _ := json.Marshal(ScreenAnswer{OK: true})
	if string(raw) != `{"ok":true,"findings":[]}` {
		t.Errorf("a successful answer without findings: %s", raw)
	}
}

func TestReadScreenRequestNamesNothingOfTheLine(t *testing.T) {
	if _, err := ReadScreenRequest([]byte(`{"op":"screen","categories":["clinical"],"payload":"x"}`)); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		``, `secretword`, `{"op":"secretword"}`, `{"op":"screen"}`, `{"op":"screen","categories":[],"payload":"secretword"}`,
		`{"op":"screen","categories":["secretword"],"payload":""}`, `{"op":"screen","categories":["identifiers"],"payload":"secretword"}`,
		`{"op":"screen","categories":["legal"]}`, `{"op":"screen","categories":["legal"],"payload":null}`,
		`{"op":"screen","categories":["legal"],"payload":"secretword","secretword":1}`, `{"op":"screen","categories":"legal","payload":"secretword"}`,
		`["secretword"]`, `{"op":"screen","categories":["legal"],"payload":"secretword"} x`,
	} {
		_, err := ReadScreenRequest([]byte(line))
		if err == nil {
			t.Errorf("%s: taken", line)
		} else if strings.Contains(err.Error(), "secretword") {
			t.Errorf("%s: repeated in %q", line, err)
		}
	}
}

const manifest = `{"checkpoint":"org/name","revision":"abc","licence":"MIT","provenance":"exported by hand"}`

func TestModels(t *testing.T) {
	dir := t.TempDir()
	install := func(name string) {
		for file, text := range map[string]string{ModelFile: "x", VocabFile: "x", LabelsFile: `["O","X"]`, ManifestFile: manifest} {
			write(t, filepath.Join(dir, name, file), text)
		}
	}
	check := func(category, wantSentence string, wantOK bool) {
		t.Helper()
		if s, ok := JudgedBy(dir, category); s != wantSentence || ok != wantOK {
			t.Errorf("%s: %q %v, want %q %v", category, s, ok, wantSentence, wantOK)
		}
	}
	check("clinical", "no model installed - reads here will refuse", false)
	install("clinical")
	check("clinical", "org/name @ abc", true)
	install("legal/a")
	install("legal/b")
	check("legal", "org/name @ abc, org/name @ abc", true)
	before, _ := Models(dir, "legal")
	hash := ManifestsHash(dir, before)
	write(t, filepath.Join(dir, "legal/b", ManifestFile), strings.Replace(manifest, "abc", "abd", 1))
	after, _ := Models(dir, "legal")
	if ManifestsHash(dir, after) == hash {
		t.Error("a changed manifest leaves the hash")
	}

	for _, c := range []struct{ file, text, want string }{
		{VocabFile, "-", "legal/a/vocab.txt is missing from the models directory"},
		{ManifestFile, `{`, "legal/a/manifest.json is not one JSON object"},
		{ManifestFile, `{"checkpoint":"x","revision":"y","licence":"z"}`, `legal/a/manifest.json has no "provenance"`},
		{ManifestFile, strings.Replace(manifest, `"MIT"`, `" "`, 1), `legal/a/manifest.json has a "licence" that is not a string with something in it`},
		{ManifestFile, strings.Replace(manifest, `"abc"`, `7`, 1), `legal/a/manifest.json has a "revision" that is not a string with something in it`},
		{ManifestFile, strings.Replace(manifest, `"revision"`, `"Revision"`, 1), `legal/a/manifest.json has no "revision"`},
	} {
		install("legal/a")
		if c.text == "-" {
			if err := os.Remove(filepath.Join(dir, "legal/a", c.file)); err != nil {
				t.Fatal(err)
			}
		} else {
			write(t, filepath.Join(dir, "legal/a", c.file), c.text)
		}
		if _, err := Models(dir, "legal"); err == nil || err.Error() != c.want {
			t.Errorf("%s %s: %v, want %s", c.file, c.text, err, c.want)
		}
	}
	if _, err := Models(filepath.Join(dir, "gone"), "legal"); err == nil || !strings.HasPrefix(err.Error(), "the models directory cannot be read: ") || strings.Contains(err.Error(), dir) {
		t.Errorf("a directory that is gone: %v", err)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func FuzzSidecarLines(f *testing.F) {
	f.Add([]byte(`{"ok":true,"findings":[{"category":"legal","count":1,"spans":[[0,4]]}]}`))
	f.Add([]byte(`{"op":"screen","categories":["clinical"],"payload":"x"}`))
	f.Add([]byte(manifest))
	f.Add([]byte(`["O","B-X"]`))
	f.Fuzz(func(t *testing.T, line []byte) {
		if a, err := ReadScreenAnswer(line, ModelCategories); err == nil && a.OK && a.Findings == nil {
			t.Error("a verdict without findings")
		}
		if r, err := ReadScreenRequest(line); err == nil && len(r.Categories) == 0 {
			t.Error("a request without categories")
		}
		if m, err := ReadManifest(line); err == nil && (m.Checkpoint == "" || m.Revision == "" || m.Licence == "" || m.Provenance == "") {
			t.Error("a manifest with an empty field")
		}
		_, _ = ReadLabels(line)
	})
}
