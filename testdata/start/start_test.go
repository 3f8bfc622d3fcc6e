package start

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fettler/testdata/programs"
)

var bin string

func TestMain(m *testing.M) { os.Exit(programs.Main(m, &bin)) }

// A cost is what one package's initialisation allocates.
type cost struct{ bytes, allocs int }

var line = regexp.MustCompile(`(?m)^init (\S+) @.*, (\d+) bytes, (\d+) allocs$`)

// initialisations gives what each package of a program allocates before main.
func initialisations(t *testing.T, program string, words ...string) map[string]cost {
	t.Helper()
	cmd := exec.Command(filepath.Join(bin, program), words...)
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1", "HOME="+t.TempDir())
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
	all := map[string]cost{}
	for _, m := range line.FindAllStringSubmatch(string(out), -1) {
		bytes, _ := strconv.Atoi(m[2])
		allocs, _ := strconv.Atoi(m[3])
		all[m[1]] = cost{bytes, allocs}
	}
	if len(all) < 10 {
		t.Fatalf("%s: only %d packages are traced:\n%s", program, len(all), out)
	}
	return all
}

// The budget of fettle's start. It is a little above what was measured with Go
// 1.26.8 on linux/amd64: 61,648 bytes in 184 allocations, of which 28,984 are
// the tables of the .NET dialect's classes and 13,280 Unicode's.
func TestStartAllocates(t *testing.T) {
	all := initialisations(t, "fettle", "--version")
	sum, ours := cost{}, cost{}
	for name, c := range all {
		sum.bytes += c.bytes
		sum.allocs += c.allocs
		if strings.HasPrefix(name, "fettler/") {
			ours.bytes += c.bytes
			ours.allocs += c.allocs
		}
	}
	if sum.bytes > 70_000 || sum.allocs > 210 {
		t.Errorf("before main, fettle allocates %d bytes in %d allocations; the budget is 70000 in 210: %v", sum.bytes, sum.allocs, all)
	}
	if ours.bytes > 6_000 || ours.allocs > 45 {
		t.Errorf("before main, this project's packages allocate %d bytes in %d allocations; the budget is 6000 in 45: %v", ours.bytes, ours.allocs, all)
	}
}

// What no command of fettle needs is not linked into it.
func TestStartLinks(t *testing.T) {
	cmd := exec.Command("go", "version", "-m", filepath.Join(bin, "fettle"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, module := range []string{"github.com/mark3labs/mcp-go", "github.com/xuri/excelize", "github.com/ledongthuc/pdf"} {
		if strings.Contains(string(out), module) {
			t.Errorf("fettle links %s", module)
		}
	}
	for name := range initialisations(t, "fettle", "--version") {
		switch name {
		case "text/template", "net/http", "net/netip", "net", "crypto/tls", "golang.org/x/text/cases":
			t.Errorf("fettle initialises %s", name)
		}
	}
}
