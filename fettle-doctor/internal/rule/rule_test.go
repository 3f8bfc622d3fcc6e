package rule

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		text string
		want Rule
	}{
		{"Read", Rule{Tool: "Read", Bare: true}},
		{" Bash(*) ", Rule{Tool: "Bash", Spec: "*", Bare: true}},
		{"Bash(git:*)", Rule{Tool: "Bash", Spec: "git:*"}},
		{"Bash(echo (x))", Rule{Tool: "Bash", Spec: "echo (x)"}},
		{"", Rule{Bare: true}},
	} {
		if got := Parse(c.text); got != c.want {
			t.Errorf("%q: %+v", c.text, got)
		}
	}
	for text, want := range map[string][2]string{"mcp__a": {"a", ""}, "mcp__a__*": {"a", "*"}, "mcp__a_b__tool": {"a_b", "tool"}, "Read": {}} {
		if s, tool := Parse(text).MCP(); s != want[0] || tool != want[1] {
			t.Errorf("%s: %s %s", text, s, tool)
		}
	}
}

func TestPath(t *testing.T) {
	b := Base{Settings: "/w/p", Dir: "/w/p/src", Home: "/home/u"}
	for spec, want := range map[string]string{
		"//etc/passwd": "/etc/passwd", "//etc/**": "/etc", "~/x": "/home/u/x", "~": "/home/u", "/docs/*.md": "/w/p/docs", "a.txt": "/w/p/src/a.txt",
		"**": "/w/p/src", "./a/../b": "/w/p/src/b", "//x/a*b/c": "/x", "//**": "/",
	} {
		if got := b.Path(spec); got != want {
			t.Errorf("%s: %s, wanted %s", spec, got, want)
		}
	}
	for dir, want := range map[string]string{"/etc": "/etc", "~/x": "/home/u/x", "../x": "/w/p/x", `..\x`: "/w/p/x", "C:/x": "C:/x"} {
		if got := b.Folder(dir); got != want {
			t.Errorf("%s: %s, wanted %s", dir, got, want)
		}
	}
}

func TestDead(t *testing.T) {
	for text, want := range map[string]bool{"Write(x)": true, "NotebookEdit(x)": true, "Glob(x)": true, "Read(x)": false, "Edit(x)": false, "Write": false, "Bash(x)": false} {
		if Parse(text).Dead() != want {
			t.Error(text)
		}
	}
}

// Rules that let something write, and near misses beside them.
func TestWrites(t *testing.T) {
	for text, want := range map[string]string{
		"Bash": "any command", "Bash(*)": "any command", "Bash(:*)": "any command", "PowerShell": "any command",
		"Bash(sed -i:*)": "sed -i", "Bash(sed -i.bak s/a/b/ f)": "sed -i", "Bash(sed -n:*)": "", "Bash(sed:*)": "",
		"Bash(cp:*)": "cp", "Bash(/bin/rm -rf x)": "rm", "Bash(tee f)": "tee", "Bash(cat a > b)": "a redirect", "Bash(make 2>&1)": "", "Bash(ls >/dev/null)": "",
		"PowerShell(Set-Content:*)": "set-content", "PowerShell(Get-Content:*)": "", "PowerShell(REMOVE-ITEM x)": "remove-item",
		"Bash(git status)": "", "Bash(git checkout:*)": "git checkout", "Bash(git log -p)": "", "Bash(find . -delete)": "find -delete", "Bash(find . -name x)": "",
		"Bash(ls && rm x)": "rm", "Bash(ls | xargs rm)": "rm", "Bash(A=1 sudo mv a b)": "mv", "Bash(python3 -c:*)": "python3", "Bash(sh x.sh)": "sh",
		"Bash(curl https://x -o f)": "curl -o", "Bash(curl https://x)": "", "Bash(rmdirx)": "", "Bash(npm run cp)": "", "Read(rm)": "", "Bash(confirm)": "",
		`Bash("C:\bin\rm.exe" x)`: "rm",
	} {
		if got := Parse(text).Writes(); got != want {
			t.Errorf("%s: %q, wanted %q", text, got, want)
		}
	}
}

// What is said of a rule is a word that is compiled in, whatever the rule holds.
func FuzzWrites(f *testing.F) {
	f.Add("Bash(sed -i SECRET:*)")
	f.Add("Bash(TOKEN=SECRET tee >x | rm)")
	f.Add("Monitor((((")
	f.Fuzz(func(t *testing.T, text string) {
		r := Parse(text)
		r.Dead()
		Base{"/a", "/b", "/c"}.Path(r.Spec)
		Base{"/a", "/b", "/c"}.Folder(r.Spec)
		what := r.Writes()
		known := map[string]bool{"": true, "any command": true, "a redirect": true}
		for _, w := range append(append([]string{}, writers...), interpreters...) {
			known[w] = true
		}
		for name, flags := range flagged {
			for _, flag := range flags {
				known[name+" "+flag] = true
			}
		}
		if !known[what] && !strings.HasPrefix(what, "python3") {
			t.Fatalf("%q: %q", text, what)
		}
	})
}
