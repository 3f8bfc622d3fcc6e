package ops

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"fettler/fettle/internal/document"
	"fettler/fettle/internal/scan"
	"fettler/shared/config"
)

// fileHits is a file that has hits.
type fileHits struct {
	rel    string
	screen config.Categories
	count  int64
	hits   []scan.Hit
	held   tally               // of the lines that a count or a path speaks of
	doc    *document.Rendering // nil for a text
	bulk   bulk
}

// bulk is how much hits are: how many, what they show in characters, and what
// a screen is to judge in bytes.
type bulk struct{ hits, shown, held int }

func (b *bulk) add(o bulk) {
	b.hits += o.hits
	b.shown += o.shown
	b.held += o.held
}

func (b bulk) over(limit bulk) bool {
	return b.hits > limit.hits || b.shown > limit.shown || b.held > limit.held
}

// maxWhole bounds the whole lines, in bytes, that an answer of several hits
// gives a screen to judge: the lines of a file can be as long as the file.
const maxWhole = 16 << 20

// answered bounds what an answer can hold.
func (x *search) answered() bulk {
	if x.in.Count {
		return bulk{maxCounted, Characters, maxWhole}
	}
	return bulk{x.limit, Characters, maxWhole}
}

func noneText(matched int64) string {
	if matched == 1 {
		return "1 file matched the glob; it could not be searched as text"
	}
	return fmt.Sprintf("%d files matched the glob; none could be searched as text", matched)
}

// fillFiles answers paths, for a count or for files only. A count speaks of
// every hit there is; paths speak of the hits in those files.
func (x *search) fillFiles(a *SearchAnswer, all []fileHits) error {
	var total int64
	var held tally
	limit, left := x.limit, Characters
	if x.in.Count {
		limit = maxCounted
		for i := range x.workers {
			total += x.workers[i].counted
			held.merge(x.workers[i].held)
		}
		a.HitsCount = &total
	}
	for i := range all {
		f := &all[i]
		path := x.s.Boundary.Spell(x.tree, f.rel)
		left -= utf8.RuneCountInString(path) + 1
		if i == limit || left < 0 && i > 0 {
			a.Truncated, a.CutBy = true, "lines"
			if i < limit {
				a.CutBy = "characters"
			}
			if !x.in.Count { // a count is whole; only its list of files is cut
				a.NextAfter = a.Files[len(a.Files)-1]
				a.FilesWithHits = int64(len(a.Files))
			}
			break
		}
		a.Files = append(a.Files, path)
		if !x.in.Count {
			held.merge(f.held)
		}
	}
	return held.refusal()
}

// fillHits answers lines. What it counts is what it serves, so that nothing is
// said of a line that no screen has judged.
func (x *search) fillHits(a *SearchAnswer, all []fileHits) error {
	hits := []SearchHit{}
	payload := map[config.Categories][]string{}
	left, whole := Characters, maxWhole
fill:
	for _, f := range all {
		path := x.s.Boundary.Spell(x.tree, f.rel)
		judged := judgedLines{doc: f.doc}
		for i, h := range f.hits {
			left -= utf8.RuneCountInString(path) + 1 + h.Shown()
			for _, l := range h.Whole {
				whole -= len(l)
			}
			if len(hits) == x.limit || min(left, whole) < 0 && len(hits) > 0 {
				a.Truncated, a.CutBy = true, "lines"
				if len(hits) < x.limit {
					a.CutBy = "characters"
				}
				last := hits[len(hits)-1]
				a.NextAfter = fmt.Sprintf("%s:%d", last.Path, last.Line)
				break fill
			}
			if i == 0 {
				a.Files = append(a.Files, path)
			}
			hit := SearchHit{Path: path, Line: h.Line, Column: h.Column, Text: h.Text, Context: h.Context}
			if f.doc != nil {
				hit.Cite = f.doc.Cite(int(h.Line))
			}
			hits = append(hits, hit)
			if f.screen != 0 {
				payload[f.screen] = append(payload[f.screen], judged.of(h)...)
			}
		}
	}
	n := int64(len(hits))
	a.Hits, a.HitsCount, a.FilesWithHits = &hits, &n, int64(len(a.Files))
	var held tally
	for _, screen := range slices.Sorted(maps.Keys(payload)) {
		held.add(x.ctx, x.s.Screen, screen, payload[screen])
	}
	return held.refusal()
}

// cutKept drops the files behind the ones that can be answered. kept is ordered.
func cutKept(kept []fileHits, limit bulk) ([]fileHits, bulk) {
	var n bulk
	for i := range kept {
		over := n.over(limit)
		if n.add(kept[i].bulk); over { // this one says that there is more
			clear(kept[i+1:])
			return kept[:i+1], n
		}
	}
	return kept, n
}

// judged hands the whole lines of a worker's file to the screen, one worker at
// a time. It never ends the search: the refusal speaks for all that is found.
func (x *search) judged(k *searcher, screen config.Categories) func(lines []string) error {
	return func(lines []string) error {
		x.judging.Lock()
		defer x.judging.Unlock()
		models := screen & config.Models
		k.holds.fail(models, x.failed[models])
		k.holds.add(x.ctx, x.s.Screen, screen, slices.Clone(lines))
		if err := k.holds.failed[models]; err != nil {
			x.failed[models] = err
		}
		return x.ctx.Err()
	}
}
