package credential

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"testing"

	"fettler/fettle/internal/credential/vector"
	"fettler/shared/outcome"
)

func TestVectors(t *testing.T) {
	for _, v := range vector.All {
		for _, h := range v.Hits {
			err := Judge("", "first\n"+h+"\n")
			var o *outcome.Error
			if !errors.As(err, &o) || o.Kind != outcome.Credential || !strings.Contains(o.Message, "line 2 ("+v.Name+")") {
				t.Errorf("%s: hit %q gave %v", v.Name, h, err)
			}
		}
		for _, m := range v.Misses {
			if err := Judge("", m); err != nil {
				t.Errorf("%s: near miss %q gave %v", v.Name, m, err)
			}
		}
	}
}

func TestEveryDetectorHasVectors(t *testing.T) {
	have := map[string]bool{}
	for _, v := range vector.All {
		have[v.Name] = true
	}
	for i := range shapes {
		s := &shapes[i]
		if !have[s.name] {
			t.Errorf("%s has no hits and near misses", s.name)
		}
	}
}

// K67: ordinary lines that other nets stop.
func TestOrdinaryLinesPass(t *testing.T) {
	for _, line := range []string{
		`vaultKey: 'inf-vsqt-01-secret-id'`,
		`"integrity": "sha512-GDHVin2EJ9PGJ33VMGlqtPcvUlY+pkTbaWs4jWv8oBaEK8UUBzS5ZpEc4xi7Xp5vIXnVsCSLKNC6bgvR9X/AoQ=="`,
		`credentialsId: 'ff083f76-7804-4ef1-80e4-fe975bb9141b'`,
		`public_key = "9Cnzj4p4WGeKLs1Pt8QuKUpRKfFLfRYC9AIKjbJTWit"`,
		`LLM_SECRET_NAME = "NEXUS-GPT4-API-KEY"`,
		`const keyStr = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"`,
		`<UserSecretsId>79a3edd0-2092-40a2-a04d-dcb46d5ca9ed</UserSecretsId>`,
		`COMMUNICATION_API_VERSION=rc0.13.0_20230412_0712-SNAPSHOT`,
		`golang.org/x/sys v0.1.0 h1:P6bYXFoao05z5uhOQzbC3Qd8JqF3jUoocoTeIxkp2cA=`,
		`import { accessToken } from './token-helper-x1'`,
		`MantleAPI_version=9a038989604e8da62ecddbe2094b16ce1b778be1`,
		`tokenizationId: "b4e1c6d2-0a55-4f0e-9a3c-7d1c2b3a4f5e"`,
	} {
		if err := Judge("", line); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func keys(t testing.TB) map[string]string {
	t.Helper()
	r, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(ed)
	if err != nil {
		t.Fatal(err)
	}
	body := x509.MarshalPKCS1PrivateKey(r)
	enc := func(label string, b []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: label, Bytes: b}))
	}
	return map[string]string{
		"rsa": enc("RSA PRIVATE KEY", body), "openssh": enc("OPENSSH PRIVATE KEY", body),
		"pgp": strings.Replace(enc("PGP PRIVATE KEY BLOCK", body), "BLOCK-----\n", "BLOCK-----\nVersion: 1\n\n", 1),
		"ed":  enc("PRIVATE KEY", der),
	}
}

