// Command docgen writes the parts of the documentation that are read from the
// verb table, the table in README.md, between its markers, and docs/verbs.md,
// and from the sources: docs/platforms.md.
//
// Run it with the project's top folder as its argument, or with -check to
// learn whether the files are as it would write them, or -man to get the manual
// page on standard output. It is no part of a release.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fettler/fettle/internal/verb"
	"fettler/shared/level"
	"fettler/shared/outcome"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "-man" {
		fmt.Print(manPage())
		return
	}
	check := len(os.Args) > 1 && os.Args[1] == "-check"
	top := os.Args[len(os.Args)-1]
	if err := run(top, check); err != nil {
		fmt.Fprintln(os.Stderr, "docgen:", err)
		os.Exit(1)
	}
}

func run(top string, check bool) error {
	readme := filepath.Join(top, "README.md")
	old, err := os.ReadFile(readme)
	if err != nil {
		return err
	}
	text := string(old)
	for name, body := range map[string]string{"verbs": verbTable(), "exit codes": exitTable()} {
		if text, err = between(text, name, body); err != nil {
			return err
		}
	}
	platforms, err := platformsPage(top)
	if err != nil {
		return err
	}
	return errors.Join(put(readme, text, check), put(filepath.Join(top, "docs", "verbs.md"), verbPages(), check), put(filepath.Join(top, "docs", "platforms.md"), platforms, check))
}

// between replaces what stands between the two markers of a name.
func between(text, name, body string) (string, error) {
	begin, end := "<!-- "+name+" -->\n", "<!-- end "+name+" -->"
	head, rest, ok := strings.Cut(text, begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return "", fmt.Errorf("README.md lacks the markers of %q", name)
	}
	return head + begin + body + end + tail, nil
}

func put(file, text string, check bool) error {
	old, err := os.ReadFile(file)
	if err == nil && bytes.Equal(old, []byte(text)) {
		return nil
	}
	if check {
		return fmt.Errorf("%s is not what the sources say. Run go tool mage docs", filepath.Base(file))
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

func verbTable() string {
	var sb strings.Builder
	sb.WriteString("| verb | level | answers |\n| --- | --- | --- |\n")
	for _, l := range level.All() {
		for _, v := range verb.All() {
			if v.Level != l {
				continue
			}
			offered := ""
			if !v.Model {
				offered = " (not offered to a model)"
			}
			fmt.Fprintf(&sb, "| `%s` | %s | %s%s |\n", v.Name, l, v.Summary, offered)
		}
	}
	return sb.String()
}

func exitTable() string {
	var sb strings.Builder
	sb.WriteString("| code | outcome | meaning |\n| --- | --- | --- |\n")
	for _, k := range outcome.All() {
		fmt.Fprintf(&sb, "| %d | `%s` | %s |\n", k.Code(), k.Word(), k.Meaning())
	}
	return sb.String()
}

func verbPages() string {
	var sb strings.Builder
	sb.WriteString("# The verbs\n\nGenerated from the verb table by `go tool mage docs`. A flag `--some-flag` is the argument `some_flag` over MCP,\nunless it says that it is for one side only.\n")
	for _, v := range verb.All() {
		fmt.Fprintf(&sb, "\n## %s\n\n%s.\n", v.Name, strings.ToUpper(v.Summary[:1])+v.Summary[1:])
		if v.About != "" {
			fmt.Fprintf(&sb, "%s\n", v.About)
		}
		if len(v.Params) == 0 {
			continue
		}
		sb.WriteString("\n| argument | what it is |\n| --- | --- |\n")
		for i := range v.Params {
			fmt.Fprintf(&sb, "| %s | %s |\n", spelled(&v.Params[i]), describe(&v.Params[i]))
		}
	}
	return sb.String()
}

func spelled(p *verb.Param) string {
	switch {
	case p.Tool:
		return "`" + p.ToolName() + "`"
	case p.Arg && p.Short != "":
		return "`" + p.Placeholder() + "`, `-" + p.Short + "`"
	case p.Arg:
		return "`" + p.Placeholder() + "`"
	case p.Type == verb.Bool || p.Source == verb.Stdin:
		return "`--" + p.Name + "`"
	}
	return "`--" + p.Name + " " + p.Placeholder() + "`"
}

func describe(p *verb.Param) string {
	d := p.Help
	if len(p.Enum) > 0 {
		d += ": " + strings.Join(p.Enum, ", ")
	}
	if p.Required {
		d += " (required)"
	}
	switch {
	case p.CLI:
		d += " (command line only)"
	case p.Tool:
		d += " (MCP only)"
	case p.Arg:
		d += " (MCP `" + p.ToolName() + "`)"
	}
	return strings.ReplaceAll(d, "|", "\\|")
}
