package boundary

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"sort"

	"fettler/shared/config"
	"fettler/shared/outcome"
)

// copier makes a second tree beside its destination, under a hidden name. It
// judges each entry as it opens it, since what was surveyed may have changed.
type copier struct {
	surveyor
	keep     bool // everything besides content as well: the copy of a move
	times    bool
	progress func(int64)
}

// CopyFolder copies a folder and what is below it to a place where nothing is.
// The result appears in one step. Links are left out and listed in the Survey.
func (b *Boundary) CopyFolder(ctx context.Context, from, to *Place, times bool, progress func(int64)) (*Survey, error) {
	s, err := from.Throughout(ctx, config.Read, to, config.Create)
	if err != nil {
		return nil, err
	}
	if s.Other > 0 {
		return nil, outcome.New(outcome.Refused, "%s holds something that is neither a file, a folder nor a link, so nothing was copied", from.Spell()).At(from.Spell())
	}
	if to.Exists {
		return nil, errExists(to)
	}
	if err := notInto(from, to); err != nil {
		return nil, err
	}
	src, err := from.folder()
	if err != nil {
		return nil, err
	}
	defer src.Close()
	dst, err := to.folder()
	if err != nil {
		return nil, err
	}
	defer dst.Close()
	c := b.Begin()
	defer c.Close()
	temp := ReservedPrefix + c.id + "-1"
	if err := c.note(dst, temp); err != nil {
		return nil, err
	}
	k := &copier{surveyor: surveyor{b: b, ctx: ctx, from: from, to: to, need: config.Read, toNeed: config.Create, out: &Survey{}}, times: times, progress: progress}
	err = k.copy(src.sys, from.Name(), dst.sys, temp, from.trail, nil)
	if err == nil {
		if err = dst.sys.moveNew(temp, dst.sys, to.Name()); errors.Is(err, fs.ErrExist) {
			err = errExists(to)
		} else if err != nil {
			err = declined(err, "make", to)
		}
	}
	if err != nil {
		_ = removeAll(dst.sys, temp)
		return nil, err
	}
	_ = dst.sys.sync()
	return s, nil
}

// notInto refuses a destination inside its source. A link does not hide it:
// places are real.
func notInto(from, to *Place) error {
	for _, st := range to.trail[:max(len(to.trail)-1, 0)] {
		if st.id == from.Info.ID && !st.id.zero() {
			return outcome.New(outcome.Refused, "%s lies inside %s, and a folder cannot go into itself", to.Spell(), from.Spell()).At(to.Spell())
		}
	}
	return nil
}

// copy makes dst/as from src/name. at is the entry's trail and under the part
// of it below the top of the copy.
func (k *copier) copy(src sysDir, name string, dst sysDir, as string, at, under []step) error {
	if err := k.ctx.Err(); err != nil {
		return err
	}
	info, err := src.lstat(name)
	if err != nil {
		return errStale(k.from)
	}
	if len(under) > 0 {
		if err := k.entry(info, append(at[:len(at)-1:len(at)-1], step{name, info.ID}), under); err != nil {
			return err
		}
	}
	switch {
	case info.Mode.IsRegular():
		return k.file(src, name, dst, as)
	case info.Mode.IsDir():
		return k.folder(src, name, dst, as, info, at, under)
	}
	return nil
}

func (k *copier) file(src sysDir, name string, dst sysDir, as string) error {
	f, info, err := src.openRegular(name)
	if err != nil {
		return declined(err, "read a file in", k.from)
	}
	defer f.Close()
	to, err := dst.create(as, info.Mode.Perm()|0o200)
	if err != nil {
		return declined(err, "make a file in", k.to)
	}
	defer to.Close()
	if _, err := io.Copy(&counted{to, k}, f); err != nil {
		if k.ctx.Err() != nil {
			return k.ctx.Err()
		}
		return declined(err, "write a file in", k.to)
	}
	if k.keep {
		carry(f, to)
	} else if info.Mode.Perm()&0o200 == 0 {
		if fi, err := to.Stat(); err == nil {
			_ = to.Chmod(fi.Mode() &^ 0o222)
		}
	}
	if err := to.Sync(); err != nil {
		return declined(err, "write a file in", k.to)
	}
	if err := to.Close(); err != nil {
		return declined(err, "write a file in", k.to)
	}
	if k.times || k.keep {
		_ = dst.chtimes(as, info.ModTime)
	}
	return nil
}

// counted reports progress and ends with the call.
type counted struct {
	f *os.File
	k *copier
}

func (c *counted) Write(b []byte) (int, error) {
	if err := c.k.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.f.Write(b)
	if c.k.progress != nil {
		c.k.progress(int64(n))
	}
	return n, err
}

func (k *copier) folder(src sysDir, name string, dst sysDir, as string, info Info, at, under []step) error {
	from, opened, err := src.openDir(name)
	if err != nil {
		return declined(err, "open a folder in", k.from)
	}
	defer from.close()
	if opened.ID != info.ID {
		return errStale(k.from)
	}
	if err := dst.mkdir(as, info.Mode.Perm()|0o700); err != nil {
		return declined(err, "make a folder in", k.to)
	}
	to, _, err := dst.openDir(as)
	if err != nil {
		return declined(err, "open a folder in", k.to)
	}
	defer to.close()
	var names []string
	if err := from.entries(func(n string, _ fs.FileMode) error {
		names = append(names, n)
		return nil
	}); err != nil {
		return declined(err, "list a folder in", k.from)
	}
	sort.Strings(names)
	for _, n := range names {
		if Reserved(n) {
			return errStale(k.from)
		}
		if err := k.copy(from, n, to, n, append(at[:len(at):len(at)], step{name: n}), append(under[:len(under):len(under)], step{name: n})); err != nil {
			return err
		}
	}
	if err := to.sync(); err != nil {
		return declined(err, "write a folder in", k.to)
	}
	if k.times || k.keep {
		_ = dst.chtimes(as, info.ModTime)
	}
	return nil
}
