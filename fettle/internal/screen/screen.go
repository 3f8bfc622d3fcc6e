// Package screen judges what an answer would disclose, for places that the
// screenings section names.
//
// Make one Host for the process, call Host.With for the call's models
// directory, and Judge every payload before it is served. Identifiers are
// judged here by shape (package identifiers); clinical, legal and scientific
// text by the models that burler-bridge hosts, a program beside fettle that is
// started when first wanted.
//
// Two promises hold throughout. Nothing that was found is ever quoted: a
// refusal names categories and counts, and no text of the sidecar's passes that
// shares more than four characters with the payload. And nothing is served
// because a check broke: whatever stops the screen is a refusal of its own.
//
// The screen is a safety net. It judges text as it reads; encoding or splitting
// defeats it.
package screen

import (
	"context"
	"fmt"
	"strings"

	"fettler/fettle/internal/screen/identifiers"
	"fettler/shared/config"
	"fettler/shared/outcome"
	"fettler/shared/wire"
)

// Screen judges payloads against one models directory.
type Screen struct {
	host   *Host
	models string // absolute; empty when no directory is named
}

// With gives the screen of a call whose configuration names the models
// directory, or none.
func (h *Host) With(models string) *Screen { return &Screen{host: h, models: models} }

// Judge refuses when the payload, whole lines without numbers, holds anything
// of the wanted categories or when that cannot be found out. One refusal
// speaks for the whole payload.
func (s *Screen) Judge(ctx context.Context, want config.Categories, payload []string) error {
	if want == config.None {
		return nil
	}
	var found []wire.Finding
	if want.Has(config.Identifiers) {
		if n := identifiers.Count(payload); n > 0 {
			found = append(found, wire.Finding{Category: "identifiers", Count: n})
		}
	}
	asked := modelWords(want)
	if s.models == "" || len(asked) == 0 {
		// Before a models directory is named, those categories screen nothing.
		return disclosed(found)
	}
	more, err := s.host.judge(ctx, s.models, asked, payload)
	if err != nil && len(found) == 0 {
		return unscreened(err)
	}
	return disclosed(append(found, more...))
}

// modelWords are the wanted categories that a model judges.
func modelWords(want config.Categories) []string {
	var words []string
	for _, w := range want.Words() {
		if w != "identifiers" {
			words = append(words, w)
		}
	}
	return words
}

// Image refuses an image in a screened place: its bytes cannot be judged.
func Image() *outcome.Error {
	return unscreened(fmt.Errorf("an image cannot be judged"))
}

// disclosed is the one refusal for what was found, or nil.
func disclosed(found []wire.Finding) error {
	counts := map[string]int{}
	var order []string
	for _, f := range found {
		if f.Count > 0 && counts[f.Category] == 0 {
			order = append(order, f.Category)
		}
		counts[f.Category] += f.Count
	}
	if len(order) == 0 {
		return nil
	}
	var parts []string
	for _, c := range order {
		parts = append(parts, fmt.Sprintf("%d in %s", counts[c], c))
	}
	return outcome.New(outcome.Screened, "this response would disclose regulated data: %s. The matches are not quoted, because the refusal would then disclose them. Read a narrower range, or take the screen off this scope if the content is not regulated.", strings.Join(parts, ", "))
}

// unscreened is the refusal for a screen that could not run.
func unscreened(cause error) *outcome.Error {
	return outcome.New(outcome.Screened, "this response could not be screened, so it is not being served: %s", cause)
}

// Judged says what judges one category, for roots.
type Judged struct {
	Category string
	By       string // a sentence's end: "six patterns inside fettle", "CHECKPOINT @ REVISION", "no model installed - reads here will refuse"
	OK       bool   // false when a read of such a place will refuse, or is not judged at all
}

// Judges says what judges each of the categories, given the models directory.
// Before one is named the three model categories share one sentence.
func Judges(models string, want config.Categories) []Judged {
	var list []Judged
	for _, w := range want.Words() {
		switch {
		case w == "identifiers":
			list = append(list, Judged{w, "six patterns inside fettle", true})
		case models == "":
			list = append(list, Judged{w, wire.NoModelsNamed, false})
		default:
			by, ok := wire.JudgedBy(models, w)
			list = append(list, Judged{w, by, ok})
		}
	}
	return list
}
