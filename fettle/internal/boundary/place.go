package boundary

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"fettler/shared/config"
	"fettler/shared/outcome"
)

// FileID is what tells one file from another whatever it is called.
type FileID struct{ dev, ino uint64 }

func (id FileID) zero() bool { return id == FileID{} }

// Hash spreads identities over tables.
func (id FileID) Hash() uint64 { return (id.ino ^ id.dev<<32) * 0x9E3779B97F4A7C15 >> 32 }

// Info is what the system says of an entry, without following a link.
type Info struct {
	Size    int64
	Mode    fs.FileMode
	ModTime time.Time
	// Changed is when the file or what is said of it last changed, in
	// nanoseconds, which a program cannot set. Zero where the system does not say.
	Changed int64
	ID      FileID
	Links   uint64 // how many names the file has
	// ReadOnly and Hidden are Windows attributes.
	ReadOnly, Hidden bool
}

// Executable reports the bit that exec sets.
func (i Info) Executable() bool { return i.Mode.IsRegular() && i.Mode&0o111 != 0 }

// Place is a path that was followed to its real place and judged there.
type Place struct {
	Tree    *Tree
	Rel     string // below Tree, forward slashes; "" is its top
	Can     config.Permissions
	Screen  config.Categories
	Exists  bool
	Info    Info
	ViaLink bool // a link was followed on the way

	b     *Boundary
	at    *Tree  // the tree whose handle the trail starts from
	trail []step // real components below at's top
	want  want
}

// want is what Locate was asked, for looking again.
type want struct {
	raw, in string
	need    config.Permissions
	follow  bool
}

// AsFolder says that the place was asked for with a separator at its end.
func (p *Place) AsFolder() bool { return strings.HasSuffix(slashed(p.want.raw, p.b.windows), "/") }

// Spell writes the place as answers do.
func (p *Place) Spell() string { return p.b.spell(p.Tree, p.Rel) }

// Abs is the real absolute path in the machine's spelling: for messages of
// governed files and for launching tasks, never for opening.
func (p *Place) Abs() string { return filepath.FromSlash(joinReal(p.at.Real, p.trail)) }

// Name is the last component, "" for a tree's top.
func (p *Place) Name() string {
	if len(p.trail) == 0 {
		return ""
	}
	return p.trail[len(p.trail)-1].name
}

// Top reports whether the place is a tree's own top.
func (p *Place) Top() bool {
	return p.Rel == "" || len(p.trail) == 0
}

// Boundary is the boundary that judged the place.
func (p *Place) Boundary() *Boundary { return p.b }

// Need refuses unless the place grants all of perms.
func (p *Place) Need(perms config.Permissions) error {
	if missing := perms &^ p.Can; missing != 0 {
		return lacks(p.Tree, p.Spell(), missing)
	}
	return nil
}

// Governed refuses when the place is one of the nine files or the file that
// --config named (outcome governed), or a file fettle never writes (refused).
func (p *Place) Governed() error {
	abs := p.Abs()
	if which, ok := Governed(filepath.ToSlash(abs), p.b.windows); ok {
		return errAt(ErrGoverned(which, abs), p.Spell())
	}
	var id FileID
	if p.Exists {
		id = p.Info.ID
	}
	return p.b.governedMark(filepath.ToSlash(abs), id, abs, p.Spell())
}

// governedMark compares with the marks given to New.
func (b *Boundary) governedMark(slashed string, id FileID, abs, spelled string) error {
	folded := Fold(slashed)
	for _, m := range b.governed() {
		if m.path == folded || !id.zero() && m.id == id {
			return errAt(ErrGoverned(path.Base(slashed), abs), spelled)
		}
	}
	for _, m := range b.protected() {
		_, inside := below(m.path, folded, false)
		if inside || !id.zero() && m.id == id {
			return outcome.New(outcome.Refused, "%s belongs to this installation or to a client's configuration, and fettle does not write it. Change it with an editor", spelled).At(spelled)
		}
	}
	return nil
}

func errAt(err error, at string) error {
	var e *outcome.Error
	if errors.As(err, &e) {
		return e.At(at)
	}
	return err
}

