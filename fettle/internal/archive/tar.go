package archive

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
)

func (a *Archive) gunzip(ctx context.Context) (io.Reader, error) {
	z, err := gzip.NewReader(bufio.NewReaderSize(io.NewSectionReader(a.src, 0, a.size), 64<<10))
	if err != nil {
		return nil, err
	}
	return a.meter(ctx).reader(z), nil
}

// eachTar gives the members in order; body is nil for what has none.
func (a *Archive) eachTar(ctx context.Context, fn func(m *Member, body io.Reader) error) error {
	var r io.Reader = io.NewSectionReader(a.src, 0, a.size)
	if a.Format == TarGz {
		var err error
		if r, err = a.gunzip(ctx); err != nil {
			return err
		}
	}
	tr := tar.NewReader(r)
	bodies := a.meter(ctx) // a sparse member is longer than what lies in the tar
	for n := 0; ; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return err
		}
		if h.Typeflag == tar.TypeXGlobalHeader {
			n--
			continue
		}
		if n >= a.limits.Members {
			return a.limits.tooMany()
		}
		m := tarMember(h)
		var body io.Reader
		if m.Regular() {
			body = bodies.reader(tr)
		}
		if err := fn(&m, body); err != nil {
			return err
		}
	}
}

func tarMember(h *tar.Header) Member {
	m := Member{Name: h.Name, Size: h.Size, Modified: h.ModTime, Mode: h.FileInfo().Mode()}
	switch h.Typeflag {
	case tar.TypeSymlink, tar.TypeLink:
		m.Link, m.HardLink, m.Size = h.Linkname, h.Typeflag == tar.TypeLink, 0
	case tar.TypeReg, tar.TypeDir, tar.TypeChar, tar.TypeBlock, tar.TypeFifo, tar.TypeGNUSparse, tar.TypeCont:
	default:
		m.Mode |= fs.ModeIrregular
	}
	if strings.HasSuffix(m.Name, "/") && m.Regular() {
		m.Mode |= fs.ModeDir // as old tars write folders
	}
	return m
}

// isTar checks the first header's magic, or its checksum where it is older
// than the magic.
func isTar(head []byte) bool {
	if len(head) < 512 {
		return false
	}
	if string(head[257:262]) == "ustar" {
		return true
	}
	var want, got int64
	digits := 0
	for _, c := range head[148:156] {
		if c >= '0' && c <= '7' {
			want = want*8 + int64(c-'0')
			digits++
		} else if c != ' ' && c != 0 {
			return false
		}
	}
	for i, c := range head[:512] {
		if i >= 148 && i < 156 {
			c = ' '
		}
		got += int64(c)
	}
	return digits >= 3 && want == got && head[0] != 0
}
