// Package credential judges a change: does the text about to be written hold a
// secret that the text it replaces did not?
//
// Call Judge with both texts before anything is staged on disk. It is a safety
// net for a careless moment, not a boundary: encoding a secret, or cutting it in
// pieces that are written separately, defeats it, and a file's name is not
// looked at. Every detector needs a shape that ordinary source does not have
// (a vendor's prefix, a header with a body, a name that says secret before a
// value that looks random), because a net that stops ordinary work is switched off.
//
// It never returns, prints or wraps what it found: a refusal that quoted the
// secret would put it in the log and the transcript.
package credential

import (
	"fmt"
	"sort"
	"strings"

	"fettler/fettle/internal/text"
	"fettler/shared/outcome"
)

// finding is one secret in a text. secret is compared, never shown.
type finding struct {
	at     int
	name   string
	secret string
}

// Judge refuses (outcome Credential) when after holds a secret that before does
// not hold anywhere. Moving, reordering or repeating a secret that is already in
// the file passes: only what the write adds is judged.
func Judge(before, after string) error {
	if before == after {
		return nil
	}
	found := detect(after)
	if len(found) == 0 {
		return nil
	}
	known := map[string]bool{}
	if before != "" {
		for _, f := range detect(before) {
			known[f.secret] = true
		}
	}
	var places []string
	line, at, more := 1, 0, 0
	for _, f := range found {
		if known[f.secret] {
			continue
		}
		line += text.Breaks(after[at:f.at])
		at = f.at
		if len(places) == maxNamed {
			more++
			continue
		}
		if p := fmt.Sprintf("line %d (%s)", line, f.name); len(places) == 0 || places[len(places)-1] != p {
			places = append(places, p)
		}
	}
	if len(places) == 0 {
		return nil
	}
	list := strings.Join(places, ", ")
	if more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return outcome.New(outcome.Credential, "this write would add a credential to the file: %s. "+
		"The secret is not quoted, because the refusal would then disclose it. Use a reference "+
		"such as ${ENV_VAR} instead, or pass --allow-credential on the command line if this is "+
		"not a credential.", list)
}

// maxNamed bounds how many places one refusal lists.
const maxNamed = 5

// detect lists the secrets in s by position. It looks closer only at the few
// places where glance says that something may be, so its cost is linear and
// small whatever the text.
func detect(s string) []finding {
	var found []finding
	skip := 0                   // the end of the last finding: one secret is reported once
	var secrets map[string]bool // of what was found
	add := func(at, end int, name, secret string) {
		found = append(found, finding{at, name, secret})
		if secrets == nil {
			secrets = map[string]bool{}
		}
		secrets[secret] = true
		skip = end
	}
	g := look()
	var hits [chunk + 1]uint16
	for from := 0; from < len(s); from += chunk {
		for _, h := range hits[:g.candidates(s, from, min(from+chunk, len(s)), &hits)] {
			if at := from + int(h); at >= skip {
				g.closer(s, at, secrets, add)
			}
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].at < found[j].at })
	return dropInner(found)
}

// closer tries what can be found by the trigger byte at i. known are the secrets
// that were reported under a better name.
func (g *glance) closer(s string, i int, known map[string]bool, add func(at, end int, name, secret string)) {
	if g.trigger[s[i]]&g.key[s[i-1]] != 0 && g.matchShapes(s, i, add) {
		return
	}
	switch s[i] {
	case '=', ':':
		if at, end, ok := passwordInURL(s, i); ok {
			add(at, end, urlPassword, s[at:end])
		} else if at, end, ok := assigned(s, i); ok && !known[s[at:end]] {
			add(at, end, assignedName, s[at:end])
		}
	case 'G':
		if at, end, ok := privateKey(s, i); ok {
			add(at, end, privateKeyName, keyBody(s[at:end]))
		}
	}
}

// dropInner leaves out a finding that lies inside the secret of another one, as
// `token = "ghp_…"` does: the vendor's name says more than the assignment. The
// findings are in order of their places.
func dropInner(found []finding) []finding {
	kept := found[:0:0]
	reach := make([]int, len(found)) // how far the findings up to this one reach
	for i, f := range found {
		reach[i] = f.at + len(f.secret)
		if i > 0 {
			reach[i] = max(reach[i], reach[i-1])
		}
	}
	for i, f := range found {
		inner := false
		// Only what overlaps can hold it or lie in it.
		from, to := i, i+1
		for from > 0 && reach[from-1] > f.at {
			from--
		}
		for to < len(found) && found[to].at < f.at+len(f.secret) {
			to++
		}
		for j := from; j < to; j++ {
			g := found[j]
			if i == j || g.name == assignedName && f.name != assignedName {
				continue
			}
			within := f.at >= g.at && f.at+len(f.secret) <= g.at+len(g.secret)
			around := f.name == assignedName && g.at >= f.at && g.at < f.at+len(f.secret)
			if around || within && (len(f.secret) < len(g.secret) || j < i) {
				inner = true
				break
			}
		}
		if !inner {
			kept = append(kept, f)
		}
	}
	return kept
}
