// Package cli is the terminal front end: it takes a command line apart,
// runs the verb that it names, and prints the answer and the exit code.
//
// Run is all of it; what else is exported is help, which the documentation
// repeats. It knows no verb by name but the few that are not verbs of
// the table: help, completion, serve, and the two sibling programs. What flags
// there are comes from package verb.
package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v3"

	"fettler/fettle/internal/launch"
	"fettler/fettle/internal/ops"
	"fettler/fettle/internal/sibling"
	"fettler/fettle/internal/term"
	"fettler/fettle/internal/verb"
	"fettler/shared/level"
	"fettler/shared/outcome"
	"fettler/shared/version"
)

// Streams are the program's.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// front is one run of the program.
type front struct {
	Streams
	launch launch.Options
	json   bool
	code   int
}

// Run runs a command line without the program's name and gives the exit code.
func Run(ctx context.Context, words []string, o launch.Options, s Streams) int {
	out := bufio.NewWriterSize(s.Out, 64<<10)
	f := &front{Streams: Streams{s.In, out, s.Err}, launch: o, json: wantsJSON(words)}
	if err := f.run(ctx, words); err != nil {
		f.finish(nil, err)
	}
	if err := out.Flush(); err != nil && f.code == 0 {
		f.code = outcome.Fault.Code()
	}
	return f.code
}

// wantsJSON looks for --json before anything is understood, so that a command
// line that makes no sense is refused in the form that was asked for.
func wantsJSON(words []string) bool {
	for _, w := range words {
		if w == "--" {
			return false
		}
		if w == "--json" || w == "--json=true" {
			return true
		}
	}
	return false
}

func (f *front) run(ctx context.Context, words []string) error {
	words, err := verbFirst(words)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		return f.help(ctx, nil)
	}
	switch words[0] {
	case "--version":
		return f.version(words[1:])
	case "--help":
		return f.help(ctx, words[1:])
	}
	name := words[0]
	if v := verb.Lookup(name); (v != nil && v.Sibling != "" || more[name] != "") && slices.Contains(words, "--help") {
		return f.help(ctx, []string{name})
	}
	if name == "completion" {
		if err := completionWords(words[1:]); err != nil {
			return err
		}
	}
	commands, completes := f.commands(name), false
	switch {
	case name == "completion" || asksCompletion(words):
		commands, completes = f.commands(""), true
	case strings.HasPrefix(name, "-"):
		return errNoFlag(name)
	case len(commands) == 0:
		return outcome.New(outcome.Invalid, "no such verb: %s. Run fettle help for the list", name)
	}
	root := &urfave.Command{
		Name: "fettle", HideHelp: true, HideVersion: true, EnableShellCompletion: completes, Commands: commands,
		Writer: f.Out, ErrWriter: f.Err, ExitErrHandler: func(context.Context, *urfave.Command, error) {},
	}
	return root.Run(ctx, append([]string{"fettle"}, words...))
}

// version prints what the build stamped.
func (f *front) version(words []string) error {
	g, err := scan(words, globalFlags, nil)
	if err != nil {
		return err
	}
	if len(g.args) > 0 {
		return outcome.New(outcome.Invalid, "--version takes no argument; '%s' is extra", g.args[0])
	}
	f.say("version", "fettle "+version.String()+"\n")
	return nil
}

// say prints text that is no verb's answer, in JSON under a name of its own.
func (f *front) say(name, text string) {
	if !f.json {
		io.WriteString(f.Out, text)
		return
	}
	b, err := json.Marshal(map[string]any{"ok": true, "outcome": outcome.OK.Word(), name: strings.TrimSpace(text)})
	if err == nil {
		f.Out.Write(append(b, '\n'))
	}
}

// shells are those that a completion script can be had for.
var shells = []string{"bash", "zsh", "fish", "pwsh"}

func completionWords(words []string) error {
	if len(words) != 1 || !slices.Contains(shells, words[0]) {
		return outcome.New(outcome.Invalid, "completion takes one shell: %s", strings.Join(shells, ", "))
	}
	return nil
}

// asksCompletion reports the flag by which a completion script asks what may
// come next. It is the last word, and behind -- it is a word like any other.
func asksCompletion(words []string) bool {
	return words[len(words)-1] == "--generate-shell-completion" && !slices.Contains(words, "--")
}

// verbFirst moves flags written before the verb behind it, where they mean the same.
func verbFirst(words []string) ([]string, error) {
	var before []string
	for i := 0; i < len(words); i++ {
		w := words[i]
		name, _, hasValue := strings.Cut(w, "=")
		spec, ok := globalFlags[strings.TrimPrefix(name, "--")]
		if !ok || !strings.HasPrefix(w, "--") {
			if len(before) == 0 {
				return words[i:], nil
			}
			return append(append([]string{w}, before...), words[i+1:]...), nil
		}
		before = append(before, w)
		if spec.takesValue && !hasValue {
			if i+1 == len(words) {
				return nil, outcome.New(outcome.Invalid, "%s needs a value. Write --NAME= to pass an empty one", w)
			}
			i++
			before = append(before, words[i])
		}
	}
	if len(before) > 0 {
		return append([]string{"help"}, before...), nil
	}
	return nil, nil
}

