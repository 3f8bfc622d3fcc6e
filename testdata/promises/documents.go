package promises

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// documents are the pages whose promises must be shown.
var documents = []string{"README.md", "docs/configuration.md", "docs/mcp.md", "docs/threat-model.md", "docs/screenings.md", "SECURITY.md", "CHANGELOG.md"}

// promising are the words by which a sentence promises a refusal or a bound.
var promising = regexp.MustCompile(`(?i)\b(never|refus\w*|nothing|cannot|always|at most|only|none|no|not|neither|nor|whole|must|required|stops|first|byte for byte|one of|ends|seconds|-3\d{4}|decides|inherits|read again|checked|everything but|replaces|resolves|passes over|together|taken|same name|answered with|crash|once|one pass)\b`)

var sentenceEnd = regexp.MustCompile("([.:;]) +([A-Z`*])")

// sentences gives the sentences, list items and table rows of a page that
// promise something. Code and what is generated between markers is left out:
// the verb table and the exit codes are read from the program itself.
func sentences(page string) []string {
	var out []string
	for _, unit := range units(page) {
		parts := []string{unit}
		if !strings.HasPrefix(unit, "|") {
			parts = strings.Split(sentenceEnd.ReplaceAllStringFunc(unit, func(s string) string {
				if s[0] != '.' {
					return s
				}
				return ".\x00" + s[len(s)-1:]
			}), "\x00")
		}
		for _, s := range parts {
			if promising.MatchString(s) {
				out = append(out, s)
			}
		}
	}
	return out
}

// units unwraps a page: a paragraph, a list item or a table row each.
func units(page string) []string {
	var out []string
	fenced, generated, open := false, false, false
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			fenced, open = !fenced, false
			continue
		case strings.HasPrefix(line, "<!--"):
			generated, open = !strings.HasPrefix(line, "<!-- end"), false
			continue
		case fenced || generated:
			continue
		case line == "" || strings.HasPrefix(line, "#"):
			open = false
			continue
		case strings.HasPrefix(line, "|"):
			open = false
			if !strings.HasPrefix(line, "| ---") {
				out = append(out, line)
			}
			continue
		case strings.HasPrefix(line, "- "):
			line, open = line[2:], false
		}
		if open {
			out[len(out)-1] += " " + line
		} else {
			out, open = append(out, line), true
		}
	}
	return out
}

func readPage(top, name string) (string, error) {
	b, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(name)))
	return string(b), err
}
