package ops

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/checkout"
	"fettler/fettle/internal/screen"
	"fettler/shared/config"
)

// RootsAnswer is what is open and what may be done in it.
type RootsAnswer struct {
	Levels LevelsOn `json:"levels"`
	Roots  []Root   `json:"roots"`
	Count  int      `json:"count"`
	Models string   `json:"models,omitempty"`
	// Backend is what burler-bridge runs the models with, where some judge.
	Backend string       `json:"backend,omitempty"`
	Source  string       `json:"source"`
	Notes   []string     `json:"notes,omitempty"`
	screen  []screenLine // for the terminal
}

// LevelsOn says for each level whether it is on and which files say so.
type LevelsOn struct {
	Tools      LevelOn `json:"tools"`
	Guardrails LevelOn `json:"guardrails"`
	Screenings LevelOn `json:"screenings"`
}

// LevelOn is one level.
type LevelOn struct {
	On   bool     `json:"on"`
	From []string `json:"from"`
}

// Root is an open tree.
type Root struct {
	Name      string            `json:"name"`
	Path      string            `json:"path"`
	Can       []string          `json:"can"`
	Default   bool              `json:"default"`
	Screen    []string          `json:"screen,omitzero"`
	Screening map[string]string `json:"screening,omitempty"` // category → what judges it
	Scopes    []RootScope       `json:"scopes,omitempty"`
	// Branch or Detached is what this machine has checked out, local only.
	Branch   string `json:"branch,omitempty"`
	Detached string `json:"detached,omitempty"`
	// Repository is the folder that holds .git when it lies above the tree.
	Repository string `json:"repository,omitempty"`
	Found      string `json:"found,omitempty"`
	native     string // Path in the machine's spelling
	can        config.Permissions
}

// RootScope states something else at a depth.
type RootScope struct {
	Path      string            `json:"path"`
	Can       []string          `json:"can"`
	Screen    []string          `json:"screen,omitzero"`
	Screening map[string]string `json:"screening,omitempty"`
	can       config.Permissions
}

// screenLine is one line of the screens part.
type screenLine struct {
	key   string
	words config.Categories
	by    []screen.Judged
}

// Roots tells the levels, the trees, and what fettle found.
func Roots(ctx context.Context, s *Session) (*RootsAnswer, error) {
	c := s.Config
	a := &RootsAnswer{Levels: levelsOf(c), Roots: []Root{}, Source: s.Source, Notes: s.Notes}
	if c.Screenings != nil {
		a.Models = filepath.ToSlash(c.Screenings.Models)
	}
	for _, t := range s.Boundary.Trees() {
		can := granted(s.Boundary, t)
		r := Root{Name: t.Name, Path: filepath.ToSlash(t.Path), native: t.Path, Can: can.Words(), can: can, Default: t.Default, Found: t.Found}
		if set, ok := c.Screenings.Of(t.Name, ""); ok && t.Found == "" {
			r.Screen, r.Screening = set.Words(), a.judges(ctx, s, t.Name, set)
		}
		for _, sc := range t.Scopes {
			can := enclosing(t, sc)
			rs := RootScope{Path: sc.Path, Can: can.Words(), can: can}
			if sc.ScreenSet {
				rs.Screen, rs.Screening = sc.Screen.Words(), a.judges(ctx, s, t.Name+"/"+sc.Path, sc.Screen)
			}
			r.Scopes = append(r.Scopes, rs)
		}
		if t.Found == "" {
			r.branch(s.Boundary, t)
		}
		a.Roots = append(a.Roots, r)
	}
	a.Count = len(a.Roots)
	return a, nil
}

// granted is what a tree grants at its top. A found tree that lies in a
// declared one grants what that one says there, which is what counts.
func granted(b *boundary.Boundary, t *boundary.Tree) config.Permissions {
	if t.Found == "" {
		return t.Can
	}
	p, err := b.Locate(".", config.Nothing, t.Name)
	if err != nil {
		return config.Nothing
	}
	return p.Can & t.Can
}

// judges notes what judges a place for the terminal, and gives it by category.
func (a *RootsAnswer) judges(ctx context.Context, s *Session, key string, set config.Categories) map[string]string {
	list, engine := s.Screen.Judges(ctx, set)
	a.screen = append(a.screen, screenLine{key, set, list})
	if engine != "" {
		a.Backend = engine
	}
	if set == config.None {
		return nil
	}
	m := map[string]string{}
	for _, j := range list {
		m[j.Category] = j.By
	}
	return m
}

// enclosing is what a scope grants: its own words, or those of the nearest
// scope around it that has some, or the tree's.
func enclosing(t *boundary.Tree, sc boundary.ScopeSpec) config.Permissions {
	for at := sc.Path; ; at = path.Dir(at) {
		for _, other := range t.Scopes {
			if other.CanSet && other.Path == at {
				return other.Can
			}
		}
		if !strings.Contains(at, "/") {
			return t.Can
		}
	}
}

// branch fills in what is checked out. A .git that the tree hides is not read.
func (r *Root) branch(b *boundary.Boundary, t *boundary.Tree) {
	h, ok := checkout.Read(filepath.FromSlash(t.Real))
	if !ok {
		return
	}
	if h.Above == "" && len(t.Scopes) > 0 {
		if p, err := b.Locate(".git", config.Read, t.Name); err != nil || !p.Can.Has(config.Read) {
			return
		}
	}
	r.Branch, r.Detached, r.Repository = h.Branch, h.Detached, filepath.ToSlash(h.Above)
}

func levelsOf(c *config.Config) LevelsOn {
	l := LevelsOn{Tools: LevelOn{true, []string{}}, Guardrails: LevelOn{false, []string{}}, Screenings: LevelOn{false, []string{}}}
	for _, f := range []string{c.Files.Machine, c.Files.Project, c.Files.Overlay} {
		for _, from := range c.Tools.From {
			if f != "" && from == f && !slices.Contains(l.Tools.From, f) {
				l.Tools.From = append(l.Tools.From, f)
			}
		}
	}
	if c.Guardrails != nil {
		l.Guardrails = LevelOn{true, c.Guardrails.From}
	}
	if c.Screenings != nil {
		l.Screenings = LevelOn{true, c.Screenings.From}
	}
	return l
}
