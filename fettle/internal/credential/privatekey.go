package credential

import "strings"

const (
	privateKeyName = "private-key"
	beginMark      = "-----BEGIN "
	// shortestBody is below one full line of any armoured key (64 characters).
	shortestBody = 40
)

// privateKey reads an armoured private key around the G of -----BEGIN at i.
// The header alone is no secret: documents and tests hold many. A key has a body,
// a long run of base64, however its lines are put: raw, escaped in JSON, as an
// array of quoted lines, or indented under a YAML key.
func privateKey(s string, i int) (at, end int, ok bool) {
	at = i - strings.IndexByte(beginMark, 'G')
	if at < 0 || !strings.HasPrefix(s[at:], beginMark) {
		return 0, 0, false
	}
	label := s[at+len(beginMark) : min(len(s), at+len(beginMark)+60)]
	close := strings.Index(label, "-----")
	if close < 0 {
		return 0, 0, false
	}
	label = label[:close]
	if label != "PRIVATE KEY" && label != "PRIVATE KEY BLOCK" &&
		!strings.HasSuffix(label, " PRIVATE KEY") && !strings.HasSuffix(label, " PRIVATE KEY BLOCK") {
		return 0, 0, false
	}
	const longest = 1 << 16
	from := at + len(beginMark) + close + len("-----")
	body := s[from:min(len(s), from+longest)]
	for _, mark := range []string{beginMark, "-----END"} {
		if stop := strings.Index(body, mark); stop >= 0 {
			body = body[:stop]
		}
	}
	return at, from + len(body), keyBody(body) != ""
}

// keyBody joins the base64 runs of an armoured body that are long enough to be
// key material; "" when there is none, as in a stub of dots or a sentence.
func keyBody(body string) string {
	var b strings.Builder
	for i := 0; i < len(body); {
		j := i
		for j < len(body) && (alnum(body[j]) || body[j] == '+' || body[j] == '/' || body[j] == '=') {
			j++
		}
		run := body[i:j]
		// In an escaped \n the letter n stands before the next line.
		if i > 0 && body[i-1] == '\\' && len(run) > 0 {
			run = run[1:]
		}
		if len(run) >= shortestBody && mixed(run) {
			b.WriteString(run)
		}
		i = j + 1
	}
	return b.String()
}

// mixed says whether a run has the variety of encoded bytes.
func mixed(run string) bool {
	var seen [256]bool
	n := 0
	for i := range len(run) {
		if !seen[run[i]] {
			seen[run[i]] = true
			n++
		}
	}
	return n >= 10
}
