package ops

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"fettler/fettle/internal/change"
	"fettler/fettle/internal/term"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// BatchInput is a script of operations, or the path of one in a tree.
type BatchInput struct {
	Script     json.RawMessage
	ScriptPath string
}

// BatchAnswer lists the operations up to the first that failed.
type BatchAnswer struct {
	Operations   []BatchStep `json:"operations"`
	Completed    int         `json:"completed"`
	Count        int         `json:"count"`
	StoppedEarly bool        `json:"stopped_early"`
}

// BatchStep is how one operation ended.
type BatchStep struct {
	Index   int    `json:"index"`
	Op      string `json:"op"`
	Outcome string `json:"outcome"`
	Detail  string `json:"detail"`
}

// End implements Ended: a batch that stopped early is refused, and what it did
// before that stays done.
func (a *BatchAnswer) End() *outcome.Error {
	if !a.StoppedEarly {
		return nil
	}
	last := a.Operations[len(a.Operations)-1]
	return outcome.New(outcome.Refused, "operation %d of %d (%s) was not done, and none after it: %s. What was done before it stays done", last.Index, a.Count, last.Op, strings.TrimSuffix(last.Detail, "."))
}

// Human prints one line an operation.
func (a *BatchAnswer) Human(w io.Writer) {
	for _, s := range a.Operations {
		fmt.Fprintf(w, "%d %s: %s  %s\n", s.Index, s.Op, s.Outcome, term.Escape(s.Detail))
	}
	if a.StoppedEarly {
		return // the front end prints how it ended
	}
	fmt.Fprintf(w, "%d of %d operations done\n", a.Completed, a.Count)
}

// batchOp is one operation of a script.
type batchOp struct {
	Op                                              string
	Path, From, To, Text, Expect, Encoding, EOL     string
	Overwrite, Append, Recursive, Force, Executable bool
	PreserveTimes                                   bool
}

// batchFields are the fields each operation takes; the first ones it needs.
var batchFields = map[string]struct{ need, may []string }{
	"mkdir":  {[]string{"path"}, nil},
	"new":    {[]string{"path"}, nil},
	"write":  {[]string{"path", "text"}, []string{"overwrite", "append", "expect", "encoding", "eol"}},
	"move":   {[]string{"from", "to"}, []string{"overwrite"}},
	"copy":   {[]string{"from", "to"}, []string{"recursive", "overwrite", "preserveTimes"}},
	"delete": {[]string{"path"}, []string{"recursive", "force"}},
	"exec":   {[]string{"path", "executable"}, nil},
}

const batchOps = "mkdir, new, write, move, copy, delete, exec"

// Batch runs operations in order. The first that fails ends it; nothing is undone.
func Batch(ctx context.Context, s *Session, in BatchInput) (*BatchAnswer, error) {
	if (in.Script == nil) == (in.ScriptPath == "") {
		return nil, outcome.New(outcome.Invalid, "batch takes a script, or the path of a script. %s",
			s.how("batch", `Give script as {"operations":[{"op":"mkdir","path":"docs"}]}, or script_path`))
	}
	from, err := s.script(in.Script, in.ScriptPath)
	if err != nil {
		return nil, err
	}
	list, err := decodeBatch(from.raw)
	if err != nil {
		return nil, from.declined(ctx, s, err)
	}
	var names []string
	for i := range list {
		b := &list[i]
		names = append(names, b.Path, b.From, b.To, b.Expect, b.Encoding, b.EOL)
	}
	if err := from.named(ctx, s, names); err != nil {
		return nil, err
	}
	a := &BatchAnswer{Operations: []BatchStep{}, Count: len(list)}
	for i, op := range list {
		detail, err := op.run(ctx, s, &from)
		step := BatchStep{Index: i + 1, Op: op.Op, Outcome: outcome.OK.Word(), Detail: detail}
		if err != nil {
			e := outcome.Of(err)
			step.Outcome, step.Detail = e.Kind.Word(), e.Message
			a.StoppedEarly = true
		} else {
			a.Completed++
		}
		a.Operations = append(a.Operations, step)
		s.Progress(int64(i+1), int64(len(list)), op.Op)
		if a.StoppedEarly {
			break
		}
		s.Boundary.Rescope()
	}
	return a, nil
}

