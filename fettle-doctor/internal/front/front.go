// Package front is doctor's command line: it takes the words apart, examines,
// and prints. Run is all of it.
package front

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"fettler/fettle-doctor/internal/examine"
	"fettler/fettle-doctor/internal/probe"
	"fettler/shared/argument"
	"fettler/shared/clients"
	"fettler/shared/config"
	"fettler/shared/outcome"
	"fettler/shared/version"
)

// Surroundings are what the machine says.
type Surroundings struct {
	Env         config.Env
	Dir         string // the folder doctor was started in
	DirErr      error
	Siblings    string // the folder of this program, links resolved
	LookPath    func(name string) (string, error)
	Out, Faults io.Writer
}

const usage = `fettle doctor [--client NAME] [--quiet] [--json] [--hook]

--client NAME  only this client: %s
--quiet        only what is not in order
--json         the report as JSON
--hook         for a session's start: brief, silent when all is well, always exit 0

Exit codes: 0 healthy, 1 warnings, 2 something is broken. It writes nothing.
`

// hookTime bounds a hook well below the timeout that setup writes.
const hookTime = 5 * time.Second

// Run runs a command line without the program's name and gives the exit code.
func Run(ctx context.Context, words []string, s Surroundings) int {
	asJSON, hook := argument.Has(words, "json"), argument.Has(words, "hook")
	l, err := argument.Parse(words, argument.Flags{Switches: []string{"quiet", "json", "hook", "help", "version"}, Values: []string{"client"}})
	if err == nil {
		err = check(l, s)
	}
	switch {
	case hook && err != nil:
		return 0 // a hook never stands in a session's way
	case err != nil:
		return refuse(s, err, asJSON)
	case l.On("version"):
		fmt.Fprintf(s.Out, "fettle-doctor %s\n", version.String())
		return 0
	case l.On("help"):
		fmt.Fprintf(s.Out, usage, strings.Join(clients.Names(), ", "))
		return 0
	}
	in := examine.Input{Env: s.Env, Dir: s.Dir, Siblings: s.Siblings, LookPath: s.LookPath, Start: probe.Start}
	in.Client, _ = l.Value("client")
	if hook {
		return runHook(ctx, in, s)
	}
	r := examine.Run(ctx, in)
	if asJSON {
		err = r.JSON(s.Out)
	} else {
		err = r.Print(s.Out, l.On("quiet"))
	}
	if err != nil {
		return outcome.Fault.Code()
	}
	return r.Code()
}

func check(l *argument.Line, s Surroundings) error {
	if s.DirErr != nil {
		return outcome.New(outcome.Denied, "the folder doctor was started in cannot be told: %v", s.DirErr).Because(s.DirErr)
	}
	if len(l.Words) > 0 {
		return outcome.New(outcome.Invalid, "doctor takes no arguments; '%s' is extra", l.Words[0])
	}
	if c, given := l.Value("client"); given && !slices.Contains(clients.Names(), c) {
		return outcome.New(outcome.Invalid, "there is no client '%s'. The clients are %s", c, strings.Join(clients.Names(), ", "))
	}
	return nil
}

// runHook starts nothing and gives up in silence when the disk is too slow.
func runHook(ctx context.Context, in examine.Input, s Surroundings) int {
	in.Start, in.Hook, in.Client = nil, true, clients.ClaudeCode
	done := make(chan string, 1)
	go func() {
		defer func() {
			if recover() != nil { // a fault here is no reason to disturb a session
				done <- ""
			}
		}()
		done <- examine.Run(ctx, in).Hook()
	}()
	select {
	case text := <-done:
		io.WriteString(s.Out, text)
	case <-time.After(hookTime):
	}
	return 0
}

func refuse(s Surroundings, err error, asJSON bool) int {
	e := outcome.Of(err)
	switch {
	case asJSON:
		enc := json.NewEncoder(s.Out)
		enc.SetEscapeHTML(false)
		enc.Encode(struct {
			OK      bool   `json:"ok"`
			Outcome string `json:"outcome"`
			Message string `json:"message"`
		}{false, e.Kind.Word(), e.Message})
	case e.Kind == outcome.Denied:
		fmt.Fprintf(s.Out, "denied: %s\n", e.Message)
	default:
		fmt.Fprintf(s.Out, "refused: %s\n", e.Message)
	}
	return e.Kind.Code()
}
