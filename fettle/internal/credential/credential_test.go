package credential

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"testing"

	"fettler/shared/outcome"
)

// mix gives n characters that look generated, the same on every run.
func mix(n int, alphabet string) string {
	b := make([]byte, n)
	x := uint32(2463534242)
	for i := range b {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		b[i] = alphabet[int(x)%len(alphabet)&0xff%len(alphabet)]
	}
	return string(b)
}

const (
	base62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

func jwt(header string) string {
	e := base64.RawURLEncoding.EncodeToString
	return e([]byte(header)) + "." + e([]byte(`{"sub":"1234567890","name":"A"}`)) + "." + mix(43, base62)
}

// vectors holds hits and near misses beside each detector. The hits are put
// together here so that no scanner takes this file for a leak.
var vectors = []struct {
	name   string
	hits   []string
	misses []string
}{
	{"aws-access-key-id",
		[]string{"AKIA" + "IOSFODNN7EXAMPLE", "ASIA" + mix(16, upper), `{"id":"x\nAKIA` + mix(16, upper) + `"}`},
		[]string{"AKIA" + mix(15, upper), "XAKIA" + mix(16, upper), "AKIA" + mix(17, upper), "AKIA" + strings.Repeat("X", 16), "akia" + mix(16, upper)}},
	{"github-token",
		[]string{"ghp_" + mix(36, base62), "ghs_" + mix(36, base62), "github_pat_" + mix(22, base62) + "_" + mix(59, base62)},
		[]string{"ghp_" + mix(30, base62), "ghx_" + mix(36, base62), "ghp_" + strings.Repeat("x", 36), "github_path_" + mix(20, base62)}},
	{"gitlab-token",
		[]string{"glpat-" + mix(20, base62), "glrt-" + mix(20, base62)},
		[]string{"glpat-" + mix(12, base62), "glpath-" + mix(20, base62)}},
	{"slack-token",
		[]string{"xoxb-123456789012-1234567890123-" + mix(24, base62), "xapp-1-A0123456789-1234567890123-" + mix(40, "abcdef0123456789")},
		[]string{"xoxb-your-bot-token-goes-here-please", "xoxb-1234"}},
	{"slack-webhook",
		[]string{"https://hooks.slack.com" + "/services/T00000001/B00000002/" + mix(24, base62)},
		[]string{"https://hooks.slack.com/services/", "https://hooks.slack.com" + "/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX"}},
	{"stripe-live-key",
		[]string{"sk_live_" + mix(24, base62), "rk_live_" + mix(24, base62)},
		[]string{"sk_test_" + mix(24, base62), "pk_live_" + mix(24, base62), "sk_live_short"}},
	{"google-api-key",
		[]string{"AIza" + mix(35, base62)},
		[]string{"AIza" + mix(20, base62), "xAIza" + mix(35, base62)}},
	{"npm-token",
		[]string{"npm_" + mix(36, base62)},
		[]string{"npm_config_registry_and_a_longer_name_still", "npm_" + mix(20, base62)}},
	{"pypi-token",
		[]string{"pypi-AgEIcHlwaS5vcmc" + mix(70, base62)},
		[]string{"pypi-" + mix(70, base62), "pypi-AgEIcHlwaS5vcmc"}},
	{"anthropic-key",
		[]string{"sk-ant-api03-" + mix(80, base62)},
		[]string{"sk-ant-api03-short", "sk-ant-" + strings.Repeat("x", 40)}},
	{"openai-key",
		[]string{"sk-proj-" + mix(48, base62), "sk-" + mix(48, base62)},
		[]string{"sk-fading-circle-with-a-long-class-name", "sk-" + mix(20, base62), "task-" + mix(48, base62)}},
	{"azure-account-key",
		[]string{"DefaultEndpointsProtocol=https;AccountName=a;AccountKey=" + mix(86, base62) + "==;EndpointSuffix=core"},
		[]string{"AccountKey=${STORAGE_KEY}", "AccountKey=" + mix(10, base62) + "=="}},
	{"json-web-token",
		[]string{jwt(`{"alg":"HS256","typ":"JWT"}`), "Authorization: Bearer " + jwt(`{"alg":"RS256","kid":"1"}`)},
		[]string{jwt(`{"alg":"none","typ":"JWT"}`), jwt(`{"typ":"JWT","x":"y"}`), strings.TrimRight(jwt(`{"alg":"HS256"}`), base62) + "short"}},
	{"url-with-password",
		[]string{"postgres://app:" + "tR4ck9dd@db.internal:5432/x", "https://bot:" + "s3cr3tValue@example.com/r.git"},
		[]string{"https://user:password@host/", "postgres://app:${DB_PASSWORD}@db/x", "https://example.com:8080/@scope/pkg",
			"git@github.com:a/b.git", "http://user@host/", "see https://a.b/c and mail me: x@y.z", "https://[::1]:80/x@y", "postgres://{user}:{pw}@db/x"}},
	{"assigned-secret",
		[]string{`aws_secret_access_key = "` + mix(40, base62) + `"`, `"clientSecret": "` + mix(32, base62) + `"`, "API_KEY=" + mix(32, base62),
			"export DB_PASSWORD='Tr0ub4dor&3'", `{"password":"c0rrectHorse!"}`, "auth_token: " + mix(40, "0123456789abcdef"), `cfg["apiKey"] = '` + mix(24, base62) + `'`,
			`s := "{\"api_key\":\"` + mix(24, base62) + `\"}"`, `SECRET_KEY_PROD => '` + mix(24, base62) + `'`},
		[]string{`token = nextToken(stream)`, `password = os.Getenv("DB_PASSWORD_2")`, `api_key = "YOUR_API_KEY_HERE_123"`, `secret: ${SECRET_1}`,
			`token: "` + "6ba7b810-9dad-11d1-80b4-00c04fd430c8" + `"`, `password = "password"`, `secretName = "` + mix(32, base62) + `"`,
			`accessToken = "this is a sentence with 3 numbers 1 2"`, `token := identifierNameThatIsLong2`, `apiKey: config.Services.Primary.ApiKey2`,
			`const apiKey = "https://example.com/keys/1a2b3c4d5e6f"`, `password: "********"`, `passphrase = "%s"`}},
	{"private-key", nil,
		[]string{"-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----", "-----BEGIN PUBLIC KEY-----\n" + mix(64, base62) + "\n-----END PUBLIC KEY-----",
			"-----BEGIN PRIVATE KEY-----\nput the text of your own private key here, all of its lines\n-----END PRIVATE KEY-----"}},
}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		for _, h := range v.hits {
			err := Judge("", "first\n"+h+"\n")
			var o *outcome.Error
			if !errors.As(err, &o) || o.Kind != outcome.Credential || !strings.Contains(o.Message, "line 2 ("+v.name+")") {
				t.Errorf("%s: hit %q gave %v", v.name, h, err)
			}
		}
		for _, m := range v.misses {
			if err := Judge("", m); err != nil {
				t.Errorf("%s: near miss %q gave %v", v.name, m, err)
			}
		}
	}
}

func TestEveryDetectorHasVectors(t *testing.T) {
	have := map[string]bool{}
	for _, v := range vectors {
		have[v.name] = true
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
	old, fresh := "ghp_"+mix(36, base62), "ghp_"+mix(37, base62)[1:]
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
		fmt.Fprintf(&b, "x\rghp_%s\r", mix(36+i, base62)[i:])
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
	for _, v := range vectors {
		for _, h := range v.hits {
			f.Add("", h)
		}
		for _, m := range v.misses {
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
