package document

import "context"

// Announce makes a reader say each landmark as a line of its own, so that a
// page's beginning is seen in what is read and not only cited by a search.
func Announce(render Render) Render {
	return func(ctx context.Context, src Source, out Sink) error {
		return render(ctx, src, announcer{out})
	}
}

type announcer struct{ Sink }

func (a announcer) Mark(cite string) error {
	if err := a.Sink.Mark(cite); err != nil {
		return err
	}
	return a.Line(cite)
}
