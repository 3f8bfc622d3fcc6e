package ops

import (
	"context"

	"fettler/fettle/internal/text"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

const (
	// ReadLines is how many lines of a file are served unless To says otherwise.
	ReadLines = 2000
	// Characters is how many characters of text one call answers, whatever it asks for.
	Characters = 40_000
	// hashUnasked is the size in bytes beyond which a file is hashed, and
	// counted to its end, only where Hash asks for it.
	hashUnasked = 256 << 20
)

// ReadInput asks for files, or for a part of each.
type ReadInput struct {
	Paths    []string
	From, To int64 // lines, from 1; 0 is not given
	Tail     int64 // the last lines; 0 is not given
	Numbered bool
	Member   string
	Hash     bool // also of a very large file
}

// ReadAnswer is what Read gives.
type ReadAnswer struct {
	Files []*ReadFile `json:"files"`
	Count int         `json:"count"`
}

// ReadFile is one file, or what of it was served.
type ReadFile struct {
	Path            string  `json:"path"`
	Kind            string  `json:"kind"`
	Member          string  `json:"member,omitempty"`
	Text            *string `json:"text,omitempty"` // lines joined with \n; absent for what is no text
	From            *int64  `json:"from,omitempty"`
	To              *int64  `json:"to,omitempty"`
	Lines           *int64  `json:"lines,omitempty"` // absent when the end was not reached
	Truncated       bool    `json:"truncated"`
	LinesRemaining  *int64  `json:"lines_remaining,omitempty"`
	CutBy           string  `json:"cut_by,omitempty"`
	NextFrom        int64   `json:"next_from,omitempty"` // from of the call that continues
	NextTo          int64   `json:"next_to,omitempty"`   // to of it, where what is left lies before what was served
	Encoding        string  `json:"encoding,omitempty"`
	LineEnding      string  `json:"line_ending,omitempty"`
	LineEndingMixed *bool   `json:"line_ending_mixed,omitempty"`
	FinalNewline    *bool   `json:"final_newline,omitempty"`
	Hash            string  `json:"hash,omitempty"`
	Bytes           int64   `json:"bytes"`
	Executable      bool    `json:"executable,omitempty"`
	MIMEType        string  `json:"mime_type,omitempty"`
	Width           int     `json:"width,omitempty"`
	Height          int     `json:"height,omitempty"`
	Base64          string  `json:"base64,omitempty"`
	// Notes say what is no content: a page without text, a picture too large to send.
	Notes []string `json:"notes,omitempty"`

	numbered bool // the numbers are in Text already
	ask      ReadInput
}

// budget is what one call may still answer, in characters.
type budget struct {
	left  int
	spent bool // something was served: from then on an empty part is no dead end
}

// Read reads files. One that is refused refuses the whole call.
func Read(ctx context.Context, s *Session, in ReadInput) (*ReadAnswer, error) {
	switch {
	case in.Tail > 0 && (in.From > 0 || in.To > 0):
		return nil, outcome.New(outcome.Invalid, "%s is the end of a file and %s and %s name a range of it. Give one or the other", s.argument("tail"), s.argument("from"), s.argument("to"))
	case in.From > 0 && in.To > 0 && in.To < in.From:
		return nil, outcome.New(outcome.Invalid, "%s %d lies before %s %d", s.argument("to"), in.To, s.argument("from"), in.From)
	case in.Member != "" && len(in.Paths) != 1:
		return nil, outcome.New(outcome.Invalid, "%s names an entry of one archive; %d paths were given", s.argument("member"), len(in.Paths))
	case len(in.Paths) > maxPaths:
		return nil, outcome.New(outcome.Invalid, "%d paths were given; a call takes %d", len(in.Paths), maxPaths)
	}
	r := reader{s: s, in: in, budget: budget{left: Characters}}
	a := &ReadAnswer{}
	for i, p := range in.Paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(in.Paths) > 1 {
			s.Progress(int64(i), int64(len(in.Paths)), "reading "+p)
		}
		f, err := r.path(ctx, p)
		if err != nil {
			return nil, r.held.over(err)
		}
		a.Files = append(a.Files, f)
	}
	if err := r.held.refusal(); err != nil {
		return nil, err
	}
	a.Count = len(a.Files)
	return a, nil
}

// maxPaths bounds the paths of one call.
const maxPaths = 1000

// reader serves the files of one call.
type reader struct {
	s  *Session
	in ReadInput
	budget
	held     tally
	screened bool // what is being served lies in a screened place
	images   int  // bytes of base64 in the answer
}

func (r *reader) path(ctx context.Context, p string) (*ReadFile, error) {
	place, err := r.s.Boundary.Locate(p, config.Read, "")
	if err != nil {
		return nil, err
	}
	if !place.Exists {
		return nil, outcome.New(outcome.NotFound, "there is nothing at %s", place.Spell()).At(place.Spell())
	}
	if place.Info.Mode.IsDir() {
		return nil, outcome.New(outcome.Invalid, "%s is a folder. Use find to list it", place.Spell()).At(place.Spell())
	}
	f, err := place.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := &ReadFile{Path: place.Spell(), Bytes: place.Info.Size, Executable: place.Info.Executable(), ask: r.in}
	return out, r.file(ctx, place, f, out)
}

func (f *ReadFile) describe(facts text.Facts, known bool) {
	f.Encoding, f.LineEnding = string(facts.Encoding), string(facts.Ending)
	mixed := facts.Mixed
	f.LineEndingMixed = &mixed
	if known {
		final, lines := facts.FinalNewline, facts.Lines
		f.FinalNewline, f.Lines = &final, &lines
	}
}
