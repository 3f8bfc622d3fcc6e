package ops

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/change"
	"fettler/fettle/internal/term"
	"fettler/fettle/internal/text"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// WriteInput asks for a file's whole content.
type WriteInput struct {
	Path      string
	Text      string
	Overwrite bool
	Append    bool   // add the text at the end as it is
	Expect    string // the hash of what is overwritten
	Encoding  string // "" keeps the file's, or is utf-8
	EOL       string // "" keeps the file's, or leaves the text's
}

// WriteAnswer is the file that resulted.
type WriteAnswer struct {
	Path                 string   `json:"path"`
	Created              bool     `json:"created"`
	Bytes                int64    `json:"bytes"`
	Hash                 string   `json:"hash"`
	Encoding             string   `json:"encoding"`
	LineEnding           string   `json:"line_ending"`
	MetadataNotPreserved []string `json:"metadata_not_preserved,omitempty"`
}

// Human says what was done.
func (a *WriteAnswer) Human(w io.Writer) {
	did := "wrote"
	if a.Created {
		did = "created"
	}
	fmt.Fprintf(w, "%s %s  %d %s  %s %s  sha256 %s\n", did, term.Escape(a.Path), a.Bytes, plural(a.Bytes, "byte", "bytes"), a.Encoding, a.LineEnding, a.Hash)
	humanLost(w, a.Path, a.MetadataNotPreserved)
}

// humanLost prints what a staged write could not carry over.
func humanLost(w io.Writer, path string, lost []string) {
	for _, l := range lost {
		fmt.Fprintf(w, "not preserved on %s: %s\n", term.Escape(path), term.Escape(l))
	}
}

// Write makes a file, or replaces or extends its content.
func Write(ctx context.Context, s *Session, in WriteInput) (*WriteAnswer, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	p, err := s.Boundary.Locate(in.Path, 0, "")
	if err != nil {
		return nil, err
	}
	if err := p.Governed(); err != nil {
		return nil, err
	}
	if !p.Exists {
		return in.create(s, p)
	}
	return in.replace(ctx, s, p)
}

func (in *WriteInput) check() error {
	if _, ok := text.ParseEncoding(in.Encoding); !ok && in.Encoding != "" {
		return outcome.New(outcome.Invalid, "encoding is one of: utf-8, utf-8-bom, utf-16le, utf-16be, utf-32le, utf-32be; it is '%s'", in.Encoding)
	}
	if _, ok := text.ParseEnding(in.EOL); !ok && in.EOL != "" {
		return outcome.New(outcome.Invalid, "eol is one of: lf, crlf, cr; it is '%s'", in.EOL)
	}
	if in.Append && in.Overwrite {
		return outcome.New(outcome.Invalid, "append adds to what is there and overwrite replaces it. Give one or the other")
	}
	in.Text = noMark(in.Text)
	return checkExpect(in.Expect)
}

func (in *WriteInput) create(s *Session, p *boundary.Place) (*WriteAnswer, error) {
	if err := p.Need(config.Create); err != nil {
		return nil, err
	}
	if p.AsFolder() {
		return nil, outcome.New(outcome.Invalid, "%s ends like a folder, and write makes a file. Leave the slash off, or make a folder with mkdir", in.Path)
	}
	if in.Expect != "" {
		return nil, outcome.New(outcome.Stale, "%s is not there any more, and expect names what it was", p.Spell()).At(p.Spell())
	}
	if err := namedDocument(p); err != nil {
		return nil, err
	}
	enc := text.UTF8
	if in.Encoding != "" {
		enc, _ = text.ParseEncoding(in.Encoding)
	}
	content := in.Text
	if e, ok := text.ParseEnding(in.EOL); ok {
		content = text.WithEnding(content, e)
	}
	raw, err := encode(p, content, enc)
	if err != nil {
		return nil, err
	}
	if err := s.judge(p, "", content); err != nil {
		return nil, err
	}
	return putFile(s, p, raw, boundary.StageOptions{})
}

func (in *WriteInput) replace(ctx context.Context, s *Session, p *boundary.Place) (*WriteAnswer, error) {
	need := config.Update
	if in.Expect != "" {
		need |= config.Read
	}
	if err := p.Need(need); err != nil {
		return nil, err
	}
	if p.Info.Mode.IsDir() {
		return nil, outcome.New(outcome.Refused, "%s is a folder, and a folder is not written", p.Spell()).At(p.Spell())
	}
	switch {
	case in.Overwrite || in.Append:
	case in.Expect != "":
		return nil, outcome.New(outcome.TargetExists, "%s is already there. expect says which content may go, not that it may: pass overwrite beside it, or append to add to the file", p.Spell()).At(p.Spell())
	default:
		return nil, outcome.New(outcome.TargetExists, "%s is already there. Pass overwrite to replace its content, or append to add to it", p.Spell()).At(p.Spell())
	}
	old, err := openText(p)
	if err != nil {
		return nil, err
	}
	if err := old.fresh(in.Expect); err != nil {
		return nil, err
	}
	enc := old.content.Encoding
	if in.Encoding != "" {
		e, _ := text.ParseEncoding(in.Encoding)
		if in.Append && e != enc && len(old.raw) > 0 {
			return nil, outcome.New(outcome.Invalid, "%s is %s, and a file has one encoding. Leave encoding out to append to it", p.Spell(), enc).At(p.Spell())
		}
		enc = e
	}
	content := in.Text
	if e, ok := text.ParseEnding(in.EOL); ok {
		content = text.WithEnding(content, e)
	} else if old.content.Ending != text.None {
		content = text.WithEnding(content, old.content.Ending)
	}
	if in.Append {
		// A line that has no ending goes on: it is touched, and judged as it is.
		end := len(old.content.Text)
		var held tally
		held.add(ctx, s.Screen, p.Screen, touched(old.content.Text, []change.Span{{Start: end, End: end}}))
		if err := held.refusal(); err != nil {
			return nil, err
		}
		content = old.content.Text + content
	}
	raw, err := encode(p, content, enc)
	if err != nil {
		return nil, err
	}
	if err := s.judge(p, old.content.Text, content); err != nil {
		return nil, err
	}
	if bytes.Equal(raw, old.raw) {
		return written(p, raw, old.hash, nil, false), nil
	}
	return putFile(s, p, raw, boundary.StageOptions{Replace: true, Was: old.info, WasHash: old.hash})
}

// putFile stages one file and puts it in place.
func putFile(s *Session, p *boundary.Place, raw []byte, o boundary.StageOptions) (*WriteAnswer, error) {
	c := s.Boundary.Begin()
	defer c.Close()
	staged, err := c.Write(p, bytes.NewReader(raw), o)
	if err != nil {
		return nil, err
	}
	if err := c.Commit(); err != nil {
		return nil, err
	}
	return written(p, raw, staged.Hash, staged.Lost, !p.Exists), nil
}

func written(p *boundary.Place, raw []byte, hash string, lost []string, created bool) *WriteAnswer {
	a := &WriteAnswer{Path: p.Spell(), Created: created, Bytes: int64(len(raw)), Hash: hash, MetadataNotPreserved: lost}
	if c, err := text.DecodeOwned(raw); err == nil {
		a.Encoding, a.LineEnding = string(c.Encoding), string(c.Ending)
	}
	return a
}
