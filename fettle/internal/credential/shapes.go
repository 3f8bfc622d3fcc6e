package credential

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strings"
	"sync"
)

// A shape is a detector for secrets that a vendor gave a recognisable form.
type shape struct {
	name string
	// keys are the literal beginnings. The last byte of each that is in the
	// trigger table makes detect look here, so a text without the key never
	// compiles or runs the pattern.
	keys []string
	// pattern is anchored at the key and matched against a bounded window.
	pattern string
	once    sync.Once
	re      *regexp.Regexp
	// check, when set, has the last word on what the pattern matched.
	check func(match string) bool
}

// window bounds how far from its key a shape is matched.
const window = 4096

// find matches at the beginning of s. The pattern is compiled the first time
// its key is seen.
func (sh *shape) find(s string) string {
	sh.once.Do(func() { sh.re = regexp.MustCompile(`\A(?:` + sh.pattern + `)`) })
	return sh.re.FindString(s)
}

// shapes costs the program's start nothing: the linker lays it out.
var shapes = [...]shape{
	{name: "aws-access-key-id", keys: []string{"AKIA", "ASIA", "ABIA"},
		pattern: `A[KSB]IA[A-Z0-9]{16}`, check: notFiller},
	{name: "github-token", keys: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"},
		pattern: `gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,}`, check: notFiller},
	{name: "gitlab-token", keys: []string{"glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glft-", "glsoat-", "glimt-", "glagent-"},
		pattern: `gl[a-z]{2,5}-[A-Za-z0-9_-]{20,}`, check: notFiller},
	{name: "slack-token", keys: []string{"xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"},
		pattern: `xox[abeoprs]-[0-9A-Za-z-]{20,}|xapp-[0-9]-[A-Z0-9]{6,}-[0-9]{6,}-[a-z0-9]{20,}`,
		check:   func(m string) bool { return digits(m) >= 3 && notFiller(m) }},
	{name: "slack-webhook", keys: []string{"https://hooks.slack.com/"},
		pattern: `https://hooks\.slack\.com/(?:services/T[A-Z0-9]+/B[A-Z0-9]+/[A-Za-z0-9]{16,}|workflows/[A-Za-z0-9/]{40,})`, check: notFiller},
	{name: "stripe-live-key", keys: []string{"sk_live_", "rk_live_"},
		pattern: `[sr]k_live_[A-Za-z0-9]{16,}`, check: notFiller},
	{name: "google-api-key", keys: []string{"AIza"},
		pattern: `AIza[A-Za-z0-9_-]{35}`, check: notFiller},
	{name: "npm-token", keys: []string{"npm_"},
		pattern: `npm_[A-Za-z0-9]{36}`, check: notFiller},
	{name: "pypi-token", keys: []string{"pypi-"},
		pattern: `pypi-Ag(?:EIcHlwaS5vcmc|ENdGVzdC5weXBpLm9yZw)[A-Za-z0-9_-]{50,}`},
	{name: "anthropic-key", keys: []string{"sk-ant-"},
		pattern: `sk-ant-[a-z]{3,8}[0-9]{2}-[A-Za-z0-9_-]{20,}`, check: notFiller},
	{name: "openai-key", keys: []string{"sk-"},
		pattern: `sk-(?:(?:proj|svcacct|admin|None|or-v1)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{32,})`,
		check:   func(m string) bool { return digits(m) > 0 && notFiller(m) }},
	{name: "azure-account-key", keys: []string{"AccountKey="},
		pattern: `AccountKey=[A-Za-z0-9+/]{40,}={1,2}`, check: notFiller},
	{name: "json-web-token", keys: []string{"eyJ"},
		pattern: `eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{20,}`, check: signed},
}

// key is one keyword and how far before its trigger byte it begins.
type key struct {
	text   string
	offset int
	shape  *shape
}

// Triggers are bytes that keywords are found by. They are rare in ordinary
// text; each keyword holds one of them, which the tests check.
const triggerBytes = "_-=:IJG"

// matchShapes tries the keywords that hold the trigger byte at i.
func (g *glance) matchShapes(s string, i int, add func(at, end int, name, secret string)) bool {
	for _, k := range g.keywords[s[i]] {
		at := i - k.offset
		if at < 0 || !strings.HasPrefix(s[at:], k.text) || !freshStart(s, at) {
			continue
		}
		m := k.shape.find(s[at:min(len(s), at+window)])
		if m == "" || k.shape.check != nil && !k.shape.check(m) {
			continue
		}
		if k.shape.name == "aws-access-key-id" && at+len(m) < len(s) && alnum(s[at+len(m)]) {
			continue // part of a longer word, such as base64
		}
		add(at, at+len(m), k.shape.name, m)
		return true
	}
	return false
}

// freshStart says whether a word may begin at i: nothing alphanumeric before it,
// unless that is the letter of an escape (\n, \t, \r) inside a quoted text.
func freshStart(s string, i int) bool {
	if i == 0 || !alnum(s[i-1]) {
		return true
	}
	return i > 1 && s[i-2] == '\\' && strings.IndexByte("nrt", s[i-1]) >= 0
}

func alnum(c byte) bool { return c >= '0' && c <= '9' || letter(c) }

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func digits(s string) (n int) {
	for i := range len(s) {
		if s[i] >= '0' && s[i] <= '9' {
			n++
		}
	}
	return n
}

// notFiller lets a placeholder pass: ghp_xxxxxxxx…, or a value of one repeated filler.
func notFiller(m string) bool {
	tail := m[len(m)-min(len(m), 12):]
	return strings.Trim(tail, "xX0*._-") != ""
}

// signed says whether a token of three parts names an algorithm: an unsigned
// token (alg none) or three parts that only look alike are no secret.
func signed(m string) bool {
	head, err := base64.RawURLEncoding.DecodeString(m[:strings.IndexByte(m, '.')])
	if err != nil {
		return false
	}
	var h struct {
		Alg string `json:"alg"`
	}
	return json.Unmarshal(head, &h) == nil && h.Alg != "" && !strings.EqualFold(h.Alg, "none")
}
