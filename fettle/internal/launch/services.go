package launch

import (
	"runtime"

	"fettler/fettle/internal/ops"
	"fettler/fettle/internal/render"
	"fettler/fettle/internal/screen"
	"fettler/shared/config"
)

// services are what calls share: the document workers and the sidecar, kept
// warm by a server, started by neither front end before they are wanted.
type services struct {
	pool *render.Pool
	host *screen.Host
}

func newServices(server bool) services {
	o := render.Options{}
	if server {
		o.Workers, o.Warm = runtime.NumCPU(), true
	}
	return services{pool: render.New(o), host: screen.NewHost()}
}

func (s services) close() {
	s.pool.Close()
	s.host.Close()
}

// screener judges with the models directory that the configuration names now.
func (s services) screener(c *config.Config) ops.Screener {
	models := ""
	if c.Screenings != nil {
		models = c.Screenings.Models
	}
	return s.host.With(models)
}
