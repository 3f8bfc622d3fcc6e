// Package mcp is the front end for models: a server on standard input and
// output that offers the verbs of the table as tools.
//
// New makes a Server and Serve runs it. The protocol's messages and schemas
// are mark3labs/mcp-go's; the loop that reads and writes lines is ours, since
// that library's own loses replies when the input closes, reorders answers and
// rounds ids. The boundary is built anew for every call from the files as they
// are then. Nothing a client sends can widen it: no tool has an argument that
// names a root or a configuration, and the client's own roots are not asked for.
package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"fettler/fettle/internal/launch"
	"fettler/fettle/internal/ops"
	"fettler/fettle/internal/verb"
	"fettler/shared/level"
	"fettler/shared/outcome"
	"fettler/shared/version"
)

// Server is one MCP server on one pair of streams.
type Server struct {
	launcher *launch.Launcher
	sdk      *server.MCPServer
	session  session
	w        *writer
	turns    *turns
	pace     *pace          // nil in a process that does more than this
	calls    sync.WaitGroup // that are not answered yet
	working  sync.WaitGroup // of these, the ones that still do something
	greeted  bool           // initialize has come; the loop's alone
	listing  sync.Mutex     // held while what is listed may change
	tasks    atomic.Bool    // the tools of the guardrails level are listed

	mu      sync.Mutex
	running map[string]context.CancelFunc // by the request's id as it was sent
	closed  bool                          // no further call begins
}

// New makes a server for a launch. It reads the configuration once, for the
// instructions; a broken one does not stop the server, but refuses its calls.
func New(l *launch.Launcher) *Server {
	s := &Server{launcher: l, session: session{make(chan sdk.JSONRPCNotification, 16)}, turns: newTurns(), running: map[string]context.CancelFunc{}}
	on, err := l.Levels()
	s.sdk = server.NewMCPServer("fettler", version.String(),
		server.WithToolCapabilities(true), server.WithInstructions(Instructions(on, err)))
	s.tasks.Store(on[level.Guardrails])
	s.sdk.SetTools(tools(on[level.Guardrails])...)
	return s
}

// Alone says that the process does nothing but serve, so that how many
// processors it uses is the server's to set.
func (s *Server) Alone() *Server {
	s.pace = newPace()
	debug.SetGCPercent(late)
	return s
}

// tools gives the tools that are offered while guardrails are on or off.
func tools(guardrails bool) []server.ServerTool {
	var out []server.ServerTool
	for _, v := range verb.All() {
		if !v.Model || v.Level == level.Guardrails && !guardrails {
			continue
		}
		t := sdk.NewToolWithRawSchema(v.Name, Describe(v), v.Schema())
		no := false
		t.Annotations = sdk.ToolAnnotation{Title: v.Title, ReadOnlyHint: &v.ReadOnly, DestructiveHint: &v.Destructive, IdempotentHint: &v.Idempotent, OpenWorldHint: &no}
		if v.Name == "run" {
			yes := true
			t.Annotations.OpenWorldHint = &yes // a task is a program that may do anything
		}
		out = append(out, server.ServerTool{Tool: t})
	}
	return out
}

// Describe is a tool's description: what it answers, then what a caller must know.
func Describe(v *verb.Verb) string {
	d := strings.ToUpper(v.Summary[:1]) + v.Summary[1:] + "."
	if v.About != "" {
		d += " " + v.About
	}
	return d
}

// refresh offers the tools of the guardrails level when it is on now, and
// tells the client when that changed.
func (s *Server) refresh() {
	s.listing.Lock()
	defer s.listing.Unlock()
	on, err := s.launcher.Levels()
	if err != nil {
		return // a broken file refuses the calls; what is listed stays
	}
	if s.tasks.Swap(on[level.Guardrails]) != on[level.Guardrails] {
		s.sdk.SetTools(tools(on[level.Guardrails])...)
		s.w.notify("notifications/tools/list_changed", nil)
	}
}

// callParams is what tools/call carries.
type callParams struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Meta      struct {
		ProgressToken json.RawMessage `json:"progressToken"`
	} `json:"_meta"`
}

