package ops

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"time"

	"fettler/fettle/internal/sibling"
	"fettler/shared/outcome"
)

// DoctorInput is what fettle-doctor is asked.
type DoctorInput struct {
	Client string
	Quiet  bool
}

// DoctorAnswer is fettle-doctor's own report, field by field.
type DoctorAnswer map[string]json.RawMessage

// Human prints the report as JSON: at a terminal fettle-doctor itself runs.
func (a DoctorAnswer) Human(w io.Writer) {
	b, err := json.MarshalIndent(map[string]json.RawMessage(a), "", "  ")
	if err == nil {
		w.Write(append(b, '\n'))
	}
}

// doctorTime bounds how long the report may take.
const doctorTime = 30 * time.Second

// Doctor runs the doctor beside fettle and gives its report.
func Doctor(ctx context.Context, s *Session, in DoctorInput) (DoctorAnswer, error) {
	p, err := sibling.Path("fettle-doctor")
	if err != nil {
		return nil, err
	}
	words := []string{"--json"}
	if in.Client != "" {
		words = append(words, "--client="+in.Client)
	}
	if in.Quiet {
		words = append(words, "--quiet")
	}
	ctx, cancel := context.WithTimeout(ctx, doctorTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, p, words...)
	var out bytes.Buffer
	cmd.Stdout = &limited{w: &out, left: 8 << 20}
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	var report DoctorAnswer
	if json.Unmarshal(out.Bytes(), &report) != nil {
		return nil, outcome.New(outcome.Fault, "fettle-doctor gave no report")
	}
	if string(report["ok"]) == "false" {
		var r struct{ Outcome, Message string }
		if json.Unmarshal(out.Bytes(), &r) == nil && r.Message != "" {
			for _, k := range outcome.All() {
				if k.Word() == r.Outcome {
					return nil, outcome.New(k, "%s", r.Message)
				}
			}
		}
	}
	delete(report, "ok")
	delete(report, "outcome")
	return report, nil
}

// limited drops what is beyond its bound.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(b []byte) (int, error) {
	n := min(len(b), l.left)
	l.left -= n
	if _, err := l.w.Write(b[:n]); err != nil {
		return 0, err
	}
	return len(b), nil
}