// Open opens the regular file for reading. What is opened is what was
// judged: no link is followed, and identities are compared. A file replaced
// in between is judged again, as a person saving it may do at any moment.
func (p *Place) Open() (f *os.File, err error) {
	err = p.reach(func(dir sysDir) (info Info, err error) {
		if f, info, err = dir.openRegular(p.Name()); err == nil && info.ID != p.Info.ID {
			f.Close()
			err = errMoved
		}
		return info, err
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Read is Open and reading the whole file: ErrLarge when it holds more than
// limit bytes.
func (p *Place) Read(limit int64) (b []byte, err error) {
	err = p.reach(func(dir sysDir) (info Info, err error) {
		if b, info, err = dir.readRegular(p.Name(), nil, limit); (err == nil || errors.Is(err, ErrLarge)) && info.ID != p.Info.ID {
			err = errMoved
		}
		return info, err
	})
	return b, err
}

// reach has open open the file from the folder it lies in, until what is opened
// is what was judged.
func (p *Place) reach(open func(sysDir) (Info, error)) error {
	for try := 0; ; try++ {
		err := p.reachOnce(open)
		if err == nil || try == 4 || !errors.Is(err, errMoved) && !errors.Is(err, fs.ErrNotExist) {
			if errors.Is(err, errMoved) {
				return outcome.New(outcome.Refused, "%s kept being replaced while it was opened. Call again", p.Spell()).At(p.Spell())
			}
			return err
		}
		q, err := p.b.locate(p.want)
		if err != nil {
			return err
		}
		*p = *q
		if !p.Exists {
			return errNotFound(p.Spell())
		}
	}
}

// errMoved is a component that is not the one that was judged. A caller that
// knows better words says them; on its own it is stale, as a changed file is.
var errMoved = outcome.New(outcome.Stale, "a folder or file on the way was replaced while fettle worked on it. Call again")

func (p *Place) reachOnce(open func(sysDir) (Info, error)) error {
	if !p.Exists {
		return errNotFound(p.Spell())
	}
	if !p.Info.Mode.IsRegular() {
		return errNotRegular(p.Spell(), p.Info.Mode)
	}
	dir, err := p.b.openTrail(p.at, p.trail[:len(p.trail)-1])
	if err != nil {
		return err
	}
	defer dir.close()
	info, err := open(dir)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return outcome.New(outcome.Denied, "the operating system does not let fettle read %s", p.Spell()).At(p.Spell()).Because(err)
	case errors.Is(err, ErrNotRegular):
		return errMoved
	case err == nil || errors.Is(err, ErrLarge):
		p.Info = info
	}
	return err
}

// openTrail opens the folder at the end of trail, component by component and
// without following a link, and checks that each is the one that was judged.
func (b *Boundary) openTrail(t *Tree, trail []step) (sysDir, error) {
	d := t.top.lent()
	for _, st := range trail {
		next, info, err := d.openDir(st.name)
		d.close()
		if errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP) {
			err = errMoved
		}
		if err != nil {
			return sysDir{}, err
		}
		if info.ID != st.id {
			next.close()
			return sysDir{}, errMoved
		}
		d = next
	}
	return d, nil
}

// LinkTarget gives where a link at the place leads, spelled as answers do,
// or "" when that is outside, hidden or unknown.
func (p *Place) LinkTarget() string {
	if !p.Exists || p.Info.Mode&fs.ModeSymlink == 0 {
		return ""
	}
	return p.b.linkTarget(p.at, p.trail)
}

func (b *Boundary) linkTarget(t *Tree, trail []step) string {
	names := make([]string, len(trail))
	for i, s := range trail {
		names[i] = s.name
	}
	q, err := b.follow(t, names, true)
	if err != nil || !q.Can.Has(config.List) {
		return ""
	}
	return q.Spell()
}

// relOf joins the names of a trail.
func relOf(trail []step) string {
	var sb strings.Builder
	for i, s := range trail {
		if i > 0 {
			sb.WriteByte('/')
		}
		sb.WriteString(s.name)
	}
	return sb.String()
}
