package identifiers

import (
	"strings"
	"testing"
)

func TestEmail(t *testing.T) {
	find := func(s string) int { return len(emails(fold(nil, []string{s}), nil)) }
	for _, s := range []string{
		"jane@example.com", "<jane.doe+tag@mail.example.co.uk>", "mailto:jane@example.com?subject=x", "o'neil@example.ie",
		"jane@example.com.", "jane@example.com-", "x=jane_doe%a@example.org,", "jürgen@exämple.de", "联系jane@example.cn。",
		"jane@xn--80ak6aa92e.com", "a@b.xn--p1ai", "'jane@example.com'", "jane＠example．com", "git@example.com", "jane@1and1.com",
		"7@qq.com", "\"jane@example.com\":", "jane@example.museum/path",
		"URL:https://hospital.org\nEMAIL:ann.lee@hospital.org", "https://hospital.org EMAIL:ann.lee@hospital.org",
		"https://hospital.org\tmail:ann.lee@hospital.org", `{"url":"https://hospital.org","mail":"ann.lee@hospital.org"}`,
		`{url:"https://hospital.org",to:"x":ann.lee@hospital.org}`, "(https://hospital.org)mail:ann.lee@hospital.org",
		`ids:\nann.lee@hospital.org`, `\u003cann.lee@hospital.org\u003e`, `URL:https://hospital.org\nEMAIL:ann.lee@hospital.org`,
		`CORP\n@example.com`, `C:\new\ann.lee@hospital.org`, "\x1b[31mann.lee\x1b[0m@hospital.org\x1b[K",
	} {
		if find(s) != 1 {
			t.Errorf("%q: %d addresses, want 1", s, find(s))
		}
	}
	for _, s := range []string{
		"@example.com", "jane@", "jane@localhost", "jane@example.c", "jane@example.123", "jane@.com", "jane.@example.com", "jane@-x.com",
		"git@github.com:owner/repo.git", "ssh://git@github.com/owner/repo", "https://user@host.example.com/x", "https://user:word@host.example.com/",
		"golang.org/x/mod@v0.14.0.info", "x/mod@v1.2.3", "react@18.2.0", "icon@2x.png", "icon@3x.retina.png", "lodash@4.17.21.tgz",
		"@media print", "@Override", "node_modules/@babel/core", "a @ b.com", "foo@bar.js", "user@host:22", "=@=", "a@b@c", "x@y..z",
		"see\nhttps://user:word@host.org", "https://user:word@host.org", `"https://user:word@host.org"`, "(https://user:p+w.d@host.org)",
	} {
		if find(s) != 0 {
			t.Errorf("%q: %d addresses, want none", s, find(s))
		}
	}
	if n := find("a@example.com,b@example.com;c@example.com"); n != 3 {
		t.Errorf("three addresses in a list: %d", n)
	}
	if n := find(strings.Repeat("a@example.com", 3)); n == 0 {
		t.Errorf("addresses run together: none found")
	}
}
