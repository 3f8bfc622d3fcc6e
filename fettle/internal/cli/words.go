package cli

import (
	"strconv"
	"strings"

	"fettler/fettle/internal/verb"
	"fettler/shared/outcome"
)

// given is a command line taken apart: the words that are arguments, and the
// values of each flag in the order they were written.
type given struct {
	args  []string
	flags map[string][]string
	help  bool // --help stands where a flag does
}

// flagSpec is what scan must know of a flag.
type flagSpec struct {
	takesValue bool
	repeats    bool
}

// scan takes a verb's words apart. A flag that is not known is refused, never
// ignored: it might have swallowed the word after it, and the call would then
// do something else with complete confidence. One dash is a flag only for a
// declared short name; -- ends the flags.
func scan(words []string, known map[string]flagSpec, short map[string]string) (given, error) {
	g := given{flags: map[string][]string{}}
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--":
			g.args = append(g.args, words[i+1:]...)
			return g, nil
		case len(w) < 2 || w[0] != '-':
			if w == "-" {
				return given{}, errNoFlag(w)
			}
			g.args = append(g.args, w)
			continue
		}
		name, value, hasValue := strings.Cut(w, "=")
		if strings.HasPrefix(name, "--") {
			name = name[2:]
		} else {
			long, ok := short[name[1:]]
			if !ok {
				return given{}, errNoFlag(name)
			}
			name = long
		}
		spec, ok := known[name]
		if !ok && w == "--help" {
			g.help = true
			continue
		}
		if !ok {
			return given{}, errNoFlag(strings.SplitN(w, "=", 2)[0])
		}
		if !spec.takesValue {
			if hasValue && value != "true" {
				return given{}, outcome.New(outcome.Invalid, "--%s takes no value", name)
			}
			g.flags[name] = []string{"true"}
			continue
		}
		if !hasValue {
			if i+1 == len(words) || isFlag(words[i+1], known, short) {
				return given{}, outcome.New(outcome.Invalid, "%s needs a value. Write --NAME= to pass an empty one", w)
			}
			i++
			value = words[i]
		}
		if len(g.flags[name]) > 0 && !spec.repeats {
			return given{}, outcome.New(outcome.Invalid, "--%s is given twice", name)
		}
		g.flags[name] = append(g.flags[name], value)
	}
	return g, nil
}

// isFlag reports whether a word where a value is wanted is a flag instead. A
// value may begin with a hyphen, so only words that are flags count.
func isFlag(w string, known map[string]flagSpec, short map[string]string) bool {
	if w == "--" {
		return true
	}
	name, _, _ := strings.Cut(w, "=")
	if long, ok := strings.CutPrefix(name, "--"); ok {
		_, is := known[long]
		return is
	}
	if one, ok := strings.CutPrefix(name, "-"); ok {
		_, is := short[one]
		return is
	}
	return false
}

func errNoFlag(w string) error {
	return outcome.New(outcome.Invalid, "no such flag: %s. Run fettle help for the list", w)
}

// flagsOf gives scan's view of a verb's flags, and the short names.
func flagsOf(v *verb.Verb) (map[string]flagSpec, map[string]string) {
	known, short := map[string]flagSpec{}, map[string]string{}
	for name, spec := range globalFlags {
		known[name] = spec
	}
	for i := range v.Params {
		p := &v.Params[i]
		if p.Tool || p.Arg && p.Short == "" {
			continue
		}
		name := p.Name
		if p.Short != "" {
			short[p.Short] = "-" + p.Short // reachable by its short name only
			known["-"+p.Short] = flagSpec{takesValue: true, repeats: true}
			continue
		}
		known[name] = flagSpec{takesValue: p.Type != verb.Bool && p.Source != verb.Stdin, repeats: p.Type == verb.Strings}
	}
	return known, short
}

// globalFlags hold on every verb.
var globalFlags = map[string]flagSpec{
	"config":    {takesValue: true},
	"root":      {takesValue: true, repeats: true},
	"no-config": {},
	"json":      {},
}

// toArgs turns the words of a verb into its arguments.
func toArgs(v *verb.Verb, g given, in *inputs) (verb.Args, error) {
	a := verb.Args{}
	rest := g.args
	for i := range v.Params {
		p := &v.Params[i]
		if p.Tool {
			continue
		}
		values, flagged := g.flags[p.Name]
		if p.Short != "" {
			values = g.flags["-"+p.Short]
		}
		if p.Arg {
			switch {
			case p.Type == verb.Strings:
				values = append(values, rest...)
				rest = nil
			case len(rest) > 0:
				values, rest = rest[:1], rest[1:]
			}
			flagged = len(values) > 0
		}
		if !flagged {
			continue
		}
		if err := set(a, v, p, values, in); err != nil {
			return nil, err
		}
	}
	if len(rest) > 0 {
		if v.Name == "run" {
			return nil, outcome.New(outcome.Invalid, "run takes only a task name; '%s' is extra. A task takes no arguments. Declare a second task for a variant", rest[0])
		}
		return nil, outcome.New(outcome.Invalid, "%s takes no further argument; '%s' is extra. Run fettle help %s", v.Name, rest[0], v.Name)
	}
	return a, v.Check(a, spellFlag)
}

// set puts a parameter's value, or what its file or stream holds, into a.
func set(a verb.Args, v *verb.Verb, p *verb.Param, values []string, in *inputs) error {
	if p.Source != verb.Value {
		content, err := in.content(p, values[0])
		if err != nil {
			return err
		}
		target := v.Param(p.Fills)
		if !p.Lines {
			if a.Has(target.Name) {
				return outcome.New(outcome.Invalid, "%s is given more than once, also as a file or a stream", spellFlag(target))
			}
			if target.Type == verb.Object {
				return setObject(a, target, content)
			}
			a[target.Name] = content
			return nil
		}
		a[target.Name] = append(a.Strings(target.Name), lines(content)...)
		return nil
	}
	switch p.Type {
	case verb.Bool:
		a[p.Name] = true
	case verb.Strings:
		a[p.Name] = append(a.Strings(p.Name), values...)
	case verb.Int:
		n, err := strconv.ParseInt(values[0], 10, 64)
		if err != nil {
			return outcome.New(outcome.Invalid, "%s needs a whole number; '%s' is none", spellFlag(p), values[0])
		}
		a[p.Name] = n
	case verb.Object:
		return setObject(a, p, values[0])
	default:
		if a.Has(p.Name) {
			return outcome.New(outcome.Invalid, "%s is given more than once, also as a file or a stream", spellFlag(p))
		}
		a[p.Name] = values[0]
	}
	return nil
}

// setObject takes a JSON object through the checks an MCP argument passes.
func setObject(a verb.Args, p *verb.Param, content string) error {
	val, err := p.DecodeObject([]byte(content))
	if err != nil {
		return err
	}
	a[p.Name] = val
	return nil
}

// spellFlag writes a parameter as the command line does.
func spellFlag(p *verb.Param) string {
	if p.Arg {
		return p.Placeholder()
	}
	return "--" + p.Name
}

// lines gives one value a line; the line ending of any platform ends one.
func lines(content string) []string {
	content = strings.ReplaceAll(content, "\r\n", "\n")
	content = strings.TrimSuffix(content, "\n")
	if content == "" {
		return nil
	}
	return strings.Split(content, "\n")
}
