package boundary

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fettler/shared/disk"
	"fettler/shared/outcome"
)

// resolveScopes finds the places each scope covers.
func (b *Boundary) resolveScopes(t *Tree, look *disk.View) {
	for _, spec := range t.Scopes {
		names := split(strings.Trim(spec.Path, "/"))
		trail := t.identify(names)
		s := scope{spec: spec}
		literal := scopePlace{tree: t, names: names, folded: foldAll(names)}
		abs := filepath.FromSlash(joinNames(t.Real, names))
		if len(trail) == len(names) && len(trail) > 0 {
			literal.id = trail[len(trail)-1].id
			info, err := statPath(abs)
			literal.folder = err == nil && info.Mode.IsDir()
		}
		s.places = append(s.places, literal)
		// Where the path passes a link, what lies there is covered as well.
		if real, missing, ok := realPlace(abs, look); ok && filepath.ToSlash(real) != joinNames(t.Real, names[:len(names)-len(missing)]) {
			s.places = append(s.places, b.scopePlaceAt(filepath.ToSlash(real), missing)...)
		}
		t.scopes = append(t.scopes, s)
	}
}

// linksToScopes are the links that the scopes' paths pass: who shifted one would
// take the scope off what lies behind it.
func (b *Boundary) linksToScopes() (links []FileID) {
	for _, t := range b.trees {
		for _, spec := range t.Scopes {
			abs := joinNames(t.Real, split(strings.Trim(spec.Path, "/")))
			links = passed(filepath.FromSlash(abs), links)
		}
	}
	return links
}

// passed adds the links that a path passes.
func passed(abs string, links []FileID) []FileID {
	for range maxLinks {
		at := string(filepath.Separator)
		if v := filepath.VolumeName(abs); v != "" {
			at = v + at
		}
		next := ""
		rest := split(strings.Trim(filepath.ToSlash(abs[len(filepath.VolumeName(abs)):]), "/"))
		for i, name := range rest {
			at = filepath.Join(at, name)
			info, err := statPath(at)
			if err != nil {
				return links
			}
			if info.Mode&fs.ModeSymlink == 0 {
				continue
			}
			links = append(links, info.ID)
			target, err := os.Readlink(at)
			if err != nil {
				return links
			}
			if !filepath.IsAbs(target) {
				target = filepath.Join(filepath.Dir(at), target)
			}
			next = filepath.Join(append([]string{target}, rest[i+1:]...)...)
			break
		}
		if next == "" {
			break
		}
		abs = next
	}
	return links
}

// leadsToScope reports a link that a scope's path passes.
func (b *Boundary) leadsToScope(info Info) bool {
	return info.Mode&fs.ModeSymlink != 0 && slices.Contains(b.scopeLinks(), info.ID)
}

// errLeadsToScope refuses to shift such a link.
func errLeadsToScope(at string) error {
	return outcome.New(outcome.Refused, "%s is a link that a declared scope's path passes, so shifting it would take the scope off what lies behind. Change the configuration first", at).At(at)
}

// namedScope reports a file that is a scope itself and has other names, which
// the scope covers only as long as they are the same file.
func (b *Boundary) namedScope(info Info) bool {
	if info.Links < 2 || !info.Mode.IsRegular() {
		return false
	}
	for _, t := range b.trees {
		for i := range t.scopes {
			for _, p := range t.scopes[i].places {
				if p.id == info.ID {
					return true
				}
			}
		}
	}
	return false
}

func errNamedScope(p *Place) error {
	return outcome.New(outcome.Refused, "%s is a declared scope and has %d other names, which would not be the scope's any more. Remove those first", p.Spell(), p.Info.Links-1).At(p.Spell())
}

func (b *Boundary) scopePlaceAt(real string, missing []string) []scopePlace {
	var out []scopePlace
	for _, d := range b.trees {
		names, ok := below(d.Real, real, b.fold)
		if !ok {
			continue
		}
		all := append(append([]string(nil), names...), missing...)
		p := scopePlace{tree: d, names: all, folded: foldAll(all)}
		if len(missing) == 0 {
			if info, err := statPath(filepath.FromSlash(real)); err == nil {
				p.id, p.folder = info.ID, info.Mode.IsDir()
			}
		}
		out = append(out, p)
	}
	return out
}

// realPlace resolves the links of a declared path, as deep as it exists.
func realPlace(abs string, look *disk.View) (real string, missing []string, ok bool) {
	for p := abs; ; {
		if r, err := look.Real(p); err == nil {
			return r, missing, true
		}
		up := filepath.Dir(p)
		if up == p {
			return "", nil, false
		}
		missing = append([]string{filepath.Base(p)}, missing...)
		p = up
	}
}
