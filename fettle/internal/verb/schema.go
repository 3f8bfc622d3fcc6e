package verb

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Schema is the JSON schema of the verb's MCP arguments. It allows nothing
// that is not declared, and never a type that may be one of two.
func (v *Verb) Schema() json.RawMessage {
	var sb strings.Builder
	sb.WriteString(`{"type":"object","properties":{`)
	var required []string
	first := true
	for i := range v.Params {
		p := &v.Params[i]
		if p.CLI {
			continue
		}
		if !first {
			sb.WriteByte(',')
		}
		first = false
		fmt.Fprintf(&sb, "%s:%s", quote(p.ToolName()), p.schema())
		if p.Required {
			required = append(required, p.ToolName())
		}
	}
	sb.WriteByte('}')
	if len(required) > 0 {
		b, _ := json.Marshal(required)
		fmt.Fprintf(&sb, `,"required":%s`, b)
	}
	sb.WriteString(`,"additionalProperties":false}`)
	return json.RawMessage(sb.String())
}

func (p *Param) schema() string {
	if p.Schema != "" {
		return p.Schema
	}
	var s string
	switch p.Type {
	case String:
		s = `"type":"string"`
	case Strings:
		s = `"type":"array","items":{"type":"string"}`
		if p.Required {
			s += `,"minItems":1`
		}
	case Bool:
		s = `"type":"boolean"`
	case Int:
		s = `"type":"integer"`
		if p.Min != 0 {
			s += fmt.Sprintf(`,"minimum":%d`, p.Min)
		}
	case Object:
		s = `"type":"object"`
	}
	if len(p.Enum) > 0 {
		b, _ := json.Marshal(p.Enum)
		s += `,"enum":` + string(b)
	}
	if p.Help != "" && !p.Plain {
		s += `,"description":` + quote(p.Help)
	}
	return "{" + s + "}"
}

func quote(s string) string { b, _ := json.Marshal(s); return string(b) }
