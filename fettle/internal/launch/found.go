package launch

import (
	"path/filepath"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/ops"
	"fettler/fettle/internal/sibling"
	"fettler/shared/config"
)

// protect names what fettle never writes besides the nine: its own programs,
// and the models that a screen rests on.
func (l *Launcher) protect(c *config.Config, o *boundary.Options) {
	if c.Screenings != nil && c.Screenings.Models != "" {
		o.Protected = append(o.Protected, c.Screenings.Models)
	}
	dir, err := sibling.Dir()
	if err != nil {
		return
	}
	for _, name := range []string{"fettle", "fettle-mcp", "fettle-reader", "fettle-setup", "fettle-doctor", "burler-bridge"} {
		o.Protected = append(o.Protected, filepath.Join(dir, name+sibling.Suffix()))
	}
	for _, lib := range []string{"libonnxruntime.so", "libonnxruntime.dylib", "onnxruntime.dll"} {
		o.Protected = append(o.Protected, filepath.Join(dir, lib))
	}
}

// addFound adds the trees that fettle finds itself.
func (l *Launcher) addFound(*config.Config, *boundary.Options, *ops.Session) error { return nil }
