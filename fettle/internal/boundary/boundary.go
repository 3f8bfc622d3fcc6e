// Package boundary is the one door to files: it turns a caller's path into a
// place inside an open tree, judges it there, and hands out the handles that
// everything else reads and changes through. No other package opens, creates,
// renames or removes anything in a tree.
//
// Call New with the trees a person declared and the ones fettle found, then
// Locate for one path or OpenDir to walk. A Boundary is built for one call and
// closed after it, so that a change to the configuration binds on the next.
//
// What it promises. A path is refused lexically before any system call when it
// is written outside every tree. Otherwise it is followed component by
// component from the tree's own handle; a link is read, never followed by the
// system, and its target is judged like any other path. What is found is
// judged where it really is: by the deepest declared tree and the most
// specific scope that contain that place, compared by identity where the file
// exists and folded where it does not. The open goes through the same handles,
// follows no link, and compares the identity of what was opened with what was
// judged, so a link swapped in between leads nowhere. A hidden place, an absent
// place below it and a place outside answer alike.
//
// What it does not do. It does not see through hard links to files outside a
// tree: they are files of the tree, and their link count is in Info. It does
// not judge content; screen and credential do.
package boundary

import (
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"fettler/shared/config"
	"fettler/shared/disk"
	"fettler/shared/outcome"
)

// Spec declares one tree to New.
type Spec struct {
	Name   string
	Path   string // absolute, in the machine's spelling
	Can    config.Permissions
	Scopes []ScopeSpec
	Screen config.Categories // what is screened in the tree
	Found  string            // how fettle found it; "" for a declared tree
	Fixed  string            // a sentence saying why nothing can widen it, such as for --root
}

// ScopeSpec declares permissions, a screen, or both somewhere inside a tree.
type ScopeSpec struct {
	Path      string // forward slashes, relative to the tree
	Can       config.Permissions
	CanSet    bool // without it the nearest enclosing scope's, then the tree's
	Screen    config.Categories
	ScreenSet bool
}

// Options say what New builds.
type Options struct {
	Trees []Spec // declared trees first, in the file's order; the first is the default
	// Governed are files that say what fettle may do and may have any name:
	// the one --config names and its overlay. Compared by identity and by name.
	Governed []string
	// Protected gives files and folders fettle never writes (outcome refused). It
	// is asked when the first change is; nil is none.
	Protected func() []string
	// Closed are folders in which only found trees are open, whatever
	// declared tree contains them: the clients' session folders.
	Closed []string
	// Alone says that the process serves this call and no other, so that a walk
	// may keep its threads waiting for a disk of this machine.
	Alone bool
	// Disk is where declared folders are looked up while New runs; nil asks anew.
	Disk *disk.View
}

// Boundary is the open trees of one call.
type Boundary struct {
	trees      []*Tree
	governed   func() []mark // looked up when first asked: only changes ask
	protected  func() []mark
	scopeLinks func() []FileID // likewise: see linksToScopes
	closed     []mark
	fold       bool // the platform's disks do not tell case apart
	windows    bool
	alone      bool // see Options
}

// mark names a file or folder outside the trees' own spelling: by identity
// where it exists, else by folded real path.
type mark struct {
	id   FileID
	path string // absolute, forward-slashed, folded
}

// Tree is an open tree.
type Tree struct {
	Name    string
	Path    string // as declared: absolute, in the machine's spelling
	Real    string // where it really is, forward-slashed
	Can     config.Permissions
	Screen  config.Categories
	Default bool
	Found   string
	Fixed   string
	Scopes  []ScopeSpec

	index  int
	lex    string // Path, forward-slashed and cleaned
	id     FileID
	top    sysDir
	local  func() bool // whether the top lies on a disk of this machine, asked once
	scopes []scope
	within *Tree // the declared tree whose area a found tree lies in
	offset []step
	plain  bool // nothing in it is judged differently from its top
}

