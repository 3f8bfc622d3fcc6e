package ops

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/document"
	"fettler/fettle/internal/match"
	"fettler/fettle/internal/recall"
	"fettler/fettle/internal/render"
	"fettler/fettle/internal/scan"
	"fettler/fettle/internal/walk"
	"fettler/shared/config"
)

// maxDocument is the size in bytes beyond which a document is not opened.
const maxDocument = 32 << 20

// searcher is one worker's part of a search.
type searcher struct {
	x    *search
	m    *match.Matcher
	scan *scan.Scanner
	o    scan.Options

	kept     []fileHits
	bulk     bulk  // of kept
	held     tally // of the lines that were counted
	timedOut []string

	matched, searched, withHits, counted, documentsSkipped, recalls int64

	// Of the file at hand.
	open    *os.File // nil for a small file that is no document
	at      io.ReaderAt
	bytes   bytes.Reader
	info    boundary.Info
	name    string
	what    render.What
	sniffed error
	holds   tally // of the lines judged while it was scanned
	// judgedErr says that an error is the screen's, which ends the call, and
	// not the disk's, which leaves out a file.
	judgedErr bool
}

func (k *searcher) init(x *search, m *match.Matcher) {
	k.x, k.m = x, m
	k.o = scan.Options{Context: int(x.in.Context), Max: x.limit + 1, Shown: Characters, Held: maxWhole, Document: k.isDocument}
	switch {
	case x.in.Count:
		k.o.Max, k.o.All, k.o.Context = 0, true, 0
	case x.in.FilesOnly:
		k.o.Max, k.o.Context = 1, 0
	}
	k.scan = scan.New(x.ctx, m, k.o)
}

// file searches one entry.
func (k *searcher) file(e walk.Entry) error {
	k.matched++
	if n := k.x.seen.Add(1); n%500 == 0 {
		k.x.s.Progress(n, 0, "searching")
	}
	o := k.o
	if p := k.x.after; p.rel != "" {
		if c := strings.Compare(e.Rel, p.rel); c < 0 {
			return nil
		} else if c == 0 {
			o.After = p.line
		}
	}
	screen, err := k.x.screen(e)
	if err != nil {
		return nil // it went away
	}
	if screen != 0 {
		o.Whole = k.x.keeps()
		if !k.x.keeps() {
			o.Judge, o.All = k.x.judged(k, screen), true
		}
	}
	if k.recalled(e) {
		return nil
	}
	k.scan.Set(o)
	r, err := k.read(e)
	if k.open != nil {
		defer func() { k.open.Close(); k.open = nil }()
	}
	if err != nil {
		switch {
		case k.judgedErr:
			return err
		case errors.Is(err, boundary.ErrHidden):
			k.matched--
		case !gone(err):
			k.x.skips.add(skipReason(err), e.Rel)
		}
		return nil
	}
	switch {
	case r.Document:
		return k.document(e, screen, o)
	case r.Binary:
		if !r.Late {
			k.learn(e, recall.NotText)
		}
		k.x.skips.add("binary", e.Rel)
		return nil
	case r.TooLarge:
		k.x.skips.add("UTF-16 or UTF-32 and over 256 MB", e.Rel)
		return nil
	}
	if r.Count == 0 && !r.TimedOut && o.After == 0 {
		k.learn(e, recall.Nothing)
	}
	k.take(e.Rel, screen, r, nil)
	return nil
}

// read scans an entry: a small file in one piece, a large one as it is read.
// It leaves a document open.
func (k *searcher) read(e walk.Entry) (scan.Result, error) {
	k.name, k.what, k.sniffed, k.judgedErr, k.holds = e.Name, render.What{}, nil, false, tally{}
	data, info, err := e.Dir.Read(e.Name, k.scan.Buffer(), scan.BufferSize)
	k.info = info
	if err == nil {
		k.bytes.Reset(data)
		k.at = &k.bytes
		r, err := k.scan.Bytes(data)
		k.judgedErr = err != nil
		if r.Document {
			k.open, k.info, err = e.Dir.Open(e.Name)
		}
		return r, err
	}
	if !errors.Is(err, boundary.ErrLarge) {
		return scan.Result{}, err
	}
	if k.open, k.info, err = e.Dir.Open(e.Name); err != nil {
		return scan.Result{}, err
	}
	k.at = k.open
	r, err := k.scan.File(k.open)
	k.judgedErr = screenErr(err)
	return r, err
}

// isDocument asks what a file is that does not begin like a text.
func (k *searcher) isDocument(head []byte, binary bool) bool {
	if !render.Candidate(k.name, head) {
		return false
	}
	k.what, k.sniffed = render.Sniff(k.name, k.at, k.info.Size)
	switch {
	case k.sniffed != nil:
		var d *document.Error
		return errors.As(k.sniffed, &d)
	case k.what.Kind == render.Document, k.what.Kind == render.Archive, k.what.Kind == render.Gzip:
		return true
	}
	return false
}

// document renders a document and searches its lines.
func (k *searcher) document(e walk.Entry, screen config.Categories, o scan.Options) error {
	if k.sniffed != nil || k.what.Kind != render.Document || k.x.in.NoDocuments || k.info.Size > maxDocument {
		k.documentsSkipped++
		return nil
	}
	d, err := k.x.s.Render.Render(k.x.ctx, k.open, k.info, k.what.Document, screen)
	if err != nil {
		if k.x.ctx.Err() != nil {
			return k.x.ctx.Err()
		}
		k.documentsSkipped++
		return nil
	}
	if d.Cut {
		k.x.skips.add("only in part: its rendering stopped at its bound", e.Rel)
	}
	r, err := k.scan.Lines(d.Lines)
	if err != nil {
		return err
	}
	k.take(e.Rel, screen, r, d)
	return nil
}

// take keeps what a file gave.
func (k *searcher) take(rel string, screen config.Categories, r scan.Result, d *document.Rendering) {
	k.searched++
	if r.TimedOut {
		k.timedOut = append(k.timedOut, rel)
	}
	if r.Count == 0 {
		return
	}
	k.withHits++
	k.counted += r.Count
	if k.x.in.Count {
		k.held.merge(k.holds)
	}
	if k.x.in.Count || k.x.in.FilesOnly {
		r.Hits = nil
	}
	f := fileHits{rel, screen, r.Count, r.Hits, k.holds, d, bulk{max(len(r.Hits), 1), r.Shown, r.Held}}
	k.kept = append(k.kept, f)
	limit := k.x.answered()
	if k.bulk.add(f.bulk); k.bulk.over(bulk{4*limit.hits + 1000, 4 * limit.shown, 4 * limit.held}) {
		slices.SortFunc(k.kept, func(a, b fileHits) int { return strings.Compare(a.rel, b.rel) })
		k.kept, k.bulk = cutKept(k.kept, limit)
	}
}
