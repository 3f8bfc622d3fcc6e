package ops

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/change"
	"fettler/fettle/internal/term"
	"fettler/fettle/internal/text"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// EditInput asks for a batch of edits: one edit of Path, or a script.
type EditInput struct {
	Path       string
	Expect     string
	DryRun     bool
	Edits      []change.Edit   // of Path
	Script     json.RawMessage // instead
	ScriptPath string          // instead: a script in a tree
}

// EditAnswer is what was changed, or would be.
type EditAnswer struct {
	Files  []EditedFile `json:"files"`
	Plan   []PlanStep   `json:"plan"`
	DryRun bool         `json:"dry_run"`
	Diff   string       `json:"diff,omitempty"`
	// DiffTruncated says that the diff goes on: it is cut where 40,000 characters are full.
	DiffTruncated bool `json:"diff_truncated,omitempty"`
}

// EditedFile is one file of an EditAnswer.
type EditedFile struct {
	Path                 string   `json:"path"`
	Edits                int      `json:"edits"` // places that changed
	Hash                 string   `json:"hash"`
	LineEndingMixed      bool     `json:"line_ending_mixed"`
	MetadataNotPreserved []string `json:"metadata_not_preserved,omitempty"`
}

// PlanStep is one edit of a plan.
type PlanStep struct {
	Path string `json:"path"`
	change.Step
}

// Human prints the diff of a dry run, else each file and what was done to it.
func (a *EditAnswer) Human(w io.Writer) {
	a.head(w)
	for _, f := range a.Files {
		did := "edited"
		if a.DryRun {
			did = "would edit"
		}
		n := int64(f.Edits)
		fmt.Fprintf(w, "%s %s  %d %s  sha256 %s\n", did, term.Escape(f.Path), n, plural(n, "place", "places"), f.Hash)
		if f.LineEndingMixed {
			fmt.Fprintf(w, "%s has MIXED line endings; none was changed that was there\n", term.Escape(f.Path))
		}
		humanLost(w, f.Path, f.MetadataNotPreserved)
	}
}

func (a *EditAnswer) head(w io.Writer) {
	if a.Diff != "" {
		fmt.Fprint(w, term.Content(a.Diff))
		if !strings.HasSuffix(a.Diff, "\n") {
			fmt.Fprintln(w)
		}
		if a.DiffTruncated {
			fmt.Fprintf(w, "the diff is cut at %d characters\n", Characters)
		}
	}
}

// edited is one file on its way.
type edited struct {
	*original
	path   string // as the caller wrote it
	edits  []change.Edit
	result *change.Result
	raw    []byte
}

// Edit applies a batch of edits: all of them, or none.
func Edit(ctx context.Context, s *Session, in EditInput) (*EditAnswer, error) {
	files, from, err := in.files(ctx, s)
	if err != nil {
		return nil, err
	}
	list, err := s.gather(files, from)
	if err != nil {
		return nil, err
	}
	var held tally
	var made sum
	for _, e := range list {
		if err := e.resolve(ctx, s, &held, len(list) > 1); err != nil {
			return nil, held.over(err)
		}
		if err := made.add(e.result.Text); err != nil {
			return nil, held.over(err)
		}
	}
	if err := held.refusal(); err != nil {
		return nil, err
	}
	a := &EditAnswer{Files: []EditedFile{}, Plan: []PlanStep{}, DryRun: in.DryRun}
	if err := s.carryOut(ctx, list, a); err != nil {
		return nil, err
	}
	return a, nil
}

