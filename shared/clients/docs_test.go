package clients

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The documentation's table is this package's.
func TestDocumentedPlaces(t *testing.T) {
	const file, begin, end = "../../docs/clients.md", "<!-- places:begin -->\n", "<!-- places:end -->"
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(raw), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("the markers are gone")
	}
	want := before + begin + placesTable() + end + after
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != string(raw) {
		t.Errorf("%s is not what the table says (run with -update)", file)
	}
}

func placesTable() string {
	linux := Places(env("linux", "~"), "")
	project := Places(env("linux", ""), ".")
	mac := Places(env("darwin", "~"), "")
	windows := Places(env("windows", "~", "APPDATA=%APPDATA%", "LOCALAPPDATA=%LOCALAPPDATA%"), "")
	var sb strings.Builder
	sb.WriteString("| client | reach | holds | syntax | Linux | macOS | Windows |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, c := range All() {
		for _, p := range everyOf(project, c.Name, Repo) {
			fmt.Fprintf(&sb, "| %s | project | %s | %s | `%s` | same | same |\n", c.Name, p.Purpose, syntax(p), p.Path)
		}
		for _, reach := range []Reach{Global, Managed} {
			l, m, w := everyOf(linux, c.Name, reach), everyOf(mac, c.Name, reach), everyOf(windows, c.Name, reach)
			for i := 0; i < max(len(l), len(w)); i++ {
				at := func(ps []Place) string {
					if i < len(ps) {
						return "`" + ps[i].Path + "`"
					}
					return ""
				}
				p := w[min(i, len(w)-1)]
				same := at(m)
				if same == at(l) && same != "" {
					same = "same"
				}
				fmt.Fprintf(&sb, "| %s | %s | %s | %s | %s | %s | %s |\n", c.Name, reach, p.Purpose, syntax(p), at(l), same, at(w))
			}
		}
	}
	return sb.String()
}

func everyOf(all []Place, client string, reach Reach) []Place {
	var out []Place
	for _, p := range all {
		if p.Client == client && p.Reach == reach {
			out = append(out, p)
		}
	}
	return out
}

func syntax(p Place) string {
	return map[Syntax]string{Strict: "strict JSON", Comments: "JSON with comments", TOML: "TOML", Text: "text"}[p.Syntax]
}
