package mcp

import (
	"strings"

	"fettler/fettle/internal/launch"
	"fettler/shared/outcome"
)

// Flags reads the words that `fettle serve` hands on.
func Flags(words []string) (launch.Options, error) {
	var o launch.Options
	for i := 0; i < len(words); i++ {
		name, value, has := strings.Cut(words[i], "=")
		switch name {
		case "--config", "--root":
		case "--json":
			continue // the protocol is JSON anyway
		default:
			return o, outcome.New(outcome.Invalid, "no such flag: %s. Run fettle help for the list", name)
		}
		if !has {
			if i++; i == len(words) || strings.HasPrefix(words[i], "--") {
				return o, outcome.New(outcome.Invalid, "%s needs a value. Write --NAME= to pass an empty one", name)
			}
			value = words[i]
		}
		if name == "--root" {
			o.Roots = append(o.Roots, value)
			continue
		}
		if o.ConfigSet {
			return o, outcome.New(outcome.Invalid, "--config is given twice")
		}
		o.Config, o.ConfigSet = value, true
	}
	return o, nil
}