// files gives the edits in script form, and the script that they came from.
func (in *EditInput) files(ctx context.Context, s *Session) ([]change.File, script, error) {
	if err := checkExpect(in.Expect); err != nil {
		return nil, script{}, err
	}
	given := 0
	for _, has := range []bool{len(in.Edits) > 0, in.Script != nil, in.ScriptPath != ""} {
		if has {
			given++
		}
	}
	if given != 1 {
		return nil, script{}, outcome.New(outcome.Invalid, "edit takes one edit, a script, or the path of a script. %s",
			s.how("edit", `Give script as {"edits":[{"replace":"old","with":"new"}]} with path, or script_path`))
	}
	if len(in.Edits) > 0 {
		if in.Path == "" {
			return nil, script{}, errNoEditPath
		}
		return []change.File{{Path: in.Path, Expect: in.Expect, Edits: in.Edits}}, script{}, nil
	}
	from, err := s.script(in.Script, in.ScriptPath)
	if err != nil {
		return nil, from, err
	}
	files, err := in.decode(from.raw)
	if err != nil {
		return nil, from, from.declined(ctx, s, err)
	}
	var names []string
	for i := range files {
		f := &files[i]
		names = append(names, f.Path, f.Expect)
		for k := range f.Edits {
			names = append(names, f.Edits[k].OldFile, f.Edits[k].NewFile)
		}
	}
	return files, from, from.named(ctx, s, names)
}

var errNoEditPath = outcome.New(outcome.Invalid, `edit needs a path, or a script with "files"`)

