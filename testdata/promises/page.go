package promises

import (
	"bytes"
	"fmt"
	"strings"
)

// Page is docs/promises.md.
func (b *Book) Page() []byte {
	var out bytes.Buffer
	out.WriteString("# What is promised, and what shows it\n\n" +
		"Made by `go tool mage promises` from the transcripts in `testdata/transcripts`, which every test run replays against the built\n" +
		"programs, and from `testdata/promises/sentences.txt`. A sentence without a test fails the tests, and so does a test that is gone.\n\n" +
		"## The sentences\n\n| document | sentence | shown by |\n| --- | --- | --- |\n")
	for _, s := range b.sentences {
		var shown []string
		for _, e := range s.evidence {
			switch {
			case e.promise != "":
				shown = append(shown, "["+e.promise+"](#"+anchor(e.promise)+")")
			case e.transcript != "":
				shown = append(shown, "`testdata/transcripts/"+e.transcript+"`")
			case e.test != "":
				shown = append(shown, "`"+e.test+"` in `"+e.folder+"`")
			default:
				shown = append(shown, "nothing to show: "+e.nothingToShow)
			}
		}
		fmt.Fprintf(&out, "| %s | %s | %s |\n", s.document, cell(s.text), strings.Join(shown, "; "))
	}
	out.WriteString("\n## The sessions\n\nAn answer between slashes is a regular expression that the answer matches.\n")
	for _, p := range b.promises {
		fmt.Fprintf(&out, "\n### %s\n\nFrom `testdata/transcripts/%s`:\n\n```\n", p.text, p.file)
		for _, l := range p.lines {
			p.render(&out, l)
		}
		out.WriteString("```\n")
	}
	return out.Bytes()
}

// cell is a sentence as a table's cell: a table's row is its own cells.
func cell(s string) string {
	if strings.HasPrefix(s, "|") {
		s = strings.ReplaceAll(strings.Trim(s, "| "), " | ", " — ")
	}
	return strings.ReplaceAll(s, "|", `\|`)
}

// anchor is the name that a Markdown page gives a heading.
func anchor(heading string) string {
	var out strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case r == ' ':
			out.WriteByte('-')
		case r == '-' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			out.WriteRune(r)
		}
	}
	return out.String()
}

// render writes a transcript's line as a session shows it.
func (p promise) render(out *bytes.Buffer, line string) {
	verb, rest, _ := strings.Cut(line, " ")
	not := ""
	if verb == "!" {
		not = "not "
		verb, rest, _ = strings.Cut(rest, " ")
	}
	switch verb {
	case "exec":
		fmt.Fprintf(out, "$ %s\n", rest)
	case "code":
		n, command, _ := strings.Cut(rest, " ")
		fmt.Fprintf(out, "$ %s\n(exit %s)\n", command, n)
	case "mcp":
		fmt.Fprintf(out, "$ fettle serve <<END\n%sEND\n", p.files[base(rest)])
	case "stdout":
		fmt.Fprintf(out, "%s/%s/\n", not, strings.ReplaceAll(strings.Trim(rest, "'"), "''", "'"))
	case "stderr":
		fmt.Fprintf(out, "on standard error %s/%s/\n", not, strings.Trim(rest, "'"))
	case "cmp":
		if name, ok := strings.CutPrefix(rest, "stdout "); ok {
			out.WriteString(p.files[base(name)])
		} else {
			fmt.Fprintf(out, "(equal: %s)\n", rest)
		}
	case "unchanged":
		fmt.Fprintf(out, "(every byte below %s is as it was)\n", rest)
	case "exists":
		fmt.Fprintf(out, "(%sthere: %s)\n", not, rest)
	case "snapshot": // what unchanged compares with
	default:
		fmt.Fprintf(out, "$ %s\n", strings.TrimSpace(verb+" "+rest))
	}
}

func base(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }
