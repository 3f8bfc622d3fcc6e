package ops

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"fettler/fettle/internal/term"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// TasksAnswer is the declared tasks, with every value filled in: what is
// listed is what runs.
type TasksAnswer struct {
	Tasks []DeclaredTask `json:"tasks"`
	Count int            `json:"count"`
	Note  string         `json:"note,omitempty"`
}

// DeclaredTask is one of them.
type DeclaredTask struct {
	Name    string   `json:"name"`
	Run     string   `json:"run"`
	Command []string `json:"command"`
	Cwd     string   `json:"cwd,omitempty"`
}

// noTasks is said when tasks are asked for and guardrails are off.
const noTasks = "no task is declared, because tasks belong to the guardrails level and it is off. " +
	`Write a .fettler.json with a "guardrails" section holding "trees" and "tasks"`

// Tasks lists them.
func Tasks(_ context.Context, s *Session) (*TasksAnswer, error) {
	a := &TasksAnswer{Tasks: []DeclaredTask{}}
	if s.Config.Guardrails == nil {
		a.Note = noTasks
		return a, nil
	}
	for _, t := range s.Config.Guardrails.Tasks {
		a.Tasks = append(a.Tasks, DeclaredTask{t.Name, t.Run, t.Argv, t.CwdWritten})
	}
	a.Count = len(a.Tasks)
	return a, nil
}

// Human prints each task's line and the arguments it becomes.
func (a *TasksAnswer) Human(w io.Writer) {
	if a.Note != "" {
		fmt.Fprintln(w, a.Note)
		return
	}
	for _, t := range a.Tasks {
		fmt.Fprintf(w, "%-11s %s\n", term.Escape(t.Name), term.Escape(t.Run))
		fmt.Fprintln(w, pad+"runs: "+arguments(t.Command))
		if t.Cwd != "" {
			fmt.Fprintln(w, pad+"in: "+term.Escape(t.Cwd))
		}
	}
	fmt.Fprintf(w, "%d %s\n", a.Count, plural(int64(a.Count), "task", "tasks"))
}

// arguments writes a list so that each argument's ends can be seen.
func arguments(argv []string) string {
	var sb strings.Builder
	e := json.NewEncoder(&sb)
	e.SetEscapeHTML(false)
	e.Encode(argv) // a list of strings always encodes
	return term.Escape(strings.TrimSpace(sb.String()))
}

// declaredTask finds the task a call names.
func declaredTask(c *config.Config, name string) (config.Task, error) {
	if c.Guardrails == nil {
		return config.Task{}, outcome.New(outcome.NotFound, noTasks)
	}
	if t, ok := c.Guardrails.Task(name); ok {
		return t, nil
	}
	names := make([]string, len(c.Guardrails.Tasks))
	for i, t := range c.Guardrails.Tasks {
		names[i] = t.Name
	}
	if len(names) == 0 {
		names = []string{"none"}
	}
	return config.Task{}, outcome.New(outcome.NotFound, "no task called '%s'; .fettler.json declares: %s", name, strings.Join(names, ", "))
}
