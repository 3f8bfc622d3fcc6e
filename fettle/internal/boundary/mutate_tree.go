package boundary

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sort"
	"strings"
	"syscall"
	"time"

	"fettler/shared/config"
	"fettler/shared/outcome"
)

// Survey is what lies at and below a place.
type Survey struct {
	Files, Dirs int   // the place itself counts
	Bytes       int64 // of the files
	Links       []string
	Other       int // neither file, folder nor link
}

// Throughout refuses unless everything at and below p grants need, is neither
// governed nor fettle's own, and, when it is to come to lie at to, may lie
// there: what results must not be governed, must grant toNeed, and must be
// screened for as much as what it comes from when its content is copied out.
// The refusal for something below p names no path: saying where would tell
// where a hidden scope is. Call it for every verb that reaches what it does
// not name; it follows no link.
func (p *Place) Throughout(ctx context.Context, need config.Permissions, to *Place, toNeed config.Permissions) (*Survey, error) {
	s := &surveyor{b: p.b, ctx: ctx, need: need, to: to, toNeed: toNeed, out: &Survey{}, from: p}
	if err := p.Need(need); err != nil {
		return nil, err
	}
	if err := p.Governed(); err != nil && need != config.Read {
		return nil, err
	}
	if to != nil {
		if err := to.Governed(); err != nil {
			return nil, err
		}
		if p.Screen&^to.Screen != 0 {
			return nil, ErrUnscreened(p, to)
		}
	}
	if !p.Exists {
		return nil, errNotFound(p.Spell())
	}
	if !p.Info.Mode.IsDir() {
		s.count(p.Info, p.Spell())
		return s.out, nil
	}
	d, err := p.b.openTrail(p.at, p.trail)
	if err != nil {
		return nil, err
	}
	defer d.close()
	s.out.Dirs++
	return s.out, s.folder(d, append([]step(nil), p.trail...), nil)
}

// ErrUnscreened refuses to let screened content come to lie where it would not be.
func ErrUnscreened(from, to *Place) error {
	return outcome.New(outcome.Refused, "%s is screened and %s is not screened for as much, so its content may not go there. "+
		"Choose a place with the same screen", from.Spell(), to.Spell()).At(from.Spell())
}

type surveyor struct {
	b      *Boundary
	ctx    context.Context
	need   config.Permissions
	from   *Place
	to     *Place
	toNeed config.Permissions
	out    *Survey
}

func (s *surveyor) count(info Info, rel string) {
	switch {
	case info.Mode.IsRegular():
		s.out.Files++
		s.out.Bytes += info.Size
	case info.Mode.IsDir():
		s.out.Dirs++
	case info.Mode&fs.ModeSymlink != 0:
		s.out.Links = append(s.out.Links, rel)
	default:
		s.out.Other++
	}
}

func (s *surveyor) folder(d sysDir, trail []step, below []step) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	if len(trail) > maxDepth {
		return outcome.New(outcome.Refused, "%s is nested more than %d folders deep", s.from.Spell(), maxDepth).At(s.from.Spell())
	}
	var names []string
	if err := d.entries(func(name string, _ fs.FileMode) error {
		names = append(names, name)
		return nil
	}); err != nil {
		return declined(err, "list a folder in", s.from)
	}
	sort.Strings(names)
	for _, name := range names {
		info, err := d.lstat(name)
		if Reserved(name) {
			if err != nil || s.need == config.Delete && s.b.abandoned(info) {
				continue // goes with its folder
			}
			return outcome.New(outcome.Refused, "a change is being made somewhere in %s. Call again when it is over", s.from.Spell()).At(s.from.Spell())
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return declined(err, "look at an entry of", s.from)
		}
		at := append(trail[:len(trail):len(trail)], step{name, info.ID})
		under := append(below[:len(below):len(below)], step{name: name})
		if err := s.entry(info, at, under); err != nil {
			return err
		}
		s.count(info, s.b.spell(s.from.Tree, join(s.from.Rel, relOf(under))))
		if !info.Mode.IsDir() {
			continue
		}
		sub, opened, err := d.openDir(name)
		if err != nil {
			return declined(err, "open a folder in", s.from)
		}
		if opened.ID != info.ID {
			sub.close()
			return errStale(s.from)
		}
		err = s.folder(sub, at, under)
		sub.close()
		if err != nil {
			return err
		}
	}
	return nil
}

