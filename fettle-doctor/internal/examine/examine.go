// Package examine looks at an installation, its wiring and what goes round it,
// and answers a report.
//
// Call Run with the surroundings. It reads only the files that the table in
// shared/clients names, the configuration files, the folders fettle finds, and
// what lies beside fettle; it writes nothing. It starts nothing but this
// installation's own fettle.
package examine

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"fettler/fettle-doctor/internal/report"
	"fettler/shared/clients"
	"fettler/shared/config"
	"fettler/shared/disk"
	"fettler/shared/found"
	"fettler/shared/level"
	"fettler/shared/outcome"
	"fettler/shared/version"
)

// Input is the surroundings.
type Input struct {
	Env      config.Env
	Dir      string // the launch folder
	Siblings string // the folder of this program, links resolved
	LookPath func(name string) (string, error)
	Client   string // only this one; "" is every one
	// Start asks a fettle for its tools; nil skips that, as a hook does.
	Start func(ctx context.Context, dir, command string, args []string) (tools int, err error)
	// Hook leaves out what a session's start is no place for.
	Hook bool
}

type doctor struct {
	Input
	ctx      context.Context
	places   []clients.Place
	files    map[string]*reading
	report   *report.Report
	config   *config.Config
	broken   error // why the configuration cannot be read
	fettle   string
	settings []*settings
	servers  []registered
	started  map[string]started
}

// Run examines.
func Run(ctx context.Context, in Input) *report.Report {
	d := &doctor{Input: in, ctx: ctx, places: clients.Places(in.Env, in.Dir), files: map[string]*reading{}, started: map[string]started{},
		report: &report.Report{OK: true, Outcome: outcome.OK.Word(), Clients: []report.Row{}, Findings: []report.Finding{}}}
	d.installation()
	d.configuration()
	d.readSettings()
	d.wiring()
	d.folders()
	d.spellings()
	if d.guarded() {
		d.guardrails()
	}
	d.screenings()
	slices.SortStableFunc(d.report.Findings, func(a, b report.Finding) int { return rank(a) - rank(b) })
	return d.report
}

// rank puts the serious first and keeps the order otherwise.
func rank(f report.Finding) int {
	if f.Severity == report.Serious {
		return 0
	}
	return 1
}

func (d *doctor) suffix() string {
	if d.Env.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// beside gives the path of a program or library next to doctor, "" when it is not there.
func (d *doctor) beside(name string) string {
	p := filepath.Join(d.Siblings, name)
	if !there(p) {
		return ""
	}
	return p
}

func (d *doctor) installation() {
	i := &d.report.Installation
	i.Version, i.InventoryOf = version.String(), clients.Dated
	d.fettle = d.beside("fettle" + d.suffix())
	if i.Binary = d.fettle; i.Binary == "" {
		i.Binary = filepath.Join(d.Siblings, "fettle"+d.suffix())
		d.report.Levels.Tools.Notes = append(d.report.Levels.Tools.Notes, "fettle is not beside fettle-doctor. Install the whole of Fettler into one folder")
	}
	if p, err := d.LookPath("fettle"); err == nil {
		i.PathBinary = p
		i.OnPath = d.fettle != "" && same(p, d.fettle)
	}
}

// configuration loads what fettle itself would load here.
func (d *doctor) configuration() {
	l := &d.report.Levels
	l.Tools.On, l.Tools.From = true, []string{}
	l.Guardrails.From, l.Screenings.From = []string{}, []string{}
	project, err := config.Find(d.Dir, d.Env)
	if err == nil {
		d.config, err = config.Load(config.Options{Machine: config.MachineFile(d.Env), Project: project, Folder: d.Dir, GOOS: d.Env.GOOS})
	}
	if err != nil {
		d.broken = err
		l.Guardrails.Unknown, l.Screenings.Unknown = true, true
		d.find("2.x", report.Serious, project, "the configuration is there and cannot be read, so fettle refuses every call here: %s", outcome.Of(err).Message)
		return
	}
	c := d.config
	if g := c.Guardrails; g != nil {
		l.Guardrails.On, l.Guardrails.From = true, g.From
	}
	if s := c.Screenings; s != nil {
		l.Screenings.On, l.Screenings.From = true, s.From
	}
	for _, key := range []string{"generated", "scratch", "scratch-root", "client-root"} {
		if f := c.Tools.From[key]; f != "" && !slices.Contains(l.Tools.From, f) {
			l.Tools.From = append(l.Tools.From, f)
		}
	}
	l.Tools.Machine = c.Files.Machine
	l.Tools.Notes = append(l.Tools.Notes, c.Notes...)
	if c.Guardrails == nil {
		if err := config.LaunchFolder(d.Dir, d.Env); err != nil {
			l.Tools.Notes = append(l.Tools.Notes, "fettle opens no tree here: "+outcome.Of(err).Message)
		}
	}
}

// guarded reports whether the guardrails findings count.
func (d *doctor) guarded() bool { return d.config != nil && d.config.Guardrails != nil }

// find adds a finding. All but 2.11 belong to guardrails.
func (d *doctor) find(check string, s report.Severity, where, format string, args ...any) {
	l := level.Guardrails
	if check == "2.11" {
		l = level.Tools
	}
	d.report.Findings = append(d.report.Findings, report.Finding{Check: check, Level: l, Severity: s, Message: sentence(format, args...), Where: where})
}

// folders lists what fettle finds, as fettle finds it.
func (d *doctor) folders() {
	t := &d.report.Levels.Tools
	t.Found, t.Companions = []report.Found{}, []report.Companion{}
	in := found.Input{Launch: d.Dir, Env: d.Env, Sources: clients.Sources(d.places), Disk: found.OS(disk.New())}
	if d.config != nil {
		in.Tools = d.config.Tools
		if p := d.config.Files.Project; p != "" {
			in.Project = filepath.Dir(p)
		}
		if d.config.Guardrails != nil {
			in.Declared = d.config.Guardrails.Trees
		}
	}
	r, err := found.Look(in)
	if err != nil {
		d.find("2.x", report.Serious, "", "fettle refuses every call here: %s", outcome.Of(err).Message)
		return
	}
	for _, tree := range slices.Concat(r.Trees, r.Paired) {
		if config.ReservedName(tree.Name) {
			t.Found = append(t.Found, report.Found{Name: tree.Name, Path: tree.Path, How: tree.How})
		} else {
			t.Companions = append(t.Companions, report.Companion{Name: tree.Name, Root: tree.Path, How: tree.How})
		}
	}
	slices.SortFunc(t.Companions, func(a, b report.Companion) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	t.Notes = append(t.Notes, r.Notes...)
}