// startCall checks a call and runs it on its own, in its turn.
func (s *Server) startCall(ctx context.Context, m message) {
	var p callParams
	if json.Unmarshal(m.Params, &p) != nil || p.Name == "" {
		s.w.fail(m.ID, sdk.INVALID_PARAMS, `tools/call needs params such as {"name":"read","arguments":{"paths":["README.md"]}}`)
		return
	}
	v := verb.Lookup(p.Name)
	if v == nil || !v.Model {
		s.w.fail(m.ID, sdk.INVALID_PARAMS, fmt.Sprintf("there is no tool called '%s'", p.Name))
		return
	}
	key := string(m.ID)
	callCtx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		cancel()
		return
	}
	if _, busy := s.running[key]; busy {
		s.mu.Unlock()
		cancel()
		s.w.fail(m.ID, sdk.INVALID_REQUEST, "a call with this id is still running")
		return
	}
	s.running[key] = cancel
	s.calls.Add(1)
	s.working.Add(1)
	s.mu.Unlock()
	wait, done := s.turns.ask(v.Lock)
	go func() {
		defer s.calls.Done()
		defer cancel()
		var got *result
		var fault error
		if err := wait(callCtx); err == nil {
			s.pace.begin(v)
			got, fault = s.call(callCtx, v, p)
			s.pace.end()
		} else { // the server ends before its turn came
			got = answer(nil, err)
		}
		done()
		s.working.Done()
		s.mu.Lock()
		delete(s.running, key)
		s.mu.Unlock()
		switch {
		case callCtx.Err() != nil && ctx.Err() == nil: // cancelled by the client, which wants no answer
		case fault != nil:
			s.w.fail(m.ID, sdk.INTERNAL_ERROR, "an internal fault")
		default:
			s.w.answered(m.ID, got)
		}
	}()
}

// call runs one verb. A panic is the only fault it returns; every refusal is a result.
func (s *Server) call(ctx context.Context, v *verb.Verb, p callParams) (got *result, fault error) {
	defer func() {
		if r := recover(); r != nil {
			// The stack goes to stderr without the payload: a panic's value may hold a file's content.
			fault = fmt.Errorf("panic in %s: %T\n%s", v.Name, r, debug.Stack())
			logFault(fault)
		}
	}()
	a, err := s.run(ctx, v, p)
	var images []ops.Image
	if pic, ok := a.(ops.Pictured); ok && err == nil {
		images = pic.TakeImages() // before the answer is written, which goes without them
	}
	got = answer(a, err)
	got.images = images
	return got, nil
}

func (s *Server) run(ctx context.Context, v *verb.Verb, p callParams) (ops.Answer, error) {
	args, err := v.Decode(p.Arguments)
	if err != nil {
		return nil, err
	}
	session, err := s.launcher.Open(ctx, s.progress(ctx, p.Meta.ProgressToken))
	if err != nil {
		s.refresh() // the configuration may be good, and what it opens not
		return nil, err
	}
	defer session.Boundary.Close()
	if guardrails := session.Config.Guardrails != nil; guardrails != s.tasks.Load() {
		s.refresh() // reads anew, since another call may have seen a later file
	}
	return v.Run(ctx, session, args)
}

// progress tells a client that asked how far a long call is: not in its first
// second, and then no more than four times a second.
func (s *Server) progress(ctx context.Context, token json.RawMessage) func(done, total int64, message string) {
	if len(token) == 0 || string(token) == "null" {
		return nil
	}
	var mu sync.Mutex
	next, last := time.Now().Add(time.Second), int64(-1)
	return func(done, total int64, message string) {
		mu.Lock()
		defer mu.Unlock()
		now := time.Now()
		if now.Before(next) || done <= last || ctx.Err() != nil {
			return
		}
		next, last = now.Add(250*time.Millisecond), done
		s.w.notify("notifications/progress", struct {
			Token   json.RawMessage `json:"progressToken"`
			Done    int64           `json:"progress"`
			Total   int64           `json:"total,omitempty"`
			Message string          `json:"message,omitempty"`
		}{token, done, total, message})
	}
}

// cancel ends the call that a notification names.
func (s *Server) cancel(params json.RawMessage) {
	var p struct {
		ID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.running[string(p.ID)]; c != nil {
		c()
	}
}

// session is the one client, as the library wants to know it.
type session struct{ notes chan sdk.JSONRPCNotification }

func (session) Initialize()                                           {}
func (session) Initialized() bool                                     { return false } // we write notifications ourselves
func (s session) NotificationChannel() chan<- sdk.JSONRPCNotification { return s.notes }
func (session) SessionID() string                                     { return "stdio" }

// Instructions is what a client shows its model first.
func Instructions(on map[level.Level]bool, err error) string {
	var sb strings.Builder
	sb.WriteString("Fettler finds, searches, reads and changes files inside the open trees, and nothing outside them exists for it. " +
		"Start with roots to see the trees, find for paths, search for lines, read for content: it also reads PDF, Excel, Word, notebooks, images and archives. " +
		"Paths are relative to the default tree, or tree:path. Present the hash that read gave as expect when you edit. ")
	switch {
	case err != nil:
		sb.WriteString("The configuration cannot be read, so every call is refused until a person mends it: " + outcome.Of(err).Message + " ")
	case on[level.Guardrails]:
		sb.WriteString("Guardrails are on for this launch: what may be done in each tree is declared, and run starts the declared tasks that tasks lists. ")
	default:
		sb.WriteString("Guardrails are off for this launch: the launch folder is the tree work, and there are no tasks. ")
	}
	if on[level.Screenings] {
		sb.WriteString("Screenings are on: a read or search that would disclose regulated data is refused whole; read a narrower range.")
	} else {
		sb.WriteString("Screenings are off.")
	}
	return sb.String()
}