// entry judges one entry where it is and where it would come to lie.
func (s *surveyor) entry(info Info, at, under []step) error {
	v := s.b.judge(s.from.at, at)
	if s.need&^v.can != 0 || !v.can.Has(config.List) {
		return outcome.New(outcome.Refused, "something inside %s does not grant %s, so nothing was done. "+
			"Name the parts that may be changed one at a time", s.from.Spell(), s.need.String()).At(s.from.Spell())
	}
	q := &Place{b: s.b, at: s.from.at, trail: at, Tree: s.from.at, Exists: true, Info: info}
	if s.need != config.Read {
		if s.b.isTop(info.ID) {
			return outcome.New(outcome.Refused, "%s holds the top of a tree, which fettle does not move or delete", s.from.Spell()).At(s.from.Spell())
		}
		if s.b.leadsToScope(info) || s.b.namedScope(info) {
			return outcome.New(outcome.Refused, "something inside %s is or leads to a declared scope, so nothing was done. "+
				"Name the parts that may be changed one at a time", s.from.Spell()).At(s.from.Spell())
		}
		if err := q.Governed(); err != nil {
			return s.nameless(err)
		}
	}
	if s.to == nil {
		return nil
	}
	dest := append(s.to.trail[:len(s.to.trail):len(s.to.trail)], under...)
	w := s.b.judge(s.to.at, dest)
	if s.toNeed&^w.can != 0 || !w.can.Has(config.List) {
		return outcome.New(outcome.Refused, "something inside %s would come to lie where %s is not granted, so nothing was done",
			s.from.Spell(), s.toNeed.String()).At(s.to.Spell())
	}
	q = &Place{b: s.b, at: s.to.at, trail: dest, Tree: s.to.at}
	if err := q.Governed(); err != nil {
		return s.nameless(err)
	}
	if v.screen&^w.screen != 0 {
		return ErrUnscreened(s.from, s.to)
	}
	return nil
}

// isTop reports whether an identity is an open tree's own top.
func (b *Boundary) isTop(id FileID) bool {
	for _, t := range b.trees {
		if !id.zero() && t.id == id {
			return true
		}
	}
	return false
}

// abandoned reports a hidden entry that no living change can own: no tree has
// a journal, and it has lain there for a while.
func (b *Boundary) abandoned(info Info) bool {
	for _, t := range b.trees {
		if _, err := t.top.lstat(journalFolder); err == nil {
			return false
		}
	}
	return time.Since(info.ModTime) > 10*time.Minute
}

// nameless keeps a governed refusal's outcome and takes the place out of it.
func (s *surveyor) nameless(err error) error {
	e := outcome.Of(err)
	if e.Kind == outcome.Governed {
		return outcome.New(outcome.Governed, "%s holds a file that says what this tool and the assistant may do, so nothing was done. "+
			"Fettler does not write those files. Change it with an editor. The files are: %s", s.from.Spell(), strings.Join(GovernedFiles(), ", ")).At(s.from.Spell())
	}
	return outcome.New(e.Kind, "%s holds a file that fettle does not write, so nothing was done", s.from.Spell()).At(s.from.Spell())
}

// removeAll removes an entry and what is below it, following no link. What it
// cannot remove stays, and the first reason is given.
func removeAll(d sysDir, name string) error {
	err := d.unlink(name)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	info, statErr := d.lstat(name)
	if statErr != nil || !info.Mode.IsDir() {
		return err
	}
	sub, _, err := d.openDir(name)
	if err != nil {
		return err
	}
	defer sub.close()
	for range 64 { // another process may be adding to it
		var names []string
		if err := sub.entries(func(n string, _ fs.FileMode) error {
			names = append(names, n)
			return nil
		}); err != nil {
			return err
		}
		for _, n := range names {
			if err := removeAll(sub, n); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		err := d.rmdir(name)
		if err == nil || !errors.Is(err, fs.ErrExist) && !errors.Is(err, syscall.ENOTEMPTY) {
			return err
		}
	}
	return fmt.Errorf("it keeps filling up")
}

// treeHash is a digest of an entry and what is below it: names, kinds,
// executable bits and contents.
func treeHash(d sysDir, name string) (string, error) {
	sum := sha256.New()
	if err := addTree(sum, d, name); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func addTree(w io.Writer, d sysDir, name string) error {
	info, err := d.lstat(name)
	if err != nil {
		return err
	}
	if info.Mode.IsRegular() {
		h, err := hashEntry(d, name)
		fmt.Fprintf(w, "f %v %s\n", info.Executable(), h)
		return err
	}
	if !info.Mode.IsDir() {
		fmt.Fprintf(w, "x\n")
		return nil
	}
	sub, _, err := d.openDir(name)
	if err != nil {
		return err
	}
	defer sub.close()
	var names []string
	if err := sub.entries(func(n string, _ fs.FileMode) error {
		names = append(names, n)
		return nil
	}); err != nil {
		return err
	}
	sort.Strings(names)
	fmt.Fprintf(w, "d %d\n", len(names))
	for _, n := range names {
		fmt.Fprintf(w, "%q\n", n)
		if err := addTree(w, sub, n); err != nil {
			return err
		}
	}
	return nil
}
