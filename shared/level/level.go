// Package level names the three kinds of work fettle does, in their order.
//
// Tools is always on and needs no file. Guardrails and Screenings are each on
// when a configuration file has a section of that name; package config says
// whether one does. Nothing here reads a file.
package level

// Level is one of the three.
type Level string

// The levels. Each is also the name of its section in a configuration file.
const (
	Tools      Level = "tools"
	Guardrails Level = "guardrails"
	Screenings Level = "screenings"
)

// All lists the levels in the order that help, roots and doctor show them.
func All() []Level { return []Level{Tools, Guardrails, Screenings} }

// Parse gives the level of that exact name.
func Parse(name string) (Level, bool) {
	for _, l := range All() {
		if string(l) == name {
			return l, true
		}
	}
	return "", false
}

func (l Level) String() string { return string(l) }
