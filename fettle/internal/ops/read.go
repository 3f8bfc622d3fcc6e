package ops

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"

	"fettler/fettle/internal/boundary"
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
		return nil, outcome.New(outcome.Invalid, "--tail is the end of a file and --from and --to name a range of it. Give one or the other")
	case in.From > 0 && in.To > 0 && in.To < in.From:
		return nil, outcome.New(outcome.Invalid, "--to %d lies before --from %d", in.To, in.From)
	case in.Member != "" && len(in.Paths) != 1:
		return nil, outcome.New(outcome.Invalid, "--member names an entry of one archive; %d paths were given", len(in.Paths))
	case len(in.Paths) > maxPaths:
		return nil, outcome.New(outcome.Invalid, "%d paths were given; a call takes %d", len(in.Paths), maxPaths)
	}
	r := reader{s: s, in: in, budget: budget{left: Characters}}
	a := &ReadAnswer{}
	for _, p := range in.Paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := r.path(ctx, p)
		if err != nil {
			return nil, err
		}
		a.Files = append(a.Files, f)
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
	out := &ReadFile{Path: place.Spell(), Bytes: place.Info.Size, Executable: place.Info.Executable()}
	return out, r.file(ctx, place, f, out)
}

// file serves an open file, by what its bytes are.
func (r *reader) file(ctx context.Context, place *boundary.Place, f *os.File, out *ReadFile) error {
	if r.in.Member != "" {
		return outcome.New(outcome.Invalid, "%s is no archive, so it has no member %s", out.Path, r.in.Member).At(out.Path)
	}
	out.Kind = "text"
	served, err := r.text(ctx, f, place.Info.Size, out)
	if errors.Is(err, text.ErrBinary) {
		return errBinary(out.Path)
	}
	if err != nil {
		return err
	}
	return r.s.Screen.Judge(ctx, place.Screen, served)
}

func errBinary(path string) error {
	return outcome.New(outcome.Refused, "%s is binary, or text in an encoding that no byte-order mark names, and fettle does not guess", path).At(path)
}

// text serves lines of a text and gives them as they are in the file, without
// numbers, for the screen to judge.
func (r *reader) text(ctx context.Context, f io.ReaderAt, size int64, out *ReadFile) ([]string, error) {
	whole := size <= hashUnasked || r.in.Hash
	if r.in.Tail > 0 && !whole {
		return r.tailOnly(ctx, f, size, out)
	}
	sum := sha256.New()
	sc := text.NewScanner(ctx, io.TeeReader(io.NewSectionReader(f, 0, size), sum))
	from := max(r.in.From, 1)
	if r.in.Tail > 0 {
		// The number of lines is wanted anyway, so they are counted first.
		n := text.NewScanner(ctx, io.NewSectionReader(f, 0, size))
		facts, err := n.Rest()
		if err != nil {
			return nil, err
		}
		from = max(facts.Lines-r.in.Tail+1, 1)
	}
	skipped, err := sc.Skip(from - 1)
	if err != nil {
		return nil, err
	}
	take := newTaker(r, from)
	if skipped == from-1 {
		if err := take.from(sc); err != nil {
			return nil, err
		}
	}
	facts := sc.Seen()
	known := whole || take.ended
	if known {
		if facts, err = sc.Rest(); err != nil {
			return nil, err
		}
		if whole {
			out.Hash = hex.EncodeToString(sum.Sum(nil))
		}
	}
	if r.in.From > 1 && known && r.in.From > facts.Lines {
		return nil, outcome.New(outcome.Invalid, "%s has %d lines; --from %d is beyond its end", out.Path, facts.Lines, r.in.From).At(out.Path)
	}
	out.describe(facts, known)
	take.fill(out, facts.Lines, known)
	return take.served, nil
}

// tailOnly serves the end of a file that is too large to be read whole for it.
func (r *reader) tailOnly(ctx context.Context, f io.ReaderAt, size int64, out *ReadFile) ([]string, error) {
	lines, facts, more, err := text.Tail(ctx, f, size, int(min(r.in.Tail, 1<<30)), r.left)
	if err != nil {
		return nil, err
	}
	var served []string
	for _, l := range lines {
		served = append(served, l.Text)
		r.left -= l.Chars + 1
	}
	r.spent = true
	joined := text.Join(lines)
	out.Text = &joined
	out.describe(facts, false)
	final := facts.FinalNewline
	out.FinalNewline = &final
	if more {
		out.Truncated, out.CutBy = true, "characters"
	}
	out.Notes = append(out.Notes, "the file is over 256 MB, so it was neither hashed nor counted: ask with --hash")
	return served, nil
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
