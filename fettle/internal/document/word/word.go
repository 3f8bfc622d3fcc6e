package word

import (
	"context"

	"fettler/fettle/internal/document"
)

func Render(ctx context.Context, src document.Source, out document.Sink) error {
	return document.Errorf(document.Unsupported, "not yet")
}
