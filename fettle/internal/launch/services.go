package launch

import (
	"context"
	"os"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/document"
	"fettler/fettle/internal/ops"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// screens is what is kept warm for screening between calls.
type screens struct{}

// closedScreen refuses every screened answer: nothing is served because a
// check is missing.
type closedScreen struct{}

func (closedScreen) Judge(_ context.Context, want config.Categories, _ []string) error {
	if want == config.None {
		return nil
	}
	return outcome.New(outcome.Screened, "this response could not be screened, so it is not being served: this build has no screen")
}

func (l *Launcher) screener(*config.Config) ops.Screener { return closedScreen{} }

// shutRenderer leaves every document unopened.
type shutRenderer struct{}

func (shutRenderer) Render(context.Context, *os.File, boundary.Info, document.Kind, config.Categories) (*document.Rendering, error) {
	return nil, document.Errorf(document.Unsupported, "this build renders no documents")
}

func (shutRenderer) RenderBytes(context.Context, []byte, document.Kind, config.Categories) (*document.Rendering, error) {
	return nil, document.Errorf(document.Unsupported, "this build renders no documents")
}

func newRenderer(*Launcher) ops.Renderer { return shutRenderer{} }
