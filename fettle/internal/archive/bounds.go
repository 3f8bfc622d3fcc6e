package archive

import (
	"context"
	"io"

	"fettler/shared/outcome"
)

// Limits bound what an archive may make its reader do.
type Limits struct {
	Members int   // entries in the manifest
	Bytes   int64 // bytes really read out of it
	Ratio   int64 // bytes out for one byte of the file, counted once Free bytes are out
	Free    int64
}

// DefaultLimits is what fettle uses. Text compresses some 3 to 20 times and a
// log of one repeated line 200 times; deflate ends at 1,032.
var DefaultLimits = Limits{Members: 100_000, Bytes: 4 << 30, Ratio: 300, Free: 64 << 20}

func (l Limits) tooMany() error {
	return outcome.New(outcome.Refused, "the archive has more than %d members, which is more than fettle opens", l.Members)
}

// meter counts what comes out of an archive, over all readers it gave.
type meter struct {
	ctx    context.Context
	limits Limits
	in     int64
	out    int64
}

func (a *Archive) meter(ctx context.Context) *meter {
	return &meter{ctx: ctx, limits: a.limits, in: max(a.size, 1)}
}

func (m *meter) reader(r io.Reader) io.Reader { return &meterReader{m, r} }

type meterReader struct {
	m *meter
	r io.Reader
}

func (r *meterReader) Read(b []byte) (int, error) {
	if err := r.m.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.r.Read(b)
	r.m.out += int64(n)
	if r.m.out > r.m.limits.Bytes {
		return n, outcome.New(outcome.Refused, "the archive holds more than %d bytes, which is more than fettle unpacks", r.m.limits.Bytes)
	}
	if r.m.out > r.m.limits.Free && r.m.out/r.m.in >= r.m.limits.Ratio {
		return n, outcome.New(outcome.Refused, "the archive unpacks to more than %d times its size, as one made to exhaust its reader does", r.m.limits.Ratio)
	}
	return n, err
}
