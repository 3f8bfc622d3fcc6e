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
	"slices"
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
	return Refusal(s.Count(ctx, want, payload))
}

// Counts is how much was found of each category, in the order in which a
// refusal names them: identifiers, clinical, legal, scientific.
type Counts [4]int

// Add adds what another payload of the same answer holds.
func (c *Counts) Add(more Counts) {
	for i, n := range more {
		c[i] += n
	}
}

// Count says how much of the wanted categories the payload holds. With an
// error, what was found still stands. An answer of several parts counts each
// and gives the sum to Refusal; one of a single part is for Judge.
func (s *Screen) Count(ctx context.Context, want config.Categories, payload []string) (Counts, error) {
	var found Counts
	if want.Has(config.Identifiers) {
		found[0] = identifiers.Count(payload)
	}
	asked := modelWords(want)
	if s.models == "" || len(asked) == 0 {
		// Before a models directory is named, those categories screen nothing.
		return found, nil
	}
	more, err := s.host.judge(ctx, s.models, asked, payload)
	for _, f := range more {
		found[slices.Index(words, f.Category)] += f.Count
	}
	return found, err
}

// words are the categories in the order of Counts.
var words = config.All.Words()

// modelWords are the wanted categories that a model judges.
func modelWords(want config.Categories) []string {
	return (want & config.Models).Words()
}

// Image refuses an image in a screened place: its bytes cannot be judged.
func Image() *outcome.Error {
	return unscreened(fmt.Errorf("an image cannot be judged"))
}

// Refusal is the one refusal of an answer: for what was found, else for what
// kept the screen from running, else none.
func Refusal(found Counts, failed error) error {
	var parts []string
	for i, n := range found {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d in %s", n, words[i]))
		}
	}
	switch {
	case len(parts) > 0:
		return outcome.New(outcome.Screened, "this response would disclose regulated data: %s. The matches are not quoted, because the refusal would then disclose them. Read a narrower range, or take the screen off this scope if the content is not regulated.", strings.Join(parts, ", "))
	case failed != nil:
		return unscreened(failed)
	}
	return nil
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

// Judges says what judges each of the categories, and what burler-bridge runs
// the models with, which is empty where no model judges. Before a models
// directory is named the three model categories share one sentence.
func (s *Screen) Judges(ctx context.Context, want config.Categories) (list []Judged, engine string) {
	for _, w := range want.Words() {
		switch {
		case w == "identifiers":
			list = append(list, Judged{w, "six patterns inside fettle", true})
		case s.models == "":
			list = append(list, Judged{w, wire.NoModelsNamed, false})
		default:
			by, ok := wire.JudgedBy(s.models, w)
			if ok {
				name, err := s.host.engine(ctx)
				if engine = name; err != nil {
					by, ok = fmt.Sprintf("%s - %v, so reads here will refuse", by, err), false
				}
			}
			list = append(list, Judged{w, by, ok})
		}
	}
	return list, engine
}
