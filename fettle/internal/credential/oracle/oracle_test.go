// Package oracle holds the credential net against gitleaks, whose rules are
// kept by many: what the net finds by a vendor's form, gitleaks finds too or the
// reason is written down here, and what gitleaks finds in ordinary source is
// counted. It is a module of its own, so that no program and no other test is
// built with what gitleaks needs: `go tool mage oracle` runs it.
package oracle

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/zricethezav/gitleaks/v8/detect"

	"fettler/fettle/internal/credential"
	"fettler/fettle/internal/credential/vector"
)

func gitleaks(t *testing.T) *detect.Detector {
	t.Helper()
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// rules are what gitleaks finds in a text, by name.
func rules(d *detect.Detector, text string) []string {
	var out []string
	for _, f := range d.DetectString(text) {
		out = append(out, f.RuleID)
	}
	sort.Strings(out)
	return out
}

// ours are the hits that gitleaks passes, by detector and place in its vector,
// each with the reason to refuse them all the same.
var ours = map[string]string{
	"aws-access-key-id 0": "the vendor's own example, which gitleaks allows by its ending: fettle has a switch for that and no list",
	"aws-access-key-id 2": "in JSON inside a string the n of \\n stands before the key, which gitleaks takes for a longer word",
	"anthropic-key 0":     "gitleaks wants the length and the last letters of today's keys",
	"openai-key 0":        "gitleaks wants the mark in the middle of today's keys",
	"openai-key 1":        "gitleaks wants the mark in the middle of today's keys",
	"url-with-password 0": "gitleaks has no rule for it",
	"url-with-password 1": "gitleaks has no rule for it",
	"assigned-secret 3":   "a chosen password: gitleaks' one rule for names wants ten characters of a generated value",
	"assigned-secret 4":   "a chosen password: gitleaks' one rule for names wants ten characters of a generated value",
	"assigned-secret 6":   "a name in brackets",
	"assigned-secret 7":   "JSON inside a string",
}

// passed are our near misses that gitleaks finds, each with the reason to pass them.
var passed = map[string]string{
	"slack-webhook 1":   "the placeholder that documents use",
	"stripe-live-key 0": "a test key opens nothing",
	"json-web-token 0":  "a token of algorithm none is signed by nobody",
	"json-web-token 1":  "three parts without an algorithm are no token",
	"assigned-secret 4": "a UUID names a thing far oftener than it opens one",
	"private-key 2":     "a sentence where the key would be",
}

func TestVectors(t *testing.T) {
	d := gitleaks(t)
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	armoured := string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}))
	check := func(name string, i int, text string, reasons map[string]string, hit bool) {
		at := fmt.Sprintf("%s %d", name, i)
		theirs := rules(d, text)
		if found := credential.Judge("", text) != nil; found != hit {
			t.Errorf("%s: the net's own tests say otherwise: %v", at, found)
		}
		switch _, reason := reasons[at]; {
		case (len(theirs) > 0) == hit && reason:
			t.Errorf("%s: gitleaks %q agrees by now, so it needs no reason any more", at, theirs)
		case (len(theirs) > 0) != hit && !reason:
			t.Errorf("%s: gitleaks finds %q, and no reason is given why the net does otherwise", at, theirs)
		}
	}
	n := 0
	for _, v := range vector.All {
		if v.Name == "private-key" {
			v.Hits = []string{armoured, strings.ReplaceAll(armoured, "\n", "\\n")}
		}
		for i, h := range v.Hits {
			check(v.Name, i, h, ours, true)
			n++
		}
		for i, m := range v.Misses {
			check(v.Name, i, m, passed, false)
			n++
		}
	}
	t.Logf("%d vectors: %d hits gitleaks passes, %d near misses it finds, each with its reason", n, len(ours), len(passed))
}

// guessed is gitleaks' one rule that goes by a name and a value that looks
// random; all of its others go by a vendor's form.
const guessed = "generic-api-key"

// TestSource reads the toolchain's own source outside its test data. What
// gitleaks finds there by form the net finds too, and the other way round; what
// it guesses is counted.
func TestSource(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all of GOROOT/src")
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "src")
	if _, err := os.Stat(root); err != nil {
		t.Skip("this toolchain comes without its source")
	}
	d := gitleaks(t)
	files, both := 0, 0
	var guesses []string
	err = filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || strings.HasSuffix(p, "_test.go") || strings.Contains(p, "testdata") {
			return err
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		files++
		name := strings.TrimPrefix(p, root)
		theirs := rules(d, string(b))
		byForm := slices.DeleteFunc(slices.Clone(theirs), func(r string) bool { return r == guessed })
		found := credential.Judge("", string(b))
		switch {
		case len(byForm) > 0 && found == nil:
			t.Errorf("%s: gitleaks finds %q by form, and the net nothing", name, byForm)
		case found != nil && len(theirs) == 0:
			t.Errorf("%s: gitleaks finds nothing, and the net: %v", name, found)
		case found != nil:
			both++
		}
		for range len(theirs) - len(byForm) {
			guesses = append(guesses, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files: both find something in %d; gitleaks guesses %d more: %q", files, both, len(guesses), slices.Compact(guesses))
	if len(guesses) > 40 {
		t.Errorf("gitleaks guesses %d secrets in ordinary source, and the net none: look at what they are", len(guesses))
	}
}
