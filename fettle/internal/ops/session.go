// Package ops holds one operation per verb: plain structs in, plain structs
// out. An operation resolves every path through its Session's boundary,
// judges what it discloses through its screen, and returns an Answer or an
// *outcome.Error. It prints nothing and knows no flags.
//
// Start at the operation's own file: Find, Search, Read, Write and so on. A
// Session is made by package launch, once a call.
package ops

import (
	"context"
	"io"
	"os"
	"strings"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/document"
	"fettler/fettle/internal/recall"
	"fettler/fettle/internal/screen"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// Session is what one call works with. It is built from the files as they are
// at the call and closed after it.
type Session struct {
	Boundary *boundary.Boundary
	Config   *config.Config
	// Notes are sentences of the launch that roots repeats: a companion that
	// was not opened and why, a screen key of the machine file that was skipped.
	Notes []string
	// Source says where the boundary came from: a file, "--root", or the launch folder.
	Source string
	// Render opens documents; Screen judges payloads. Neither is ever nil.
	Render Renderer
	Screen Screener
	// Recall is what searches of a server remember; nil in the terminal.
	Recall *recall.Memory
	// Progress reports work that takes long; total is 0 when it is unknown.
	// It may be called from several goroutines. Never nil.
	Progress func(done, total int64, message string)
	// AllowCredential switches the credential net off: the command line only.
	AllowCredential bool
	// Terminal is false over MCP, where an image travels as its own part and
	// an answer names arguments as MCP spells them.
	Terminal bool
}

// how ends a refusal with where the caller finds the shape of a call: a person
// in help, a model in what it is told here, since it has no command line.
func (s *Session) how(verb, shape string) string {
	if s.Terminal {
		return "Run fettle help " + verb
	}
	return shape
}

// argument is a flag's name as the caller spells it.
func (s *Session) argument(flag string) string {
	if s.Terminal {
		return "--" + flag
	}
	return strings.ReplaceAll(flag, "-", "_")
}

// Answer is what an operation returns: a struct whose JSON is the answer's
// fields, and its rendering for a person.
type Answer interface {
	Human(w io.Writer)
}

// Ended is an Answer that ends otherwise than ok although it has fields, such
// as a batch that stopped early. A nil error is ok.
type Ended interface {
	Answer
	End() *outcome.Error
}

// Renderer turns a document into lines, or says that it is none.
type Renderer interface {
	// Render reads f, an open document of info's size, and gives its lines.
	// It may answer from memory when the same file was rendered before.
	// screen is what the place is screened for: a worker is not shared
	// between places screened differently.
	Render(ctx context.Context, f *os.File, info boundary.Info, kind document.Kind, screen config.Categories) (*document.Rendering, error)
	// RenderBytes is Render for bytes that are no file: an archive's member.
	RenderBytes(ctx context.Context, b []byte, kind document.Kind, screen config.Categories) (*document.Rendering, error)
}

// Screener judges what an answer would disclose.
type Screener interface {
	// Count says how much of the wanted categories payload holds, whole lines
	// without numbers, and why they cannot be judged. A caller MUST NOT serve
	// an answer of which screen.Refusal refuses any part; tally gathers them.
	Count(ctx context.Context, want config.Categories, payload []string) (screen.Counts, error)
	// Judges says for roots what judges each of the categories, and what the
	// models run on. It starts no model.
	Judges(ctx context.Context, want config.Categories) (list []screen.Judged, engine string)
}

// Image is a picture that over MCP travels as a part of its own.
type Image struct{ MIMEType, Base64 string }

// Pictured is an Answer that may hold pictures.
type Pictured interface {
	Answer
	// TakeImages gives the pictures and takes their bytes out of the answer's fields.
	TakeImages() []Image
}