// K69: every way a private key is put into a file, and the stubs that are none.
func TestPrivateKeyForms(t *testing.T) {
	for name, key := range keys(t) {
		lines := strings.Split(strings.TrimSpace(key), "\n")
		j, err := json.Marshal(key)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := json.Marshal(string(j))
		if err != nil {
			t.Fatal(err)
		}
		forms := map[string]string{
			"raw": key, "crlf": strings.ReplaceAll(key, "\n", "\r\n"),
			"json":         `{"key": ` + string(j) + `}`,
			"json in json": string(twice),
			"json crlf":    `{"key": ` + strings.ReplaceAll(string(j), `\n`, `\r\n`) + `}`,
			"array":        `["` + strings.Join(lines, "\",\n\"") + `"].join("\n")`,
			"yaml":         "key: |\n    " + strings.Join(lines, "\n    ") + "\n",
			"one line":     strings.Join(lines, " "),
		}
		for form, text := range forms {
			if err := Judge("", text); err == nil || !strings.Contains(err.Error(), "(private-key)") {
				t.Errorf("%s as %s: %v", name, form, err)
			}
		}
		// The body under a header that was there already is a new secret.
		stub := lines[0] + "\n...\n" + lines[len(lines)-1] + "\n"
		if err := Judge(stub, key); err == nil {
			t.Errorf("%s: a body put into a stub passed", name)
		}
		if err := Judge(key, "// moved\r\n"+strings.ReplaceAll(key, "\n", "\r\n")); err != nil {
			t.Errorf("%s: the same key with other endings: %v", name, err)
		}
	}
}

// K71: only what the write adds is judged, and the answer never holds it.
func TestOnlyWhatIsAdded(t *testing.T) {
	old, fresh := "ghp_"+vector.Mix(36, vector.Base62), "ghp_"+vector.Mix(37, vector.Base62)[1:]
	before := "a\ntoken: " + old + "\nb\n"
	for name, after := range map[string]string{
		"another line":   "a\ntoken: " + old + "\nB\n",
		"reordered":      "b\ntoken: " + old + "\na\n",
		"repeated":       before + before,
		"removed":        "a\nb\n",
		"other endings":  strings.ReplaceAll(before, "\n", "\r\n"),
		"renamed":        "a\nghToken: " + old + "\nb\n",
		"nothing at all": before,
	} {
		if err := Judge(before, after); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	err := Judge(before, before+"new: "+fresh+"\r\n")
	if err == nil {
		t.Fatal("a second token passed")
	}
	want := "this write would add a credential to the file: line 4 (github-token). " +
		"The secret is not quoted, because the refusal would then disclose it. Use a reference " +
		"such as ${ENV_VAR} instead, or pass --allow-credential on the command line if this is " +
		"not a credential."
	if err.Error() != want {
		t.Errorf("message:\n%s\nwant\n%s", err, want)
	}
	for n := 8; n < len(fresh); n++ {
		if strings.Contains(fmt.Sprintf("%#v %v", outcome.Of(err), err), fresh[:n]) {
			t.Fatal("the refusal quotes the secret")
		}
	}
	// A key whose halves were each innocent is judged in the text that results.
	if err := Judge("x = \"ghp_\"\n", "x = \""+fresh+"\"\n"); err == nil {
		t.Error("a key put together from two halves passed")
	}
}

func TestSeveralPlaces(t *testing.T) {
	var b strings.Builder
	for i := range 8 {
		fmt.Fprintf(&b, "x\rghp_%s\r", vector.Mix(36+i, vector.Base62)[i:])
	}
	err := Judge("", b.String())
	if err == nil || !strings.Contains(err.Error(), "line 2 (github-token), line 4 (github-token), line 6 (github-token)") ||
		!strings.Contains(err.Error(), "and 3 more.") {
		t.Error(err)
	}
}

func TestEveryKeyHasATrigger(t *testing.T) {
	for i := range shapes {
		s := &shapes[i]
		for _, k := range s.keys {
			if !strings.ContainsAny(k, triggerBytes) {
				t.Errorf("%s: %q holds none of %q", s.name, k, triggerBytes)
			}
		}
	}
}

func FuzzJudge(f *testing.F) {
	for _, v := range vector.All {
		for _, h := range v.Hits {
			f.Add("", h)
		}
		for _, m := range v.Misses {
			f.Add(m, m+"\n"+m)
		}
	}
	f.Add("-----BEGIN RSA PRIVATE KEY-----\\n", "-----BEGIN RSA PRIVATE KEY-----")
	f.Fuzz(func(t *testing.T, before, after string) {
		same(t, after)
		if err := Judge(before, after); err != nil && Judge(after, after+"\nx") != nil {
			t.Errorf("a text that adds nothing is refused: %q", after)
		}
	})
}
