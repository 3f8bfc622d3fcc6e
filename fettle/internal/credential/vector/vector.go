// Package vector holds what the credential net's detectors must find and what
// they must pass, for the net's own tests and for the comparison with others in
// ../oracle. Range over All. No program reaches it.
package vector

import (
	"encoding/base64"
	"strings"
)

// Mix gives n characters that look generated, the same on every run.
func Mix(n int, alphabet string) string {
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

// The alphabets of Mix.
const (
	Base62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	Upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

// JWT gives a token of three parts with that header.
func JWT(header string) string {
	e := base64.RawURLEncoding.EncodeToString
	return e([]byte(header)) + "." + e([]byte(`{"sub":"1234567890","name":"A"}`)) + "." + Mix(43, Base62)
}

// Vector is a detector's hits, in which it finds exactly what it is named for,
// and its near misses, in which nothing is found.
type Vector struct {
	Name   string
	Hits   []string
	Misses []string
}

// All holds a vector for each detector. The hits are put together here so that
// no scanner takes this file for a leak.
var All = []Vector{
	{"aws-access-key-id",
		[]string{"AKIA" + "IOSFODNN7EXAMPLE", "ASIA" + Mix(16, Upper), `{"id":"x\nAKIA` + Mix(16, Upper) + `"}`},
		[]string{"AKIA" + Mix(15, Upper), "XAKIA" + Mix(16, Upper), "AKIA" + Mix(17, Upper), "AKIA" + strings.Repeat("X", 16), "akia" + Mix(16, Upper)}},
	{"github-token",
		[]string{"ghp_" + Mix(36, Base62), "ghs_" + Mix(36, Base62), "github_pat_" + Mix(22, Base62) + "_" + Mix(59, Base62)},
		[]string{"ghp_" + Mix(30, Base62), "ghx_" + Mix(36, Base62), "ghp_" + strings.Repeat("x", 36), "github_path_" + Mix(20, Base62)}},
	{"gitlab-token",
		[]string{"glpat-" + Mix(20, Base62), "glrt-" + Mix(20, Base62)},
		[]string{"glpat-" + Mix(12, Base62), "glpath-" + Mix(20, Base62)}},
	{"slack-token",
		[]string{"xoxb-123456789012-1234567890123-" + Mix(24, Base62), "xapp-1-A0123456789-1234567890123-" + Mix(40, "abcdef0123456789")},
		[]string{"xoxb-your-bot-token-goes-here-please", "xoxb-1234"}},
	{"slack-webhook",
		[]string{"https://hooks.slack.com" + "/services/T00000001/B00000002/" + Mix(24, Base62)},
		[]string{"https://hooks.slack.com/services/", "https://hooks.slack.com" + "/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX"}},
	{"stripe-live-key",
		[]string{"sk_live_" + Mix(24, Base62), "rk_live_" + Mix(24, Base62)},
		[]string{"sk_test_" + Mix(24, Base62), "pk_live_" + Mix(24, Base62), "sk_live_short"}},
	{"google-api-key",
		[]string{"AIza" + Mix(35, Base62)},
		[]string{"AIza" + Mix(20, Base62), "xAIza" + Mix(35, Base62)}},
	{"npm-token",
		[]string{"npm_" + Mix(36, Base62)},
		[]string{"npm_config_registry_and_a_longer_name_still", "npm_" + Mix(20, Base62)}},
	{"pypi-token",
		[]string{"pypi-AgEIcHlwaS5vcmc" + Mix(70, Base62)},
		[]string{"pypi-" + Mix(70, Base62), "pypi-AgEIcHlwaS5vcmc"}},
	{"anthropic-key",
		[]string{"sk-ant-api03-" + Mix(80, Base62), "sk-ant-api03-" + Mix(93, Base62) + "AA"},
		[]string{"sk-ant-api03-short", "sk-ant-" + strings.Repeat("x", 40)}},
	{"openai-key",
		[]string{"sk-proj-" + Mix(48, Base62), "sk-" + Mix(48, Base62), "sk-proj-" + Mix(74, Base62) + "T3BlbkFJ" + Mix(74, Base62)},
		[]string{"sk-fading-circle-with-a-long-class-name", "sk-" + Mix(20, Base62), "task-" + Mix(48, Base62)}},
	{"azure-account-key",
		[]string{"DefaultEndpointsProtocol=https;AccountName=a;AccountKey=" + Mix(86, Base62) + "==;EndpointSuffix=core"},
		[]string{"AccountKey=${STORAGE_KEY}", "AccountKey=" + Mix(10, Base62) + "=="}},
	{"json-web-token",
		[]string{JWT(`{"alg":"HS256","typ":"JWT"}`), "Authorization: Bearer " + JWT(`{"alg":"RS256","kid":"1"}`)},
		[]string{JWT(`{"alg":"none","typ":"JWT"}`), JWT(`{"typ":"JWT","x":"y"}`), strings.TrimRight(JWT(`{"alg":"HS256"}`), Base62) + "short"}},
	{"url-with-password",
		[]string{"postgres://app:" + "tR4ck9dd@db.internal:5432/x", "https://bot:" + "s3cr3tValue@example.com/r.git"},
		[]string{"https://user:password@host/", "postgres://app:${DB_PASSWORD}@db/x", "https://example.com:8080/@scope/pkg",
			"git@github.com:a/b.git", "http://user@host/", "see https://a.b/c and mail me: x@y.z", "https://[::1]:80/x@y", "postgres://{user}:{pw}@db/x"}},
	{"assigned-secret",
		[]string{`aws_secret_access_key = "` + Mix(40, Base62) + `"`, `"clientSecret": "` + Mix(32, Base62) + `"`, "API_KEY=" + Mix(32, Base62),
			"export DB_PASSWORD='Tr0ub4dor&3'", `{"password":"c0rrectHorse!"}`, "auth_token: " + Mix(40, "0123456789abcdef"), `cfg["apiKey"] = '` + Mix(24, Base62) + `'`,
			`s := "{\"api_key\":\"` + Mix(24, Base62) + `\"}"`, `SECRET_KEY_PROD => '` + Mix(24, Base62) + `'`},
		[]string{`token = nextToken(stream)`, `password = os.Getenv("DB_PASSWORD_2")`, `api_key = "YOUR_API_KEY_HERE_123"`, `secret: ${SECRET_1}`,
			`token: "` + "6ba7b810-9dad-11d1-80b4-00c04fd430c8" + `"`, `password = "password"`, `secretName = "` + Mix(32, Base62) + `"`,
			`accessToken = "this is a sentence with 3 numbers 1 2"`, `token := identifierNameThatIsLong2`, `apiKey: config.Services.Primary.ApiKey2`,
			`const apiKey = "https://example.com/keys/1a2b3c4d5e6f"`, `password: "********"`, `passphrase = "%s"`}},
	{"private-key", nil,
		[]string{"-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----", "-----BEGIN PUBLIC KEY-----\n" + Mix(64, Base62) + "\n-----END PUBLIC KEY-----",
			"-----BEGIN PRIVATE KEY-----\nput the text of your own private key here, all of its lines\n-----END PRIVATE KEY-----"}},
}
