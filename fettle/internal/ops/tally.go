package ops

import (
	"context"

	"fettler/fettle/internal/screen"
	"fettler/shared/config"
)

// tally gathers what the parts of one answer hold, so that one refusal speaks
// for all of them, the same whatever order they came in. The zero value is
// ready; one goroutine uses it at a time.
type tally struct {
	found screen.Counts
	// failed is why a part could not be judged, by the categories that a
	// model was asked for.
	failed map[config.Categories]error
}

// add counts one part. Where the models of its categories have failed before in
// this answer they are not asked again, since each time may cost as long as
// the first: the answer is refused in any case.
func (t *tally) add(ctx context.Context, by Screener, want config.Categories, lines []string) {
	if want == config.None || len(lines) == 0 {
		return
	}
	models := want & config.Models
	if t.failed[models] != nil {
		want = config.Identifiers & want
	}
	found, err := by.Count(ctx, want, lines)
	t.found.Add(found)
	t.fail(models, err)
}

func (t *tally) fail(models config.Categories, err error) {
	if err == nil || t.failed[models] != nil {
		return
	}
	if t.failed == nil {
		t.failed = map[config.Categories]error{}
	}
	t.failed[models] = err
}

// merge adds what another tally of the same answer holds.
func (t *tally) merge(other tally) {
	t.found.Add(other.found)
	for models, err := range other.failed {
		t.fail(models, err)
	}
}

// over is the answer's refusal, else err: what is refused for its content says
// nothing of what else is wrong.
func (t *tally) over(err error) error {
	if refused := t.refusal(); refused != nil {
		return refused
	}
	return err
}

// refusal is the answer's refusal, or nil. Of several causes it names that of
// the first categories, not the one that came first.
func (t *tally) refusal() error {
	for models := config.None; models <= config.All; models++ {
		if err := t.failed[models]; err != nil {
			return screen.Refusal(t.found, err)
		}
	}
	return screen.Refusal(t.found, nil)
}
