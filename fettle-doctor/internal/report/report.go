// Package report is what doctor answers: the installation, a section a level, a
// row a client and reach, and the findings. Print renders it, Code gives the exit
// code. Nothing in a report is a value of a file that may hold a secret.
package report

import (
	"encoding/json"
	"io"

	"fettler/shared/level"
)

// Verdict is a row's end.
type Verdict string

// The verdicts.
const (
	NA      Verdict = "n/a"
	Absent  Verdict = "absent"
	Broken  Verdict = "broken"
	Healthy Verdict = "healthy"
)

// Severity is how much a finding matters.
type Severity string

// The severities: ! and - in the terminal.
const (
	Serious Severity = "serious"
	Note    Severity = "note"
)

// Report is the answer.
type Report struct {
	OK           bool         `json:"ok"`
	Outcome      string       `json:"outcome"`
	Installation Installation `json:"installation"`
	Levels       Levels       `json:"levels"`
	Clients      []Row        `json:"clients"`
	Findings     []Finding    `json:"findings"`
}

// Installation is the programs.
type Installation struct {
	Binary      string `json:"binary"`
	Version     string `json:"version"`
	OnPath      bool   `json:"on_path"` // PATH leads to this installation's fettle
	PathBinary  string `json:"path_binary,omitempty"`
	InventoryOf string `json:"inventory_of"` // the day the list of built-in tools was drawn
}

// Levels are the sections.
type Levels struct {
	Tools      Tools      `json:"tools"`
	Guardrails Guardrails `json:"guardrails"`
	Screenings Screenings `json:"screenings"`
}

// Tools is the tools section.
type Tools struct {
	On         bool        `json:"on"`
	From       []string    `json:"from"`
	Machine    string      `json:"machine,omitempty"` // the machine file, when it supplied something
	Found      []Found     `json:"found"`
	Companions []Companion `json:"companions"`
	Notes      []string    `json:"notes,omitempty"`
}

// Found is a folder fettle opens by itself.
type Found struct {
	Name string `json:"name"`
	Path string `json:"path"`
	How  string `json:"how"`
}

// Companion is another server with a root.
type Companion struct {
	Name string `json:"name"`
	Root string `json:"root"`
	How  string `json:"how"`
}

// Guardrails is the guardrails section.
type Guardrails struct {
	On      bool     `json:"on"`
	From    []string `json:"from"`
	Unknown bool     `json:"unknown,omitempty"` // the configuration cannot be read
	Notes   []string `json:"notes,omitempty"`
}

// Screenings is the screenings section.
type Screenings struct {
	On         bool       `json:"on"`
	From       []string   `json:"from"`
	Unknown    bool       `json:"unknown,omitempty"`
	Bridge     string     `json:"bridge,omitempty"`  // burler-bridge beside fettle
	Runtime    string     `json:"runtime,omitempty"` // the runtime library beside it
	Models     string     `json:"models,omitempty"`
	Categories []Category `json:"categories,omitempty"`
	Notes      []string   `json:"notes,omitempty"`
}

// Category is one kind of regulated data and what judges it.
type Category struct {
	Name     string `json:"category"`
	JudgedBy string `json:"judged_by"`
	Ready    bool   `json:"ready"`
}

// Row is a client's wiring at one reach.
type Row struct {
	Client  string  `json:"client"`
	Reach   string  `json:"reach"`
	Verdict Verdict `json:"verdict"`
	Detail  string  `json:"detail"`
	Where   string  `json:"where,omitempty"`
}

// Finding is one way round, or one thing to know.
type Finding struct {
	Check    string      `json:"check"`
	Level    level.Level `json:"level"`
	Severity Severity    `json:"severity"`
	Message  string      `json:"message"`
	Where    string      `json:"where,omitempty"`
}

// Code is the exit code: 2 for something broken, 1 for warnings, 0 otherwise.
func (r *Report) Code() int {
	code := 0
	for _, row := range r.Clients {
		switch row.Verdict {
		case Broken:
			return 2
		case Absent:
			code = 1
		}
	}
	for _, f := range r.Findings {
		if f.Check == "2.19" {
			return 2
		}
		code = 1
	}
	return code
}

// JSON writes the report as one object.
func (r *Report) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(r)
}
