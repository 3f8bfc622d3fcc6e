// Package verb declares the verbs, each once: name, level, words, parameters,
// whether a model may have it, and what runs. The command line's flags, the
// MCP tools and their schemas, help, completion and the README's table are
// all read from here, so a capability that one front end has and the other
// lacks cannot be written.
//
// All lists them; Call runs one with arguments that Decode or the command
// line checked. A declaration holds no logic beyond turning arguments into
// the operation's input.
package verb

import (
	"context"
	"strings"

	"fettler/fettle/internal/ops"
	"fettler/shared/level"
)

// Type is what a parameter holds.
type Type int

// The types. Strings is a list; Object is a JSON object, such as an edit script.
const (
	String Type = iota
	Strings
	Bool
	Int
	Object
)

// Source says that a parameter's value is a place to take another's value
// from. Only the command line has these.
type Source int

// The sources.
const (
	Value Source = iota // the value itself
	File                // a caller's file, read directly
	Stdin               // standard input
)

// Param is one parameter of a verb.
type Param struct {
	Name     string // the flag, with hyphens; over MCP with underscores
	MCP      string // the name over MCP where it differs
	Type     Type
	Arg      bool   // positional on the command line, in declaration order; Strings takes the rest
	Required bool   // on both front ends
	CLI      bool   // on the command line only
	Tool     bool   // over MCP only
	Short    string // a one-letter flag; only search has one
	Value    string // placeholder in help, such as GLOB
	Help     string // one line; ends without a stop
	Plain    bool   // a model knows it by its name: its schema goes without Help
	Enum     []string
	Min      int64  // smallest Int accepted
	Schema   string // JSON schema for an Object
	Fills    string // with Source: the parameter that gets the content
	Source   Source
	Lines    bool // with Source: one value a line
}

// ToolName is the parameter's name over MCP.
func (p *Param) ToolName() string {
	if p.MCP != "" {
		return p.MCP
	}
	return strings.ReplaceAll(p.Name, "-", "_")
}

// Lock says how a verb shares the server with other calls.
type Lock int

// The locks: reads run together, changes take turns, run holds neither.
const (
	Shared Lock = iota
	Exclusive
	Free
)

// Verb is one declaration.
type Verb struct {
	Name    string
	Level   level.Level
	Title   string // a few words, for a client's list
	Summary string // one line: what it answers
	About   string // what a model needs to know besides, in few words
	Params  []Param
	Model   bool // offered over MCP
	// Hints of the MCP tool.
	ReadOnly, Destructive, Idempotent bool
	Lock                              Lock
	// Sibling names the program that runs the verb instead, with the same arguments.
	Sibling string
	Run     func(ctx context.Context, s *ops.Session, a Args) (ops.Answer, error)
}

// Param gives the parameter of that name, or nil.
func (v *Verb) Param(name string) *Param {
	for i := range v.Params {
		if v.Params[i].Name == name {
			return &v.Params[i]
		}
	}
	return nil
}

// All lists the verbs in the order help shows them: by level, tools first.
func All() []*Verb { return table }

// Lookup gives the verb of that name, or nil.
func Lookup(name string) *Verb {
	for _, v := range table {
		if v.Name == name {
			return v
		}
	}
	return nil
}