// decode gives the files of a script, of which one of one file may go with a path.
func (in *EditInput) decode(raw []byte) ([]change.File, error) {
	files, err := change.DecodeScript(raw)
	if err != nil {
		return nil, err
	}
	if len(files) == 1 && files[0].Path == "" {
		files[0].Path, files[0].Expect = in.Path, in.Expect
	} else if in.Path != "" || in.Expect != "" {
		return nil, outcome.New(outcome.Invalid, `the script names its files itself, so edit takes no path and no expect beside it`)
	}
	for i := range files {
		if files[i].Path == "" {
			return nil, errNoEditPath
		}
		if err := checkExpect(files[i].Expect); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// textAt reads a text file through the boundary for use in a script.
func (s *Session) textAt(raw string) (string, *boundary.Place, error) {
	p, err := s.Boundary.Locate(raw, config.Read, "")
	if err != nil {
		return "", nil, err
	}
	if !p.Exists {
		return "", nil, outcome.New(outcome.NotFound, "there is nothing at %s", p.Spell()).At(p.Spell())
	}
	o, err := openText(p)
	if err != nil {
		return "", nil, err
	}
	return o.content.Text, p, nil
}

// gather opens every file that is named. One file under two spellings is one
// file, with the edits of both.
func (s *Session) gather(files []change.File, from script) ([]*edited, error) {
	var list []*edited
	brought := &texts{of: map[string]namedText{}}
	for i := range files {
		f := &files[i]
		p, err := s.forChange(f.Path, config.Read|config.Update)
		if err != nil {
			return nil, err
		}
		if err := from.leaves(p); err != nil {
			return nil, err
		}
		for k := range f.Edits {
			if err := s.fill(&f.Edits[k], k+1, p, brought); err != nil {
				if len(files) > 1 {
					return nil, prefixed(p.Spell(), err)
				}
				return nil, err
			}
		}
		var e *edited
		for _, other := range list {
			if other.place.SameFile(p) {
				e = other
			}
		}
		if e == nil {
			o, err := openText(p)
			if err != nil {
				return nil, err
			}
			e = &edited{original: o, path: f.Path}
			list = append(list, e)
		}
		if err := e.fresh(f.Expect); err != nil {
			return nil, err
		}
		e.edits = append(e.edits, f.Edits...)
	}
	return list, nil
}

// fill reads the files that an edit names for its text.
func (s *Session) fill(e *change.Edit, n int, target *boundary.Place, brought *texts) error {
	read := func(field, path string, dst *string) error {
		if path == "" {
			return nil
		}
		content, p, err := brought.read(s, path)
		if err == nil && p.Screen&^target.Screen != 0 {
			err = boundary.ErrUnscreened(p, target)
		}
		if err != nil {
			return prefixed(fmt.Sprintf("edit %d, %s", n, field), err)
		}
		*dst = content
		return nil
	}
	e.Old, e.New = noMark(e.Old), noMark(e.New)
	if err := read("replaceFile", e.OldFile, &e.Old); err != nil {
		return err
	}
	return read(e.FileField(), e.NewFile, &e.New)
}

// resolve applies the edits in memory. held takes the lines that the answer, or
// the error, is about; the caller asks it before either is seen.
func (e *edited) resolve(ctx context.Context, s *Session, held *tally, named bool) error {
	r, err := change.Resolve(e.content, e.edits)
	if err != nil {
		var m *change.Miss
		if errors.As(err, &m) {
			held.add(ctx, s.Screen, e.place.Screen, linesOf(e.content.Text, m.Lines))
		}
		if named {
			return about(e.place, err)
		}
		return outcome.Of(err).At(e.place.Spell())
	}
	e.result = r
	return e.finish(ctx, s, held)
}

// about puts the file's name before what is wrong with a change of it.
func about(p *boundary.Place, err error) error {
	return prefixed(p.Spell(), err).At(p.Spell())
}

// prefixed says first where what is wrong was met.
func prefixed(where string, err error) *outcome.Error {
	o := *outcome.Of(err)
	o.Message = where + ": " + o.Message
	return &o
}

// finish judges the result and encodes it.
func (e *edited) finish(ctx context.Context, s *Session, held *tally) error {
	if e.place.Screen != 0 {
		held.add(ctx, s.Screen, e.place.Screen, touched(e.content.Text, e.result.Spans))
	}
	if err := s.judge(e.place, e.content.Text, e.result.Text); err != nil {
		return err
	}
	var err error
	e.raw, err = encode(e.place, e.result.Text, e.content.Encoding)
	return err
}

// carryOut stages and commits, or shows, and fills the answer.
func (s *Session) carryOut(ctx context.Context, list []*edited, a *EditAnswer) error {
	c := s.Boundary.Begin()
	defer c.Close()
	var staged []*boundary.Staged
	if !a.DryRun {
		writes := make([]boundary.Write, len(list))
		for i, e := range list {
			writes[i] = boundary.Write{Place: e.place, Content: bytes.NewReader(e.raw), Options: boundary.StageOptions{Replace: true, Was: e.info, WasHash: e.hash}}
		}
		var err error
		if staged, err = c.WriteAll(ctx, writes); err != nil {
			return err
		}
	}
	var shown tally
	for i, e := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := EditedFile{Path: e.place.Spell(), Edits: e.result.Places}
		_, f.LineEndingMixed = text.Endings(e.result.Text)
		for _, st := range e.result.Plan {
			a.Plan = append(a.Plan, PlanStep{f.Path, st})
		}
		if a.DryRun {
			f.Hash = text.Hash(e.raw)
			s.show(ctx, e, a, &shown)
		} else {
			f.Hash, f.MetadataNotPreserved = staged[i].Hash, staged[i].Lost
		}
		a.Files = append(a.Files, f)
	}
	if a.DryRun {
		return shown.refusal()
	}
	return c.Commit()
}

// show adds a file's diff to the answer, as far as it has room.
func (s *Session) show(ctx context.Context, e *edited, a *EditAnswer, shown *tally) {
	if a.DiffTruncated {
		return
	}
	d := e.result.Diff(term.Escape(e.place.Spell()))
	if e.place.Screen != 0 {
		var lines []string
		for _, l := range text.Lines(d) {
			if l != "" {
				lines = append(lines, l[1:])
			}
		}
		shown.add(ctx, s.Screen, e.place.Screen, lines)
	}
	left := Characters - text.Chars(a.Diff)
	if text.Chars(d) > left {
		d = text.Head(d, left)
		d = d[:strings.LastIndexByte(d, '\n')+1]
		a.DiffTruncated = true
	}
	a.Diff += d
}