// New opens the trees. A tree whose folder is not there is refused, since a
// boundary that means less than it says is no boundary.
func New(o Options) (*Boundary, error) {
	b := &Boundary{windows: runtime.GOOS == "windows", fold: runtime.GOOS == "windows" || runtime.GOOS == "darwin", alone: o.Alone}
	for _, s := range o.Trees {
		t, err := openTree(s, o.Disk)
		if err != nil {
			b.Close()
			return nil, err
		}
		t.index = len(b.trees)
		t.Default = t.index == 0
		b.trees = append(b.trees, t)
	}
	b.governed = sync.OnceValue(func() []mark { return marks(o.Governed, disk.New()) })
	b.protected = sync.OnceValue(func() []mark {
		if o.Protected == nil {
			return nil
		}
		return marks(o.Protected(), disk.New())
	})
	b.scopeLinks = sync.OnceValue(b.linksToScopes)
	b.closed = marks(o.Closed, o.Disk)
	b.placeFoundTrees()
	for _, t := range b.trees {
		b.resolveScopes(t, o.Disk)
	}
	for _, t := range b.trees {
		t.plain = b.isPlain(t)
	}
	return b, nil
}

func openTree(s Spec, look *disk.View) (*Tree, error) {
	real, err := look.Real(s.Path)
	if err != nil {
		return nil, outcome.New(outcome.Invalid, "tree '%s' is declared on %s, and there is no such folder. Make the folder, or change the tree's path", s.Name, s.Path).Because(err)
	}
	if real, err = filepath.Abs(real); err != nil {
		return nil, err
	}
	top, info, err := openTop(real)
	if err != nil {
		return nil, outcome.New(outcome.Invalid, "tree '%s' is declared on %s, which cannot be opened as a folder: %v", s.Name, s.Path, sysCause(err)).Because(err)
	}
	return &Tree{
		Name: s.Name, Path: s.Path, Real: filepath.ToSlash(real), Can: s.Can, Screen: s.Screen,
		Found: s.Found, Fixed: s.Fixed, Scopes: s.Scopes, lex: path.Clean(filepath.ToSlash(s.Path)), id: info.ID, top: top, local: sync.OnceValue(top.local),
	}, nil
}

// Close lets the trees' handles go.
func (b *Boundary) Close() {
	for _, t := range b.trees {
		t.top.close()
	}
}

// Trees lists the open trees: the declared ones in their file's order, the
// found ones after them. The first is the default tree.
func (b *Boundary) Trees() []*Tree { return b.trees }

// Screens reports whether anything in the trees is screened.
func (b *Boundary) Screens() bool {
	for _, t := range b.trees {
		if t.Screen != 0 {
			return true
		}
		for i := range t.Scopes {
			if t.Scopes[i].Screen != 0 {
				return true
			}
		}
	}
	return false
}

// Tree gives the open tree of that name, compared without case, or nil.
func (b *Boundary) Tree(name string) *Tree {
	for _, t := range b.trees {
		if strings.EqualFold(t.Name, name) {
			return t
		}
	}
	return nil
}

// In gives the tree a call works in: the one named, or the default for "".
func (b *Boundary) In(name string) (*Tree, error) {
	if name == "" {
		if len(b.trees) == 0 {
			return nil, outcome.New(outcome.Invalid, "no tree is open. Start fettle in a project folder, or pass --root PATH")
		}
		return b.trees[0], nil
	}
	if t := b.Tree(name); t != nil {
		return t, nil
	}
	names := make([]string, len(b.trees))
	for i, t := range b.trees {
		names[i] = t.Name
	}
	return nil, outcome.New(outcome.Invalid, "no tree is called '%s'. The open trees are: %s", name, strings.Join(names, ", "))
}

// spell writes a place as answers do.
func (b *Boundary) spell(t *Tree, rel string) string {
	if len(b.trees) > 1 {
		return t.Name + ":" + escapeBytes(rel)
	}
	if rel == "" {
		return "."
	}
	return escapeBytes(rel)
}

// Spell writes a path of t as answers do: tree:path when more than one tree
// is open, else the path.
func (b *Boundary) Spell(t *Tree, rel string) string { return b.spell(t, rel) }

// marks looks each path up.
func marks(paths []string, look *disk.View) []mark {
	var ms []mark
	for _, p := range paths {
		if p == "" {
			continue
		}
		p = filepath.Clean(p)
		m := mark{}
		real, err := look.Real(p)
		if err == nil {
			if info, err := statPath(real); err == nil {
				m.id = info.ID
			}
		} else if folder, err := look.Real(filepath.Dir(p)); err == nil {
			// The file may be missing and its folder a link all the same.
			real = filepath.Join(folder, filepath.Base(p))
		} else {
			real = p
		}
		m.path = Fold(path.Clean(filepath.ToSlash(real)))
		ms = append(ms, m)
	}
	return ms
}

func (t *Tree) String() string { return fmt.Sprintf("%s (%s)", t.Name, t.Path) }
