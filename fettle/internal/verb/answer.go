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
func JSON(a ops.Answer, err error) []byte {
	if err != nil {
		e := outcome.Of(err)
		return marshal(refusal{false, e.Kind.Word(), e.Message, e.Path})
	}
	head := marshal(struct {
		OK      bool   `json:"ok"`
		Outcome string `json:"outcome"`
	}{true, outcome.OK.Word()})
	if e := ended(a); e != nil {
		head = marshal(refusal{false, e.Kind.Word(), e.Message, e.Path})
	}
	body := marshal(a)
	if len(body) <= 2 { // {}
		return head
	}
	return append(append(head[:len(head)-1], ','), body[1:]...)
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

// marshal never fails: every answer is a struct of plain fields.
func marshal(v any) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return marshal(refusal{false, outcome.Fault.Word(), "the answer could not be written as JSON: " + err.Error(), ""})
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
