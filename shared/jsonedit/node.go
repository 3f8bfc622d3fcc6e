package jsonedit

import (
	"encoding/json"
	"fmt"

	"github.com/tailscale/hujson"
)

// Node is a value in a Doc. The zero Node is not there.
type Node struct {
	d *Doc
	v *hujson.Value
}

// Root is the document's value.
func (d *Doc) Root() Node {
	if d.root.Value == nil {
		return Node{}
	}
	return Node{d, &d.root}
}

// There reports whether the value exists.
func (n Node) There() bool { return n.v != nil }

// IsObject and IsArray tell what it is.
func (n Node) IsObject() bool { return n.v != nil && n.v.Value.Kind() == '{' }

// IsArray tells whether it is an array.
func (n Node) IsArray() bool { return n.v != nil && n.v.Value.Kind() == '[' }

// Offset is the place of its first byte in the file.
func (n Node) Offset() int { return n.v.StartOffset + n.d.base }

func (n Node) end() int { return n.v.EndOffset + n.d.base }

// Line is the line it starts on.
func (n Node) Line() int {
	line, _ := Position(n.d.raw, n.Offset())
	return line
}

// Get gives a member by its exact name. Of several of one name it is the last,
// which is the one that clients read.
func (n Node) Get(name string) Node {
	found := Node{}
	for _, m := range n.Members() {
		if m.Name == name {
			found = m.Node
		}
	}
	return found
}

// At follows names down.
func (n Node) At(path ...string) Node {
	for _, name := range path {
		n = n.Get(name)
	}
	return n
}

// Named is a member with its name.
type Named struct {
	Name string
	Node
}

// Members lists an object's members in their order, also those of one name.
func (n Node) Members() []Named {
	if !n.IsObject() {
		return nil
	}
	obj := n.v.Value.(*hujson.Object)
	out := make([]Named, len(obj.Members))
	for i := range obj.Members {
		out[i] = Named{obj.Members[i].Name.Value.(hujson.Literal).String(), Node{n.d, &obj.Members[i].Value}}
	}
	return out
}

// Items lists an array's elements.
func (n Node) Items() []Node {
	if !n.IsArray() {
		return nil
	}
	arr := n.v.Value.(*hujson.Array)
	out := make([]Node, len(arr.Elements))
	for i := range arr.Elements {
		out[i] = Node{n.d, &arr.Elements[i]}
	}
	return out
}

// Text gives a string's value.
func (n Node) Text() (string, bool) {
	if n.v == nil || n.v.Value.Kind() != '"' {
		return "", false
	}
	return n.v.Value.(hujson.Literal).String(), true
}

// Texts gives the strings of an array, and whether it holds nothing else.
func (n Node) Texts() ([]string, bool) {
	var out []string
	for _, item := range n.Items() {
		s, ok := item.Text()
		if !ok {
			return out, false
		}
		out = append(out, s)
	}
	return out, n.IsArray()
}

// True reports whether it is the word true.
func (n Node) True() bool { return n.v != nil && n.v.Value.Kind() == 't' }

// False reports whether it is the word false.
func (n Node) False() bool { return n.v != nil && n.v.Value.Kind() == 'f' }

// Twice lists the names that an object holds more than once.
func (n Node) Twice() []string {
	seen := map[string]int{}
	var out []string
	for _, m := range n.Members() {
		if seen[m.Name]++; seen[m.Name] == 2 {
			out = append(out, m.Name)
		}
	}
	return out
}

// Member and Object are a value to write, its members in order.
type Member struct {
	Name  string
	Value any // Object, []string, []any, string, bool, int
}

// Object is written with its members in order.
type Object []Member

// Plain is the value as encoding/json has it, for comparing.
func Plain(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("jsonedit: %T cannot be written", v)) // a programming fault
	}
	var out any
	json.Unmarshal(raw, &out)
	return out
}

// MarshalJSON writes the members in order.
func (o Object) MarshalJSON() ([]byte, error) { return []byte(style{compact: true}.value(o, "")), nil }