// decodeBatch checks the whole script before anything is done.
func decodeBatch(raw []byte) ([]batchOp, error) {
	o, err := change.DecodeObject(raw, "the script", "operations")
	if err != nil {
		return nil, err
	}
	if !o.Has("operations") {
		return nil, outcome.New(outcome.Invalid, `the script has no "operations". Write {"operations":[{"op":"mkdir","path":"docs"}]}`)
	}
	items, err := change.DecodeArray(o["operations"], "operations", `[{"op":"mkdir","path":"docs"}]`)
	if err != nil {
		return nil, err
	}
	list := make([]batchOp, len(items))
	for i, item := range items {
		if err := list[i].decode(item, fmt.Sprintf("operation %d", i+1)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (b *batchOp) decode(raw json.RawMessage, what string) error {
	o, err := change.DecodeObject(raw, what, "op", "path", "from", "to", "text", "overwrite", "append", "expect", "encoding", "eol",
		"recursive", "force", "executable", "preserveTimes")
	if err != nil {
		return err
	}
	texts := map[string]*string{"op": &b.Op, "path": &b.Path, "from": &b.From, "to": &b.To, "text": &b.Text, "expect": &b.Expect, "encoding": &b.Encoding, "eol": &b.EOL}
	flags := map[string]*bool{"overwrite": &b.Overwrite, "append": &b.Append, "recursive": &b.Recursive, "force": &b.Force, "executable": &b.Executable, "preserveTimes": &b.PreserveTimes}
	for name, dst := range texts {
		if err := o.Text(name, what, dst); err != nil {
			return err
		}
	}
	for name, dst := range flags {
		if err := o.Flag(name, what, dst); err != nil {
			return err
		}
	}
	fields, ok := batchFields[b.Op]
	if !ok {
		return outcome.New(outcome.Invalid, `%s: "op" is one of: %s; it is '%s'`, what, batchOps, b.Op)
	}
	known := map[string]bool{"op": true}
	for _, f := range fields.need {
		if !o.Has(f) {
			return outcome.New(outcome.Invalid, `%s (%s) needs "%s"`, what, b.Op, f)
		}
		known[f] = true
	}
	for _, f := range fields.may {
		known[f] = true
	}
	for name := range o {
		if !known[name] {
			return outcome.New(outcome.Invalid, `%s: %s takes no "%s". It takes: %s`, what, b.Op, name, strings.Join(append(append([]string{}, fields.need...), fields.may...), ", "))
		}
	}
	return nil
}

// run does the operation as its own verb would.
func (b *batchOp) run(ctx context.Context, s *Session, from *script) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	var a Answer
	var err error
	switch b.Op {
	case "mkdir":
		a, err = Mkdir(ctx, s, NewInput{b.Path})
	case "new":
		a, err = New(ctx, s, NewInput{b.Path})
	case "write":
		if from.screen() != config.None {
			p, err := s.Boundary.Locate(b.Path, 0, "")
			if err == nil {
				err = from.leaves(p)
			}
			if err != nil {
				return "", err
			}
		}
		a, err = Write(ctx, s, WriteInput{Path: b.Path, Text: b.Text, Overwrite: b.Overwrite, Append: b.Append, Expect: b.Expect, Encoding: b.Encoding, EOL: b.EOL})
	case "move":
		a, err = Move(ctx, s, MoveInput{b.From, b.To, b.Overwrite})
	case "copy":
		a, err = Copy(ctx, s, CopyInput{b.From, b.To, b.Recursive, b.Overwrite, b.PreserveTimes})
	case "delete":
		a, err = Delete(ctx, s, DeleteInput{b.Path, b.Recursive, b.Force})
	case "exec":
		a, err = Exec(ctx, s, ExecInput{b.Path, b.Executable})
	}
	if err != nil {
		return "", err
	}
	var sb strings.Builder
	a.Human(&sb)
	return strings.TrimRight(sb.String(), "\n"), nil
}
