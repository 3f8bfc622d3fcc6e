package main

import (
	"regexp"
	"strings"
	"testing"

	"fettler/fettle/internal/verb"
)

// The manual page has every verb and every flag, and no line that a formatter
// would take for a request by accident.
func TestManPage(t *testing.T) {
	page := manPage()
	for _, v := range verb.All() {
		_, rest, ok := strings.Cut(page, "\n.SS "+v.Name+"\n")
		if !ok {
			t.Errorf("no section for %s", v.Name)
			continue
		}
		section, _, _ := strings.Cut(rest, "\n.S")
		for i := range v.Params {
			if p := &v.Params[i]; !p.Tool && !p.Arg && p.Help != "" && !regexp.MustCompile(`(?m)^\.B \\-\\-`+strings.ReplaceAll(p.Name, "-", `\\-`)+`( |$)`).MatchString(section) {
				t.Errorf("%s lacks --%s", v.Name, p.Name)
			}
		}
	}
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !regexp.MustCompile(`^\.(TH|SH|SS|TP|B|I|nf|fi)( .+)?\n$`).MatchString(line) {
			t.Errorf("%q is no request", line)
		}
	}
	if got, want := roff(`.a\b-c…`), `\&.a\eb\-c...`; got != want {
		t.Errorf("roff gives %q, want %q", got, want)
	}
}
