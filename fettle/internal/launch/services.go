package launch

import (
	"runtime"
	"time"

	"fettler/fettle/internal/ops"
	"fettler/fettle/internal/recall"
	"fettler/fettle/internal/render"
	"fettler/fettle/internal/screen"
	"fettler/shared/config"
)

// services are what calls share: the document workers and the sidecar, kept
// warm by a server, started by neither front end before they are wanted; and
// what a server's searches remember.
type services struct {
	pool *render.Pool
	host *screen.Host
	seen *recall.Memory // nil for one call
}

func newServices(server bool) services {
	o := render.Options{}
	s := services{host: screen.NewHost()}
	if server {
		o.Workers, o.Warm = runtime.NumCPU(), true
		s.seen = recall.New(recall.Files, time.Now)
	}
	s.pool = render.New(o)
	return s
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
