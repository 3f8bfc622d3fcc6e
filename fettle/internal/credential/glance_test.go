package credential

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"fettler/fettle/internal/credential/vector"
)

// plain is detect without a glance: it looks closely at every byte.
func plain(s string) []finding {
	var found []finding
	skip := 0
	add := func(at, end int, name, secret string) {
		found = append(found, finding{at, name, secret})
		skip = end
	}
	for i := 1; i < len(s); i++ {
		if strings.IndexByte(triggerBytes, s[i]) < 0 || i < skip || look().matchShapes(s, i, add) {
			continue
		}
		switch s[i] {
		case '=', ':':
			if at, end, ok := passwordInURL(s, i); ok {
				add(at, end, urlPassword, s[at:end])
			} else if at, end, ok := plainAssigned(s, i); ok && !slices.ContainsFunc(found, func(f finding) bool { return f.secret == s[at:end] }) {
				add(at, end, assignedName, s[at:end])
			}
		case 'G':
			if at, end, ok := privateKey(s, i); ok {
				add(at, end, privateKeyName, keyBody(s[at:end]))
			}
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].at < found[j].at })
	return dropInner(found)
}

// plainAssigned is assigned for a name that is read whole, whatever it ends with.
func plainAssigned(s string, i int) (at, end int, ok bool) {
	to := i
	for n := 0; n < longestGap && to > 0 && strings.IndexByte(beforeSign, s[to-1]) >= 0; n++ {
		to--
	}
	from := to
	for from > 0 && to-from < longestName && (alnum(s[from-1]) || strings.IndexByte("_-.", s[from-1]) >= 0) {
		from--
	}
	if from == to || !alnum(s[to-1]) {
		return 0, 0, false
	}
	if _, ok := secretName(s[from:to]); !ok {
		return 0, 0, false
	}
	return assigned(s, i)
}

func same(t *testing.T, s string) {
	t.Helper()
	if got, want := detect(s), plain(s); !reflect.DeepEqual(got, want) {
		t.Fatalf("a glance finds %d and a look at every byte %d in %.2000q", len(got), len(want), s)
	}
}

// A glance passes nothing over that a look at every byte would find.
func TestGlanceAgrees(t *testing.T) {
	var parts []string
	for _, v := range vector.All {
		parts = append(append(parts, v.Hits...), v.Misses...)
	}
	for _, n := range append(append([]string(nil), secretNames...), stages...) {
		parts = append(parts, n, strings.ToUpper(n), n[:len(n)-1]+"_"+n[len(n)-1:], "x."+n+"2")
	}
	for _, p := range parts {
		same(t, p)
	}
	value := vector.Mix(24, vector.Base62)
	parts = append(parts, value, value+"9z", "=", ":", " = ", ":=", " => ", `": "`, "\t\t:\t", "://u:", "@host", "\n", " ", "-", "_", "'", `\"`, ".", "prod", "/")
	for seed := range uint64(4000) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		var sb strings.Builder
		if seed%4 == 0 { // across the end of a piece
			sb.WriteString(strings.Repeat("x", chunk-rnd.IntN(80)))
		}
		for range 2 + rnd.IntN(12) {
			sb.WriteString(parts[rnd.IntN(len(parts))])
		}
		same(t, sb.String())
	}
}

func TestGlanceAgreesOnSource(t *testing.T) {
	if testing.Short() {
		t.Skip("reads much of GOROOT/src")
	}
	root := goSource(t)
	for _, dir := range []string{"crypto", "net", "encoding", "go", "cmd/go"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(p string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			b, err := os.ReadFile(p)
			if err == nil {
				same(t, string(b))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Each ending has a bit of its own, below the one that says unsure.
func TestEndingsHaveBits(t *testing.T) {
	n := 0
	for _, a := range look().endings {
		for _, b := range a {
			for _, c := range b {
				if c {
					n++
				}
			}
		}
	}
	if n < 7 || n > 15 {
		t.Errorf("%d endings", n)
	}
}

// Looking only at what overlaps leaves out what looking at every pair does.
func TestDropInnerAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		var found []finding
		for range rng.IntN(12) {
			found = append(found, finding{rng.IntN(40), []string{assignedName, "a", "b"}[rng.IntN(3)], strings.Repeat("x", 1+rng.IntN(20))})
		}
		sort.SliceStable(found, func(i, j int) bool { return found[i].at < found[j].at })
		var want []finding
		for i, f := range found {
			inner := false
			for j, g := range found {
				if i == j || g.name == assignedName && f.name != assignedName {
					continue
				}
				within := f.at >= g.at && f.at+len(f.secret) <= g.at+len(g.secret)
				around := f.name == assignedName && g.at >= f.at && g.at < f.at+len(f.secret)
				inner = inner || around || within && (len(f.secret) < len(g.secret) || j < i)
			}
			if !inner {
				want = append(want, f)
			}
		}
		if got := dropInner(found); !slices.Equal(got, want) {
			t.Fatalf("%v gives %v, wanted %v", found, got, want)
		}
	}
}

// A token on each of forty thousand lines is found, as all of them are.
func TestManyFindings(t *testing.T) {
	var b strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&b, "ghp_%036d\n", i+1)
	}
	if got := len(detect(b.String())); got != 40_000 {
		t.Errorf("%d findings", got)
	}
}
