package main

import (
	"fmt"
	"strings"

	"fettler/fettle/internal/cli"
	"fettler/fettle/internal/verb"
	"fettler/shared/level"
	"fettler/shared/outcome"
)

// manPage is fettle(1): the verbs with their flags, and the exit codes.
func manPage() string {
	var sb strings.Builder
	sb.WriteString(".TH FETTLE 1 \"\" Fettler \"User Commands\"\n.SH NAME\nfettle \\- file access of a coding assistant inside a boundary that a person wrote\n" +
		".SH SYNOPSIS\n.B fettle\n\\fIVERB\\fR [\\fIARGUMENT\\fR...] [\\fB\\-\\-FLAG\\fR \\fIVALUE\\fR...]\n" +
		".SH DESCRIPTION\nOver MCP and on the command line fettle finds, searches, reads, writes, edits, moves, unpacks and runs inside the trees of .fettler.json.\n" +
		"The pages in docs beside the programs say how.\n")
	for _, l := range level.All() {
		fmt.Fprintf(&sb, ".SH VERBS OF THE LEVEL %s\n", strings.ToUpper(l.String()))
		for _, v := range verb.All() {
			if v.Level == l {
				manVerb(&sb, v)
			}
		}
	}
	sb.WriteString(".SH FLAGS OF EVERY VERB\n.nf\n" + roffLines(cli.GlobalHelp) + ".fi\n.SH EXIT STATUS\n")
	for _, k := range outcome.All() {
		fmt.Fprintf(&sb, ".TP\n.B %d %s\n%s\n", k.Code(), roff(k.Word()), roff(k.Meaning()))
	}
	sb.WriteString(".SH FILES\n.TP\n.I .fettler.json\nlooked for in the launch folder and above; docs/configuration.md has every key\n" +
		".TP\n.I .fettler.local.json\nlies over it entry by entry\n")
	return sb.String()
}

func manVerb(sb *strings.Builder, v *verb.Verb) {
	fmt.Fprintf(sb, ".SS %s\n%s.\n", roff(v.Name), roff(strings.ToUpper(v.Summary[:1])+v.Summary[1:]))
	if v.About != "" {
		sb.WriteString(roffLines(v.About))
	}
	for i := range v.Params {
		if p := &v.Params[i]; !p.Tool && p.Help != "" {
			fmt.Fprintf(sb, ".TP\n.B %s\n%s\n", roff(cli.Spelled(p)), roff(cli.Described(p)))
		}
	}
}

// roff spells text for a manual page: a backslash and a dash have a meaning
// there, and so has a dot or a quote that begins a line.
func roff(s string) string {
	s = strings.NewReplacer("\\", "\\e", "-", "\\-", "…", "...").Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = "\\&" + s
	}
	return s
}

func roffLines(s string) string {
	var sb strings.Builder
	for line := range strings.Lines(s) {
		sb.WriteString(roff(strings.TrimSuffix(line, "\n")) + "\n")
	}
	return sb.String()
}
