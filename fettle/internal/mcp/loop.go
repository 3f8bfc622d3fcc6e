package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	sdk "github.com/mark3labs/mcp-go/mcp"
)

const (
	maxLine = 20 << 20         // bytes of one message; a longer one is answered and the loop goes on
	drain   = 10 * time.Second // what running calls get when the input ends
	ending  = 5 * time.Second  // what cancelled calls get to end what they started
	telling = time.Second / 4  // what ended calls get to be answered, which a client that reads nothing holds up
)

// message is the envelope of one line.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

// writer puts whole lines on the output, one at a time.
type writer struct {
	mu     sync.Mutex
	out    io.Writer
	failed atomic.Pointer[error] // asked for without mu, which a write may hold for long
}

func (w *writer) line(b []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed.Load() != nil {
		return
	}
	if _, err := w.out.Write(append(b, '\n')); err != nil {
		w.failed.Store(&err)
	}
}

func (w *writer) json(v any) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return
	}
	w.line(bytes.TrimRight(buf.Bytes(), "\n"))
}

func (w *writer) fail(id json.RawMessage, code int, text string) {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	w.json(struct {
		JSONRPC string                  `json:"jsonrpc"`
		ID      json.RawMessage         `json:"id"`
		Error   sdk.JSONRPCErrorDetails `json:"error"`
	}{"2.0", id, sdk.JSONRPCErrorDetails{Code: code, Message: text}})
}

func (w *writer) reply(id json.RawMessage, result any) {
	w.json(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  any             `json:"result"`
	}{"2.0", id, result})
}

func (w *writer) notify(method string, params any) {
	w.json(struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", method, params})
}

// errLong is a line over maxLine, which was read to its end and dropped.
var errLong = errors.New("line too long")

// readLine gives the next line without its ending. A last line without a
// newline counts. The bytes are good until the next call.
func readLine(r *bufio.Reader, buf []byte) ([]byte, error) {
	buf = buf[:0]
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if !long && len(buf)+len(part) > maxLine+1 {
			long, buf = true, buf[:0]
		}
		if !long {
			buf = append(buf, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (len(buf) == 0 && !long || !errors.Is(err, io.EOF)):
			return buf, err
		case long:
			return buf, errLong
		}
		return bytes.TrimRight(buf, "\r\n"), nil
	}
}

// Serve answers messages from in until it ends or ctx does. Running calls are
// then given time to finish; what is left is cancelled.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	w := &writer{out: out}
	s.w, s.closed = w, false
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	failed := make(chan error, 1)
	go func() { failed <- s.listen(ctx, in) }()
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	switch {
	case ctx.Err() != nil:
		s.end(cancel)
		return nil
	case w.failed.Load() != nil: // nobody reads the answers
		return err
	}
	s.finish(cancel)
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// listen takes lines until the input or the output fails.
func (s *Server) listen(ctx context.Context, in io.Reader) error {
	r := bufio.NewReaderSize(in, 64<<10)
	first := true
	var buf []byte
	for ctx.Err() == nil {
		line, err := readLine(r, buf)
		buf = line
		if errors.Is(err, errLong) {
			s.w.fail(nil, sdk.INVALID_REQUEST, "the message is longer than 20 MB")
			continue
		}
		if err != nil {
			return err
		}
		if first {
			line, first = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")), false
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		s.take(ctx, bytes.Clone(line))
		if err := s.w.failed.Load(); err != nil {
			return *err
		}
	}
	return ctx.Err()
}

// finish waits for the running calls, then cancels them.
func (s *Server) finish(cancel context.CancelFunc) {
	s.close()
	select {
	case <-idle(&s.calls):
	case <-time.After(drain):
		s.end(cancel)
	}
}

// end cancels the running calls and waits for them: a task that ignores being
// asked to end is killed a moment later, and must not outlive the server.
func (s *Server) end(cancel context.CancelFunc) {
	s.close()
	cancel()
	select {
	case <-idle(&s.working):
	case <-time.After(ending):
	}
	select {
	case <-idle(&s.calls):
	case <-time.After(telling):
	}
}

// close lets no further call begin, so that what is waited for is all there is.
func (s *Server) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
}

// idle is closed when none of the calls goes on.
func idle(calls *sync.WaitGroup) <-chan struct{} {
	done := make(chan struct{})
	go func() { calls.Wait(); close(done) }()
	return done
}

// take handles one line. Calls of tools run on their own; all else is
// answered in order, before the next line is looked at.
func (s *Server) take(ctx context.Context, line []byte) {
	var m message
	switch {
	case !utf8.Valid(line):
		s.w.fail(nil, sdk.PARSE_ERROR, "the message is not valid UTF-8")
		return
	case line[0] == '[':
		s.w.fail(nil, sdk.INVALID_REQUEST, "batches are not part of this protocol: send one message a line")
		return
	case json.Unmarshal(line, &m) != nil:
		s.w.fail(nil, sdk.PARSE_ERROR, "the message is not valid JSON")
		return
	}
	request := len(m.ID) > 0
	if request && !goodID(m.ID) {
		s.w.fail(nil, sdk.INVALID_REQUEST, "a request's id is a string or a number")
		return
	}
	if m.JSONRPC != "2.0" {
		s.w.fail(m.ID, sdk.INVALID_REQUEST, `every message holds "jsonrpc":"2.0"`)
		return
	}
	if m.Method == "" {
		if len(m.Result) == 0 && len(m.Error) == 0 {
			s.w.fail(m.ID, sdk.INVALID_REQUEST, "the message has no method")
		}
		return // an answer to something this server never asked
	}
	if request && !s.greeted && m.Method != "initialize" && m.Method != "ping" {
		s.w.fail(m.ID, sdk.INVALID_REQUEST, "the first request is initialize")
		return
	}
	switch {
	case m.Method == "notifications/cancelled":
		s.cancel(m.Params)
	case m.Method == "tools/call" && request:
		s.startCall(ctx, m)
	default:
		s.protocol(ctx, m, line)
	}
}

// protocol lets the library answer everything that is not a tool call. The
// id travels beside it, since there it would pass through a float64.
func (s *Server) protocol(ctx context.Context, m message, line []byte) {
	defer func() {
		if p := recover(); p != nil && len(m.ID) > 0 {
			s.w.fail(m.ID, sdk.INTERNAL_ERROR, "an internal fault")
		}
	}()
	if m.Method == "tools/list" {
		s.refresh()
	}
	if len(m.ID) > 0 {
		line = replaceID(m)
	}
	switch r := s.sdk.HandleMessage(s.sdk.WithContext(ctx, s.session), line).(type) {
	case sdk.JSONRPCResponse:
		s.greeted = s.greeted || m.Method == "initialize" && len(m.ID) > 0
		s.w.reply(m.ID, r.Result)
	case sdk.JSONRPCError:
		s.w.json(struct {
			JSONRPC string                  `json:"jsonrpc"`
			ID      json.RawMessage         `json:"id"`
			Error   sdk.JSONRPCErrorDetails `json:"error"`
		}{"2.0", m.ID, r.Error})
	}
}

func replaceID(m message) []byte {
	b, err := json.Marshal(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      int             `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params,omitempty"`
	}{"2.0", 1, m.Method, m.Params})
	if err != nil {
		return nil
	}
	return b
}

func goodID(id json.RawMessage) bool {
	return id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9'
}
