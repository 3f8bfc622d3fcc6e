package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"fettler/fettle/internal/launch"
	"fettler/fettle/internal/verb"
	"fettler/shared/level"
	"fettler/shared/outcome"
)

// help prints the list, or one verb in full.
func (f *front) help(_ context.Context, words []string) error {
	g, err := scan(words, globalFlags, nil)
	if err != nil {
		return err
	}
	if len(g.args) > 1 {
		return outcome.New(outcome.Invalid, "help takes one verb; '%s' is extra", g.args[1])
	}
	var sb strings.Builder
	if len(g.args) == 1 {
		v := verb.Lookup(g.args[0])
		switch {
		case v != nil:
			helpVerb(&sb, v)
		case more[g.args[0]] != "":
			sb.WriteString(more[g.args[0]])
		default:
			return outcome.New(outcome.Invalid, "no such verb: %s. Run fettle help for the list", g.args[0])
		}
		f.say("help", sb.String())
		return nil
	}
	l, err := launch.New(f.options(g))
	if err != nil {
		return err
	}
	defer l.Close()
	on, loadErr := l.Levels()
	here := "here: " + levelsOn(on)
	if loadErr != nil {
		// Help is for mending it, so it is printed all the same, and says so.
		here = "here: the configuration is refused, and with it every call: " + outcome.Of(loadErr).Message
	}
	fmt.Fprintln(&sb, here)
	helpList(&sb)
	f.say("help", sb.String())
	return nil
}

// more is help for what is no verb of the table.
var more = map[string]string{
	"serve": "usage: fettle serve [--config PATH | --root [NAME=]PATH…]\n\nBecome the MCP server on standard input and output, one message a line.\n" +
		"The configuration is read again before every call.\n",
	"help":       "usage: fettle help [VERB]\n\nThe list of verbs, with the levels that are on here, or one verb in full.\n",
	"completion": "usage: fettle completion bash|zsh|fish|pwsh\n\nA completion script for the shell, on standard output.\n",
}

func helpList(w io.Writer) {
	fmt.Fprintln(w, "\nusage: fettle VERB [ARGUMENT…] [--FLAG VALUE…]")
	for _, l := range level.All() {
		var vs []*verb.Verb
		for _, v := range verb.All() {
			if v.Level == l {
				vs = append(vs, v)
			}
		}
		if len(vs) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s\n", l)
		for _, v := range vs {
			fmt.Fprintf(w, "  %-9s %s\n", v.Name, v.Summary)
		}
	}
	fmt.Fprint(w, "\nmore\n"+
		"  serve     become the MCP server on standard input and output\n"+
		"  help      this list, or help VERB for one verb's flags\n"+
		"  completion  a completion script for bash, zsh, fish or pwsh\n"+
		"  --version   what was built\n")
	fmt.Fprintln(w, "\non every verb")
	fmt.Fprint(w, GlobalHelp)
	fmt.Fprintln(w, "\nexit codes")
	for _, k := range outcome.All() {
		fmt.Fprintf(w, "  %2d  %-13s %s\n", k.Code(), k.Word(), k.Meaning())
	}
}

// GlobalHelp lists the flags that every verb takes.
const GlobalHelp = `  --json                print the answer as JSON
  --config PATH         read this file instead of looking for .fettler.json
  --root [NAME=]PATH    open this folder to list and read; no file is looked for; repeatable
  --no-config           look for no file; the launch folder may be listed and read
`

func helpVerb(w io.Writer, v *verb.Verb) {
	fmt.Fprintf(w, "usage: fettle %s%s\n\n%s.\n", v.Name, usage(v), strings.ToUpper(v.Summary[:1])+v.Summary[1:])
	if v.About != "" {
		fmt.Fprintf(w, "%s\n", v.About)
	}
	rows := [][2]string{}
	for i := range v.Params {
		if p := &v.Params[i]; !p.Tool && p.Help != "" {
			rows = append(rows, [2]string{Spelled(p), Described(p)})
		}
	}
	if len(rows) > 0 {
		fmt.Fprintln(w)
		for _, r := range rows {
			fmt.Fprintf(w, "  %-24s %s\n", r[0], r[1])
		}
	}
	fmt.Fprintf(w, "\non every verb\n%s", GlobalHelp)
}

// Spelled is how help writes an argument or a flag.
func Spelled(p *verb.Param) string {
	switch {
	case p.Arg && p.Short != "":
		return p.Placeholder() + ", -" + p.Short + " " + p.Value
	case p.Arg:
		return p.Placeholder()
	case p.Type != verb.Bool && p.Source != verb.Stdin:
		return "--" + p.Name + " " + p.Placeholder()
	}
	return "--" + p.Name
}

// Described is what help says of it.
func Described(p *verb.Param) string {
	if len(p.Enum) > 0 {
		return p.Help + ": " + strings.Join(p.Enum, ", ")
	}
	return p.Help
}

// usage is the arguments part of a verb's first help line.
func usage(v *verb.Verb) string {
	var sb strings.Builder
	flags := false
	for i := range v.Params {
		p := &v.Params[i]
		switch {
		case p.Tool:
		case !p.Arg:
			flags = true
		case p.Required:
			sb.WriteString(" " + p.Placeholder())
		default:
			sb.WriteString(" [" + p.Placeholder() + "]")
		}
	}
	if flags {
		sb.WriteString(" [--FLAG…]")
	}
	return sb.String()
}
