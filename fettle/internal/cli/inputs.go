package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/verb"
	"fettler/shared/config"
	"fettler/shared/outcome"
)

// maxInput bounds what one file or stream may bring in, in bytes.
const maxInput = 64 << 20

// inputs reads the files and the stream that a command line names. These are
// the caller's own: no tree is asked but whether it screens one of them.
type inputs struct {
	stdin io.Reader
	taken bool
	files []inputFile
}

type inputFile struct{ flag, name string }

// screened refuses a file of a screened place: by a flag its content would go
// where no screen is asked.
func (in *inputs) screened(b *boundary.Boundary) error {
	for _, f := range in.files {
		real, err := filepath.EvalSymlinks(f.name)
		if err == nil {
			real, err = filepath.Abs(real)
		}
		if err != nil {
			continue
		}
		if p, err := b.Locate(real, 0, ""); err == nil && p.Screen != config.None {
			return outcome.New(outcome.Refused, "--%s names %s, which lies in a screened place, and by a flag its content would pass the screen by. "+
				"Name it by its tree path, in a script or with --script-path", f.flag, p.Spell()).At(p.Spell())
		}
	}
	return nil
}

// content gives what a File or Stdin parameter names, without a leading
// byte-order mark: PowerShell puts one on a pipe whether asked to or not.
func (in *inputs) content(p *verb.Param, name string) (string, error) {
	var b []byte
	var err error
	if p.Source == verb.Stdin {
		if in.taken {
			return "", outcome.New(outcome.Invalid, "standard input can be taken once; --%s wants it again", p.Name)
		}
		in.taken = true
		b, err = io.ReadAll(io.LimitReader(in.stdin, maxInput+1))
		name = "standard input"
	} else {
		in.files = append(in.files, inputFile{p.Name, name})
		b, err = readFile(name)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", outcome.New(outcome.NotFound, "--%s names %s, and there is no such file", p.Name, name)
	case err != nil:
		return "", outcome.New(outcome.Denied, "--%s names %s, which cannot be read: %v", p.Name, name, err).Because(err)
	case len(b) > maxInput:
		return "", outcome.New(outcome.Invalid, "%s holds more than %d bytes", name, maxInput)
	}
	return decode(b), nil
}

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name) // a caller's own file, named on the command line
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxInput+1))
}

// decode takes a leading mark off, and UTF-16 that a Windows shell wrote apart.
func decode(b []byte) string {
	if c, err := decodeText(b); err == nil {
		return c
	}
	return strings.TrimPrefix(string(b), "\ufeff")
}
