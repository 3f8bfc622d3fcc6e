package examine

import (
	"path/filepath"
	"slices"

	"fettler/fettle-doctor/internal/report"
	"fettler/shared/clients"
	"fettler/shared/jsonedit"
)

// registered is a server found in a file that a client reads here.
type registered struct {
	clients.Server
	client string
	reach  clients.Reach
	where  string
}

func (d *doctor) installed(client string) bool {
	return slices.ContainsFunc(clients.Installed(d.places, client), there)
}

// wanted reports whether a client is to be looked at.
func (d *doctor) wanted(client string) bool {
	return (d.Client == "" || d.Client == client) && (!d.Hook || client == clients.ClaudeCode)
}

// wiring makes a row for each client and reach.
func (d *doctor) wiring() {
	for _, c := range clients.All() {
		global, repo := d.row(c, clients.Global), d.row(c, clients.Repo)
		if !d.wanted(c.Name) {
			continue
		}
		// Registered once is enough; where it is nowhere, one row says so.
		if nowhere(global) && !nowhere(repo) && repo.Verdict != report.NA {
			global.Verdict, global.Detail = report.NA, "nothing at this reach"
		}
		if nowhere(repo) {
			repo.Verdict, repo.Detail = report.NA, "nothing at this reach"
		}
		if c.Later && d.Client == "" && global.Verdict == report.NA && repo.Verdict == report.NA {
			continue
		}
		d.report.Clients = append(d.report.Clients, global, repo)
	}
}

// nowhere holds for a row that found no entry, nor a trace of one.
func nowhere(r report.Row) bool { return r.Verdict == report.Absent && r.Where == "" }

// row judges one client at one reach. It reads the file also for a client that
// is not asked about, since its other servers count.
func (d *doctor) row(c clients.Client, reach clients.Reach) (row report.Row) {
	row = report.Row{Client: c.Name, Reach: string(reach), Verdict: report.NA}
	places := clients.Of(d.places, c.Name, reach, clients.Register)
	if c.Name == clients.ClaudeCode && reach == clients.Repo { // filed by project in its own file
		places = append(clients.Of(d.places, c.Name, clients.Global, clients.Register), places...)
	}
	switch {
	case len(places) == 0 && reach == clients.Repo:
		row.Detail = "this client reads nothing from a project"
		return row
	case !d.installed(c.Name):
		row.Detail = "not installed"
		defer func() {
			row = report.Row{Client: c.Name, Reach: string(reach), Verdict: report.NA, Detail: "not installed"}
		}()
	default:
		row.Verdict, row.Detail = report.Absent, "fettler is not registered. Run fettle setup tools "+c.Name+" --"+flag(reach)
	}
	var gone string
	for _, p := range places {
		byProject := p.Shape.ByProject && reach == clients.Repo
		doc, r, err := d.parse(p)
		if !r.exists {
			continue
		}
		if there(p.Path+clients.BackupSuffix) && !byProject {
			gone = p.Path
		}
		if err != nil {
			if byProject || p.Shared && row.Verdict == report.Healthy {
				continue // said once, where the file is the client's own
			}
			row.Verdict, row.Detail, row.Where = report.Broken, unreadable(err), p.Path
			return row
		}
		for _, s := range clients.Servers(p.Shape, doc) {
			if byProject != (s.Project != "") || byProject && clients.Folded(s.Project) != clients.Folded(filepath.ToSlash(d.Dir)) {
				continue
			}
			reg := registered{s, c.Name, reach, p.Path}
			d.servers = append(d.servers, reg)
			if s.Name == clients.ServerName && row.Verdict != report.Healthy {
				row.Where = p.Path
				if row.Verdict, row.Detail = report.Healthy, "registered"; d.wanted(c.Name) && d.installed(c.Name) {
					row.Verdict, row.Detail = d.judge(c, reg, doc, p)
				}
			}
		}
	}
	if row.Verdict == report.Absent && row.Where == "" && gone != "" {
		row.Detail = "the entry is gone since setup, whose backup lies beside the file. The client may have written its own copy over it: quit it, then run fettle setup tools " + c.Name + " --" + flag(reach)
		row.Where = gone
	}
	return row
}

func flag(reach clients.Reach) string {
	if reach == clients.Repo {
		return "local"
	}
	return "global"
}

// judge says whether a registration of fettler does what it should.
func (d *doctor) judge(c clients.Client, s registered, doc *jsonedit.Doc, p clients.Place) (report.Verdict, string) {
	if s.Broken != "" {
		return report.Broken, s.Broken
	}
	if s.Disabled {
		return report.Absent, "registered and disabled in the entry itself, so the client never starts it. Enable it there"
	}
	if c.Name == clients.ClaudeCode {
		if where := d.rejected(clients.ServerName); where != "" {
			return report.Absent, "registered, and rejected in " + where + ", so the client never starts it. Take it out of the disabled servers there"
		}
	}
	verdict, detail := d.command(c, s)
	if slices.Contains(doc.Root().Twice(), p.Shape.Key) {
		detail += "; the file holds " + p.Shape.Key + " more than once, and the client reads the last. Merge them by hand"
	}
	if verdict == report.Healthy && c.Name == clients.ClaudeCode && s.reach == clients.Repo && s.Project == "" && !d.approved(clients.ServerName) {
		detail += "; nobody approved this project's servers yet, and the client asks before it starts one"
	}
	return verdict, detail
}
