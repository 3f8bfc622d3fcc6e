package ops

import (
	"context"
	"fmt"
	"io"
	"time"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/term"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// CopyInput asks for a second one.
type CopyInput struct {
	From, To      string
	Recursive     bool
	Overwrite     bool
	PreserveTimes bool
}

// CopyAnswer is what was copied. Links are reported, never followed or made.
type CopyAnswer struct {
	From                 string   `json:"from"`
	To                   string   `json:"to"`
	Files                int      `json:"files"`
	Directories          int      `json:"directories"`
	Bytes                int64    `json:"bytes"`
	LinksSkipped         []string `json:"links_skipped"`
	MetadataNotPreserved []string `json:"metadata_not_preserved,omitempty"`
}

// Human says what was copied.
func (a *CopyAnswer) Human(w io.Writer) {
	fmt.Fprintf(w, "copied %s to %s  %d %s", term.Escape(a.From), term.Escape(a.To), a.Files, plural(int64(a.Files), "file", "files"))
	if a.Directories > 0 {
		fmt.Fprintf(w, ", %d %s", a.Directories, plural(int64(a.Directories), "folder", "folders"))
	}
	fmt.Fprintf(w, ", %d %s\n", a.Bytes, plural(a.Bytes, "byte", "bytes"))
	for _, l := range a.LinksSkipped {
		fmt.Fprintf(w, "link not copied: %s\n", term.Escape(l))
	}
	humanLost(w, a.To, a.MetadataNotPreserved)
}

// Copy copies a file, or with Recursive a folder. It does not look at what it copies.
func Copy(ctx context.Context, s *Session, in CopyInput) (*CopyAnswer, error) {
	if err := named("copy", in.From, in.To); err != nil {
		return nil, err
	}
	from, to, err := s.fromTo(in.From, in.To, s.Boundary.Locate)
	if err != nil {
		return nil, err
	}
	if err := from.Need(config.Read); err != nil {
		return nil, err
	}
	if from.Info.Mode.IsDir() {
		return in.folder(ctx, s, from, to)
	}
	need := config.Create
	if to.Exists && in.Overwrite {
		need |= config.Delete
	}
	if err := to.Need(need); err != nil {
		return nil, err
	}
	if to.Exists && (to.SameFile(from) || to.Info.Mode.IsDir() || !in.Overwrite) {
		return nil, occupied(from, to)
	}
	if from.Screen&^to.Screen != 0 {
		return nil, boundary.ErrUnscreened(from, to)
	}
	return in.file(ctx, s, from, to)
}

func occupied(from, to *boundary.Place) error {
	switch {
	case to.SameFile(from):
		return outcome.New(outcome.Refused, "%s and %s are the same file", from.Spell(), to.Spell()).At(to.Spell())
	case to.Info.Mode.IsDir():
		return outcome.New(outcome.TargetExists, "%s is a folder that is already there, and a folder is never replaced. Name the new path in full", to.Spell()).At(to.Spell())
	}
	return outcome.New(outcome.TargetExists, "%s is already there. Pass overwrite to replace it", to.Spell()).At(to.Spell())
}

func (in *CopyInput) folder(ctx context.Context, s *Session, from, to *boundary.Place) (*CopyAnswer, error) {
	if !in.Recursive {
		return nil, outcome.New(outcome.Refused, "%s is a folder. Pass recursive to copy it and everything in it", from.Spell()).At(from.Spell())
	}
	if err := to.Need(config.Create); err != nil {
		return nil, err
	}
	if to.Exists {
		return nil, occupied(from, to)
	}
	done := int64(0)
	v, err := s.Boundary.CopyFolder(ctx, from, to, in.PreserveTimes, func(n int64) {
		done += n
		s.Progress(done, 0, "copying "+from.Spell())
	})
	if err != nil {
		return nil, err
	}
	a := &CopyAnswer{From: from.Spell(), To: to.Spell(), Files: v.Files, Directories: v.Dirs, Bytes: v.Bytes, LinksSkipped: v.Links}
	if a.LinksSkipped == nil {
		a.LinksSkipped = []string{}
	}
	return a, nil
}

func (in *CopyInput) file(ctx context.Context, s *Session, from, to *boundary.Place) (*CopyAnswer, error) {
	f, err := from.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	o := boundary.StageOptions{Replace: in.Overwrite, Mode: from.Info.Mode.Perm()}
	if to.Exists {
		on := from.Info.Executable()
		o.Executable = &on
	}
	if in.PreserveTimes {
		o.ModTime = from.Info.ModTime
	}
	c := s.Boundary.Begin()
	defer c.Close()
	st, err := c.Write(to, &telling{ctx: ctx, r: f, s: s, total: from.Info.Size, what: "copying " + from.Spell()}, o)
	if err != nil {
		return nil, err
	}
	if err := c.Commit(); err != nil {
		return nil, err
	}
	return &CopyAnswer{From: from.Spell(), To: to.Spell(), Files: 1, Bytes: st.Size, LinksSkipped: []string{}, MetadataNotPreserved: st.Lost}, nil
}

// telling is a reader that tells how far it is and ends with the call.
type telling struct {
	ctx   context.Context
	r     io.Reader
	s     *Session
	done  int64
	total int64
	what  string
	told  time.Time
}

func (r *telling) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, outcome.Of(err)
	}
	n, err := r.r.Read(b)
	r.done += int64(n)
	if now := time.Now(); now.Sub(r.told) > 200*time.Millisecond {
		r.told = now
		r.s.Progress(r.done, r.total, r.what)
	}
	return n, err
}
