package config

import (
	"encoding/json"
	"strings"
)

// Before 2.1.0 the entries of what are now sections lay at the top, and a
// screen lay inside its tree or scope. A file of that shape is refused, with
// its own entries moved to where they belong, ready to paste.

func oldKey(key string) bool {
	switch key {
	case "trees", "tasks", "replacements", "models":
		return true
	}
	return false
}

// entries is an object being built: keys in order, values as JSON text.
type entries struct {
	keys   []string
	values map[string]string
}

// put adds an entry unless the key is there already.
func (o *entries) put(key, value string) {
	if _, there := o.values[key]; there {
		return
	}
	if o.values == nil {
		o.values = map[string]string{}
	}
	o.keys = append(o.keys, key)
	o.values[key] = value
}

// absorb adds n's entries; a value that is no object stands for none.
func (o *entries) absorb(n *node) {
	if n == nil {
		return
	}
	for _, m := range n.members {
		o.put(m.key, m.value.compact())
	}
}

func (o *entries) json() string {
	var b strings.Builder
	b.WriteByte('{')
	for i, k := range o.keys {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(quoteJSON(k))
		b.WriteByte(':')
		b.WriteString(o.values[k])
	}
	b.WriteByte('}')
	return b.String()
}

// rewritten is the whole file in the present shape, on one line. Sections the
// file already has keep their entries, which win over those at the top.
func rewritten(root *node) string {
	var top, guardrails, trees, screenings, screen entries
	if n := root.get("tools"); n != nil {
		top.put("tools", n.compact())
	}
	section := root.get("guardrails")
	inner := root.get("screenings")
	if inner != nil {
		screen.absorb(inner.get("screen"))
	}
	for _, n := range []*node{section.maybe("trees"), root.get("trees")} {
		if n == nil {
			continue
		}
		for _, m := range n.members {
			trees.put(m.key, withoutScreen(m.value, m.key, &screen))
		}
	}
	if len(trees.keys) > 0 || root.get("trees") != nil {
		guardrails.put("trees", trees.json())
	}
	for _, key := range []string{"tasks", "replacements"} {
		var all entries
		all.absorb(section.maybe(key))
		all.absorb(root.get(key))
		if len(all.keys) > 0 || root.get(key) != nil {
			guardrails.put(key, all.json())
		}
	}
	if models := inner.maybe("models"); models != nil {
		screenings.put("models", models.compact())
	}
	if models := root.get("models"); models != nil {
		screenings.put("models", models.compact())
	}
	if len(screen.keys) > 0 {
		screenings.put("screen", screen.json())
	}
	if len(guardrails.keys) > 0 {
		top.put("guardrails", guardrails.json())
	}
	if len(screenings.keys) > 0 {
		top.put("screenings", screenings.json())
	}
	return top.json()
}

// withoutScreen is a tree entry with its screens moved out into screen.
func withoutScreen(tree *node, name string, screen *entries) string {
	if tree.kind != '{' {
		return tree.compact()
	}
	var out entries
	if s := tree.get("screen"); s != nil {
		screen.put(name, s.compact())
	}
	for _, m := range tree.members {
		switch {
		case m.key == "screen":
		case m.key == "scopes" && m.value.kind == '{':
			var scopes entries
			for _, sc := range m.value.members {
				var scope entries
				if sc.value.kind != '{' {
					scopes.put(sc.key, sc.value.compact())
					continue
				}
				for _, e := range sc.value.members {
					if e.key == "screen" {
						screen.put(name+"/"+sc.key, e.value.compact())
						continue
					}
					scope.put(e.key, e.value.compact())
				}
				scopes.put(sc.key, scope.json())
			}
			out.put(m.key, scopes.json())
		default:
			out.put(m.key, m.value.compact())
		}
	}
	return out.json()
}

// maybe is get on a node that may be absent.
func (n *node) maybe(key string) *node {
	if n == nil {
		return nil
	}
	return n.get(key)
}

// quoteJSON writes a string as JSON without escaping what HTML would want escaped.
func quoteJSON(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}
