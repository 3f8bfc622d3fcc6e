package verb

import (
	"bytes"
	"encoding/json"

	"fettler/fettle/internal/ops"
	"fettler/shared/outcome"
)

// refusal is the JSON of a call that has no answer.
type refusal struct {
	OK      bool   `json:"ok"`
	Outcome string `json:"outcome"`
	Message string `json:"message"`
	Path    string `json:"path,omitempty"`
}

// JSON is the document both front ends send: the answer's fields after ok and
// outcome, or the refusal. It is one line without a newline.
func JSON(a ops.Answer, err error) []byte { return AppendJSON(nil, a, err) }

// AppendJSON is JSON behind b.
func AppendJSON(b []byte, a ops.Answer, err error) []byte {
	e := End(a, err)
	if e != nil {
		b = marshal(b, refusal{false, e.Kind.Word(), e.Message, e.Path})
	} else {
		b = marshal(b, struct {
			OK      bool   `json:"ok"`
			Outcome string `json:"outcome"`
		}{true, outcome.OK.Word()})
	}
	if err != nil {
		return b
	}
	head := len(b)
	if b = marshal(b, a); len(b) == head+len("{}") {
		return b[:head]
	}
	b[head] = ',' // instead of its {, and over the head's }
	return append(b[:head-1], b[head:]...)
}

// End is how a call ended: nil for ok.
func End(a ops.Answer, err error) *outcome.Error {
	if err != nil {
		return outcome.Of(err)
	}
	return ended(a)
}

func ended(a ops.Answer) *outcome.Error {
	if e, ok := a.(ops.Ended); ok {
		return e.End()
	}
	return nil
}

// marshal appends v. It never fails: every answer is a struct of plain fields.
func marshal(b []byte, v any) []byte {
	buf := bytes.NewBuffer(b)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return marshal(b, refusal{false, outcome.Fault.Word(), "the answer could not be written as JSON: " + err.Error(), ""})
	}
	return bytes.TrimRight(buf.Bytes(), "\n")
}

// answer lets an operation's own answer type through as an ops.Answer, so that
// a nil one is nil.
func answer[T ops.Answer](a T, err error) (ops.Answer, error) {
	if err != nil {
		return nil, err
	}
	return a, nil
}
