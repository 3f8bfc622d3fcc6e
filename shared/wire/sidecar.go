package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ScreenOp is the one operation of the screening sidecar.
const ScreenOp = "screen"

// ScreenRequest asks burler-bridge to judge a payload: one JSON object a line.
type ScreenRequest struct {
	Op         string   `json:"op"`
	Categories []string `json:"categories"`
	Payload    string   `json:"payload"`
}

// ScreenAnswer is the sidecar's line back. A successful one always has
// findings, empty for "checked, found nothing"; the missing field is a fault.
type ScreenAnswer struct {
	OK       bool
	Findings []Finding
	Error    string
}

// Finding is what one category's models found. Spans are half-open ranges of
// the payload in characters; they never reach a message.
type Finding struct {
	Category string   `json:"category"`
	Count    int      `json:"count"`
	Spans    [][2]int `json:"spans"`
}

// MarshalJSON writes the one form or the other.
func (a ScreenAnswer) MarshalJSON() ([]byte, error) {
	if !a.OK {
		return json.Marshal(struct {
			OK    bool   `json:"ok"`
			Error string `json:"error"`
		}{false, a.Error})
	}
	findings := a.Findings
	if findings == nil {
		findings = []Finding{}
	}
	return json.Marshal(struct {
		OK       bool      `json:"ok"`
		Findings []Finding `json:"findings"`
	}{true, findings})
}

// The faults of a sidecar's line, fixed sentences without a word of the line:
// a broken sidecar may echo the payload.
var (
	ErrNotJSON      = errors.New("burler-bridge answered something that is not JSON")
	ErrNoVerdict    = errors.New(`burler-bridge answered without "ok"`)
	ErrNoFindings   = errors.New(`burler-bridge answered without "findings"`)
	ErrBadFinding   = errors.New("burler-bridge answered with a finding that makes no sense")
	ErrWrongAnswer  = errors.New("burler-bridge answered for a category that was not asked about")
	ErrAnswerTooBig = errors.New("burler-bridge answered with more than an answer can hold")
)

// ReadScreenAnswer judges a line from the sidecar for the categories that were
// asked about. Keys count in exact case, and whatever is odd is a fault:
// nothing is served because an answer was read generously.
func ReadScreenAnswer(line []byte, asked []string) (ScreenAnswer, error) {
	var none ScreenAnswer
	fields, err := object(line)
	if err != nil {
		return none, ErrNotJSON
	}
	var ok *bool
	if json.Unmarshal(fields["ok"], &ok) != nil || ok == nil {
		return none, ErrNoVerdict
	}
	if !*ok {
		var text string
		if json.Unmarshal(fields["error"], &text) != nil {
			text = ""
		}
		return ScreenAnswer{Error: text}, nil
	}
	raw, present := fields["findings"]
	var list []json.RawMessage
	if !present || json.Unmarshal(raw, &list) != nil || list == nil {
		return none, ErrNoFindings
	}
	answer := ScreenAnswer{OK: true, Findings: []Finding{}}
	for _, item := range list {
		f, err := readFinding(item)
		if err != nil {
			return none, err
		}
		if !contains(asked, f.Category) {
			return none, ErrWrongAnswer
		}
		answer.Findings = append(answer.Findings, f)
	}
	return answer, nil
}

func readFinding(raw []byte) (Finding, error) {
	var f Finding
	fields, err := object(raw)
	if err != nil {
		return f, ErrBadFinding
	}
	var category *string
	var count *int
	if json.Unmarshal(fields["category"], &category) != nil || category == nil ||
		json.Unmarshal(fields["count"], &count) != nil || count == nil || *count < 0 {
		return f, ErrBadFinding
	}
	f.Category, f.Count = *category, *count
	if spans, ok := fields["spans"]; ok && json.Unmarshal(spans, &f.Spans) != nil {
		return f, ErrBadFinding
	}
	if f.Count == 0 && len(f.Spans) > 0 { // it found something and says it did not
		return f, ErrBadFinding
	}
	return f, nil
}

// ReadScreenRequest reads the sidecar's side of a line. The errors are fixed
// sentences: a line holds the payload, so nothing of it is repeated.
func ReadScreenRequest(line []byte) (ScreenRequest, error) {
	var r ScreenRequest
	fields, err := object(line)
	if err != nil {
		return r, errors.New("the request is not one JSON object")
	}
	for key := range fields {
		if key != "op" && key != "categories" && key != "payload" {
			return r, errors.New("the request has an unknown key; it takes op, categories and payload")
		}
	}
	if json.Unmarshal(fields["op"], &r.Op) != nil || r.Op != ScreenOp {
		return r, fmt.Errorf("the request's op is not %q", ScreenOp)
	}
	if json.Unmarshal(fields["categories"], &r.Categories) != nil || len(r.Categories) == 0 {
		return r, errors.New("the request names no categories")
	}
	for _, c := range r.Categories {
		if c == "identifiers" {
			return r, errors.New("identifiers are judged by fettle, not here")
		}
		if !contains(ModelCategories, c) {
			return r, errors.New("the request names an unknown category; there are clinical, legal and scientific")
		}
	}
	var payload *string
	if json.Unmarshal(fields["payload"], &payload) != nil || payload == nil {
		return r, errors.New("the request has no payload")
	}
	r.Payload = *payload
	return r, nil
}

// object reads exactly one JSON object with its keys as they are spelled; a
// repeated key is an error, since two readers may take different ones.
func object(line []byte) (map[string]json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(line))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, ErrNotJSON
	}
	fields := map[string]json.RawMessage{}
	for d.More() {
		t, err := d.Token()
		key, ok := t.(string)
		if err != nil || !ok {
			return nil, ErrNotJSON
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil, ErrNotJSON
		}
		if _, twice := fields[key]; twice {
			return nil, ErrNotJSON
		}
		fields[key] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, ErrNotJSON
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, ErrNotJSON
	}
	return fields, nil
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}