// commands are those of the verb table, or the one of that name: a call runs
// one, and making the others would be half of what its start costs.
func (f *front) commands(only string) []*urfave.Command {
	var out []*urfave.Command
	add := func(name, usage string, flags func() []string, run urfave.ActionFunc) {
		if only == "" || only == name {
			out = append(out, f.command(name, usage, flags, run))
		}
	}
	for _, v := range verb.All() {
		run := func(ctx context.Context, c *urfave.Command) error { return f.verb(ctx, v, c.Args().Slice()) }
		if v.Sibling != "" {
			run = func(_ context.Context, c *urfave.Command) error { return f.sibling(v.Sibling, c.Args().Slice()) }
		}
		add(v.Name, v.Summary, func() []string { return flagNames(v) }, run)
	}
	none := func() []string { return nil }
	add("help", "what there is, or one verb in full", none, func(ctx context.Context, c *urfave.Command) error {
		return f.help(ctx, c.Args().Slice())
	})
	add("serve", "become the MCP server on standard input and output", none, func(ctx context.Context, c *urfave.Command) error {
		return f.serve(c.Args().Slice())
	})
	return out
}

func (f *front) command(name, usage string, flags func() []string, run urfave.ActionFunc) *urfave.Command {
	return &urfave.Command{
		Name: name, Usage: usage, SkipFlagParsing: true, HideHelp: true, Action: run,
		ShellComplete: func(context.Context, *urfave.Command) {
			for _, n := range flags() {
				io.WriteString(f.Out, n+"\n")
			}
		},
	}
}

// verb runs a verb of the table.
func (f *front) verb(ctx context.Context, v *verb.Verb, words []string) error {
	known, short := flagsOf(v)
	g, err := scan(words, known, short)
	if err != nil {
		return err
	}
	if g.help {
		return f.help(ctx, []string{v.Name})
	}
	l, err := launch.New(f.options(g))
	if err != nil {
		return err
	}
	defer l.Close()
	in := &inputs{stdin: f.In}
	args, err := toArgs(v, g, in)
	if err != nil {
		return err
	}
	s, err := l.Open(ctx, nil)
	if err != nil {
		return err
	}
	defer s.Boundary.Close()
	if err := in.screened(s.Boundary); err != nil {
		return err
	}
	if !v.ReadOnly {
		// What changes a tree, or has started a task, cleans up behind itself.
		// What only reads dies of the signal as any program does.
		var stop context.CancelFunc
		ctx, stop = launch.Signalled(ctx)
		defer stop()
	}
	s.Terminal = true
	s.AllowCredential = args.Bool("allow-credential")
	f.finish(v.Run(ctx, s, args))
	return nil
}

// options adds a command line's global flags to the launch.
func (f *front) options(g given) launch.Options {
	o := f.launch
	if c := g.flags["config"]; len(c) > 0 {
		o.Config, o.ConfigSet = c[0], true
	}
	o.Roots = g.flags["root"]
	o.NoConfig = len(g.flags["no-config"]) > 0
	return o
}

// finish prints an answer or a refusal, the whole of it on standard output.
func (f *front) finish(a ops.Answer, err error) {
	end := verb.End(a, err)
	if end != nil {
		f.code = end.Kind.Code()
	}
	if f.json {
		f.Out.Write(append(verb.JSON(a, err), '\n'))
		if end != nil && end.Kind == outcome.Fault {
			io.WriteString(f.Err, "fault: "+term.Escape(end.Message)+"\n")
		}
		return
	}
	if err == nil {
		a.Human(f.Out)
	}
	if end == nil {
		return
	}
	switch end.Kind {
	case outcome.Fault:
		io.WriteString(f.Err, "fault: "+term.Escape(end.Message)+"\n")
	case outcome.Denied:
		io.WriteString(f.Out, "denied: "+term.Escape(end.Message)+"\n")
	default:
		io.WriteString(f.Out, "refused: "+term.Escape(end.Message)+"\n")
	}
}

// sibling becomes the program beside fettle.
func (f *front) sibling(program string, words []string) error {
	f.Out.(*bufio.Writer).Flush()
	code, err := sibling.Become(program, words)
	f.code = code
	return err
}

// serve becomes the MCP front end.
func (f *front) serve(words []string) error {
	g, err := scan(words, globalFlags, nil)
	if err != nil {
		return err
	}
	if len(g.args) > 0 {
		return outcome.New(outcome.Invalid, "serve takes no argument; '%s' is extra", g.args[0])
	}
	if len(g.flags["no-config"]) > 0 {
		return outcome.New(outcome.Invalid, "serve does not take --no-config: a server's boundary comes from a file or from --root")
	}
	code, err := sibling.Become("fettle-mcp", words)
	f.code = code
	return err
}

func flagNames(v *verb.Verb) []string {
	var out []string
	for i := range v.Params {
		if p := &v.Params[i]; !p.Tool && !p.Arg {
			out = append(out, "--"+p.Name)
		}
	}
	return append(out, "--json")
}

// levelsOn is what help's first line names.
func levelsOn(on map[level.Level]bool) string {
	var names []string
	for _, l := range level.All() {
		if on[l] {
			names = append(names, l.String())
		}
	}
	return strings.Join(names, ", ")
}
